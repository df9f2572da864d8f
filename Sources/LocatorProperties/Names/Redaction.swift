/// The text that is printed instead of a secret.
package enum Redaction {
    /// The replacement for a whole secret value.
    package static let mask = "<secret>"

    /// Returns a text with recognizable secrets masked: `https://shop:<secret>@db.local/orders`.
    ///
    /// These are the user information of URLs, where the name stays if there is a password, and the values of pairs
    /// such as `token=…` with the name of a secret.
    package static func maskingURLs(in text: String) -> String {
        guard SecretScan.isNeeded(for: text) else { return text }
        let bytes = Array(text.utf8)
        var scan = SecretScan(bytes)
        scan.run()
        guard !scan.secrets.isEmpty else { return text }
        var result: [UInt8] = []
        var copied = 0
        for secret in scan.secrets.sorted(by: { $0.start < $1.start }) where secret.end > copied {
            result += bytes[copied..<max(copied, secret.start)]
            // If two secrets overlap, the second one continues where the first one ends.
            if secret.start >= copied { result += mask.utf8 }
            copied = secret.end
        }
        result += bytes[copied...]
        return String(decoding: result, as: UTF8.self)
    }
}
