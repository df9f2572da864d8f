extension Properties {
    /// Explains where the setting at a path gets its value; secrets are masked.
    public func explain(_ path: String) -> Explanation {
        explain(path, searchesNear: true)
    }

    /// Explains a setting; of a missing one, whether there are near names is looked for only where that is wanted.
    package func explain(_ path: String, searchesNear: Bool) -> Explanation {
        do {
            return Explainer(try full(path), in: storage, searchesNear: searchesNear).explanation
        } catch {
            return Explanation(
                path: path, problem: error.description, isSecret: false, layers: [], placeholders: [],
                usesEnvironment: false, near: [])
        }
    }
}

/// Collects what there is to say about one path.
private struct Explainer {
    private let path: PropertyPath
    private let storage: PropertiesStorage
    private let trace: Trace
    private let searchesNear: Bool

    init(_ path: PropertyPath, in storage: PropertiesStorage, searchesNear: Bool) {
        self.searchesNear = searchesNear
        self.path = path
        self.storage = storage
        trace = Trace(path, in: storage.layers, baseIndex: storage.baseIndex)
    }

    var explanation: Explanation {
        var resolver = PlaceholderResolver(storage)
        var value: JSONValue?
        var problem: String?
        do {
            value = try resolver.value(at: path)
        } catch {
            problem = error.description
        }
        // A secret that a placeholder brings is one wherever its template is shown.
        let isSecret = storage.secrets.isSecret(path) || value?.flags.contains(.secret) == true
        let flags = value?.combinedFlags ?? []
        var placeholders = resolver.consultedTargets.map { placeholder($0, &resolver) }
        // What is masked in the value came from some of them: only a value that is shown whole shows what they gave.
        let isShownWhole = !isSecret && value.map { !$0.hasSecrets } == true
        if !isShownWhole || placeholders.contains(where: { $0.value?.hasSecrets == true }) {
            for index in placeholders.indices where placeholders[index].value != nil {
                placeholders[index].value = .string(Redaction.mask)
            }
        }
        return Explanation(
            path: path.text, value: value?.redacted, problem: problem, isSecret: isSecret,
            layers: layers(hasValue: value != nil || problem != nil),
            placeholders: placeholders, usesEnvironment: flags.contains(.environment),
            near: searchesNear && value == nil && problem == nil ? near : [])
    }

    /// What may have been meant by the path, which has no value.
    private var near: [String] {
        // What is known of a path that leads nowhere tells more than a near name, but for an element written as a key.
        trace.entries.isEmpty ? storage.near(path) : storage.element(path).map { [$0] } ?? []
    }

    /// The first entry decides; where it is an object, the objects right behind it have a part in it.
    private func layers(hasValue: Bool) -> [Explanation.Layer] {
        var layers: [Explanation.Layer] = []
        var contributes = true
        var isBehindListPart = false
        let parts = trace.entries.prefix(while: \.isObject)
        let merges = parts.count > 1 || parts.last?.isListPart == true
        for entry in trace.entries {
            let isFirst = layers.isEmpty
            let effect: Explanation.Layer.Effect
            let node: JSONValue?
            switch entry.statement {
            case .removal:
                effect = isFirst ? .removes : .hiddenRemoval
                node = nil
            case .noParts(let value):
                effect = !isFirst ? .hidden : hasValue ? .decides : .replaces
                node = value.redacted
            case .value(let value):
                contributes = contributes && (entry.isObject || isBehindListPart)
                effect = contributes && merges ? .contributes : isFirst ? .decides : .hidden
                node = value.redacted
            }
            if !entry.isObject { contributes = false }
            isBehindListPart = entry.isListPart
            layers.append(
                Explanation.Layer(
                    origin: entry.origin, folderVariable: entry.folderVariable, effect: effect, value: node))
        }
        return layers
    }

    /// The placeholder with its value as it is.
    ///
    /// The resolver is the one that has found the target, and remembers its value.
    private func placeholder(
        _ target: Template.Target, _ resolver: inout PlaceholderResolver
    ) -> Explanation.Placeholder {
        switch target {
        case .variable(let name):
            return Explanation.Placeholder(
                target: "env:\(name)", value: storage.value(ofVariable: name, at: path),
                origin: PropertyOrigin(.environment(name)))
        case .file(let file):
            var found: (value: JSONValue, path: String)?
            if case .found(let value, let path) = storage.settings.files.find(file) { found = (value, path) }
            return Explanation.Placeholder(
                target: "file:\(file)", value: found.map { storage.secrets.markingText($0.value, at: path) },
                origin: PropertyOrigin(.file(found?.path ?? file)))
        case .property(let path):
            let value = try? resolver.value(at: path)
            return Explanation.Placeholder(
                target: path.text, value: value, origin: storage.origin(of: path))
        }
    }
}

extension Trace.Entry {
    fileprivate var isObject: Bool {
        guard case .value(let value) = statement, case .object = value.storage else { return false }
        return true
    }
}

extension JSONValue {
    /// The flags of the node and all its parts.
    fileprivate var combinedFlags: JSONNodeFlags {
        switch storage {
        case .array(let array): array.elements.reduce(flags) { $0.union($1.combinedFlags) }
        case .object(let object): object.reduce(flags) { $0.union($1.value.combinedFlags) }
        case .null, .boolean, .integer, .decimal, .string: flags
        }
    }
}
