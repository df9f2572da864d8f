extension JSONValue {
    /// Returns the paths of everything without parts in the value, in order, including empty arrays and objects.
    func leafPaths() -> [PropertyPath] { paths { $2 } }

    /// Returns the paths of all parts of the value.
    func allPaths() -> [PropertyPath] { paths { _, _, _ in true } }

    /// Returns the paths of everything without parts, of the objects that hide what lower layers have, and of those
    /// that may get more parts because a variable with the same words matches their key.
    func affectedPaths() -> [PropertyPath] {
        paths { node, path, isLeaf in isLeaf || node.flags.contains(.whole) || path.isSpelledUnlikeVariables }
    }

    private func paths(
        where isWanted: (_ node: JSONValue, _ path: PropertyPath, _ isLeaf: Bool) -> Bool
    ) -> [PropertyPath] {
        var paths: [PropertyPath] = []
        var path = PropertyPath.root
        collectPaths(at: &path, into: &paths, where: isWanted)
        return paths
    }

    private func collectPaths(
        at path: inout PropertyPath, into paths: inout [PropertyPath],
        where isWanted: (_ node: JSONValue, _ path: PropertyPath, _ isLeaf: Bool) -> Bool
    ) {
        let count: Int
        switch storage {
        case .array(let array): count = array.elements.count
        case .object(let object): count = object.count
        case .null, .boolean, .integer, .decimal, .string: count = 0
        }
        if !path.steps.isEmpty, isWanted(self, path, count == 0) { paths.append(path) }
        forEachPart(at: &path) { $0.collectPaths(at: &$1, into: &paths, where: isWanted) }
    }
}

extension PropertiesStorage {
    /// All layers merged.
    ///
    /// Placeholders are not resolved.
    var mergedTree: JSONValue {
        switch find(.root) {
        case .found(let tree): tree
        case .missing, .removed, .blocked: .object(JSONObject())
        }
    }

    /// Returns the paths that may have been meant by a missing path.
    func near(_ path: PropertyPath) -> [String] {
        if let nearSearch { return nearSearch.near(path, in: self) }
        var paths = nearPaths
        return paths.near(path)
    }

    /// Returns the path with numbers changed to indexes if they are keys of arrays: `hosts[0]` for `hosts.0`, or nil if
    /// that path does not exist either.
    func element(_ path: PropertyPath) -> String? {
        path.hasKey { Int($0) != nil } ? path.element(in: mergedTree) : nil
    }
}

extension PropertyPath {
    /// Whether a variable that matches no key adds another key than the last one of the path.
    fileprivate var isSpelledUnlikeVariables: Bool {
        lastKey.map { VariableName.key(of: VariableName.segment(of: $0)[...]) != $0 } ?? false
    }

    /// Returns the path with numbers changed to indexes if they are keys of arrays of a tree.
    fileprivate func element(in tree: JSONValue) -> String? {
        var indexed = PropertyPath.root
        var hasIndex = false
        for step in steps {
            if case .key(let key) = step, let index = Int(key), "\(index)" == key, index >= 0,
                TreeWalk(tree, indexed.steps[...]).node?.arrayValue != nil
            {
                indexed.steps.append(.index(index))
                hasIndex = true
            } else {
                indexed.steps.append(step)
            }
        }
        return hasIndex && TreeWalk(tree, indexed.steps[...]).node != nil ? indexed.text : nil
    }
}

/// The paths of settings, to find those that may have been meant by a missing path.
///
/// A copy shares what was prepared, and has a limit of its own.
struct NearPaths {
    /// All paths that end in a key.
    ///
    /// A wrong index means that the array is too short, not that the path is misspelled.
    private let paths: [PropertyPath]
    /// The positions of the paths that end in a key.
    private let positions: [String: [Int]]
    private var names: NearNames
    private let tree: JSONValue

    init(_ storage: PropertiesStorage) {
        tree = storage.mergedTree
        paths = tree.allPaths().filter { $0.lastKey != nil }
        positions = Dictionary(grouping: paths.indices) { [paths] in paths[$0].lastKey ?? "" }
        names = NearNames(paths.map(\.text))
    }

    var isEmpty: Bool { paths.isEmpty }

    /// Returns the paths similar to a missing path.
    mutating func near(_ path: PropertyPath) -> [String] {
        guard let key = path.lastKey else { return [] }
        if let element = path.element(in: tree) { return [element] }
        let near = names.nearest(to: path.text) { [paths] in !path.starts(with: paths[$0]) }
        if !near.isEmpty || names.isExhausted { return near }
        // The right key in the wrong place: `port` for `server.port`.
        let ending = positions[key, default: []].lazy.map { [paths] in paths[$0] }
        let moved: [String] = ending.filter { !path.starts(with: $0) }.prefix(3).map(\.text)
        if !moved.isEmpty { return moved }
        // Keys with dots instead of a section: `['server.port']` for `server`.
        return paths.lazy.filter { $0.isDotted(under: key, of: path) }.prefix(3).map(\.text)
    }
}

extension PropertyPath {
    /// The key at the end; nil if there is an index.
    fileprivate var lastKey: String? {
        if case .key(let key)? = steps.last { key } else { nil }
    }

    /// Whether it is next to a path that ends in a key, with this key and a dot at the beginning of its own.
    fileprivate func isDotted(under key: String, of path: PropertyPath) -> Bool {
        lastKey?.hasPrefix(key + ".") == true && steps.dropLast().elementsEqual(path.steps.dropLast())
    }
}

/// The paths of a storage, prepared when a path is first missing, and shared by all later searches.
final class PreparedNearPaths: Sendable {
    let paths: NearPaths

    init(_ storage: PropertiesStorage) {
        paths = NearPaths(storage)
    }
}

/// A search for similar paths that several lookups in the same settings share.
///
/// Unchecked `Sendable` is safe, because the settings that refer to it are used on one thread only; see
/// ``Properties/sharingNearSearch``.
final class NearSearch: @unchecked Sendable {
    private var paths: NearPaths?

    func near(_ path: PropertyPath, in storage: PropertiesStorage) -> [String] {
        if paths == nil { paths = storage.nearPaths }
        return paths?.near(path) ?? []
    }
}
