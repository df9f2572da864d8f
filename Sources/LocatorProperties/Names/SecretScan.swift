/// Finds secrets that are recognizable by the form of a text, in time proportional to its length.
struct SecretScan {
    let bytes: [UInt8]
    /// The byte ranges that must not be printed.
    var secrets: [(start: Int, end: Int)] = []
    /// Whether the whole text should not be printed, because it is a connection string or JSON, whose values can end in
    /// many ways.
    private(set) var isSecret = false

    /// Whether a text contains the characters of anything that this scan or the scan for placeholders finds: an equals
    /// sign, a colon together with an at sign, a quote, or a brace, the dashes before a key, or the scheme of
    /// credentials.
    static func isNeeded(for text: String) -> Bool {
        JSONText.withBytes(of: text) { bytes in
            var hasColon = false
            var hasPartner = false
            var dashes = 0
            // The last three letters in lowercase.
            var last: UInt32 = 0
            for byte in bytes {
                dashes = byte == UInt8(ascii: "-") ? dashes + 1 : 0
                switch byte {
                case UInt8(ascii: "-") where dashes == 5: return true
                // rer, sic
                case 0x09, 0x20:
                    if last == 0x726572 || last == 0x736963 { return true }
                case UInt8(ascii: "="): return true
                case UInt8(ascii: ":"): hasColon = true
                case UInt8(ascii: "@"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "{"): hasPartner = true
                default: break
                }
                last = (last << 8 | UInt32(byte | 0x20)) & 0xff_ffff
            }
            return hasColon && hasPartner
        }
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Finds the secrets of a text.
    ///
    /// Nil if it certainly has none.
    ///
    /// - Parameter isSentence: Whether the text is written for people, such as that of an error. Then more forms are found.
    init?(_ text: String, isSentence: Bool = false) {
        guard isSentence || Self.isNeeded(for: text) else { return nil }
        bytes = Array(text.utf8)
        let firstURL = scanURLs()
        // A sentence may have a URL without its beginning: `GET /prices?token=…`.
        scanPairs(firstURL: isSentence ? 0 : firstURL ?? bytes.count)
        scanPrivateKeys()
        scanCredentials()
        if firstURL == nil { scanDataSourceNames() }
        if isSentence {
            scanLabels()
            scanLogins()
        }
    }
}

// MARK: URLs

extension SecretScan {
    /// Finds the user information of URLs.
    ///
    /// Returns the position after the first `://`.
    private mutating func scanURLs() -> Int? {
        var first: Int?
        var position = 0
        /// The latest possible end of the current URL, and its last `@`. Both are searched for only once.
        var end = 0
        var lastAt: Int?
        while let start = authorityStart(from: position) {
            first = first ?? start
            if start >= end {
                end = urlEnd(from: start)
                lastAt = bytes[start..<end].lastIndex(of: UInt8(ascii: "@"))
            }
            let authorityEnd = authorityEnd(from: start)
            position = max(start, authorityEnd)
            guard let at = lastAt, at >= start else { continue }
            let scheme = scheme(before: start)
            guard hasUserInformation(start..<authorityEnd, scheme: scheme) else { continue }
            // What follows the authority may have colons and further `@`.
            let lastInAuthority = bytes[start..<authorityEnd].lastIndex(of: UInt8(ascii: "@"))
            let colon = colonOutsideOfPlaceholders(in: start..<(lastInAuthority ?? at))
            addUserInformation(start..<at, colon: colon, scheme: scheme)
            position = at
        }
        return first
    }

    /// Returns the position after the next `://`, from a position on.
    private func authorityStart(from position: Int) -> Int? {
        var position = position
        while let colon = bytes[position...].firstIndex(of: UInt8(ascii: ":")) {
            // JSON in a text may escape the slashes.
            for mark in ["://", #":\/\/"#] where bytes[colon...].starts(with: mark.utf8) {
                return colon + mark.utf8.count
            }
            position = colon + 1
        }
        return nil
    }

    /// Returns the end of the text, or the beginning of the next URL, which follows a space, a quote, or a similar
    /// separator.
    ///
    /// A space alone does not end a URL, because a password may contain spaces.
    private func urlEnd(from start: Int) -> Int {
        var position = start
        while let next = authorityStart(from: position) {
            let begin = schemeStart(before: next)
            if begin > start, begin < colon(before: next), Self.separatesURLs(bytes[begin - 1]) { return begin }
            position = next
        }
        return bytes.count
    }

