/// Decides by the words of a key whether its value is secret.
package enum SecretWords {
    /// Whether a word of the key, or two adjacent words, name a secret.
    ///
    /// `authToken` does, and `tokenizer` does not.
    @inline(never)
    package static func isSecret(_ key: String) -> Bool {
        guard mayBeSecret(key) else { return false }
        var isSecret = false
        var isLast = false
        var previous = ""
        Words.forEach(in: key) { word in
            if isSecret { return }
            let text = withoutNumber(word)
            isSecret = isSecretWord(text) || isSecretPair(previous, text) || isJoinedSecret(text)
            isLast = isLastOfSecret(text)
            previous = text
        }
        return isSecret || isLast
    }

    /// Whether the last word of a label, or its last two words, name a secret, unlike in `TokenError`.
    ///
    /// The unexpected token that a parser reports is none.
    static func isSecretAtEnd(_ label: String) -> Bool {
        guard mayBeSecret(label) else { return false }
        var words: [String] = []
        Words.forEach(in: label) { words.append(withoutNumber($0)) }
        let previous = words.dropLast().last ?? ""
        guard let last = words.last, previous != "expected", previous != "unexpected" else { return false }
        return isSecretWord(last) || isSecretPair(previous, last) || isJoinedSecret(last) || isLastOfSecret(last)
    }

    /// Whether a key, or the name of an item in a URL, ends with the word for a signature, which grants access.
    static func isSignature(_ name: String) -> Bool {
        var last = ""
        Words.forEach(in: name) { last = withoutNumber($0) }
        return last == "sig" || last == "signature"
    }

    /// Whether the name of an environment variable in a placeholder names a secret.
    ///
    /// `PWD` does not, because it is the working directory in every shell.
    static func isSecretVariable(_ name: String) -> Bool { name != "PWD" && isSecret(name) }

    /// Whether a key looks like a misspelling of a secret's name: `passwrd`, `apiKye`.
    static func isNearSecret(_ key: String) -> Bool {
        var words: [String] = []
        Words.forEach(in: key) { words.append(withoutNumber($0)) }
        let pairs = zip(words, words.dropFirst()).map { $0 + $1 }
        return (words + pairs).contains { word in
            let letters = Array(word.unicodeScalars)
            return names.contains { name in
                let tolerated = name.count < 8 ? 1 : 2
                return abs(name.count - letters.count) <= tolerated
                    && NearNames.distance(from: letters, to: name, within: tolerated) != nil
            }
        }
    }

    /// A fast check that excludes most keys.
    ///
    /// Every secret word or pair contains one of these sequences of three letters.
    private static func mayBeSecret(_ key: String) -> Bool {
        JSONText.withBytes(of: key) { bytes in
            var last: UInt32 = 0
            for byte in bytes {
                last = (last << 8 | UInt32(byte | 0x20)) & 0xff_ffff
                switch last {
                // pas, pwd, sec, tok, cre, key, jwt, bea, sal, str, psk, hma, riz
                case 0x706173, 0x707764, 0x736563, 0x746f6b, 0x637265, 0x6b6579, 0x6a7774, 0x626561, 0x73616c,
                    0x737472, 0x70736b, 0x686d61, 0x72697a:
                    return true
                default: continue
                }
            }
            return false
        }
    }

    /// Removes the digits at the end of a word, such as `token2`.
    ///
    /// A number alone stays unchanged.
    private static func withoutNumber(_ word: [UInt8]) -> String {
        var word = word[...]
        while word.count > 1, let last = word.last, last.isDigit { word.removeLast() }
        return String(decoding: word, as: UTF8.self)
    }

    // Switches instead of sets, because sets would have to be created when a program starts.

    private static func isSecretWord(_ word: String) -> Bool {
        switch word {
        case "password", "passwords", "passwd", "pwd", "passphrase", "passphrases", "passcode", "passcodes":
            true
        case "secret", "secrets", "token", "tokens", "credential", "credentials", "jwt", "jwts", "bearer", "salt",
            "salts", "psk", "hmac", "connectionstring", "connectionstrings":
            true
        default: false
        }
    }

    /// Whether a word without capitals ends with that of a secret: `dbpassword`, `signingkey`.
    private static func isJoinedSecret(_ word: String) -> Bool {
        for end in ["password", "passwd", "secret", "token"] where word.hasSuffix(end) { return true }
        for end in ["key", "keys"] where word.hasSuffix(end) { return isOwnerOfKeys(String(word.dropLast(end.count))) }
        return false
    }

    /// Whether a word names a secret if it is the last one, unlike in `passThrough` and `authorizationURL`.
    private static func isLastOfSecret(_ word: String) -> Bool { word == "pass" || word == "authorization" }

    private static func isSecretPair(_ first: String, _ second: String) -> Bool {
        switch second {
        case "key", "keys": isOwnerOfKeys(first)
        case "string", "strings": first == "connection"
        case "word", "words", "phrase", "phrases", "code", "codes": first == "pass"
        default: false
        }
    }

    /// Whether a word before `key` makes it a secret, unlike in `primaryKey` and `keyPath`.
    private static func isOwnerOfKeys(_ word: String) -> Bool {
        switch word {
        case "api", "private", "access", "account", "signing", "signature", "encryption", "decryption", "master",
            "license", "licence", "secret", "shared", "storage", "sas", "subscription", "ssl", "tls", "session", "hmac",
            "auth":
            true
        default: false
        }
    }

    /// The names to compare misspellings with.
    ///
    /// Shorter words are too close to too many others. Of the plurals, only those are listed that a misspelling makes too
    /// different from the singular.
    private static let names: [[Unicode.Scalar]] = [
        "password", "passwd", "pgpassword", "passphrase", "passcode", "secret", "secrets", "token", "tokens",
        "credential", "credentials", "bearer", "apikey", "apikeys", "privatekey", "accesskey", "accountkey",
        "signingkey", "signaturekey", "encryptionkey", "decryptionkey", "masterkey", "licensekey", "secretkey",
        "sharedkey", "storagekey", "subscriptionkey", "sessionkey", "connectionstring",
    ].map { Array($0.unicodeScalars) }
}
