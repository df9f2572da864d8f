/// Splits keys into words, in any style: `maxConnections`, `max_connections`, and `max-connections` all have the words
/// `max` and `connections`, and `apiURL` has `api` and `url`.
///
/// Digits belong to the word before them.
package enum Words {
    /// Returns the words of a key in lowercase.
    package static func split(_ key: String) -> [String] {
        var words: [String] = []
        forEach(in: key) { words.append(String(decoding: $0, as: UTF8.self)) }
        return words
    }

    /// Joins words in lower camel case: `max` and `connections` become `maxConnections`.
    package static func lowerCamelCase(_ words: [some StringProtocol]) -> String {
        let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
        return (words.first?.lowercased() ?? "") + rest.joined()
    }

    /// Calls a closure with the bytes of each word in lowercase.
    ///
    /// Letters beyond ASCII are treated as lowercase and stay unchanged.
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
                // `apiKey` is split before the K, and `URLPath` before the P: a capital after anything else, or the
                // last capital of a sequence.
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

extension StringProtocol {
    /// The text without the white space around it.
    var trimmed: String {
        let start = drop(while: \.isWhitespace)
        let end = start.lastIndex { !$0.isWhitespace }
        return end.map { String(start[...$0]) } ?? ""
    }
}
