extension Unicode.Scalar {
    /// Whether a terminal or an editor interprets the character instead of showing it, or moves the text after it:
    /// control characters, line separators, and most invisible characters, such as those that change the direction of
    /// text.
    ///
    /// The two joiners are not included, because they are parts of words and emoji.
    package var isHidden: Bool {
        if value < 0x7f { return value < 0x20 }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        case .format: return !isJoiner
        default: return false
        }
    }

    /// Whether the character combines with the character before it.
    var joinsPrevious: Bool {
        if value < 0x300 { return false }
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return true
        default: return isJoiner
        }
    }

    private var isJoiner: Bool { value == 0x200c || value == 0x200d }

    /// The number of the character: `\u{9B}`.
    var escaped: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }
}

extension String {
    /// Returns the text with characters that a terminal would interpret replaced by their numbers.
    ///
    /// Everything that is printed for people passes through this once, where it is assembled.
    package func escapingHidden(exceptLineBreaks: Bool = false) -> String {
        func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
            scalar.isHidden && !(exceptLineBreaks && scalar == "\n")
        }
        guard unicodeScalars.contains(where: isEscaped) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case _ where !isEscaped(scalar): result.unicodeScalars.append(scalar)
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default: result += scalar.escaped
            }
        }
        return result
    }
}