    /// Returns the end of the authority.
    ///
    /// It may contain single quotes. One ends it only if another one opens the URL, and no other part of it follows.
    private func authorityEnd(from start: Int) -> Int {
        let quote = UInt8(ascii: "'")
        let scheme = schemeStart(before: start)
        let isQuoted = scheme > 0 && bytes[scheme - 1] == quote
        let end = bytes[start...].indices.first { index in
            if Self.endsAuthority(bytes[index]) { return true }
            guard isQuoted, bytes[index] == quote else { return false }
            return index + 1 == bytes.count || Self.separatesURLs(bytes[index + 1])
        }
        return end ?? bytes.count
    }

    private func schemeStart(before authority: Int) -> Int {
        var start = colon(before: authority)
        while start > 0, Self.isScheme(bytes[start - 1]) { start -= 1 }
        return start
    }

    private func scheme(before authority: Int) -> String {
        let scheme = bytes[schemeStart(before: authority)..<colon(before: authority)]
        return String(decoding: scheme, as: UTF8.self).lowercased()
    }

    private func colon(before authority: Int) -> Int {
        bytes[authority - 2] == UInt8(ascii: "\\") ? authority - 5 : authority - 3
    }

    /// Whether an `@` in the authority or after it ends user information.
    ///
    /// A password may contain a `/`, `?`, or `#` that should have been escaped. But `http://host:8080/a@b` and
    /// `https://host/@b` have no user information.
    private func hasUserInformation(_ authority: Range<Int>, scheme: String) -> Bool {
        var text = bytes[authority]
        if text.contains(UInt8(ascii: "@")) { return true }
        // It may escape the slash behind the authority.
        if text.last == UInt8(ascii: "\\") { text.removeLast() }
        guard text.first != UInt8(ascii: "["), let colon = text.lastIndex(of: UInt8(ascii: ":")) else { return false }
        let port = text[(colon + 1)...]
        let isPort = !port.isEmpty && port.count <= 5 && port.allSatisfy(\.isDigit)
        // In a sentence, the URL ends at a space, and a later `@` does not belong to it.
        let isEnd = authority.upperBound == bytes.count || bytes[authority.upperBound] <= 0x20
        return !(isPort && (isEnd || ["http", "https", "ws", "wss"].contains(where: scheme.hasSuffix)))
    }

    /// Adds the password.
    ///
    /// If there is none, adds the name, which is then a token.
    private mutating func addUserInformation(_ range: Range<Int>, colon: Int?, scheme: String) {
        guard !range.isEmpty else { return }
        let password = colon.map { bytes[($0 + 1)..<range.upperBound] } ?? []
        if let colon, !password.isEmpty, !password.elementsEqual("x-oauth-basic".utf8) {
            secrets.append((colon + 1, range.upperBound))
        } else if !scheme.hasSuffix("ssh"), !scheme.hasSuffix("sftp"), colon != range.lowerBound {
            secrets.append((range.lowerBound, colon ?? range.upperBound))
        }
    }

    func colonOutsideOfPlaceholders(in range: Range<Int>) -> Int? {
        var depth = 0
        for index in range {
            switch bytes[index] {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ":") where depth <= 0: return index
            default: break
            }
        }
        return nil
    }

    private static func isScheme(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || "+-.".utf8.contains(byte)
    }

    private static func separatesURLs(_ byte: UInt8) -> Bool {
        byte <= 0x20 || ",;=|\"'<>()[]".utf8.contains(byte)
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte <= 0x20 || "/?#\"<>".utf8.contains(byte)
    }
}

// MARK: Pairs

extension SecretScan {
    /// The maximum length of a name.
    static let nameLimit = 64

    /// Finds `token=…`, `Account Key = …` and `"password": …`.
    private mutating func scanPairs(firstURL: Int) {
        var end = 0
        for index in bytes.indices {
            let name: Range<Int>?
            switch bytes[index] {
            case UInt8(ascii: "=") where index >= end: name = plainName(before: index)
            case UInt8(ascii: ":") where index >= end: name = quotedName(before: index)
            default: continue
            }
            guard let name else { continue }
            let opening = name.lowerBound > 0 ? bytes[name.lowerBound - 1] : 0
            let isQueryItem = name.lowerBound > firstURL && "?&#".utf8.contains(opening)
            // Behind `Authorization`, the scheme stays, and the credentials are found by it.
            let isWanted =
                isQueryItem
                ? isSecret(name) || isSignature(name) || isKey(name)
                : isSecret(name) && !hasWord("authorization", before: name.upperBound)
            guard isWanted else { continue }
            // The value of `?user[token]=…` may begin with a character that ends a pair.
            let pairValue = isQueryItem ? nil : value(behind: index)
            let isInBrackets = name.lowerBound > firstURL && bytes[name.upperBound] == UInt8(ascii: "]")
            let isInQuery = isQueryItem || isInBrackets
            guard let value = pairValue ?? (isInQuery ? queryValue(behind: index) : nil), !isPlaceholder(value)
            else { continue }
            secrets.append((value.lowerBound, value.upperBound))
            end = value.upperBound
            if !isQueryItem { isSecret = true }
        }
    }

