/// The paths of settings, to find those that may have been meant by a missing path.
///
/// A copy shares the prepared data, and has its own limit.
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
        paths = tree.allPaths().filter { $0.steps.last?.key != nil }
        positions = Dictionary(grouping: paths.indices) { [paths] in paths[$0].steps.last?.key ?? "" }
        names = NearNames(paths.map(\.text))
    }

    /// Returns the paths similar to a missing path.
    mutating func near(_ path: PropertyPath) -> [String] {
        guard let key = path.steps.last?.key else { return [] }
        if let element = path.element(in: tree) { return [element] }
        let near = names.nearest(to: path.text) { [paths] in
            !path.starts(with: paths[$0]) && path.hasSimilarKeys(paths[$0])
        }
        if !near.isEmpty || names.isExhausted { return near }
        // The right key in the wrong place: `port` for `server.port`.
        let ending = positions[key, default: []].lazy.map { [paths] in paths[$0] }
        // The number is limited, because each element of an array may have it.
        let moved: [String] = ending.prefix(100).filter { !path.starts(with: $0) && !path.hasSameKeys(as: $0) }
            .prefix(3).map(\.text)
        if !moved.isEmpty { return moved }
        // Keys with dots instead of a section: `['server.port']` for `server`.
        return paths.lazy.filter { $0.isDotted(under: key, of: path) }.prefix(3).map(\.text)
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

    /// Returns those of the paths near a missing one for which it is probably a mistake.
    func mistakes(for path: PropertyPath, in storage: PropertiesStorage) -> [String] {
        near(path, in: storage).filter { near in
            NearNames.areDotted([near], for: path.text)
                || (try? PropertyPath(parsing: near)).map { path.isMistaken(for: $0) } ?? false
        }
    }
}

extension PropertiesStorage {
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
    /// Returns the path with numbers changed to indexes if they are keys of arrays of a tree.
    fileprivate func element(in tree: JSONValue) -> String? {
        var indexed = PropertyPath.root
        for step in steps {
            if let key = step.key, let index = Int(key), "\(index)" == key, index >= 0,
                tree.part(at: indexed)?.arrayValue != nil
            {
                indexed.steps.append(.index(index))
            } else {
                indexed.steps.append(step)
            }
        }
        return indexed != self && tree.part(at: indexed) != nil ? indexed.text : nil
    }

    /// Whether each key is near that of another path, if it has as many: `server.host` is not meant by `server.port`.
    fileprivate func hasSimilarKeys(_ other: PropertyPath) -> Bool {
        steps.count != other.steps.count
            || zip(steps, other.steps).allSatisfy { step, other in
                guard let key = step.key, let other = other.key else { return step == other }
                return NearNames.areNear(key, other, within: min(3, key.unicodeScalars.count / 3))
                    || Words.split(key) == Words.split(other) || Self.isAbbreviation(key, of: other)
                    || Self.isAbbreviation(other, of: key)
            }
    }

    /// Whether a key has the letters of another one in their order: `lvl` and `level`.
    private static func isAbbreviation(_ key: String, of other: String) -> Bool {
        guard key.unicodeScalars.count > 2 else { return false }
        var rest = key.lowercased()[...]
        for letter in other.lowercased() where letter == rest.first { rest = rest.dropFirst() }
        return rest.isEmpty
    }

    /// Whether only their indexes differ, so that they are parts of different elements of an array.
    fileprivate func hasSameKeys(as other: PropertyPath) -> Bool {
        self != other && steps.count == other.steps.count && zip(steps, other.steps).allSatisfy { $0.key == $1.key }
    }

    /// Whether it is next to a path that ends in a key, with this key and a dot at the beginning of its own.
    fileprivate func isDotted(under key: String, of path: PropertyPath) -> Bool {
        steps.last?.key?.hasPrefix(key + ".") == true && steps.dropLast().elementsEqual(path.steps.dropLast())
    }
}
