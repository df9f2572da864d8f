/// Keys that are equal as Swift strings although their code points differ: "é" as one code point and as two.
///
/// Settings distinguish keys by their code points, as JSON does. But a decoded dictionary could hold only one of the
/// two, and a path in a program would find only the form that its editor happened to write.
enum KeyForms {
    /// Whether a key has characters beyond ASCII.
    ///
    /// ASCII has only one Unicode form.
    static func isWide(_ key: String) -> Bool {
        JSONText.withBytes(of: key) { bytes in bytes.contains { $0 >= 0x80 } }
    }

    /// Returns the code points in which a key differs from another: `U+0065 U+0301 here, U+00E9 there`.
    static func difference(of key: String, from other: String) -> String {
        let beginning = zip(key.unicodeScalars, other.unicodeScalars).prefix { $0 == $1 }.count
        var (here, there) = (key.unicodeScalars.dropFirst(beginning), other.unicodeScalars.dropFirst(beginning))
        let end = zip(here.reversed(), there.reversed()).prefix { $0 == $1 }.count
        here.removeLast(end)
        there.removeLast(end)
        return "\(numbers(of: here)) here, \(numbers(of: there)) there"
    }

    private static let shownNumbers = 4

    private static func numbers(of scalars: Substring.UnicodeScalarView) -> String {
        let shown = scalars.prefix(shownNumbers).map { "U+\(DiagnosticText.hexadecimal($0.value, width: 4))" }
        return (shown + (scalars.count > shownNumbers ? ["…"] : [])).joined(separator: " ")
    }
}
