import Locator

/// The kind of a setting's value, as it matters to a program.
enum ValueKind: Hashable, CustomStringConvertible {
    case null
    case boolean
    /// A number, and whether it is whole, which a program may rely on.
    case number(isWhole: Bool)
    case text
    /// An array, and the kind of its elements if there are any, other than nulls, and all have the same kind.
    indirect case array(ValueKind?)
    case object

    init(_ value: JSONValue) {
        switch value.content {
        case .null: self = .null
        case .boolean: self = .boolean
        case .number(let number):
            self = .number(isWhole: number.isWhole)
        case .string: self = .text
        case .array(let elements):
            // A program reads a null with any other kind, as `[Int?]`.
            let kinds = elements.map { ValueKind($0) }.filter { $0 != .null }
            self = .array(kinds.first.flatMap { kinds.dropFirst().reduce($0) { $0?.merged(with: $1) } })
        case .object: self = .object
        }
    }

    /// Returns the kind of both if a program can read them as the same type, or nil.
    ///
    /// Of several kinds, each must be merged with what the others have in common: an empty array is compatible with an
    /// array of numbers and with one of texts, but these two are not.
    func merged(with other: ValueKind) -> ValueKind? {
        switch (self, other) {
        case (.array(let own?), .array(let others?)): own.merged(with: others).map { .array($0) }
        case (.array(nil), .array): other
        case (.array, .array(nil)): self
        // A setting that allows fractions is often whole.
        case (.number(let own), .number(let others)): .number(isWhole: own && others)
        default: self == other ? self : nil
        }
    }

    var description: String {
        switch self {
        case .null: noun
        case .boolean, .number, .text: "a \(noun)"
        case .array(let element?): "an array of \(element.noun)s"
        case .array(nil), .object: "an \(noun)"
        }
    }

    /// The name of the kind in JSON.
    var name: String { self == .text ? "string" : noun }

    private var noun: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean"
        case .number: "number"
        case .text: "text"
        case .array: "array"
        case .object: "object"
        }
    }
}
