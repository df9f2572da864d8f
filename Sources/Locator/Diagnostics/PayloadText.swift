/// The name of a payload's type in texts.
enum PayloadText {
    /// The types of several payloads, which are passed as a tuple; otherwise the one type.
    static func parts(of name: String) -> [String] {
        guard name.hasPrefix("("), name.hasSuffix(")"), let parts = typesOfList(name.dropFirst().dropLast()),
            // A labeled element means that the tuple itself is the payload.
            parts.count > 1, !parts.contains(where: isLabeled)
        else { return [name] }
        return parts.map(String.init)
    }

    private static func isLabeled(_ element: Substring) -> Bool {
        let label = element.prefix { $0 != ":" }
        return label.endIndex < element.endIndex && !label.contains(where: "([<".contains)
    }
}

/// The names of types in a list such as `Int, [String: Int]`.
///
/// Nil if a bracket is closed that was opened before the list, as in `A) -> (B` and `A>.B<C`.
package func typesOfList(_ list: Substring) -> [Substring]? {
    var types: [Substring] = []
    var start = list.startIndex
    var depth = 0
    var previous: Character = " "
    for index in list.indices {
        switch list[index] {
        case "(", "[", "<": depth += 1
        case ">" where previous == "-": break
        case ")", "]", ">": depth -= 1
        case "," where depth == 0:
            types.append(list[start..<index])
            start = list.index(after: index)
        default: break
        }
        if depth < 0 { return nil }
        previous = list[index]
    }
    return (types + [list[start...]]).map { $0.drop { $0 == " " } }
}
