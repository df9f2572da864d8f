/// A text with its placeholders replaced, to find out whether the words that are written in it show a secret.
struct WrittenForm {
    private var text = ""
    /// The text, but with placeholders that are values, such as `password=${db.password}`.
    private var withoutValues = ""
    /// The byte ranges of the words that are written.
    private var written: [Range<Int>] = []

    /// Adds a part of the text: written words, or the value of a placeholder.
    mutating func add(_ part: String, isWritten: Bool) {
        let start = text.utf8.count
        if isWritten { written.append(start..<start + part.utf8.count) }
        let separator = withoutValues.utf8.last { !" \"'".utf8.contains($0) }
        let isValue = !isWritten && (separator == UInt8(ascii: "=") || separator == UInt8(ascii: ":"))
        withoutValues += isValue ? "${value}" : part
        text += part
    }

    var showsSecret: Bool {
        guard !written.isEmpty, let scan = SecretScan(text) else { return false }
        if scan.secrets.contains(where: { secret in written.contains { $0.overlaps(secret.start..<secret.end) } }) {
            return true
        }
        // If the whole text is secret, the scan does not say which part of it.
        return scan.isSecret && SecretScan(withoutValues)?.isSecret == true
    }
}
