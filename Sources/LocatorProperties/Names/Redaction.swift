/// What is printed in place of a secret.
package enum Redaction {
    /// Stands for a whole secret value.
    package static let mask = "<secret>"

    /// A text with the secrets in it masked that its form gives away: `https://shop:<secret>@db.local/orders`.
    ///
    /// These are the user information of URLs, of which a name stays that has a password, and the values of pairs such
    /// as `token=…` whose name is that of a secret.
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
            // Of two that overlap, the second goes on where the first ends.
            if secret.start >= copied { result += mask.utf8 }
            copied = secret.end
        }
        result += bytes[copied...]
        return String(decoding: result, as: UTF8.self)
    }
}
