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
    /// Creates a number; literals of up to 128 bits are exact.
    public init(integerLiteral value: Int128) {
        self = .number(JSONNumber(value))
    }
}

extension JSONValue: ExpressibleByFloatLiteral {
    /// Creates a number with the shortest text that gives the same `Double` again.
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
    /// Creates an object; a key that appears twice is a mistake in the program and stops it.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(storage: .object(JSONObject(literal: elements)))
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Creates an object; a key that appears twice is a mistake in the program and stops it.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(literal: elements)
    }

    fileprivate init(literal elements: [(String, JSONValue)]) {
        self.init(elements)
        precondition(count == elements.count, "a JSON object literal has a key twice")
    }
}

extension JSONValue {
    /// A number known only at run time.
    public init(_ number: some BinaryInteger) {
        self.init(.number(JSONNumber(number)))
    }

    /// A text known only at run time.
    public init(_ text: some StringProtocol) {
        self.init(.string(String(text)))
    }

    /// A boolean known only at run time.
    public init(_ boolean: Bool) {
        self.init(.boolean(boolean))
    }

    /// A number known only at run time; one that is infinite or not a number is a mistake in the program and stops it.
    public init(_ number: Double) {
        self.init(floatLiteral: number)
    }

    /// An array of integers known only at run time.
    public init(_ numbers: [some BinaryInteger]) {
        self = .array(numbers.map { JSONValue($0) })
    }

    /// An array of texts known only at run time.
    public init(_ texts: [some StringProtocol]) {
        self = .array(texts.map { JSONValue($0) })
    }

    /// An array of booleans known only at run time.
    public init(_ booleans: [Bool]) {
        self = .array(booleans.map { JSONValue($0) })
    }

    /// An array of numbers known only at run time.
    public init(_ numbers: [Double]) {
        self = .array(numbers.map { JSONValue($0) })
    }
}
