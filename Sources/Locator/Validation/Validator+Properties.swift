internal import LocatorProperties

/// Required settings: decoded types, and the requirements of modules.
extension Validator {
    mutating func checkProperties() {
        let properties = wiring.properties
        for (number, node) in wiring.nodes.enumerated() where node.isConfiguration && node.isReachable {
            guard let type = node.key.type as? any ConfigProperty.Type else { continue }
            if case .success(nil) = properties.lookup(type.path).result { checkOptionals(of: number, type) }
            if let error = error(decoding: type, from: properties) { checkDecoding(of: number, type, error) }
            checkParts(of: number, type)
        }
        for module in wiring.modules {
            for requirement in module.loaded.requirements { check(requirement, of: module.loaded, properties) }
            for warning in module.loaded.properties?.fileWarnings ?? [] {
                add(.environment, at: module.loaded.module.location, message: warning.message, suggestion: warning.fix)
            }
        }
        for problem in properties.problems() where !toldProblems.contains(problem) {
            add(.property, message: "the setting \(problem)", suggestion: problem.fix)
        }
        for problem in properties.keyProblems {
            add(.property, message: "the setting \(problem)", suggestion: "copy the key from one place to the other")
        }
        let readPaths = readPaths
        for warning in properties.environmentWarnings where !readPaths.contains(warning.path) {
            add(
                .environment, message: "\(warning)",
                suggestion: "correct the name, or add the setting to a profile file")
        }
        for warning in properties.profileWarnings {
            add(.environment, message: warning, suggestion: "correct the name or the prefix, or unset the variable")
        }
        for warning in properties.secretWarnings {
            add(
                .environment, message: warning,
                suggestion: "correct the path, because a setting that is not listed may be printed")
        }
        for warning in properties.fileWarnings + properties.dottedKeyWarnings {
            add(.environment, message: warning.message, suggestion: warning.fix)
        }
    }

    /// The paths of settings that modules require, conditions compare, and qualifiers are read from.
    private var readPaths: Set<String> {
        var paths: Set<String> = []
        for module in wiring.modules.map(\.loaded) + wiring.state.lineup.inactive {
            paths.formUnion(module.requirements.map(\.path))
            if let path = module.module.definition.condition?.path { paths.insert(path) }
        }
        for node in wiring.nodes { paths.formUnion(node.needs.compactMap { $0.dependency.qualifier?.path }) }
        // One path can be written in several ways.
        return Set(paths.map { (try? PropertyPath(parsing: $0))?.text ?? $0 })
    }

    /// Reports the problems of a decoded type, for each registration that needs it.
    private mutating func checkDecoding(of number: Int, _ type: any ConfigProperty.Type, _ error: PropertiesError) {
        for asker in askers[number] where wiring.nodes[asker].isReachable {
            let node = wiring.nodes[asker]
            for need in node.needs where need.targets.contains(number) {
                // An optional is nil if there is nothing to decode.
                if need.dependency.isOptional, case .success(nil) = wiring.properties.lookup(type.path).result {
                    continue
                }
                for problem in error.problems {
                    toldProblems.insert(problem)
                    add(
                        Finding(
                            kind: .property, location: node.location,
                            message:
                                "\(node.name) needs \(need.key): \(problem.kind.isPath ? "" : "the setting ")\(problem)",
                            keys: [need.key, node.key], notes: notesOnLoading + notesOnAskers(of: asker),
                            suggestion: problem.kind.isPath
                                ? "correct \(typeName(need.dependency.type)).path"
                                : fix(for: problem, readAs: type, at: type.path)),
                        about: "\(need.key): \(problem)", inNodeAt: asker
                    ) { "\($0) needs it, too" }
                }
            }
        }
    }

    /// Reports optionals that are nil because no setting has the path of the type, although a similar path exists.
    private mutating func checkOptionals(of number: Int, _ type: any ConfigProperty.Type) {
        let near = wiring.properties.misspellings(of: type.path)
        if near.isEmpty { return }
        for asker in askers[number] {
            let node = wiring.nodes[asker]
            for need in node.needs where need.dependency.isOptional && need.targets.contains(number) {
                add(
                    .similarName, at: node.location,
                    message: "\(node.name) gets nil for \(need.key): no setting has the path \"\(type.path)\", "
                        + "although a similar path exists",
                    keys: [need.key, node.key],
                    notes: near.map { .init(text: "near: \($0)\(wiring.properties.origin(of: $0))") },
                    suggestion: "correct the path of \(need.key), or the key in the profile file")
            }
        }
    }

