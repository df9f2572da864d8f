/// The layers of settings, and the lookup of paths in them.
///
/// Nothing is merged before it is read. So creating a storage takes a time that depends neither on the number of layers
/// nor on their size.
final class PropertiesStorage: Sendable {
    /// The layers over those of the load.
    ///
    /// The first layer wins.
    private let above: [LayerList]
    /// The layers of the load.
    private let middle: [Layer]
    /// The layers under those of the load.
    private let below: [LayerList]
    /// The layer whose additions override the layers below, if any.
    private let adding: Layer?
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
    private let lazyNearPaths = LazyConstant<NearPaths>()

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
        /// The problems that the load has unless it overrides an earlier one.
        var gaps: [PropertiesProblem] = []
        /// The variables that `${env:…}` reads, those of the latest load first, or none for those of the process.
        var environments: [EnvironmentVariables] = []
        /// The files that `${file:…}` reads.
        var files = DeclaredFiles()
        /// The folders, files, and directories that were read.
        var places: [String] = []
        /// The paths that the program lists as secret.
        var listedSecrets: [PropertyPath] = []
        /// The paths that are listed elsewhere, so that no error shows their text.
        var knownSecrets: [PropertyPath] = []

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
        above: [LayerList] = [], layers: [Layer], below: [LayerList] = [], settings: Settings,
        resolved: JSONObject? = nil, sharing other: DecodingContext? = nil
    ) {
        let adding = below.isEmpty ? nil : layers.first { !$0.additions.isEmpty }
        let layers = Layer.matchingAdditions(in: layers, over: below)
        // A path that one layer lists is secret in all layers.
        var listed = settings.listedSecrets
        for list in above { for layer in list.search(Self.listHashes) { listed += layer.listedSecrets } }
        for layer in layers where !layer.listedSecrets.isEmpty { listed += layer.listedSecrets }
        for list in below {
            for layer in list.search(Self.listHashes) { listed += layer.overridden(by: adding).listedSecrets }
        }
        let middle = layers.map { $0.marking(listed) }
        self.above = above
        self.middle = middle
        self.below = below
        self.adding = adding
        let lists = above + below
        hasTemplates = lists.contains(where: \.hasTemplates) || middle.contains(where: \.scan.hasTemplates)
        self.settings = settings
        secrets = SecretRules(listed: listed)
        context = DecodingContext(secrets: secrets, sharing: other)
        nearSearch = nil
        let count = lists.reduce(middle.count) { $0 + $1.count }
        if let resolved {
            self.resolved = resolved
        } else if count == 1, !hasTemplates {
            let layer = middle.first ?? lists.lazy.compactMap(\.latestLayer).first?.marking(listed)
            let tree = layer?.tree ?? JSONObject()
            self.resolved = layer?.scan.hasNulls == true ? JSONValue.object(tree).withoutNulls.objectValue : tree
        } else {
            self.resolved = count == 0 ? JSONObject() : nil
        }
        index = self.resolved.map(PathIndex.init)
    }

    /// The hashes of the path at which a layer lists secrets.
    private static let listHashes = SecretRules.listPath.prefixHashes

    /// Creates the same storage with a shared search for similar paths.
    init(_ other: PropertiesStorage, nearSearch: NearSearch) {
        above = other.above
        middle = other.middle
        below = other.below
        adding = other.adding
        hasTemplates = other.hasTemplates
        settings = other.settings
        secrets = other.secrets
        resolved = other.resolved
        index = other.index
        context = other.context
        self.nearSearch = nearSearch
    }

    /// The paths to search for those that may have been meant by a missing path, prepared when one is first missing.
    var nearPaths: NearPaths { lazyNearPaths.value { NearPaths(self) } }

    /// Returns the value of `${env:…}` at a path, or nil if the variable is not set.
    func value(ofVariable name: String, at path: PropertyPath) -> JSONValue? {
        settings.variable(name).map { text in
            var value = JSONValue.fromEnvironment(text)
            if SecretWords.isSecretVariable(name) { value.flags.insert(.secret) }
            return secrets.markingText(value, at: path)
        }
    }

    /// All layers.
    ///
    /// The first one wins.
    var layers: [Layer] { above.isEmpty && below.isEmpty ? middle : Array(layers(with: [])) }

    /// Returns the layers that may say something about a path, in order; see ``LayerList/search(_:)``.
    func layers(with prefixes: [UInt32]) -> LayerSearch { LayerSearch(self, prefixes) }

    /// The layers of a storage that may say something about a path.
    struct LayerSearch: Sequence, IteratorProtocol {
        private let storage: PropertiesStorage
        private let prefixes: [UInt32]
        /// The lists that are left to search: those above, and later those below.
        private var lists: ArraySlice<LayerList>
        private var search: LayerList.Search?
        /// The number of layers in the middle that were searched.
        private var position = 0
        private var isBelow = false

        fileprivate init(_ storage: PropertiesStorage, _ prefixes: [UInt32]) {
            self.storage = storage
            self.prefixes = prefixes
            lists = storage.above[...]
        }

        mutating func next() -> Layer? {
            while true {
                if let layer = search?.next() {
                    return (isBelow ? layer.overridden(by: storage.adding) : layer).marking(storage.secrets.listed)
                }
                search = lists.popFirst().map { list in
                    // An addition may add parts to what a layer has at the root.
                    list.search(isBelow && storage.adding != nil ? Array(prefixes.prefix(1)) : prefixes)
                }
                if search != nil { continue }
                if isBelow { return nil }
                if position < storage.middle.count {
                    defer { position += 1 }
                    return storage.middle[position]
                }
                isBelow = true
                lists = storage.below[...]
            }
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
        /// A text on the path may have such parts after it is resolved, but a layer above replaces it by an object that
        /// lacks the path.
        case hidden(after: Int)
    }

    /// Looks up a path, from the first layer to the last.
    func find(_ path: PropertyPath) -> Finding {
        var objects: [JSONValue] = []
        search: for layer in layers(with: path.prefixHashes) {
            switch TreeWalk(layer.tree, path.steps[...]) {
            case .absent:
                continue
            case .blocked(let node, let count):
                if !objects.isEmpty || node.flags.contains(.whole) { break search }
                let isRemoval = node.isNull && path.prefix(count).isOutsideOfArrays
                if isRemoval { return .removed(node) }
                if case .string = node.storage, case .found(let value) = find(path.prefix(count)),
                    case .object = value.storage
                {
                    return .hidden(after: count)
                }
                return .blocked(by: node, after: count)
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
        case .missing, .removed, .blocked, .hidden: .object(JSONObject())
        }
    }
}
