// MARK: Private keys

extension SecretScan {
    static func isInPrivateKey(_ position: Int, of bytes: UnsafeRawBufferPointer) -> Bool {
        var scan = SecretScan(Array(bytes))
        scan.scanPrivateKeys()
        return scan.secrets.contains { $0.start <= position && position < $0.end }
    }

    /// Finds everything between `-----BEGIN PRIVATE KEY-----` and the next `-----END`.
    mutating func scanPrivateKeys() {
        var position = 0
        while let start = bytes.place(of: "-----BEGIN ".utf8, from: position) {
            position = start + 1
            guard let label = label(behind: start + 11) else { continue }
            let begin = label.upperBound + 5
            guard String(decoding: bytes[label], as: UTF8.self).contains("PRIVATE KEY") else { continue }
            // A truncated key is still a secret.
            position = bytes.place(of: "-----END ".utf8, from: begin) ?? bytes.count
            if position > begin { secrets.append((begin, position)) }
        }
    }

    /// Returns the label of a block, up to the dashes after it.
    private func label(behind start: Int) -> Range<Int>? {
        let limit = 64
        let dashes = bytes[start...].prefix(limit).firstIndex { $0 == UInt8(ascii: "-") || $0 < 0x20 }
        guard let dashes, bytes[dashes...].starts(with: "-----".utf8) else { return nil }
        return start..<dashes
    }
}

// MARK: Credentials of headers

extension SecretScan {
    /// Finds `Bearer …` and `Basic …` if they are the whole text, follow `Authorization`, are too long for a word, or mix
    /// letters and digits, or small and capital letters, as no word does.
    mutating func scanCredentials() {
        let first = bytes.firstIndex { $0 > 0x20 }
        let last = bytes.lastIndex { $0 > 0x20 }
        var end = 0
        for index in bytes.indices where Self.isBlank(bytes[index]) && index >= end {
            let isBearer = hasWord("bearer", before: index)
            guard isBearer || hasWord("basic", before: index) else { continue }
            let scheme = index - (isBearer ? 6 : 5)
            let start = bytes[index...].firstIndex { !Self.isBlank($0) } ?? bytes.count
            let word = bytes[start...].prefix(while: Self.isToken)
            if word.isEmpty { continue }
            // Some tokens have other characters behind the first ones, as in `Bearer 12|…`.
            end = isBearer ? bytes[start...].firstIndex(where: Self.endsToken) ?? bytes.count : word.endIndex
            let value = bytes[start..<end]
            guard
                Self.isLong(value) || (isBearer ? Self.isMixed(value) : Self.hasInnerCapital(value))
                    || isAuthorization(before: scheme) || scheme == first && end - 1 == last
            else { continue }
            if isBearer ? !Self.isWord(word) : Self.isNameAndPassword(value) { secrets.append((start, end)) }
        }
    }

    /// Whether a word, in any case, ends at a position and begins where no letter precedes it.
    func hasWord(_ word: StaticString, before end: Int) -> Bool {
        let start = end - word.utf8CodeUnitCount
        guard start >= 0, start == 0 || !bytes[start - 1].isLetter else { return false }
        return (start..<end).allSatisfy { bytes[$0] | 0x20 == word.utf8Start[$0 - start] }
    }

    /// Whether `Authorization:` precedes a position.
    ///
    /// In JSON, there are quotes in between.
    private func isAuthorization(before place: Int) -> Bool {
        var end = place
        func skipBlanksAndQuotes() {
            while end > 0, place - end < Self.nameLimit, bytes[end - 1] <= 0x20 || "\"'".utf8.contains(bytes[end - 1]) {
                end -= 1
            }
        }
        skipBlanksAndQuotes()
        guard end > 0, bytes[end - 1] == UInt8(ascii: ":") || bytes[end - 1] == UInt8(ascii: "=") else { return false }
        end -= 1
        skipBlanksAndQuotes()
        return hasWord("authorization", before: end)
    }

