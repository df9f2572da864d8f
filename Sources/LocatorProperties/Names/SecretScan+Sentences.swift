// The forms that are searched only in texts for people, because in a setting they may be something else.

// MARK: Labels

extension SecretScan {
    /// Finds `password: …`, and what follows `Authorization:` and its scheme.
    mutating func scanLabels() {
        var end = 0
        for colon in bytes.indices where bytes[colon] == UInt8(ascii: ":") && colon >= end {
            guard let name = label(before: colon), SecretWords.isSecretAtEnd(name) else { continue }
            var value = word(from: colon + 1)
            if hasWord("authorization", before: colon), bytes[value].allSatisfy(\.isLetter) {
                value = word(from: value.upperBound)
            }
            let isCount = bytes[value].allSatisfy(\.isDigit) && name.hasSuffix("s") && !name.hasSuffix("ss")
            if isCount || isHarmless(value) { continue }
            secrets.append((value.lowerBound, value.upperBound))
            end = value.upperBound
        }
    }

    /// Returns the last word before a colon, with the word before it.
    private func label(before colon: Int) -> String? {
        guard let last = bareName(before: colon) else { return nil }
        let isSecond = last.lowerBound > 0 && bytes[last.lowerBound - 1] == UInt8(ascii: " ")
        let first = isSecond ? bareName(before: last.lowerBound - 1) : nil
        return String(decoding: bytes[(first ?? last).lowerBound..<last.upperBound], as: UTF8.self)
    }

    /// Returns what is in quotes, or otherwise the next word without the punctuation at its end.
    private func word(from position: Int) -> Range<Int> {
        let line = bytes[position...]
        var start = line.firstIndex { !" \t\\".utf8.contains($0) } ?? bytes.count
        let optional = "Optional(".utf8
        if bytes[start...].starts(with: optional) { start += optional.count }
        // The rest of `://` and `::`, and another mask.
        let rest = bytes[start...]
        if rest.starts(with: "//".utf8) || rest.first == UInt8(ascii: ":") { return start..<start }
        if rest.starts(with: Redaction.mask.utf8) { return start..<start }
        if let quote = bytes[start...].first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            return start + 1..<(bytes[(start + 1)...].firstIndex(of: quote) ?? bytes.count)
        }
        var end = bytes[start...].firstIndex { $0 <= 0x20 } ?? bytes.count
        while end > start, ",;.:)]}\"'".utf8.contains(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    /// Whether what follows a label is no secret, as in `token: expected }`.
    private func isHarmless(_ value: Range<Int>) -> Bool {
        let text = bytes[value]
        guard text.contains(where: { $0.isLetter || $0.isDigit || $0 >= 0x80 }) else { return true }
        // In quotes, a word is a value and not a part of the sentence.
        if "\"'".utf8.contains(bytes[value.lowerBound - 1]) { return false }
        return switch String(decoding: text, as: UTF8.self).lowercased() {
        case "a", "an", "the", "it", "this", "is", "was", "has", "must", "may", "can", "cannot", "could", "should":
            true
        case "does", "did", "not", "no", "none", "nil", "null", "true", "false", "empty", "expected", "unexpected":
            true
        case "found", "missing", "invalid", "required", "expired", "unknown", "malformed", "wrong", "too", "only":
            true
        case "at", "in", "for", "of", "from", "please", "check", "see", "use", "set", "try":
            true
        case "token", "header", "scheme":
            true
        default: false
        }
    }
}

// MARK: Logins

extension SecretScan {
    /// Finds the password in `user:password@host`.
    mutating func scanLogins() {
        /// The latest possible end of the current login, and its last `@`. Both are searched for only once.
        var end = 0
        var lastAt: Int?
        for colon in bytes.indices where bytes[colon] == UInt8(ascii: ":") {
            guard let user = bareName(before: colon), user.upperBound == colon, bytes[user.lowerBound].isLetter,
                user.lowerBound == 0 || Self.precedesLogin(bytes[user.lowerBound - 1]), !isAddressLabel(before: colon)
            else { continue }
            if colon >= end {
                end = bytes[colon...].firstIndex { $0 <= 0x20 || "/\"'`<>".utf8.contains($0) } ?? bytes.count
                lastAt = bytes[colon..<end].lastIndex(of: UInt8(ascii: "@"))
            }
            guard let at = lastAt, at > colon + 1, at + 1 < end, !bytes[at...].starts(with: "@sha256:".utf8) else {
                continue
            }
            secrets.append((colon + 1, at))
        }
    }

    private static func precedesLogin(_ byte: UInt8) -> Bool { byte <= 0x20 || "\"'`(<[{,;=.".utf8.contains(byte) }

    /// Whether an address without a password, or the name of a package, may follow.
    private func isAddressLabel(before colon: Int) -> Bool {
        let labels: [StaticString] = ["mailto", "email", "mail", "sip", "sips", "xmpp", "acct", "npm"]
        return labels.contains { hasWord($0, before: colon) }
    }
}
