/// Finds plain paths such as `server.port` without parsing them into steps: every object indexes its keys by a hash of
/// their bytes, and the bytes of the path are hashed where they are.
enum QuickWalk {
    /// What a path leads to.
    enum Finding {
        case found(JSONValue)
        /// The path is not there, or not plain, or malformed: parsing it tells.
        case unknown
    }

    @inline(__always)
    static func find(_ path: String, in tree: JSONObject) -> Finding {
        JSONText.withBytes(of: path) { walk($0, from: 0, in: tree.storage) }
    }

    /// Recursive, so that each object is borrowed from the one above it, and none is retained.
    private static func walk(_ path: UnsafeRawBufferPointer, from start: Int, in object: JSONObjectStorage) -> Finding {
        var end = start
        while end < path.count, PropertyPath.isPlain(path[end]) { end += 1 }
        guard end > start, end == path.count || path[end] == UInt8(ascii: ".") else { return .unknown }
        let key = UnsafeRawBufferPointer(rebasing: path[start..<end])
        guard let address = key.baseAddress,
            let index = object.find(key, hash: JSONKeyHash.hash(address, count: key.count))
        else { return .unknown }
        if end == path.count { return .found(object.entries[index].value) }
        guard case .object(let next) = object.entries[index].value.storage else { return .unknown }
        return walk(path, from: end + 1, in: next.storage)
    }
}
