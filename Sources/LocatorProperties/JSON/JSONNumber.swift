/// A JSON number, exactly as it was written.
///
/// Two numbers are equal if their values are, regardless of their digits: `1.0 == 1` and `1e400 == 10e399`. To convert
/// a number, request a Swift type. The result is nil if that type cannot represent the number:
///
/// ```swift
/// let number = JSONNumber("12345678901234567890")!
/// number.integer(as: UInt64.self)     // 12345678901234567890
/// number.integer(as: Int64.self)      // nil
/// ```
public struct JSONNumber: Sendable {
    enum Storage: Sendable {
        /// An integer in its plain form, such as `-12`. But `-0` is a text.
        case integer(Int64)
        /// Any other text that JSON's grammar allows for a number.
        case text(String)
    }

    let storage: Storage

    @inline(__always)
    init(storage: Storage) {
        self.storage = storage
    }

    /// Creates a number from its text, or nil if it is not a JSON number, such as `01`, `+1`, `.5`, or `NaN`.
    public init?(_ text: String) {
        guard JSONNumberForm.isNumber(text) else { return nil }
        if let small = Int64(text), String(small) == text {
            storage = .integer(small)
        } else {
            storage = .text(text)
        }
    }

    /// Creates a number from an integer.
    public init(_ value: some BinaryInteger) {
        if let small = Int64(exactly: value) {
            storage = .integer(small)
        } else {
            storage = .text(String(value))
        }
    }

    /// Creates a number with the shortest text that results in the same value.
    ///
    /// Nil for infinity and NaN.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        storage = .text(value.description)
    }

    /// The text of the number, as it was written.
    public var text: String {
        switch storage {
        case .integer(let value): String(value)
        case .text(let text): text
        }
    }
}

extension JSONNumber: CustomStringConvertible {
    /// The text of the number.
    public var description: String { text }
}

extension JSONNumber: Hashable {
    /// Whether two numbers have the same value.
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        switch (left.storage, right.storage) {
        case (.integer(let left), .integer(let right)): left == right
        case (.text(let leftText), .text(let rightText)) where leftText == rightText: true
        case (.integer, .text), (.text, .integer), (.text, .text):
            JSONNumberForm(left) == JSONNumberForm(right)
        }
    }

    /// Hashes the value, not the text.
    public func hash(into hasher: inout Hasher) {
        if let small = integer(as: Int64.self) {
            hasher.combine(small)
        } else {
            hasher.combine(JSONNumberForm(self))
        }
    }
}
