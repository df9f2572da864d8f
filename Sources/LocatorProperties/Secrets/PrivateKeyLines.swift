/// Finds the lines of a private key that is written as an array of its lines.
struct PrivateKeyLines {
    private var isInKey = false

    /// Whether the next element of the array is a line between `-----BEGIN PRIVATE KEY-----` and `-----END`.
    mutating func isPart(_ element: JSONValue) -> Bool {
        guard case .string(let text) = element.storage else { return false }
        if text.utf8.first == UInt8(ascii: "-"), text.hasPrefix("-----") {
            if text.hasPrefix("-----END ") {
                isInKey = false
            } else if text.hasPrefix("-----BEGIN "), text.contains("PRIVATE KEY"), !text.contains("-----END ") {
                isInKey = true
                return false
            }
        }
        return isInKey
    }
}
