/// Looks up plain paths such as `server.port` in one tree without parsing them into steps first.
enum QuickWalk {
    case found(JSONValue)
    /// An object on the path lacks a key, so a lower tree may have it.
    case absent
    /// The path leads through something other than objects that are merged.
    case unknown

    /// Follows a path that has ``prefixHashes(of:)``.
    fileprivate init(_ path: UnsafeRawBufferPointer, in tree: JSONObject) {
        self = Self.walk(path, from: 0, in: tree.storage, isWhole: false)
    }

    /// Recursive, so that each object is borrowed from the object above it.
    private static func walk(
        _ path: UnsafeRawBufferPointer, from start: Int, in object: JSONObjectStorage, isWhole: Bool
    ) -> QuickWalk {
        var end = start
        while end < path.count, path[end] != UInt8(ascii: ".") { end += 1 }
        let key = UnsafeRawBufferPointer(rebasing: path[start..<end])
        guard let address = key.baseAddress else { return .unknown }
        guard let index = object.find(key, hash: JSONKeyHash.hash(address, count: key.count)) else {
            return isWhole ? .unknown : .absent
        }
        if end == path.count { return .found(object.entries[index].value) }
        guard case .object(let next) = object.entries[index].value.storage else { return .unknown }
        let isWhole = object.entries[index].value.flags.contains(.whole)
        return walk(path, from: end + 1, in: next.storage, isWhole: isWhole)
    }

    /// The hashes of a plain path and of its prefixes, the shortest first; nil for any other path.
    fileprivate static func prefixHashes(of path: UnsafeRawBufferPointer) -> [UInt32]? {
        var hashes: [UInt32] = []
        var start = 0
        while true {
            var end = start
            while end < path.count, PropertyPath.isPlain(path[end]) { end += 1 }
            guard end > start, let address = path.baseAddress else { return nil }
            let key = JSONKeyHash.hash(address + start, count: end - start)
            hashes.append(LayerList.hash(of: key, below: hashes.last ?? 0))
            if end == path.count { return hashes }
            guard path[end] == UInt8(ascii: ".") else { return nil }
            start = end + 1
        }
    }
}

extension PropertiesStorage {
    /// Returns the value at a plain path if the first layer that has it decides alone and nothing needs to be resolved.
    ///
    /// Otherwise returns nil, and a full search is necessary.
    func quickFind(_ path: String) -> JSONValue? {
        // The type is spelled out, because `nil` is also a literal for the value `null`.
        JSONText.withBytes(of: path) { path -> JSONValue? in
            guard let prefixes = QuickWalk.prefixHashes(of: path) else { return nil }
            for layer in layers(with: prefixes) {
                switch QuickWalk(path, in: layer.tree) {
                case .absent:
                    continue
                case .unknown:
                    return nil
                case .found(let node):
                    switch node.storage {
                    case .boolean, .integer, .decimal: return node
                    case .string(let text): return layer.scan.hasTemplates && Template.isTemplate(text) ? .none : node
                    case .array: return layer.scan.hasTemplates ? .none : node
                    case .null, .object: return .none
                    }
                }
            }
            return nil
        }
    }
}
