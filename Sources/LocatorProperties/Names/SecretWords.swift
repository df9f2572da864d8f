/// Decides by the words of a key whether its value must not be printed.
package enum SecretWords {
    /// Whether a whole word of the key, or two in a row, name a secret: `authToken` does, `tokenizer` does not.
    @inline(never)
    package static func isSecret(_ key: String) -> Bool {
        guard mayBeSecret(key) else { return false }
        var isSecret = false
        var previous = ""
        Words.forEach(in: key) { word in
            if isSecret { return }
            let text = withoutNumber(word)
            isSecret = isSecretWord(text) || isSecretPair(previous, text)
            previous = text
        }
        return isSecret
    }

    /// Whether an environment variable that a placeholder names is one by its words.
    ///
    /// `PWD` is the working directory in every shell.
    static func isSecretVariable(_ name: String) -> Bool { name != "PWD" && isSecret(name) }

    /// Whether a key looks like a slip for one that is secret: `passwrd`, `apiKye`.
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

    /// A quick look that rules out most keys: three letters in a row that every secret word or pair has.
    private static func mayBeSecret(_ key: String) -> Bool {
        JSONText.withBytes(of: key) { bytes in
            var last: UInt32 = 0
            for byte in bytes {
                last = (last << 8 | UInt32(byte | 0x20)) & 0xff_ffff
                switch last {
                // pas, pwd, sec, tok, cre, key, jwt, bea, sal, str
                case 0x706173, 0x707764, 0x736563, 0x746f6b, 0x637265, 0x6b6579, 0x6a7774, 0x626561, 0x73616c,
                    0x737472:
                    return true
                default: continue
                }
            }
            return false
        }
    }

    /// `token2` is a token; a number alone stays what it is.
    private static func withoutNumber(_ word: [UInt8]) -> String {
        var word = word[...]
        while word.count > 1, let last = word.last, isDigit(last) { word.removeLast() }
        return String(decoding: word, as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    // Cases, no sets: these would have to be made when a program starts.

    private static func isSecretWord(_ word: String) -> Bool {
        switch word {
        case "password", "passwords", "passwd", "pwd", "pgpassword", "passphrase", "passphrases", "passcode",
            "passcodes":
            true
        case "secret", "secrets", "token", "tokens", "credential", "credentials", "jwt", "jwts", "bearer", "salt",
            "salts":
            true
        case "apikey", "apikeys", "privatekey", "privatekeys", "accesskey", "accesskeys", "accountkey", "accountkeys",
            "connectionstring", "connectionstrings":
            true
        default: false
        }
    }

    private static func isSecretPair(_ first: String, _ second: String) -> Bool {
        switch second {
        case "key", "keys": isOwnerOfKeys(first)
        case "string", "strings": first == "connection"
        case "word", "words", "phrase", "phrases", "code", "codes": first == "pass"
        default: false
        }
    }

    /// Whether it makes a key one that opens something, unlike a `primaryKey` or a `keyPath`.
    private static func isOwnerOfKeys(_ word: String) -> Bool {
        switch word {
        case "api", "private", "access", "account", "signing", "signature", "encryption", "decryption", "master",
            "license", "licence":
            true
        default: false
        }
    }

    /// What slips are compared with: too short a word is near to too many others.
    private static let names: [[Unicode.Scalar]] = [
        "password", "passwd", "pgpassword", "passphrase", "passcode", "secret", "token", "credential", "credentials",
        "bearer", "apikey", "privatekey", "accesskey", "accountkey", "signingkey", "signaturekey", "encryptionkey",
        "decryptionkey", "masterkey", "licensekey", "connectionstring",
    ].map { Array($0.unicodeScalars) }
}
