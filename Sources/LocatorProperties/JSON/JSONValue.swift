/// A JSON value with its position in the text.
///
/// ```swift
/// let value = try JSONValue(parsing: #"{"server": {"port": 8080}}"#, file: "application.json")
/// value["server"]?["port"]?.position          // 1:20
/// value == ["server": ["port": 8080.0]]       // true: positions are ignored, numbers compare by value
/// ```
///
/// Numbers keep their text, and objects keep the order of their keys. A tree may be as deep as memory allows, because
/// comparing, hashing, writing, and freeing it do not recurse through its levels.
public struct JSONValue: Sendable {
    /// The payload.
    ///
    /// Integers in their plain form are stored as integers. All other numbers keep their text.
    enum Storage: Sendable {
        case null
        case boolean(Bool)
        case integer(Int64)
        case decimal(String)
        case string(String)
        case array(JSONArrayStorage)
        case object(JSONObject)
    }

    // The payload takes 17 bytes. The fields after it are ordered so that they fill the rest of its last word, and a
    // whole node takes 28 bytes. A struct around the three fields would have its own alignment and cost another word
    // per node.
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

    /// The position where the value starts in the text it was read from, or nil if it was not read from a text.
    public var position: JSONPosition? {
        line == 0 ? nil : JSONPosition(line: Int(line), column: Int(column))
    }

    /// The properties of the node that depend on its origin.
    package var flags: JSONNodeFlags {
        @inline(__always) get { JSONNodeFlags(rawValue: rawFlags) }
        set { rawFlags = newValue.rawValue }
    }
}

extension JSONValue {
    /// The kinds of JSON values, each with its content.
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

    /// The content, to switch over.
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

    /// Returns a boolean value.
    public static func boolean(_ value: Bool) -> JSONValue { JSONValue(storage: .boolean(value)) }

    /// Returns a number.
    public static func number(_ number: JSONNumber) -> JSONValue {
        switch number.storage {
        case .integer(let value): JSONValue(storage: .integer(value))
        case .text(let text): JSONValue(storage: .decimal(text))
        }
    }

    /// Returns a string.
    public static func string(_ text: String) -> JSONValue { JSONValue(storage: .string(text)) }

    /// Returns an array.
    public static func array(_ elements: [JSONValue]) -> JSONValue {
        JSONValue(storage: .array(JSONArrayStorage(elements)))
    }

    /// Returns an object.
    public static func object(_ object: JSONObject) -> JSONValue { JSONValue(storage: .object(object)) }
}

extension JSONValue {
    /// Whether the value is `null`.
    public var isNull: Bool {
        if case .null = storage { true } else { false }
    }

    /// The boolean, if the value is one.
    public var booleanValue: Bool? {
        if case .boolean(let value) = storage { value } else { nil }
    }

    /// The number, if the value is one.
    public var numberValue: JSONNumber? {
        switch storage {
        case .integer(let value): JSONNumber(storage: .integer(value))
        case .decimal(let text): JSONNumber(storage: .text(text))
        case .null, .boolean, .string, .array, .object: nil
        }
    }

    /// The text, if the value is a string.
    public var stringValue: String? {
        if case .string(let text) = storage { text } else { nil }
    }

    /// The elements, if the value is an array.
    public var arrayValue: [JSONValue]? {
        if case .array(let array) = storage { array.elements } else { nil }
    }

    /// The object, if the value is one.
    public var objectValue: JSONObject? {
        if case .object(let object) = storage { object } else { nil }
    }

    /// The value of a key, if the value is an object with that key.
    public subscript(key: String) -> JSONValue? {
        if case .object(let object) = storage { object[key] } else { nil }
    }

    /// The element at an index, if the value is an array with that index.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let array) = storage, array.elements.indices.contains(index) else { return nil }
        return array.elements[index]
    }
}

extension JSONValue {
    /// An upper bound of the number of nested containers.
    ///
    /// It is 0 for a scalar, and never less than the actual number.
    var height: UInt32 {
        switch storage {
        case .null, .boolean, .integer, .decimal, .string: 0
        case .array(let array): array.height
        case .object(let object): object.storage.height
        }
    }

    /// Returns other content with the position and flags of this node.
    func replacingContent(with content: Storage) -> JSONValue {
        JSONValue(storage: content, line: line, column: column, flags: flags)
    }

    /// The kind of the value in words: "an object", "a string".
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
