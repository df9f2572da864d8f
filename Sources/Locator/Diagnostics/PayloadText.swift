/// The name of a payload's type in texts.
enum PayloadText {
    /// The types of several payloads, which are passed as a tuple; otherwise the one type.
    static func parts(of name: String) -> [String] {
        guard name.hasPrefix("("), name.hasSuffix(")") else { return [name] }
        let (parts, rest) = typesOfList(name.dropFirst().dropLast())
        // A labeled element means that the tuple itself is the payload.
        guard rest.isEmpty, parts.count > 1, !parts.contains(where: isLabeled) else { return [name] }
        return parts.map(String.init)
    }

    private static func isLabeled(_ element: Substring) -> Bool {
        let label = element.prefix { $0 != ":" }
        return label.endIndex < element.endIndex && !label.contains(where: "([<".contains)
    }
}
