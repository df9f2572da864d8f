/// The form of quoted texts in messages: short, on one line, and without characters that a terminal would interpret.
enum DiagnosticText {
    /// Returns a text in double quotes, escaped, and shortened if it is long.
    static func quoted(_ text: String) -> String {
        "\"\(shortened(text, escapesQuotes: true))\""
    }

    /// Returns a text without quotes, escaped, and shortened if it is long.
    static func shortened(_ text: String, escapesQuotes: Bool = false) -> String {
        let limit = 64
        var result = ""
        for (count, scalar) in text.unicodeScalars.enumerated() {
            guard count < limit else { return result + "…" }
            switch scalar {
            case "\"" where escapesQuotes: result += "\\\""
            case "\\" where escapesQuotes: result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                if isPrintable(scalar) {
                    result.unicodeScalars.append(scalar)
                } else {
                    result += "\\u{\(hexadecimal(scalar.value, width: 4))}"
                }
            }
        }
        return result
    }

    /// Returns a character in single quotes, or its number if it is not visible.
    static func character(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n", "\r": "a line break"
        case "\t": "a tab"
        default: isPrintable(scalar) ? "'\(scalar)'" : "the character U+\(hexadecimal(scalar.value, width: 4))"
        }
    }

    /// Returns the steps of a chain: `a -> b -> c`.
    ///
    /// The middle of a long chain is omitted.
    static func chain(_ steps: [String]) -> String {
        let shown = 12
        guard steps.count > shown else { return steps.joined(separator: " -> ") }
        let omitted = "… (\(steps.count - shown) more) …"
        return (steps.prefix(shown / 2) + [omitted] + steps.suffix(shown / 2)).joined(separator: " -> ")
    }

    /// Returns a number in uppercase hexadecimal, with leading zeros.
    static func hexadecimal(_ number: some BinaryInteger, width: Int) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        case .spaceSeparator: scalar == " "
        default: true
        }
    }
}

extension [String] {
    /// The texts as a choice: `a, b or c`.
    package var alternatives: String {
        let last = suffix(1).joined()
        return count > 1 ? "\(dropLast().joined(separator: ", ")) or \(last)" : last
    }
}

extension String {
    /// Returns the text, shortened if it has more characters than a limit.
    package func cut(to limit: Int) -> String {
        count <= limit ? self : prefix(limit - 1) + "…"
    }
}
