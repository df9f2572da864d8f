extension Unicode.Scalar {
    /// Whether a terminal or an editor acts upon it instead of showing it, or shows what follows in another place:
    /// control characters, line separators, and most invisible ones such as those that turn the direction of a text.
    ///
    /// The two joiners are parts of words and pictures, and are no such characters.
    package var isHidden: Bool {
        if value < 0x7f { return value < 0x20 }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        case .format: return !isJoiner
        default: return false
        }
    }

    /// Whether it becomes a part of the character before it.
    var joinsPrevious: Bool {
        if value < 0x300 { return false }
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return true
        default: return isJoiner
        }
    }

    private var isJoiner: Bool { value == 0x200c || value == 0x200d }

    /// The character by its number: `\u{9B}`.
    var escaped: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }
}

extension String {
    /// The text with what a terminal would act upon by its number.
    ///
    /// All that is printed for people goes through this once, where it is put together.
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