    /// Returns the words before an equals sign, as far as the previous separator of pairs.
    ///
    /// In `user[token]=…`, these are the ones in brackets.
    private func plainName(before index: Int) -> Range<Int>? {
        var end = endOfName(before: index)
        if end > 0, bytes[end - 1] == UInt8(ascii: "]") { end -= 1 }
        return name(endingAt: end) { !Self.separatesPairs($0) }
    }

    /// Whether a name before a colon is that of a secret, or may be a misspelling of one.
    ///
    /// The name may lack its quotes, because a shell removes them: `{password:hunter2}`.
    var hasNearName: Bool {
        bytes.indices.contains { index in
            guard bytes[index] == UInt8(ascii: ":"), let name = quotedName(before: index) ?? bareName(before: index)
            else { return false }
            let text = String(decoding: bytes[name], as: UTF8.self)
            return SecretWords.isSecret(text) || SecretWords.isNearSecret(text)
        }
    }

    /// Returns the letters, digits, and dashes before a colon.
    func bareName(before index: Int) -> Range<Int>? {
        name(endingAt: endOfName(before: index), where: Self.isBare)
    }

    /// Returns the quoted text before a colon.
    private func quotedName(before index: Int) -> Range<Int>? {
        let end = endOfName(before: index) - 1
        guard end > 0, bytes[end] == UInt8(ascii: "\"") || bytes[end] == UInt8(ascii: "'") else { return nil }
        return name(endingAt: end) { $0 != bytes[end] }
    }

    /// Returns the bytes directly before a position that satisfy a condition, or nil if there are none.
    private func name(endingAt end: Int, where isPart: (UInt8) -> Bool) -> Range<Int>? {
        var start = end
        while start > 0, end - start < Self.nameLimit, isPart(bytes[start - 1]) { start -= 1 }
        return start < end ? start..<end : nil
    }

    private func endOfName(before index: Int) -> Int {
        var end = index
        while end > 0, index - end < Self.nameLimit, bytes[end - 1] <= 0x20 { end -= 1 }
        return end
    }

    /// Returns the value of a pair, or nil if it is empty.
    private func value(behind index: Int) -> Range<Int>? {
        var start = index + 1
        while start < bytes.count, bytes[start] == UInt8(ascii: " ") { start += 1 }
        guard start < bytes.count else { return nil }
        let quote = bytes[start]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            let end = bytes[(start + 1)...].firstIndex(of: quote) ?? bytes.count
            return end > start + 1 ? (start + 1)..<end : nil
        }
        let end = bytes[start...].firstIndex(where: Self.endsValue) ?? bytes.count
        return end > start ? start..<end : nil
    }

    /// Returns the value of a query item of a URL, or nil if it is empty.
    ///
    /// Quotes and semicolons are part of the value.
    private func queryValue(behind index: Int) -> Range<Int>? {
        let start = index + 1
        let end = bytes[start...].firstIndex { $0 <= 0x20 || "&#".utf8.contains($0) } ?? bytes.count
        return end > start ? start..<end : nil
    }

    /// Whether a value is a placeholder without a default.
    func isPlaceholder(_ value: Range<Int>) -> Bool {
        let text = bytes[value]
        guard text.starts(with: "${".utf8), text.last == UInt8(ascii: "}") else { return false }
        let inner = text.dropFirst(2).dropLast()
        let target = inner.starts(with: "env:".utf8) ? inner.dropFirst(4) : inner
        return !target.contains { ":{}".utf8.contains($0) }
    }

    /// Only the last two words count, because in `host=db password=…` the name of the second pair follows the value of
    /// the first.
    private func isSecret(_ name: Range<Int>) -> Bool {
        let words = bytes[name].split(separator: UInt8(ascii: " ")).suffix(2)
        return SecretWords.isSecret(String(decoding: Array(words.joined(separator: " ".utf8)), as: UTF8.self))
    }

    private func isSignature(_ name: Range<Int>) -> Bool {
        SecretWords.isSignature(String(decoding: bytes[name], as: UTF8.self))
    }

    /// Whether an item of a URL is called `key`, as many services call the key of their callers.
    private func isKey(_ name: Range<Int>) -> Bool { name.count == 3 && hasWord("key", before: name.upperBound) }

    private static func isBare(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || "-_".utf8.contains(byte)
    }

    private static func separatesPairs(_ byte: UInt8) -> Bool {
        byte < 0x20 || "=;,&?#|{}()[]<>\"'".utf8.contains(byte)
    }

    private static func endsValue(_ byte: UInt8) -> Bool {
        byte <= 0x20 || ";&#\"'<>".utf8.contains(byte)
    }
}
