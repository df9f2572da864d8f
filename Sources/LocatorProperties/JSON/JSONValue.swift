/// A JSON value that remembers where it was written.
///
/// ```swift
/// let value = try JSONValue(parsing: #"{"server": {"port": 8080}}"#, file: "application.json")
/// value["server"]?["port"]?.position          // 1:20
/// value == ["server": ["port": 8080.0]]       // true: positions are ignored, numbers compare by value
/// ```
///
/// Numbers keep the text they were written with, objects the order of their keys. A tree may be as deep as memory
/// allows: comparing, hashing, writing and freeing it do not recurse through its levels.
public struct JSONValue: Sendable {
    /// The payload.
    ///
    /// Integers in their plain form are kept as such; all other numbers keep their text.
    enum Storage: Sendable {
        case null
        case boolean(Bool)
        case integer(Int64)
        case decimal(String)
        case string(String)
        case array(JSONArrayStorage)
        case object(JSONObject)
    }

    // The payload takes 17 bytes; the fields behind it are ordered so that they fill the rest of its last word, and a
    // whole node takes 28. A struct around the three would be aligned anew and cost another word per node.
    var storage: Storage
    private var rawFlags: UInt8 = 0
    private var line: UInt32 = 0
    private var column: UInt32 = 0

    @inline(__always)
    init(storage: Storage) {
        self.storage = storage
    }

    @inline(__always)
    init(storage: Storage, line: UInt32, column: UInt32, flags: JSONNodeFlags) {
        self.storage = storage
        rawFlags = flags.rawValue
        self.line = line
        self.column = column
    }

    /// Where the value starts in the text it was read from; nil for a value that was not read.
    public var position: JSONPosition? {
        line == 0 ? nil : JSONPosition(line: Int(line), column: Int(column))
    }

    /// What the node's history allows and forbids.
    package var flags: JSONNodeFlags {
        @inline(__always) get { JSONNodeFlags(rawValue: rawFlags) }
        set { rawFlags = newValue.rawValue }
    }

    /// Takes the position and flags of another node.
    package mutating func takeProvenance(of other: JSONValue) {
        rawFlags = other.rawFlags
        line = other.line
        column = other.column
    }
}

extension JSONValue {
    /// The kinds of JSON value, each with what it holds.
    public enum Content: Sendable, Hashable {
        /// The value `null`.
        case null
        /// `true` or `false`.
        case boolean(Bool)
        /// A number, with the text it was written with.
        case number(JSONNumber)
        /// A string.
        case string(String)
        /// An array.
        case array([JSONValue])
        /// An object.
        case object(JSONObject)
    }

    /// The value as something to switch over.
    public var content: Content {
        switch storage {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .integer(let value): .number(JSONNumber(storage: .integer(value)))
        case .decimal(let text): .number(JSONNumber(storage: .text(text)))
        case .string(let text): .string(text)
        case .array(let array): .array(array.elements)
        case .object(let object): .object(object)
        }
    }

    /// Creates a value from its content.
    public init(_ content: Content) {
        switch content {
        case .null: self.init(storage: .null)
        case .boolean(let value): self.init(storage: .boolean(value))
        case .number(let number): self = .number(number)
        case .string(let text): self.init(storage: .string(text))
        case .array(let elements): self = .array(elements)
        case .object(let object): self.init(storage: .object(object))
        }
    }

    /// The value `null`.
    public static var null: JSONValue { JSONValue(storage: .null) }

    /// A boolean value.
    public static func boolean(_ value: Bool) -> JSONValue { JSONValue(storage: .boolean(value)) }

    /// A number.
    public static func number(_ number: JSONNumber) -> JSONValue {
        switch number.storage {
        case .integer(let value): JSONValue(storage: .integer(value))
        case .text(let text): JSONValue(storage: .decimal(text))
        }
    }

    /// A string.
    public static func string(_ text: String) -> JSONValue { JSONValue(storage: .string(text)) }

    /// An array.
    public static func array(_ elements: [JSONValue]) -> JSONValue {
        JSONValue(storage: .array(JSONArrayStorage(elements)))
    }

    /// An object.
    public static func object(_ object: JSONObject) -> JSONValue { JSONValue(storage: .object(object)) }
}

extension JSONValue {
    /// Whether the value is `null`.
    public var isNull: Bool {
        if case .null = storage { true } else { false }
    }

    /// The boolean, where the value is one.
    public var booleanValue: Bool? {
        if case .boolean(let value) = storage { value } else { nil }
    }

    /// The number, where the value is one.
    public var numberValue: JSONNumber? {
        switch storage {
        case .integer(let value): JSONNumber(storage: .integer(value))
        case .decimal(let text): JSONNumber(storage: .text(text))
        case .null, .boolean, .string, .array, .object: nil
        }
    }

    /// The text, where the value is a string.
    public var stringValue: String? {
        if case .string(let text) = storage { text } else { nil }
    }

    /// The elements, where the value is an array.
    public var arrayValue: [JSONValue]? {
        if case .array(let array) = storage { array.elements } else { nil }
    }

    /// The object, where the value is one.
    public var objectValue: JSONObject? {
        if case .object(let object) = storage { object } else { nil }
    }

    /// The value of a key, where the value is an object that has it.
    public subscript(key: String) -> JSONValue? {
        if case .object(let object) = storage { object[key] } else { nil }
    }

    /// The element at an index, where the value is an array that has it.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let array) = storage, array.elements.indices.contains(index) else { return nil }
        return array.elements[index]
    }
}

extension JSONValue {
    /// The levels of containers the value has, at most.
    ///
    /// It is 0 for a scalar, and never less than the true number.
    var height: UInt32 {
        switch storage {
        case .null, .boolean, .integer, .decimal, .string: 0
        case .array(let array): array.height
        case .object(let object): object.storage.height
        }
    }
}

extension JSONValue {
    /// The same node with other content: place and flags stay.
    func replacingContent(with content: Storage) -> JSONValue {
        var node = JSONValue(storage: content)
        node.takeProvenance(of: self)
        return node
    }

    /// What kind of value this is, for a text: "an object", "a string".
    var kindInWords: String {
        switch storage {
        case .null: "null"
        case .boolean: "a boolean"
        case .integer, .decimal: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
