extension String {
    /// The text as HTML and SVG have it, in elements and in quoted attributes.
    var escapedForHTML: String {
        var result = ""
        result.reserveCapacity(utf8.count)
        for character in unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            // Control characters are no characters of SVG.
            case "\u{0}"..<"\u{9}", "\u{B}", "\u{C}", "\u{E}"..<"\u{20}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }

    /// The text, with its end cut off where it is longer than a number of characters.
    func cut(to limit: Int) -> String {
        count <= limit ? self : prefix(limit - 1) + "…"
    }
}

extension Double {
    /// The number with at most one digit behind the point.
    var short: String {
        let tenths = Int((self * 10).rounded())
        let sign = tenths < 0 ? "-" : ""
        let (whole, tenth) = (tenths.magnitude / 10, tenths.magnitude % 10)
        return tenth == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(tenth)"
    }
}
