/// The text that is printed instead of a secret.
package enum Redaction {
    /// The replacement for a whole secret value.
    package static let mask = "<secret>"

    /// Returns a text with recognizable secrets masked: `https://shop:<secret>@db.local/orders`.
    ///
    /// These are the user information of URLs, where the name stays if there is a password, and the values of pairs
    /// such as `token=…` with the name of a secret.
    package static func maskingURLs(in text: String) -> String {
        SecretScan(text).map { masking($0.secrets, in: text, $0.bytes) } ?? text
    }

    /// Returns a text for people, such as that of an error, with recognizable secrets masked.
    ///
    /// These are also those that follow a label, such as `password: …`, and the passwords of `user:password@host`.
    static func maskingSentence(_ text: String) -> String {
        SecretScan(text, isSentence: true).map { masking($0.secrets, in: text, $0.bytes) } ?? text
    }

    /// Returns the recognizable secrets of a text.
    static func secrets(in text: String) -> [String] {
        guard let scan = SecretScan(text) else { return [] }
        return scan.secrets.map { String(decoding: scan.bytes[$0.start..<$0.end], as: UTF8.self) }
    }

    /// Returns a secret in the forms in which a type may quote it: as it is or without the white space around it, as the
    /// description of a container or JSON quotes it, and as a URL decodes it.
    static func forms(of secret: String) -> [String] {
        Set([secret, secret.trimmed]).flatMap { text in
            let quoted = String(text.debugDescription.dropFirst().dropLast())
            return [text, quoted, quoted.replacing("/", with: "\\/"), percentDecoded(text)]
        }.filter { !$0.isEmpty }
    }

    private static func percentDecoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), rest.count >= 2,
                let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(decoded)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a text with recognizable secrets masked, and with these secrets masked wherever they occur.
    ///
    /// All of them are searched in the text as it is. Masking one after the other would show the rest of a secret that
    /// begins like another one, and would mask parts of the masks.
    static func masking(_ secrets: Set<String>, in text: String) -> String {
        let bytes = Array(text.utf8)
        // The search would take too long, so the whole text is masked.
        guard bytes.count <= Limits.secretComparisons / max(secrets.count, 1) else { return mask }
        // A mask stays one, even if a secret occurs in it.
        var found = (SecretScan(text)?.secrets ?? []) + places(of: mask, in: bytes)
        for secret in secrets { found += places(of: secret, in: bytes) }
        return masking(found, in: text, bytes)
    }

    /// Returns where a part occurs in a text, without overlaps.
    private static func places(of part: String, in bytes: [UInt8]) -> [(start: Int, end: Int)] {
        var places: [(start: Int, end: Int)] = []
        var end = 0
        while let start = bytes.place(of: part.utf8, from: end) {
            end = start + part.utf8.count
            places.append((start, end))
        }
        return places
    }

    private static func masking(_ secrets: [(start: Int, end: Int)], in text: String, _ bytes: [UInt8]) -> String {
        guard !secrets.isEmpty else { return text }
        var result: [UInt8] = []
        var copied = 0
        for secret in secrets.sorted(by: { $0.start < $1.start }) where secret.end > copied {
            result += bytes[copied..<max(copied, secret.start)]
            // If two secrets overlap, the second one continues where the first one ends.
            if secret.start >= copied { result += mask.utf8 }
            copied = secret.end
        }
        result += bytes[copied...]
        return String(decoding: result, as: UTF8.self)
    }
}
