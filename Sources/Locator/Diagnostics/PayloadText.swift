/// The name of a payload's type in texts.
enum PayloadText {
    /// The types of several payloads, which are passed as a tuple; otherwise the one type.
    static func parts(of name: String) -> [String] {
        guard name.hasPrefix("("), name.hasSuffix(")") else { return [name] }
        var parts: [String] = []
        var part = ""
        var depth = 0
        var previous: Character = " "
        for character in name.dropFirst().dropLast() {
            switch character {
            case "(", "[", "<": depth += 1
            case ">" where previous == "-": break
            case ")", "]", ">": depth -= 1
            // A labeled element means that the tuple itself is the payload.
            case ":" where depth == 0: return [name]
            default: break
            }
            // The first parenthesis is closed before the end, so this is the type of a function.
            if depth < 0 { return [name] }
            if character == ",", depth == 0 {
                parts.append(part)
                part = ""
            } else if character != " " || !part.isEmpty {
                part.append(character)
            }
            previous = character
        }
        return parts.isEmpty ? [name] : parts + [part]
    }
}
