internal import LocatorProperties

/// Conditions on a profile or a setting that does not exist.
extension Validator {
    mutating func checkConditions(sources: [PropertiesSource]) {
        let modules = wiring.modules.map(\.loaded) + wiring.state.lineup.inactive
        let conditions = modules.compactMap { module in module.module.definition.condition.map { (module, $0) } }
        if conditions.isEmpty { return }
        let profiles = knownProfiles(sources: sources)
        if sources.isEmpty, wiring.properties.profiles.isEmpty {
            addUnloadedProfiles(conditions.filter { $0.1.profile != nil })
        }
        let inactive = IdentitySet(wiring.state.lineup.inactive.lazy.map(\.identity))
        for (module, condition) in conditions {
            if let name = condition.profile, let profiles, !profiles.contains(name) {
                addUnknownProfile(name, in: condition, of: module, among: profiles)
            }
            if let path = condition.path {
                let hasUnreadSource = inactive.contains(module.identity) && checkSource(of: condition, of: module)
                if !hasUnreadSource { checkPath(path, of: condition, of: module) }
            }
        }
    }

    /// The available profiles: those with a file, and the groups.
    ///
    /// Nil if any name can be a profile, because files are listed individually, or no settings are loaded.
    private func knownProfiles(sources: [PropertiesSource]) -> [String]? {
        var names: Set<String> = []
        for source in sources {
            guard let profiles = source.profilesWithFiles else { return nil }
            names.formUnion(profiles)
        }
        if sources.isEmpty { return nil }
        let properties = wiring.properties
        names.formUnion(properties.profiles)
        let groups = try? properties.value("locator.profiles.groups", as: [String: [String]]?.self)
        // A member without a file cannot be loaded.
        return names.union((groups ?? [:]).keys).sorted()
    }

