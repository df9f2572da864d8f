/// What is printed in place of a secret.
package enum Redaction {
    /// Stands for a whole secret value.
    package static let mask = "<secret>"

    /// A text with the passwords of the URLs in it masked: `https://shop:<secret>@db.local/orders`.
    ///
    /// Query items whose name is that of a secret are masked too.
    package static func maskingURLs(in text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: ":")), let first = text.firstRange(of: "://") else { return text }
        var result = String(text[..<first.upperBound])
        var rest = text[first.upperBound...]
        while true {
            let next = rest.firstRange(of: "://")
            let part = rest[..<(next?.upperBound ?? rest.endIndex)]
            result += maskingQuery(in: maskingPassword(in: part))
            guard let next else { return result }
            rest = rest[next.upperBound...]
        }
    }

    /// Masks the password in the text behind `://`; the user information ends at the last `@` before the path.
    private static func maskingPassword(in part: Substring) -> String {
        let authority = part.prefix { !"/?# \t\r\n\"'<>".contains($0) }
        guard let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") else {
            return String(part)
        }
        if part.index(after: colon) == at { return String(part) }
        return part[...colon] + mask + part[at...]
    }

    private static func maskingQuery(in part: String) -> String {
        guard let question = part.firstIndex(of: "?") else { return part }
        var result = String(part[...question])
        for (offset, item) in part[part.index(after: question)...]
            .split(separator: "&", omittingEmptySubsequences: false).enumerated()
        {
            if offset > 0 { result += "&" }
            guard let equals = item.firstIndex(of: "="), SecretWords.isSecret(String(item[..<equals])) else {
                result += item
                continue
            }
            let end = item[equals...].firstIndex { " \t\r\n\"'<>#".contains($0) } ?? item.endIndex
            result += item[...equals] + (item.index(after: equals) == end ? "" : mask) + item[end...]
        }
        return result
    }
}
