import Locator

/// Describes values in a JSON Schema.
///
/// Every value of a setting may be `null`, which removes it, or a string with a placeholder. A single schema covers all
/// of this, because patterns apply only to strings, and bounds only to numbers.
enum SchemaForm {
    /// A pattern for a string with a placeholder.
    static let placeholder = #"\$\{"#

    /// Returns the schema of a setting with a known type.
    static func schema(of shape: ValueShape) -> JSONObject { schema(of: shape, isElement: false, isNullable: true) }

    /// Returns the schema of a setting without a known type, based on its values in the files.
    static func schema(ofValues values: [JSONValue]) -> JSONObject {
        let shapes = values.compactMap(Self.shape)
        guard let first = shapes.first, shapes.allSatisfy({ $0 == first }) else { return JSONObject() }
        return schema(of: first)
    }

    /// Returns the schema of an object, which a placeholder may replace.
    static func objectOrPlaceholder(members: [(String, JSONValue)], isClosed: Bool) -> JSONObject {
        var schema = typed("object", isNullable: true)
        schema["properties"] = .object(JSONObject(members))
        if isClosed { schema["additionalProperties"] = false }
        return schema
    }

    /// Returns the shape of a value in a file, or nil if the value does not show it.
    private static func shape(of value: JSONValue) -> ValueShape? {
        switch value.content {
        case .null: return nil
        case .boolean: return .scalar("Swift.Bool")
        // Only the program knows whether the number must be whole.
        case .number: return .scalar("Swift.Double")
        // With a placeholder, the value may be anything.
        case .string(let text): return text.contains("${") ? nil : .scalar("Swift.String")
        case .array(let elements):
            let shapes = elements.map(shape)
            guard let first = shapes.first, let first, shapes.allSatisfy({ $0 == first }) else {
                return .array(.anything)
            }
            return .array(first)
        case .object: return .dictionary(.anything)
        }
    }

    /// Elements of arrays are not settings.
    ///
    /// They are replaced as a whole, so their keys are required, and `null` removes nothing.
    private static func schema(of shape: ValueShape, isElement: Bool, isNullable: Bool) -> JSONObject {
        switch shape {
        case .anything: return JSONObject()
        case .secret(let inner): return schema(of: inner, isElement: isElement, isNullable: isNullable)
        case .optional(let inner): return schema(of: inner, isElement: isElement, isNullable: true)
        case .scalar(let name): return scalar(name, isNullable: isNullable)
        case .choice(let values, let raw): return choice(values, raw, isNullable: isNullable)
        case .array(let element):
            var result = typed("array", isNullable: isNullable)
            let items = schema(of: element, isElement: true, isNullable: false)
            if !items.isEmpty { result["items"] = .object(items) }
            return result
        case .dictionary(let value):
            var result = typed("object", isNullable: isNullable)
            let values = schema(of: value, isElement: isElement, isNullable: !isElement)
            if !values.isEmpty { result["additionalProperties"] = .object(values) }
            return result
        case .object(let members):
            var result = typed("object", isNullable: isNullable)
            let properties = members.map { member in
                var property = JSONObject()
                if let comment = member.comment { property["description"] = .string(comment) }
                property.add(schema(of: member.shape, isElement: isElement, isNullable: !isElement))
                return (member.key, JSONValue.object(property))
            }
            result["properties"] = .object(JSONObject(properties))
            let required = members.filter { !$0.shape.isOptional }.map { JSONValue.string($0.key) }
            if isElement, !required.isEmpty { result["required"] = .array(required) }
            result["additionalProperties"] = false
            return result
        }
    }

    /// Returns the schema for a type, a string with a placeholder, and optionally `null`.
    private static func typed(_ type: JSONValue, isNullable: Bool) -> JSONObject {
        ["type": .array([type, "string"] + (isNullable ? ["null"] : [])), "pattern": .string(placeholder)]
    }

    private static func choice(_ values: [String], _ raw: String, isNullable: Bool) -> JSONObject {
        let choices =
            raw == "Swift.String"
            ? values.map { JSONValue.string($0) } : values.compactMap { try? JSONValue(parsing: $0) }
        let known: JSONValue = ["enum": .array(choices + (isNullable ? [.null] : []))]
        return ["anyOf": [known, ["type": "string", "pattern": .string(placeholder)]]]
    }

    private static func scalar(_ name: String, isNullable: Bool) -> JSONObject {
        if let pattern = patterns[name] {
            var schema: JSONObject = ["type": isNullable ? ["string", "null"] : "string"]
            if !pattern.isEmpty { schema["pattern"] = .string("\(placeholder)|\(pattern)") }
            return schema
        }
        switch name {
        case "Swift.Bool": return typed("boolean", isNullable: isNullable)
        case "Swift.Double", "Swift.Float", "Swift.Float16", "Foundation.Decimal":
            return typed("number", isNullable: isNullable)
        default:
            var schema = typed("integer", isNullable: isNullable)
            if name.hasPrefix("Swift.UInt") { schema["minimum"] = 0 }
            // Larger bounds would be rounded by the readers of the schema.
            if let bounds = bounds[name] {
                schema["minimum"] = .number(JSONNumber(bounds.lowerBound))
                schema["maximum"] = .number(JSONNumber(bounds.upperBound))
            }
            return schema
        }
    }

    /// The patterns of types that are written as strings.
    ///
    /// Empty if any string may be valid, as far as a pattern can express it.
    private static let patterns = [
        "Swift.String": "", "Foundation.URL": "",
        "Swift.Duration": #"^-?(0|([0-9]+(\.[0-9]+)?(d|h|m|s|ms|us|µs|μs|ns))+)$"#,
        "Foundation.Date": #"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}"#,
        "Foundation.Data": #"^[A-Za-z0-9+/]*={0,2}$"#,
        "Foundation.UUID": #"^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"#,
    ]

    private static let bounds: [String: ClosedRange<Int64>] = [
        "Swift.Int8": -128...127, "Swift.Int16": -32_768...32_767, "Swift.Int32": -2_147_483_648...2_147_483_647,
        "Swift.UInt8": 0...255, "Swift.UInt16": 0...65_535, "Swift.UInt32": 0...4_294_967_295,
    ]
}

extension JSONObject {
    mutating func add(_ other: JSONObject) {
        for (key, value) in other { self[key] = value }
    }
}