    private mutating func addUnknownProfile(
        _ name: String, in condition: Condition, of module: LoadedModule, among profiles: [String]
    ) {
        let near = NearNames.nearest(to: name, among: profiles)
        let question = near.isEmpty ? "" : "; did you mean \(near.map { "\"\($0)\"" }.joined(separator: " or "))?"
        add(
            .condition, at: module.module.location,
            message: "\(effect(of: condition, on: module)), "
                + "but profile \"\(name)\" has no file and is not a group\(question)",
            notes: [
                .init(text: "existing profiles: \(profiles.isEmpty ? "none" : profiles.joined(separator: ", "))")
            ],
            suggestion: near.isEmpty
                ? "add the file application-\(name).json, or correct the name" : "correct the name of the profile")
    }

    private func effect(of condition: Condition, on module: LoadedModule) -> String {
        "module \"\(module.name)\" \(condition.effect(in: wiring.properties))"
    }

    /// Reports that no profile can be active, because a load of the profile files chooses the profiles.
    private mutating func addUnloadedProfiles(_ conditions: [(LoadedModule, Condition)]) {
        let effects = conditions.map { module, condition in effect(of: condition, on: module) }
        let locations = conditions.map(\.0.module.location)
        guard let effect = effects.first else { return }
        add(
            .condition, at: locations[0],
            message: "\(effect), but no profile files are loaded, so no profile is active",
            notes: zip(locations, effects).dropFirst().map { .init(location: $0, text: $1) },
            suggestion: "load them: try context.loadProperties(from: \"Config\"), or name the profiles: "
                + "context.validate(profiles: […])")
    }

    /// Reports the condition of a module that is off, if the condition is true.
    ///
    /// Returns whether it is true.
    private mutating func checkSource(of condition: Condition, of module: LoadedModule) -> Bool {
        let lineup = wiring.state.lineup
        guard let path = module.conditionPath.flatMap({ try? PropertyPath(parsing: $0) }),
            let unread = UnreadSetting(of: condition, of: module, in: wiring.properties, lineup),
            let source = unread.own
                ?? wiring.modules.map(\.loaded).first(where: { other in
                    !lineup.isUnconditional(other)
                        && other.settingPaths.contains { (try? PropertyPath(parsing: $0))?.starts(with: path) ?? false }
                })
        else { return false }
        let holder = source.hasCondition ? "has a condition" : "is included only by modules with a condition"
        add(
            .condition, at: module.module.location,
            message: "module \"\(module.name)\" is off, although \(unread.contradiction)",
            notes: unread.own != nil
                ? []
                : [
                    .init(
                        location: source.module.location,
                        text: "module \"\(source.name)\" \(holder), and sets \"\(unread.path)\"")
                ],
            suggestion: unread.fix)
        return true
    }

    /// Reports a missing setting if there is one with a similar path; otherwise, it may be missing on purpose.
    private mutating func checkPath(_ path: String, of condition: Condition, of module: LoadedModule) {
        let properties = wiring.properties
        if condition.value?.isNull ?? false {
            let existence = ".property(\"\(path)\")"
            add(
                .condition, at: module.module.location,
                message: "\(effect(of: condition, on: module)), but a setting is never null",
                suggestion: "write \(condition.isNegated ? existence : ".not(\(existence))")")
            return
        }
        guard case .success(let found) = properties.lookup(path).result else { return }
        if let found {
            if let value = condition.value {
                checkKind(of: found, comparedWith: value, at: path, of: condition, of: module)
            } else if !found.isMasked, !isSetUnderCondition(path),
                (try? properties.value(path, as: Bool.self)) == false
            {
                addExistingFalse(at: path, of: condition, of: module)
            }
            return
        }
        let near = properties.misspellings(of: path)
        if near.isEmpty { return }
        add(
            .condition, at: module.module.location,
            message: "\(effect(of: condition, on: module)), but nothing sets \"\(path)\"",
            notes: near.map { .init(text: "near: \($0)\(properties.origin(of: $0))") },
            suggestion: "correct the path, or set \"\(path)\"")
    }

    /// Whether a module sets a path that conditions do not see, because a condition decides about the module.
    private func isSetUnderCondition(_ path: String) -> Bool {
        wiring.modules.contains { module in
            guard !wiring.state.lineup.isUnconditional(module.loaded),
                let lookup = module.loaded.properties?.lookup(path)
            else { return false }
            if case .success(nil) = lookup.result { return false }
            return true
        }
    }

    /// Reports a condition on the existence of a setting that is false.
    private mutating func addExistingFalse(at path: String, of condition: Condition, of module: LoadedModule) {
        let comparison = ".property(\"\(path)\", equals: true)"
        add(
            .condition, at: module.module.location,
            message: "module \"\(module.name)\" is \(condition.isNegated ? "off" : "on"), because \"\(path)\" exists, "
                + "although it is false\(wiring.properties.origin(of: path))",
            suggestion: "write \(condition.isNegated ? ".not(\(comparison))" : comparison)")
    }

    /// Reports a comparison with a value of a kind that the setting cannot be read as, because they are never equal.
    private mutating func checkKind(
        of found: JSONValue, comparedWith value: JSONValue, at path: String, of condition: Condition,
        of module: LoadedModule
    ) {
        let properties = wiring.properties
        let isEqual = (try? properties.hasValue(value, at: path)) ?? false
        guard !isEqual, !found.isMasked else { return }
        func isReadable(as type: (some Decodable).Type) -> Bool { (try? properties.value(path, as: type)) != nil }
        let (isReadable, kind) =
            switch value.content {
            case .boolean: (isReadable(as: Bool.self), "true or false")
            // A whole number may be too large for a Double.
            case .number: (found.numberValue != nil || isReadable(as: Double.self), "a number")
            case .string: (found.stringValue != nil, "a string")
            case .array: (isReadable(as: [JSONValue].self), "an array")
            case .object: (isReadable(as: [String: JSONValue].self), "an object")
            case .null: (true, "")
            }
        if isReadable { return }
        add(
            .condition, at: module.module.location,
            message: "\(effect(of: condition, on: module)), but it is \(found.inWords)\(properties.origin(of: path))",
            suggestion: fix(of: found, comparedWith: value, at: path, kind: kind))
    }

    private func fix(of found: JSONValue, comparedWith value: JSONValue, at path: String, kind: String) -> String {
        switch (found.content, value.content) {
        case (.string(let text), .boolean) where Bool(text) != nil,
            (.string(let text), .number) where JSONNumber(text) != nil:
            "remove the quotes in the profile file, or compare it with \"\(text)\""
        case (_, .string(let text)) where text == found.inWords: "compare it with \(text), without quotes"
        case (.boolean, .string), (.number, .string):
            "compare it with \(found.inWords), or set \"\(path)\" to \(kind)"
        case (.object, .boolean), (.object, .number), (.object, .string):
            "compare a setting in it, or set \"\(path)\" to \(kind)"
        default: "set \"\(path)\" to \(kind)"
        }
    }
}

extension JSONValue {
    /// The value of a scalar, or the kind of any other value.
    fileprivate var inWords: String {
        switch content {
        case .boolean(let value): "\(value)"
        case .number(let number): "\(number)"
        case .string(let text): "the string \"\(text)\""
        case .null: "null"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
