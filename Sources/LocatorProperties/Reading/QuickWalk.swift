/// Finds plain paths such as `server.port` without parsing them first.
enum QuickWalk {
    /// What a path leads to.
    enum Finding {
        case found(JSONValue)
        /// The path is not there, or not plain: parsing it tells.
        case unknown
    }

    /// Follows the keys of a path as the bytes that they are; nothing is allocated on the way.
    @inline(__always)
    static func find(_ path: String, in tree: JSONObject) -> Finding {
        JSONText.withBytes(of: path) { find($0, in: tree.storage) }
    }

    private static func find(_ path: UnsafeRawBufferPointer, in tree: JSONObjectStorage) -> Finding {
        guard let start = path.baseAddress else { return .unknown }
        var object = tree
        var keyStart = 0
        while true {
            var keyEnd = keyStart
            while keyEnd < path.count, PropertyPath.isPlain(path[keyEnd]) { keyEnd += 1 }
            guard keyEnd > keyStart else { return .unknown }
            let key = UnsafeRawBufferPointer(start: start + keyStart, count: keyEnd - keyStart)
            guard let index = object.find(key) else { return .unknown }
            if keyEnd == path.count { return .found(object.entries[index].value) }
            guard
                path[keyEnd] == UInt8(ascii: "."),
                case .object(let next) = object.entries[index].value.storage
            else { return .unknown }
            object = next.storage
            keyStart = keyEnd + 1
        }
    }
}