    /// Reports optional parts of a decoded type that have no setting, although a similar path exists.
    private mutating func checkParts(of number: Int, _ type: any ConfigProperty.Type) {
        let key = wiring.nodes[number].key
        for part in misspelledParts(of: type, at: type.path) {
            for asker in askers[number] where wiring.nodes[asker].isReachable {
                let node = wiring.nodes[asker]
                add(
                    Finding(
                        kind: .similarName, location: node.location,
                        message: "\(node.name) needs \(key), but \(part.text)",
                        keys: [key, node.key], suggestion: part.fix),
                    about: "\(key): \(part.text)", inNodeAt: asker
                ) { "\($0) needs it, too" }
            }
        }
    }

    private func misspelledParts(of type: any Decodable.Type, at path: String) -> [(text: String, fix: String)] {
        wiring.properties.absences(in: type, at: path).compactMap { part in
            guard case .value(.missing(_, let near)) = part.kind, !near.contains(where: isRead),
                let fix = Fix.misspelling([part], readAs: type, at: path, in: wiring.properties)
            else { return nil }
            return ("no setting has the path \"\(part.path ?? path)\", although a similar path exists", fix)
        }
    }

    /// Whether a decoded type, a requirement, a condition, or a qualifier reads a setting.
    private func isRead(_ setting: String) -> Bool {
        let properties = wiring.properties
        let isDecoded = wiring.nodes.contains { node in
            guard let type = node.key.type as? any ConfigProperty.Type else { return false }
            return node.isConfiguration && properties.reads(setting, in: type, at: type.path)
        }
        return isDecoded || readPaths.contains(setting)
            || wiring.modules.lazy.flatMap(\.loaded.requirements).contains { requirement in
                properties.reads(setting, in: requirement.type, at: requirement.path)
            }
    }

    private func error<Value: ConfigProperty>(
        decoding type: Value.Type, from properties: Properties
    ) -> PropertiesError? {
        do throws(PropertiesError) {
            _ = try properties.decode(type)
            return nil
        } catch {
            return error
        }
    }

    private mutating func check(_ requirement: PropertyRequirement, of module: LoadedModule, _ properties: Properties) {
        do throws(PropertiesError) {
            try requirement.check(properties)
        } catch {
            for problem in error.problems {
                toldProblems.insert(problem)
                add(
                    .property, at: requirement.location,
                    message: "module \"\(module.name)\" requires a setting: \(problem)", notes: notesOnLoading,
                    suggestion: fix(for: problem, readAs: requirement.type, at: requirement.path, isRequired: true))
            }
            return
        }
        for part in misspelledParts(of: requirement.type, at: requirement.path) {
            add(
                .similarName, at: requirement.location,
                message: "module \"\(module.name)\" requires \(typeName(requirement.type)), but \(part.text)",
                suggestion: part.fix)
        }
        guard case .success(nil) = properties.lookup(requirement.path).result else { return }
        let near = properties.misspellings(of: requirement.path)
        if near.isEmpty { return }
        add(
            .similarName, at: requirement.location,
            message: "module \"\(module.name)\" gets nil for \(typeName(requirement.type)): no setting has the path "
                + "\"\(requirement.path)\", although a similar path exists",
            notes: near.map { .init(text: "near: \($0)\(properties.origin(of: $0))") },
            suggestion: "correct the path, or the key in the profile file")
    }

    private var notesOnLoading: [Finding.Note] { hasNoSettings ? [.init(text: "no settings are loaded")] : [] }

    private func fix(
        for problem: PropertiesProblem, readAs type: any Any.Type, at path: String, isRequired: Bool = false
    ) -> String {
        if case .value(.missing) = problem.kind, hasNoSettings { return Fix.loadingSettings }
        return Fix.setting(problem, readAs: type, at: path, isRequired: isRequired, in: wiring.properties)
    }
}

extension PropertiesProblem.Kind {
    /// Whether the path itself is malformed.
    var isPath: Bool { if case .path = self { true } else { false } }
}

extension PropertiesProblem {
    /// The fix of a problem that is found in loaded settings.
    var fix: String? {
        if case .placeholder = kind { "correct the placeholder, or set what it needs" } else { nil }
    }
}
