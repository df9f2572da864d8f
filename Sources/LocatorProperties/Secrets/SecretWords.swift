/// Tells by its words whether a key holds something that must not be printed.
package enum SecretWords {
    /// Whether a whole word of the key, or two in a row, name a secret: `authToken` does, `tokenizer` does not.
    package static func isSecret(_ key: String) -> Bool {
        var isSecret = false
        var opensSomething = false
        Words.forEach(in: key) { word in
            if isSecret { return }
            // `token2` is a token; a number alone stays what it is.
            var word = word[...]
            while word.count > 1, let last = word.last, isDigit(last) { word.removeLast() }
            let text = String(decoding: word, as: UTF8.self)
            isSecret = isSecretWord(text) || opensSomething && (text == "key" || text == "keys")
            opensSomething = isOwnerOfKeys(text)
        }
        return isSecret
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    // Cases, no sets: these would have to be made when a program starts.

    private static func isSecretWord(_ word: String) -> Bool {
        switch word {
        case "password", "passwords", "passwd", "passphrase", "passphrases", "passcode", "passcodes": true
        case "secret", "secrets", "token", "tokens", "credential", "credentials": true
        case "apikey", "apikeys", "privatekey", "privatekeys", "accesskey", "accesskeys": true
        default: false
        }
    }

    /// Whether it makes a key one that opens something, unlike a `primaryKey` or a `keyPath`.
    private static func isOwnerOfKeys(_ word: String) -> Bool {
        switch word {
        case "api", "private", "access", "signing", "encryption", "decryption", "master", "license", "licence": true
        default: false
        }
    }
}
