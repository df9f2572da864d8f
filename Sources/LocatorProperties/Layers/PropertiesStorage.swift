/// The layers of settings, and the lookup of paths in them.
///
/// Creating a storage from layers takes a time that depends on their number and not their size, because nothing is
/// merged before it is read. Covering a storage with further layers takes a time that depends only on those.
final class PropertiesStorage: Sendable {
    /// The layers over those of `lower`, the winning one first.
    private let upper: [Layer]
    /// The storage that these layers cover, if any.
    private let lower: PropertiesStorage?
    /// How many storages are below this one.
    private let depth: Int
    /// The keys at the root of each upper layer.
    private let rootKeys: [KeyFilter]
    /// Whether any string that is read may contain a placeholder.
    let hasTemplates: Bool
    /// The results of the load other than values.
    let settings: Settings
    /// The rules for values that must not be printed.
    let secrets: SecretRules
    /// The final values, if there is only one layer and it has nothing to resolve.
    let resolved: JSONObject?
    /// The index of these values by their paths.
    let index: PathIndex?
    /// What decoding needs to know.
    let context: DecodingContext
    /// The search that all lookups of missing paths share, or nil if each has its own.
    let nearSearch: NearSearch?
    private let preparedNearPaths = LazyReference<PreparedNearPaths>()

    /// The results of a load other than values.
    struct Settings: Sendable {
        /// The active profiles whose files were read, in order.
        var profiles: [String] = []
        /// Warnings about profiles that may not be the intended ones.
        var profileWarnings: [String] = []
        /// Warnings about settings of the files that have no effect.
        var fileWarnings: [FileWarning] = []
        /// The chosen groups, which were replaced by their members.
        var groups: [String] = []
        /// The variables that `${env:…}` reads, those of the latest load first, or none for those of the process.
        var environments: [EnvironmentVariables] = []
        /// The files that `${file:…}` reads.
        var files = DeclaredFiles()
        /// The folders, files, and directories that were read.
        var places: [String] = []
        /// The paths that the program lists as secret.
        var listedSecrets: [PropertyPath] = []

        /// Returns the value that `${env:…}` reads for a variable.
        func variable(_ name: String) -> String? { environment(with: name)?[name] }

        /// Whether the value of a variable is not UTF-8.
        func isNotUTF8(variable name: String) -> Bool {
            environment(with: name)?.notUTF8.contains(name) ?? false
        }

        private func environment(with name: String) -> EnvironmentVariables? {
            environments.isEmpty ? .ofProcess : environments.first { $0[name] != nil }
        }
    }

    init(
        layers: [Layer], settings: Settings, resolved: JSONObject? = nil, sharing other: DecodingContext? = nil
    ) {
        // A path that one layer lists is secret in all layers.
        var listed = settings.listedSecrets
        for layer in layers where !layer.listedSecrets.isEmpty { listed += layer.listedSecrets }
        let layers = listed.isEmpty ? layers : layers.map { $0.marking(listed) }
        upper = layers
        lower = nil
        depth = 0
        rootKeys = layers.map(\.rootKeys)
        hasTemplates = layers.contains(where: \.scan.hasTemplates)
        self.settings = settings
        secrets = SecretRules(listed: listed)
        if let resolved {
            self.resolved = resolved
        } else if layers.count == 1, !hasTemplates {
            let tree = layers[0].tree
            self.resolved = layers[0].scan.hasNulls ? JSONValue.object(tree).withoutNulls.objectValue : tree
        } else {
            self.resolved = layers.isEmpty ? JSONObject() : nil
        }
        index = self.resolved.map(PathIndex.init)
        context = DecodingContext(secrets: secrets, sharing: other)
        nearSearch = nil
    }

    /// Covers another storage with layers, in a time that does not depend on its contents.
    ///
    /// Nil if the layers change the contents of the others, or if too many storages cover each other.
    init?(covering lower: PropertiesStorage, with layers: [Layer]) {
        guard lower.depth < Self.maximalDepth, !lower.upper.isEmpty,
            layers.allSatisfy({ $0.listedSecrets.isEmpty && !$0.hasAdditions })
        else { return nil }
        let listed = lower.secrets.listed
        upper = listed.isEmpty ? layers : layers.map { $0.marking(listed) }
        self.lower = lower
        depth = lower.depth + 1
        rootKeys = upper.map(\.rootKeys)
        hasTemplates = lower.hasTemplates || upper.contains(where: \.scan.hasTemplates)
        settings = lower.settings
        secrets = lower.secrets
        resolved = nil
        index = nil
        context = DecodingContext(secrets: lower.secrets, sharing: lower.context)
        nearSearch = nil
    }

