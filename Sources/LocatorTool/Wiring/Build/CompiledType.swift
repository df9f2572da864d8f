import Locator

/// A type, or an extension of a type, as the compiler describes it in a `.swiftconstvalues` file.
struct CompiledType: Sendable, Equatable {
    /// A property and its initial value.
    struct Property: Sendable, Equatable {
        /// A wrapper of a property.
        ///
        /// The outermost wrapper comes first.
        struct Wrapper: Sendable, Equatable {
            var type: String
            var arguments: [String: Constant]
        }

        var label: String
        var type: TypeText
        var place: String
        var isStatic: Bool
        var isComputed: Bool
        var constant: Constant
        var wrappers: [Wrapper]
    }

    struct Case: Sendable, Equatable {
        var name: String
        var rawValue: String?
    }

    /// The name, including the names of the module and the outer types.
    var name: TypeText
    /// The place of the declaration, or nil for an extension.
    var place: String?
    var conformances: Set<String>
    /// The type of the raw values, if there are any.
    var rawType: TypeText?
    var cases: [Case]
    var rawValues: [String] { cases.compactMap(\.rawValue) }
    var properties: [Property]

    init?(_ tree: JSONValue) {
        guard let name = tree["typeName"]?.stringValue else { return nil }
        self.name = TypeText(name)
        place = Self.place(tree)
        conformances = Set((tree["conformances"]?.arrayValue ?? []).compactMap(\.stringValue))
        let aliases = tree["associatedTypeAliases"]?.arrayValue ?? []
        rawType = aliases.first { $0["typeAliasName"]?.stringValue == "RawValue" }?["substitutedTypeName"]?.stringValue
            .map(TypeText.init)
        cases = (tree["cases"]?.arrayValue ?? []).map { [rawType] in
            Case(
                name: $0["name"]?.stringValue ?? "",
                rawValue: $0["rawValue"]?.stringValue.map { Self.rawValue($0, rawType?.head) })
        }
        properties = []
        for property in tree["properties"]?.arrayValue ?? [] {
            guard let label = property["label"]?.stringValue, let type = property["type"]?.stringValue else { continue }
            let wrappers = (property["propertyWrappers"]?.arrayValue ?? []).map {
                Property.Wrapper(type: $0["type"]?.stringValue ?? "", arguments: Constant.arguments($0["arguments"]))
            }
            properties.append(
                Property(
                    label: label, type: TypeText(type), place: Self.place(property) ?? place ?? "",
                    isStatic: property["isStatic"]?.stringValue == "true",
                    isComputed: property["isComputed"]?.stringValue == "true",
                    constant: Constant(property), wrappers: wrappers))
        }
    }

    /// Returns a raw value as Swift prints it: 16 for the literal `0x10`.
    private static func rawValue(_ literal: String, _ type: String?) -> String {
        let text = literal.filter { $0 != "_" }
        switch type {
        case "Swift.String", "Swift.Character", nil: return literal
        case "Swift.Double", "Swift.Float": return Double(text).map { "\($0)" } ?? literal
        default:
            let sign = text.hasPrefix("-") ? "-" : ""
            let digits = text.dropFirst(sign.count)
            let radix = ["0x": 16, "0o": 8, "0b": 2][digits.prefix(2)]
            return Int128(sign + digits.dropFirst(radix == nil ? 0 : 2), radix: radix ?? 10).map { "\($0)" } ?? literal
        }
    }

    private static func place(_ tree: JSONValue) -> String? {
        guard let file = tree["file"]?.stringValue else { return nil }
        return tree["line"]?.numberValue?.integer(as: Int.self).map { "\(file):\($0)" } ?? file
    }
}
