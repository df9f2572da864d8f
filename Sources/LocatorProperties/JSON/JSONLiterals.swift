extension JSONValue: ExpressibleByNilLiteral {
    /// Creates the value `null`.
    public init(nilLiteral: ()) {
        self.init(storage: .null)
    }
}

extension JSONValue: ExpressibleByBooleanLiteral {
    /// Creates a boolean value.
    public init(booleanLiteral value: Bool) {
        self.init(storage: .boolean(value))
    }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    /// Creates a number.
    ///
    /// Literals of up to 128 bits are exact.
    public init(integerLiteral value: Int128) {
        self = .number(JSONNumber(value))
    }
}

extension JSONValue: ExpressibleByFloatLiteral {
    /// Creates a number with the shortest text that results in the same `Double`.
    public init(floatLiteral value: Double) {
        guard let number = JSONNumber(value) else { preconditionFailure("\(value) is no JSON number") }
        self = .number(number)
    }
}

extension JSONValue: ExpressibleByStringInterpolation {
    /// Creates a string.
    public init(stringLiteral value: String) {
        self.init(storage: .string(value))
    }
}

extension JSONValue: ExpressibleByArrayLiteral {
    /// Creates an array.
    public init(arrayLiteral elements: JSONValue...) {
        self = .array(elements)
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// Creates an object.
    ///
    /// A duplicate key is a programming error and stops the program.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(storage: .object(JSONObject(literal: elements)))
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Creates an object.
    ///
    /// A duplicate key is a programming error and stops the program.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(literal: elements)
    }

    fileprivate init(literal elements: [(String, JSONValue)]) {
        self.init(elements)
        precondition(count == elements.count, "a JSON object literal has a key twice")
    }
}

extension JSONValue {
    /// Creates a number.
    public init(_ number: some BinaryInteger) {
        self.init(.number(JSONNumber(number)))
    }

    /// Creates a string.
    public init(_ text: some StringProtocol) {
        self.init(.string(String(text)))
    }

    /// Creates a boolean value.
    public init(_ boolean: Bool) {
        self.init(.boolean(boolean))
    }

    /// Creates a number.
    ///
    /// Infinity and NaN are programming errors and stop the program.
    public init(_ number: Double) {
        self.init(floatLiteral: number)
    }

    /// Creates an array of integers.
    public init(_ numbers: [some BinaryInteger]) {
        self = .array(numbers.map { JSONValue($0) })
    }

    /// Creates an array of strings.
    public init(_ texts: [some StringProtocol]) {
        self = .array(texts.map { JSONValue($0) })
    }

    /// Creates an array of booleans.
    public init(_ booleans: [Bool]) {
        self = .array(booleans.map { JSONValue($0) })
    }

    /// Creates an array of numbers.
    ///
    /// Infinity and NaN are programming errors and stop the program.
    public init(_ numbers: [Double]) {
        self = .array(numbers.map { JSONValue($0) })
    }
}
