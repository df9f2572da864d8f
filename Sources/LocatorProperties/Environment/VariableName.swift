/// The correspondence of keys and environment variables: `server.maxConnections` is `SERVER__MAX_CONNECTIONS`.
package enum VariableName {
    /// Returns the name of the variable that overrides a path.
    ///
    /// Nil for a path with an index, because a variable usually sets a whole array.
    package static func name(of path: PropertyPath, prefix: String) -> String? {
        var name = prefix
        for (position, step) in path.steps.enumerated() {
            guard let key = step.key else { return nil }
            if position > 0 { name += "__" }
            name += segment(of: key)
        }
        return path.steps.isEmpty ? nil : name
    }

    /// Returns the prefix that is probably meant by one that does not end with an underscore: `SHOP_` for `SHOP` or `SHOP.`.
    package static func prefix(meantBy prefix: String) -> String {
        let end = prefix.lastIndex { $0.isLetter || $0.isNumber }
        return (end.map { String(prefix[...$0]) } ?? prefix) + "_"
    }

    /// Returns the part of a variable's name that corresponds to a key.
    @inline(never)
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

    /// Returns the parts of a variable's name, without its prefix, or nil if it names no key.
    package static func segments(of name: Substring) -> [Substring]? {
        let segments = name.split(separator: "__", omittingEmptySubsequences: false)
        return segments.allSatisfy(isSegment) ? segments : nil
    }

    /// Returns the key to add for a segment without a corresponding key: `maxConnections` for `MAX_CONNECTIONS`.
    package static func key(of segment: Substring) -> String {
        Words.lowerCamelCase(segment.split(separator: "_"))
    }

    static func isSegment(_ segment: Substring, of key: String) -> Bool {
        // Most keys already differ in their letters, which is found without splitting them into words.
        haveSameLetters(segment, key) && self.segment(of: key) == segment
    }

    private static func haveSameLetters(_ segment: Substring, _ key: String) -> Bool {
        let letters = segment.utf8.lazy.filter { $0.isWordPart }
        return letters.elementsEqual(key.utf8.lazy.filter { $0.isWordPart }) { $0 | 0x20 == $1 | 0x20 }
    }

    private static func isSegment(_ segment: Substring) -> Bool {
        segment.split(separator: "_", omittingEmptySubsequences: false).allSatisfy { word in
            !word.isEmpty && word.utf8.allSatisfy { $0.isCapital || $0.isDigit }
        }
    }

    /// Whether a name looks like a variable: two adjacent underscores, and otherwise only underscores, capitals, and
    /// digits.
    static func isLikeVariable(_ name: String) -> Bool {
        name.contains("__") && name.utf8.allSatisfy { $0.isCapital || $0.isDigit || $0 == UInt8(ascii: "_") }
    }
}
