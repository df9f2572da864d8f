/// How keys and environment variables correspond: `server.maxConnections` is `SERVER__MAX_CONNECTIONS`.
package enum VariableName {
    /// The name of the variable that overrides a path of keys, nil for a path with an index: an array is replaced whole.
    package static func name(of path: PropertyPath, prefix: String) -> String? {
        var name = prefix
        for (position, step) in path.steps.enumerated() {
            guard case .key(let key) = step else { return nil }
            if position > 0 { name += "__" }
            name += segment(of: key)
        }
        return path.steps.isEmpty ? nil : name
    }

    /// The part of a variable's name that stands for one key.
    package static func segment(of key: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(key.utf8.count + 4)
        Words.forEach(in: key) { word in
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "_")) }
            for byte in word {
                bytes.append(UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte & 0xDF : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The keys that a variable adds where no key corresponds to it, nil where its name is not that of a key.
    ///
    /// `SERVER__MAX_CONNECTIONS` adds `maxConnections` to `server`.
    package static func keys(of name: Substring) -> [String]? {
        var keys: [String] = []
        var rest = name.utf8[...]
        while true {
            let end = firstSeparator(in: rest) ?? rest.endIndex
            let segment = rest[..<end]
            guard let key = key(of: segment) else { return nil }
            keys.append(key)
            if end == rest.endIndex { return keys }
            rest = rest[rest.index(end, offsetBy: 2)...]
        }
    }

    private static func firstSeparator(in bytes: Substring.UTF8View) -> String.Index? {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let next = bytes.index(after: index)
            if bytes[index] == UInt8(ascii: "_"), next < bytes.endIndex, bytes[next] == UInt8(ascii: "_") {
                return index
            }
            index = next
        }
        return nil
    }

    private static func key(of segment: Substring.UTF8View) -> String? {
        let words = Substring(segment).split(separator: "_", omittingEmptySubsequences: false)
        for word in words {
            let allowed = word.utf8.allSatisfy {
                UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
            }
            if word.isEmpty || !allowed { return nil }
        }
        return words.isEmpty ? nil : Words.lowerCamelCase(words)
    }
}
