/// Tells by its words whether a key holds something that must not be printed.
package enum SecretWords {
    /// Whether a whole word of the key, or two in a row, name a secret: `authToken` does, `tokenizer` does not.
    package static func isSecret(_ key: String) -> Bool {
        let words = Words.split(key).map { word in
            // `token2` is a token; a number alone stays what it is.
            String(word[...(word.lastIndex { !("0"..."9").contains($0) } ?? word.startIndex)])
        }
        for (offset, word) in words.enumerated() {
            if single.contains(word) { return true }
            if keyWords.contains(word), offset > 0, ownersOfKeys.contains(words[offset - 1]) { return true }
        }
        return false
    }

    private static let single: Set<String> = [
        "password", "passwords", "passwd", "passphrase", "passphrases", "passcode", "passcodes",
        "secret", "secrets", "token", "tokens", "credential", "credentials",
        "apikey", "apikeys", "privatekey", "privatekeys", "accesskey", "accesskeys",
    ]

    private static let keyWords: Set<String> = ["key", "keys"]

    /// What makes a key one that opens something, unlike a `primaryKey` or a `keyPath`.
    private static let ownersOfKeys: Set<String> = [
        "api", "private", "access", "signing", "encryption", "decryption", "master", "license", "licence",
    ]
}
