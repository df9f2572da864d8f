/// The layers of settings, and how a path is looked up in them.
///
/// Making one from other layers costs their number, not their size: nothing is merged before it is read.
final class PropertiesStorage: Sendable {
    /// The layers, first wins.
    let layers: [Layer]
    /// The layer whose overrides also override what lies below it, nil if there is none.
    let baseIndex: Int?
    /// What a load found out besides values.
    let settings: Settings
    /// What must not be printed.
    let secrets: SecretRules
    /// The values ready to read, where there is one layer and nothing in it needs to be resolved any more.
    let resolved: JSONObject?
    /// Those values by their paths.
    let index: PathIndex?
    /// What decoding needs to know.
    let context: DecodingContext

    /// What a load found out besides values.
    struct Settings: Sendable {
        /// The active profiles whose files were read, in order.
        var profiles: [String] = []
        /// Why the profiles may be others than it seems.
        var profileWarnings: [String] = []
        /// What the files say in vain.
        var fileWarnings: [FileWarning] = []
        /// The groups that were chosen and replaced by their members.
        var groups: [String] = []
        /// The variables that `${env:…}` reads; nil stands for those of the process.
        var environment: EnvironmentVariables?
        /// What `${file:…}` leads to.
        var files = DeclaredFiles()
        /// The folders, files and directories that were read.
        var places: [String] = []
        /// The paths that the program says are secret.
        var listedSecrets: [PropertyPath] = []

        /// What `${env:…}` leads to.
        func variable(_ name: String) -> String? {
            (environment ?? .ofProcess)[name]
        }
    }

    init(
        layers: [Layer], baseIndex: Int?, settings: Settings, resolved: JSONObject? = nil,
        sharing other: DecodingContext? = nil
    ) {
        // What one layer lists is secret in all.
        var listed = settings.listedSecrets
        for layer in layers where !layer.listedSecrets.isEmpty { listed += layer.listedSecrets }
        let layers = listed.isEmpty ? layers : layers.map { $0.marking(listed) }
        self.layers = layers
        self.baseIndex = baseIndex
        self.settings = settings
        secrets = SecretRules(listed: listed)
        if let resolved {
            self.resolved = resolved
        } else if layers.count == 1, !layers[0].hasTemplates {
            self.resolved = layers[0].hasNulls ? Self.merged(layers) : layers[0].tree
        } else {
            self.resolved = layers.isEmpty ? JSONObject() : nil
        }
        index = self.resolved.map(PathIndex.init)
        context = DecodingContext(secrets: secrets, sharing: other)
    }

    /// The value that `${env:…}` at a path gives for a variable; nil if that is not set.
    func value(ofVariable name: String, at path: PropertyPath) -> JSONValue? {
        settings.variable(name).map { text in
            var value = JSONValue.fromEnvironment(text)
            if SecretWords.isSecretVariable(name) { value.flags.insert(.secret) }
            return secrets.markingText(value, at: path)
        }
    }

    /// Whether a string that is read may hold a placeholder.
    var hasTemplates: Bool { layers.contains(where: \.hasTemplates) }

    private static func merged(_ layers: [Layer]) -> JSONObject {
        var result = JSONObject()
        for layer in layers.reversed() {
            Merging.merge(layer.tree, into: &result, nulls: .remove)
        }
        return result
    }
}

extension PropertiesStorage {
    /// What the layers have at a path, before placeholders are resolved.
    enum Finding {
        /// A value, in an object merged from all layers that take part.
        case found(JSONValue)
        /// No layer has the path.
        case missing
        /// A layer removes what those below it may have; the node with the `null`.
        case removed(JSONValue, layer: Int)
        /// A node on the way has no such parts, as it stands; a placeholder or a JSON text may yet turn out to have.
        case blocked(by: JSONValue, after: Int)
    }

    /// Looks a path up, from the first layer to the last.
    func find(_ path: PropertyPath) -> Finding {
        var objects: [JSONValue] = []
        search: for (index, layer) in layers.enumerated() {
            switch TreeWalk(layer.tree, path.steps[...]) {
            case .absent:
                continue
            case .blocked(let node, let count):
                if !objects.isEmpty { break search }
                let isRemoval = node.isNull && PropertyPath(Array(path.steps[..<count])).isOutsideOfArrays
                return isRemoval ? .removed(node, layer: index) : .blocked(by: node, after: count)
            case .found(let node):
                let node = overridden(node, at: path, inLayer: index)
                if case .object = node.storage, path.isOutsideOfArrays {
                    objects.append(node)
                    continue
                }
                if !objects.isEmpty { break search }
                return node.isNull && path.isOutsideOfArrays ? .removed(node, layer: index) : .found(node)
            }
        }
        guard let first = objects.first else { return .missing }
        if objects.count == 1 { return .found(Merging.removingNulls(in: first)) }
        var merged = JSONObject()
        for node in objects.reversed() {
            if case .object(let object) = node.storage { Merging.merge(object, into: &merged, nulls: .remove) }
        }
        return .found(first.replacingContent(with: .object(merged)))
    }

    /// A node of a layer below the environment, with the overrides that matched no key above and match one in it.
    private func overridden(_ node: JSONValue, at path: PropertyPath, inLayer index: Int) -> JSONValue {
        guard let baseIndex, index > baseIndex else { return node }
        var result = node
        for override in layers[baseIndex].overrides where !override.additions.isEmpty {
            var path = path
            result = override.overriding(result, at: &path) ?? result
        }
        return result
    }
}

extension OverrideLayer {
    /// A node of a layer below with the values of the texts that matched no key before; nil if none does now.
    func overriding(_ node: JSONValue, at path: inout PropertyPath) -> JSONValue? {
        switch node.storage {
        case .object: node.replacingParts(at: &path) { overriding($0, at: &$1) }
        case .null, .boolean, .integer, .decimal, .string, .array: addition(at: path)
        }
    }

    /// The value of the text that matches a path.
    private func addition(at path: PropertyPath) -> JSONValue? {
        VariableName.name(of: path, prefix: "").flatMap { additions[$0]?.value }
    }
}
