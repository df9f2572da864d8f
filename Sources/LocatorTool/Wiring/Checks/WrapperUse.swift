/// A use of a wrapper in the source code: what it needs, and where.
struct WrapperUse {
    enum Kind: String {
        case dependency = "Locator.Dependency"
        case collection = "Locator.DependencyArray"
        case property = "Locator.PropertyValue"
    }

    enum Qualification: Equatable {
        case none
        case name(String)
        /// The text at a path of the settings.
        case property(String)
        /// A qualifier that only the running program knows.
        case computed
    }

    var kind: Kind
    var label: String
    /// The place, such as `/Shop/Sources/Shop/Shop.swift:41`.
    var place: String
    /// The generic argument of the wrapper.
    var type: TypeText
    /// The path of a setting, or nil if only the running program knows it.
    var path: String?
    var hasDefault = false
    var qualification = Qualification.none

    static func uses(in type: CompiledType, knowing types: CompiledTypes) -> [WrapperUse] {
        type.properties.compactMap { property in
            composed(property, in: type, types) ?? single(property, types)
        }
    }

    /// Returns a wrapper in its storage, or in a constant: `_catalog`, `let logger = Dependency<…>()`.
    private static func single(_ property: CompiledType.Property, _ types: CompiledTypes) -> WrapperUse? {
        guard let kind = Kind(rawValue: property.type.head), let value = property.type.arguments.first,
            // `$catalog` returns the wrapper that `_catalog` stores.
            !property.label.hasPrefix("$"), case .call(member: nil, let arguments) = property.constant
        else { return nil }
        let label = property.label.hasPrefix("_") ? String(property.label.dropFirst()) : property.label
        return WrapperUse(kind, label, property.place, value, arguments, types)
    }

    /// Returns a wrapper inside another wrapper: `@Logged @PropertyValue("server.url") var url: URL`.
    private static func composed(
        _ property: CompiledType.Property, in type: CompiledType, _ types: CompiledTypes
    ) -> WrapperUse? {
        guard property.wrappers.count > 1,
            let wrapper = property.wrappers.first(where: { Kind(rawValue: $0.type) != nil }),
            let kind = Kind(rawValue: wrapper.type),
            let storage = type.properties.first(where: { $0.label == "_\(property.label)" }),
            let value = storage.type.innermost(kind.rawValue)
        else { return nil }
        // If it is the outer wrapper, its storage is already a use by itself.
        if Kind(rawValue: storage.type.head) != nil { return nil }
        return WrapperUse(kind, property.label, property.place, value, wrapper.arguments, types)
    }

    private init(
        _ kind: Kind, _ label: String, _ place: String, _ type: TypeText, _ arguments: [String: Constant],
        _ types: CompiledTypes
    ) {
        self.kind = kind
        self.label = label
        self.place = place
        self.type = type
        path = types.text(arguments[""])
        hasDefault = arguments["default"] != nil
        if let path = arguments["qualifierBy"] {
            qualification = types.text(path).map(Qualification.property) ?? .computed
        } else {
            qualification = Self.qualification(types.resolved(arguments["qualifier"]), types)
        }
    }

    private static func qualification(_ constant: Constant?, _ types: CompiledTypes) -> Qualification {
        switch constant {
        case nil, .null: return .none
        case .literal(let name): return .name(name)
        case .call(let member, let arguments):
            guard let text = types.text(arguments[""]) else { return .computed }
            return member == "property" ? .property(text) : member == "named" ? .name(text) : .computed
        case .member, .computed: return .computed
        }
    }
}

extension TypeText {
    /// Returns the argument of the type with this name, at any depth.
    fileprivate func innermost(_ name: String) -> TypeText? {
        if head == name { return arguments.first }
        return arguments.lazy.compactMap { $0.innermost(name) }.first
    }
}
