import Locator

/// The kind of a setting's value, as far as it matters to a program.
enum ValueKind: Hashable, CustomStringConvertible {
    case null
    case boolean
    /// A number, and whether it is whole, which a program may rely on.
    case number(isWhole: Bool)
    case text
    /// An array, and the kind of its elements if they all have the same kind.
    indirect case array(ValueKind?)
    case object

    init(_ value: JSONValue) {
        switch value.content {
        case .null: self = .null
        case .boolean: self = .boolean
        case .number(let number):
            self = .number(isWhole: number.integer(as: Int64.self) != nil || number.integer(as: UInt64.self) != nil)
        case .string: self = .text
        case .array(let elements):
            let kinds = elements.map { ValueKind($0) }
            let isUniform = kinds.allSatisfy { kinds[0].isCompatible(with: $0) }
            self = .array(isUniform ? kinds.first : nil)
        case .object: self = .object
        }
    }

    /// Whether a program can read both as the same type.
    func isCompatible(with other: ValueKind) -> Bool {
        switch (self, other) {
        case (.array(let own?), .array(let others?)): own.isCompatible(with: others)
        case (.array, .array): true
        // A setting that allows fractions is often whole.
        case (.number, .number): true
        default: self == other
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
