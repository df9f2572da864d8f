import Locator

/// A place in the source code that reads a setting: a wrapper, a qualifier, or a type that is decoded at a path.
struct SettingUse {
    static let configProperty = "LocatorProperties.ConfigProperty"

    var path: PropertyPath
    var type: TypeText
    var place: String
    /// Whether it is the declaration of a type, whose properties have their own places.
    var isDeclaration = false
    var mayBeMissing: Bool
    var hasDefault = false
    /// The default, if it is a literal in the source code.
    var literal: Constant?
    var comment: String?

    /// Returns all uses in the checked targets with a path that the compiler knows.
    static func uses(in build: BuildFolder, knowing types: CompiledTypes, _ files: FileSystem) -> [SettingUse] {
        var defaults = SourceDefaults(files)
        var uses: [SettingUse] = []
        for type in build.checked.flatMap(\.types) {
            // The type is usually a parameter, so no wrapper refers to it.
            if let place = type.place, types.conforms(type.name, to: configProperty),
                let path = parsed(types.settingsPath(of: type.name))
            {
                let comment = types.symbols.comments[type.name.text]
                uses.append(
                    SettingUse(
                        path: path, type: type.name, place: place, isDeclaration: true, mayBeMissing: false,
                        comment: comment))
            }
            for use in WrapperUse.uses(in: type, knowing: types) {
                guard var setting = setting(of: use, types) else { continue }
                let name = "\(type.name.text).\(use.label)"
                if use.kind == .property { setting.comment = types.symbols.comments[name] }
                if use.hasDefault { setting.literal = defaults.literal(at: use.place) }
                uses.append(setting)
            }
        }
        return uses
    }

    private static func setting(of use: WrapperUse, _ types: CompiledTypes) -> SettingUse? {
        if use.kind == .property {
            guard let path = parsed(use.path) else { return nil }
            let mayBeMissing = use.hasDefault || use.type.head == "Swift.Optional"
            return SettingUse(
                path: path, type: use.type, place: use.place, mayBeMissing: mayBeMissing, hasDefault: use.hasDefault)
        }
        if case .property(let text) = use.qualification, let path = parsed(text) {
            return SettingUse(path: path, type: TypeText("Swift.String"), place: use.place, mayBeMissing: false)
        }
        let wanted = Wanted(use)
        guard wanted.payload == nil, types.conforms(wanted.type, to: configProperty),
            let path = parsed(types.settingsPath(of: wanted.type))
        else { return nil }
        return SettingUse(path: path, type: wanted.type, place: use.place, mayBeMissing: wanted.isOptional)
    }

    private static func parsed(_ text: String?) -> PropertyPath? { text.flatMap { try? PropertyPath(parsing: $0) } }
}