    private static func isLong(_ value: ArraySlice<UInt8>) -> Bool {
        value.count >= 20 && value.contains(where: \.isDigit)
    }

    /// Whether a value has letters and digits, and is as long as the shortest tokens.
    private static func isMixed(_ value: ArraySlice<UInt8>) -> Bool {
        value.count >= 6 && value.contains(where: \.isDigit) && value.contains(where: \.isLetter)
    }

    private static func hasInnerCapital(_ value: ArraySlice<UInt8>) -> Bool {
        value.dropFirst().contains { $0.isLetter && $0 & 0x20 == 0 } && value.contains { $0.isLetter && $0 & 0x20 != 0 }
    }

    /// Whether a byte can be part of a token in a header.
    private static func isToken(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || "-._~+/=".utf8.contains(byte)
    }

    /// Whether a byte cannot be part of any token.
    private static func endsToken(_ byte: UInt8) -> Bool {
        byte <= 0x20 || "\"'`<>(){}[],;".utf8.contains(byte)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// Whether a value is a word that is often written after `Bearer` and is not a token.
    private static func isWord(_ value: ArraySlice<UInt8>) -> Bool {
        let word = String(decoding: value, as: UTF8.self).lowercased()
        // The standard is called RFC 6750, and the scheme is part of OAuth 2.0.
        if word.hasPrefix("rfc") || word.hasPrefix("oauth") { return true }
        return switch word {
        case "token", "tokens", "auth", "authentication", "authorization", "scheme", "header", "only", "required": true
        default: false
        }
    }

    /// Whether a value is the base64 form of a text that contains a colon.
    private static func isNameAndPassword(_ value: ArraySlice<UInt8>) -> Bool {
        var buffer: UInt32 = 0
        var bits = 0
        var hasColon = false
        for byte in value.prefix(while: { $0 != UInt8(ascii: "=") }) {
            guard let digit = base64Digit(byte) else { return false }
            buffer = buffer << 6 | digit
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            let decoded = UInt8(truncatingIfNeeded: buffer >> UInt32(bits))
            if decoded < 0x20 { return false }
            hasColon = hasColon || decoded == UInt8(ascii: ":")
        }
        return hasColon
    }

    private static func base64Digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}

// MARK: Data source names

extension SecretScan {
    /// Finds the password in `user:password@tcp(host:3306)/database`.
    ///
    /// The address, and the network as well, may be missing.
    mutating func scanDataSourceNames() {
        let hasSpace = bytes.contains { $0 <= 0x20 }
        var start = 0
        for at in bytes.indices where bytes[at] == UInt8(ascii: "@") {
            // A form without an address counts only if it is the whole text.
            guard let end = networkEnd(behind: at, mayLackAddress: start == 0 && !hasSpace) else { continue }
            defer { start = end }
            guard let colon = colonOutsideOfPlaceholders(in: start..<at), colon + 1 < at else { continue }
            secrets.append((colon + 1, at))
        }
    }

    /// Returns the end of the network and its address after an `@`, or nil if no slash follows.
    private func networkEnd(behind at: Int, mayLackAddress: Bool) -> Int? {
        let limit = 16
        var end = at + 1
        while end < bytes.count, end - at <= limit, bytes[end].isLetter || bytes[end].isDigit { end += 1 }
        guard end < bytes.count else { return nil }
        let network = String(decoding: bytes[(at + 1)..<end], as: UTF8.self)
        switch bytes[end] {
        case UInt8(ascii: "("):
            let address = bytes[end...].prefix(256)
            guard !network.isEmpty, let close = address.firstIndex(of: UInt8(ascii: ")")), close + 1 < bytes.count,
                bytes[close + 1] == UInt8(ascii: "/")
            else { return nil }
            return close + 1
        case UInt8(ascii: "/"):
            return mayLackAddress && ["", "tcp", "udp", "unix"].contains(network) ? end : nil
        default:
            return nil
        }
    }
}