    /// How many storages may cover each other.
    ///
    /// A search visits all of them, and they end one inside the other.
    private static let maximalDepth = 32

    /// Creates the same storage with a shared search for similar paths.
    init(_ other: PropertiesStorage, nearSearch: NearSearch) {
        upper = other.upper
        lower = other.lower
        depth = other.depth
        rootKeys = other.rootKeys
        hasTemplates = other.hasTemplates
        settings = other.settings
        secrets = other.secrets
        resolved = other.resolved
        index = other.index
        context = other.context
        self.nearSearch = nearSearch
    }

    /// The paths to search for those that may have been meant by a missing path.
    var nearPaths: NearPaths {
        if let prepared = preparedNearPaths.load() { return prepared.paths }
        return preparedNearPaths.storeIfNil(PreparedNearPaths(self)).paths
    }

    /// Returns the value of `${env:…}` at a path, or nil if the variable is not set.
    func value(ofVariable name: String, at path: PropertyPath) -> JSONValue? {
        settings.variable(name).map { text in
            var value = JSONValue.fromEnvironment(text)
            if SecretWords.isSecretVariable(name) { value.flags.insert(.secret) }
            return secrets.markingText(value, at: path)
        }
    }

    /// All layers, the winning one first.
    var layers: [Layer] {
        var layers = upper
        var rest = lower
        while let storage = rest {
            layers += storage.upper
            rest = storage.lower
        }
        return layers
    }

    /// Returns the layers that may have these keys at the root, in order.
    func layers(with keys: KeyFilter) -> LayerSearch { LayerSearch(storage: self, keys: keys) }

    /// The layers of a storage that may have some keys at the root.
    struct LayerSearch: Sequence, IteratorProtocol {
        fileprivate var storage: PropertiesStorage?
        fileprivate let keys: KeyFilter
        fileprivate var position = 0

        mutating func next() -> Layer? {
            while let current = storage {
                while position < current.upper.count {
                    defer { position += 1 }
                    if current.rootKeys[position].mayContain(keys) { return current.upper[position] }
                }
                storage = current.lower
                position = 0
            }
            return nil
        }
    }
}

extension PropertiesStorage {
    /// What the layers have at a path, before placeholders are resolved.
    enum Finding {
        /// A value. An object is merged from all contributing layers.
        case found(JSONValue)
        /// No layer has the path.
        case missing
        /// A layer removes the value of the layers below it. The node is the `null`.
        case removed(JSONValue)
        /// A node on the path has no such parts. If it is a placeholder or a JSON text, it may have them after it is
        /// resolved.
        case blocked(by: JSONValue, after: Int)
    }

    /// Looks up a path, from the first layer to the last.
    func find(_ path: PropertyPath) -> Finding {
        var objects: [JSONValue] = []
        search: for layer in layers(with: KeyFilter(startOf: path)) {
            switch TreeWalk(layer.tree, path.steps[...]) {
            case .absent:
                continue
            case .blocked(let node, let count):
                if !objects.isEmpty || node.flags.contains(.whole) { break search }
                let isRemoval = node.isNull && path.prefix(count).isOutsideOfArrays
                return isRemoval ? .removed(node) : .blocked(by: node, after: count)
            case .found(let node):
                if case .object = node.storage, path.isOutsideOfArrays {
                    objects.append(node)
                    if node.flags.contains(.whole) { break search }
                    continue
                }
                if !objects.isEmpty { break search }
                return node.isNull && path.isOutsideOfArrays ? .removed(node) : .found(node)
            }
        }
        guard let first = objects.first else { return .missing }
        if objects.count == 1 { return .found(first.withoutNulls) }
        var merged = JSONObject()
        for node in objects.reversed() {
            if case .object(let object) = node.storage { Merging.merge(object, into: &merged, nulls: .remove) }
        }
        return .found(first.replacingContent(with: .object(merged)))
    }

    /// All layers merged, with placeholders as written.
    var mergedTree: JSONValue {
        switch find(.root) {
        case .found(let tree): tree
        case .missing, .removed, .blocked: .object(JSONObject())
        }
    }
}
