import Locator

/// The name of a type as the compiler writes it, with module names: `Swift.Array<any Shop.Catalog>`.
struct TypeText: Sendable, Hashable {
    let text: String

    init(_ text: some StringProtocol) {
        self.text = String(text)
    }

    /// The name before the generic arguments.
    var head: String { parts?.head ?? text }

    /// The generic arguments of the type, without those of outer types.
    var arguments: [TypeText] { parts?.arguments ?? [] }

    private var parts: (head: String, arguments: [TypeText])? {
        guard text.hasSuffix(">"), let open = text.firstIndex(of: "<") else { return nil }
        let head = text[..<open]
        let (arguments, rest) = typesOfList(text[text.index(after: open)...].dropLast())
        // `(A) -> B<C>` is a function. In `A<B>.C<D>`, the first bracket closes before the end.
        guard head.allSatisfy(Self.isNamePart), rest.isEmpty else { return nil }
        return (String(head), arguments.map { TypeText($0) })
    }
}

extension TypeText {
    /// The name as in source code: `[any Catalog]`, `URL?`.
    var short: String {
        let inner = arguments.map(\.short)
        switch (head, inner.count) {
        case ("Swift.Optional", 1): return inner[0].contains(" ") ? "(\(inner[0]))?" : "\(inner[0])?"
        case ("Swift.Array", 1): return "[\(inner[0])]"
        case ("Swift.Dictionary", 2): return "[\(inner[0]): \(inner[1])]"
        default:
            let name = Self.withoutModules(head)
            return inner.isEmpty ? name : "\(name)<\(inner.joined(separator: ", "))>"
        }
    }

    /// The name in a canonical form, the same for names from the compiler and from the running program.
    ///
    /// A running program omits `any` in nested types, describes private types by an address, labels the arguments of a
    /// protocol, `any Shop.Box<Self.Shop.Box.Item == Swift.Int>`, and writes the module of the concurrency library as
    /// `Swift`.
    var canonical: String {
        var result = ""
        var rest = text[...]
        while let character = rest.first {
            let isStart = result.last.map { !Self.isNamePart($0) } ?? true
            if isStart, rest.hasPrefix("any ") {
                rest = rest.dropFirst(4)
            } else if isStart, rest.hasPrefix("_Concurrency.") {
                result += "Swift."
                rest = rest.dropFirst("_Concurrency.".count)
            } else if rest.hasPrefix("(unknown context at "), let end = rest.firstRange(of: ").")?.upperBound {
                rest = rest[end...]
            } else if isStart, rest.hasPrefix("Self."), let end = rest.firstRange(of: " == ")?.upperBound {
                rest = rest[end...]
            } else {
                result.append(character)
                rest = rest.dropFirst()
            }
        }
        return result
    }

    /// The canonical name without generic arguments, which the description of a generic type does not specify.
    var generic: String {
        var depth = 0
        return canonical.filter { character in
            if character == "<" { depth += 1 }
            defer { if character == ">" { depth -= 1 } }
            return depth == 0
        }
    }

    /// Whether the name contains a generic parameter, such as `T`.
    ///
    /// The names of all other types include a module.
    var isOpen: Bool {
        // The labels of a tuple, and attributes, look like generic parameters.
        if text.contains(":") || text.contains("@") { return false }
        let known = ["any", "some", "Any", "async", "throws", "inout", "Self"]
        return text.split { !Self.isNamePart($0) }.contains { name in
            let parts = name.split(separator: ".")
            return parts.count == 1 && !known.contains(String(parts[0]))
        }
    }

    private static func isNamePart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "."
    }

    /// Returns a text with only the last part of each dotted name.
    private static func withoutModules(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let character = rest.first {
            if isNamePart(character), character != "." {
                let name = rest.prefix(while: isNamePart)
                result += name.split(separator: ".").last ?? ""
                rest = rest[name.endIndex...]
            } else {
                result.append(character)
                rest = rest.dropFirst()
            }
        }
        return result
    }
}
