extension Properties {
    /// Explains where the setting at a path gets its value.
    ///
    /// Secrets are masked.
    public func explain(_ path: String) -> Explanation {
        explain(path, searchesNear: true)
    }

    /// Explains a setting, with similar names for a missing one only on request.
    package func explain(_ path: String, searchesNear: Bool) -> Explanation {
        do {
            let path = try full(path)
            return Explainer(
                path: path, storage: storage, trace: storage.trace(path), searchesNear: searchesNear
            ).explanation
        } catch {
            return Explanation(
                path: path, problem: error.description, isSecret: false, layers: [], placeholders: [],
                usesEnvironment: false, near: [])
        }
    }

    /// Returns the paths for which a missing path is probably a mistake.
    ///
    /// An explanation also names others, such as `mail.enabled` for `audit.enabled`. Both may be intended.
    package func misspellings(of path: String) -> [String] {
        guard let parsed = try? PropertyPath(parsing: path) else { return [] }
        if let element = storage.element(parsed) { return [element] }
        return explain(path).near.filter { near in
            (try? PropertyPath(parsing: near)).map { parsed.isMistaken(for: $0) } ?? false
        }
    }
}

/// A setting whose name is probably a misspelling of a missing one.
package struct Renaming {
    /// The path of the setting.
    package let path: String
    /// Where it was written, in parentheses after a space.
    package let place: String
    /// The names of the variable as it is and as it should be, if a variable has added the setting.
    package let variables: (found: String, meant: String)?
}

extension Properties {
    /// Returns those of the paths near a missing one that are probably misspellings of it.
    ///
    /// A part of a decoded type is only meant by one in the same place, or by a variable.
    package func renamings(of near: [String], to path: String, isPart: Bool) -> [Renaming] {
        guard let missing = try? PropertyPath(parsing: path) else { return [] }
        return near.compactMap { name in
            guard let found = try? PropertyPath(parsing: name),
                missing.isMistaken(for: found) || storage.element(missing) == name
            else { return nil }
            let origin = storage.origin(of: found)
            var variables: (String, String)?
            if case .environment(let variable)? = origin?.source,
                let layer = storage.layers.flatMap(\.overrides).first(where: { layer in
                    layer.assignments.contains { $0.origin == origin?.source && $0.path == found }
                }),
                let meant = VariableName.name(of: missing, prefix: layer.request.prefix ?? "")
            {
                variables = (variable, meant)
            }
            let isInPlace = found.steps.dropLast().elementsEqual(missing.steps.dropLast())
            if isPart, !isInPlace, variables == nil { return nil }
            return Renaming(path: name, place: origin.map { " (\($0))" } ?? "", variables: variables)
        }
    }
}

/// Collects the explanation of one path.
private struct Explainer {
    let path: PropertyPath
    let storage: PropertiesStorage
    let trace: Trace
    let searchesNear: Bool

    var explanation: Explanation {
        var resolver = PlaceholderResolver(storage)
        var value: JSONValue?
        var problem: String?
        do {
            value = try resolver.value(at: path)
        } catch {
            problem = error.description
        }
        // A secret that a placeholder contributes makes the value secret wherever its template is shown.
        let isSecret = storage.secrets.isSecret(path) || value?.flags.contains(.secret) == true
        var placeholders = resolver.consultedTargets.map { placeholder($0, &resolver) }
        // A masked part of the value may come from any placeholder. Their values are shown only if the whole value is
        // shown.
        let isShownWhole = !isSecret && value.map { !$0.hasSecrets } == true
        if !isShownWhole || placeholders.contains(where: { $0.value?.hasSecrets == true }) {
            for index in placeholders.indices where placeholders[index].value != nil {
                placeholders[index].value = .string(Redaction.mask)
            }
        }
        return Explanation(
            path: path.text, value: value?.redacted, problem: problem, isSecret: isSecret,
            layers: layers(hasValue: value != nil || problem != nil),
            placeholders: placeholders, usesEnvironment: value?.hasAny(of: .environment) ?? false,
            near: searchesNear && value == nil && problem == nil ? near : [])
    }

    /// The paths that may have been meant, if the path has no value.
    private var near: [String] {
        // If layers mention the path, their entries say more than a similar name, except for an element written as a
        // key.
        trace.entries.isEmpty ? storage.near(path) : storage.element(path).map { [$0] } ?? []
    }

    /// Returns the layers.
    ///
    /// The first entry decides. If it is an object, the objects directly after it contribute to it.
    private func layers(hasValue: Bool) -> [Explanation.Layer] {
        var layers: [Explanation.Layer] = []
        let entries = trace.entries
        let merges = entries.first?.isListPart == true || entries.count > 1 && contributes(at: 1)
        var contributes = true
        for (index, entry) in entries.enumerated() {
            let isFirst = index == 0
            let effect: Explanation.Layer.Effect
            let node: JSONValue?
            switch entry.statement {
            case .removal:
                effect = isFirst ? .removes : .hiddenRemoval
                node = nil
            case .noParts(let value):
                effect = !isFirst ? .hidden : hasValue ? .decides : .replaces
                node = PlaceholderResolver.written(value, at: path, in: storage)
            case .value(let value):
                contributes = contributes && self.contributes(at: index)
                effect = contributes && merges ? .contributes : isFirst ? .decides : .hidden
                node = PlaceholderResolver.written(value, at: path, in: storage)
            }
            if !entry.isObject { contributes = false }
            layers.append(
                Explanation.Layer(
                    origin: entry.origin, folderVariable: entry.folderVariable, effect: effect, value: node))
        }
        return layers
    }

    /// Whether an entry contributes to the value of the entries above it, if those contribute too.
    ///
    /// An array is replaced as a whole, but the overrides of a layer set single parts of its arrays.
    private func contributes(at index: Int) -> Bool {
        let entry = trace.entries[index]
        guard index > 0 else { return entry.isObject }
        let above = trace.entries[index - 1]
        if above.isListPart || !path.isOutsideOfArrays {
            return entry.isBelowOverride && above.isObject && (entry.isObject || above.isListPart)
        }
        return above.isObject && entry.isObject
    }

    /// Returns the placeholder with its value as it is.
    ///
    /// The resolver has already resolved the target, and returns the remembered value.
    private func placeholder(
        _ target: Template.Target, _ resolver: inout PlaceholderResolver
    ) -> Explanation.Placeholder {
        var value: JSONValue?
        var origin: PropertyOrigin?
        switch target {
        case .variable(let name):
            value = storage.value(ofVariable: name, at: path)
            origin = PropertyOrigin(.environment(name))
        case .file(let file):
            origin = PropertyOrigin(.file(file))
            if case .found(let text, let place) = storage.settings.files.find(file) {
                value = storage.secrets.markingText(text, at: path)
                origin?.source = .file(place)
            }
        case .property(let path):
            value = try? resolver.value(at: path)
            origin = storage.origin(of: path)
        }
        return Explanation.Placeholder(target: target.text, value: value, origin: origin)
    }
}

extension Trace.Entry {
    fileprivate var isObject: Bool {
        guard case .value(let value) = statement, case .object = value.storage else { return false }
        return true
    }
}
