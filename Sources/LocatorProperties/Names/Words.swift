/// The words of a key, however it writes them: `maxConnections`, `max_connections` and `max-connections` are
/// `max` and `connections`; `apiURL` is `api` and `url`; digits belong to the word before them.
package enum Words {
    /// The words of a key in lower case.
    package static func split(_ key: String) -> [String] {
        var words: [String] = []
        forEach(in: key) { words.append(String(decoding: $0, as: UTF8.self)) }
        return words
    }

    /// Joins words as Swift and JSON write them: `max`, `connections` become `maxConnections`.
    package static func lowerCamelCase(_ words: [some StringProtocol]) -> String {
        var result = ""
        for word in words {
            if result.isEmpty {
                result += word.lowercased()
            } else {
                result += word.prefix(1).uppercased() + word.dropFirst().lowercased()
            }
        }
        return result
    }

    /// Gives each word's bytes in lower case to a function; letters beyond ASCII count as small ones and stay as they
    /// are.
    @inline(never)
    static func forEach(in key: String, _ body: ([UInt8]) -> Void) {
        var word: [UInt8] = []
        let bytes = Array(key.utf8)
        for (offset, byte) in bytes.enumerated() {
            let kind = Kind(byte)
            if kind == .separator {
                if !word.isEmpty { body(word) }
                word.removeAll(keepingCapacity: true)
                continue
            }
            if kind == .capital, !word.isEmpty {
                // `apiKey` breaks before the K, `URLPath` before the P: a capital after anything else, or the last
                // capital of a row.
                let follows = Kind(bytes[offset - 1])
                let precedes = offset + 1 < bytes.count ? Kind(bytes[offset + 1]) : .separator
                if follows != .capital || precedes == .small {
                    body(word)
                    word.removeAll(keepingCapacity: true)
                }
            }
            word.append(kind == .capital ? byte | 0x20 : byte)
        }
        if !word.isEmpty { body(word) }
    }

    private enum Kind {
        case small
        case capital
        case digit
        case separator

        init(_ byte: UInt8) {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): self = .capital
            case UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...: self = .small
            case UInt8(ascii: "0")...UInt8(ascii: "9"): self = .digit
            default: self = .separator
            }
        }
    }
}
