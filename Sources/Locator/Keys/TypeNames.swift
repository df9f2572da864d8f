internal import LocatorProperties

/// Returns the name of a type as written in code: `any Logger`, `[Int]`.
@inline(never)
func typeName(_ type: any Any.Type) -> String {
    TypeName.of(type).withoutConstraints.withoutPacks
}

/// Returns the names of types, with their modules if several types have the same name.
func distinctNames(of types: [any Any.Type]) -> [String] {
    let names = types.map(typeName)
    let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    return zip(types, names).map { type, name in counts[name] == 1 ? name : qualifiedTypeName(type) }
}

/// Returns the name of a type with the modules of all its parts: `any Shop.Catalog`.
@inline(never)
func qualifiedTypeName(_ type: any Any.Type) -> String {
    let name = TypeName.qualified(type).withoutPrivateContexts.withoutConstraints.withoutPacks
    return typeName(type).hasPrefix("any ") && !name.hasPrefix("any ") ? "any \(name)" : name
}

extension String {
    /// The name of a type with primary associated types as in source code: `any Store<Int>`.
    ///
    /// The runtime writes `any Store<Self.Store.Element == Int>`. Behind a composition, it writes the constraints of all
    /// protocols.
    fileprivate var withoutConstraints: String {
        // Most names have none, and to look for one byte takes much less time than to look for a text.
        guard utf8.contains(UInt8(ascii: "=")), let mark = firstRange(of: "<Self.") else { return self }
        let start = self[..<mark.lowerBound].ranges(of: "any ").last?.upperBound ?? startIndex
        let protocols = self[start..<mark.lowerBound].split(separator: " & ")
        var arguments: [Substring: [String]] = [:]
        let (constraints, rest) = typesOfList(self[mark.lowerBound...].dropFirst())
        for constraint in constraints {
            let name = constraint.dropFirst("Self.".count).prefix { $0 != " " }
            // An associated type may belong to a protocol from which the named one inherits.
            let owner = protocols.first { name.hasPrefix("\($0).") } ?? protocols.last ?? ""
            let type = constraint.drop { $0 != "=" }.dropFirst("== ".count)
            arguments[owner, default: []].append(String(type).withoutConstraints)
        }
        let names = protocols.map { name in
            "\(name)" + (arguments[name].map { "<\($0.joined(separator: ", "))>" } ?? "")
        }
        return self[..<start] + names.joined(separator: " & ") + String(rest.dropFirst()).withoutConstraints
    }

    /// The name of a type without the file identifiers that the runtime adds to private types.
    fileprivate var withoutPrivateContexts: String {
        // `Shop.(unknown context at $55f042165c30).Part`, and `Shop.(Store in _67F61D3C)` with constraints.
        let parts = split(separator: "(unknown context at ", omittingEmptySubsequences: false)
        let name = parts.dropFirst().reduce(into: String(parts[0])) { $0 += $1.drop { $0 != ")" }.dropFirst(2) }
        let named = name.split(separator: " in _", omittingEmptySubsequences: false)
        return named.dropFirst().reduce(into: String(named[0])) { name, rest in
            if let open = name.lastIndex(of: "(") { name.remove(at: open) }
            name += rest.drop { $0 != ")" }.dropFirst()
        }
    }

    /// The name of a type with its parameter packs as in source code: `Pair<Int, String>`, not `Pair<Pack{Int, String}>`.
    fileprivate var withoutPacks: String {
        utf8.contains(UInt8(ascii: "{")) ? replacing("Pack{", with: "").filter { $0 != "}" } : self
    }
}

/// Returns the name of a type as written as an argument: `Int.self`, `(any Logger).self`.
func metatypeText(of name: String) -> String {
    // A name that begins with a bracket, or has spaces only in its generic arguments, needs no parentheses.
    let isTogether = name.hasPrefix("[") || !name.prefix { $0 != "<" }.contains(" ")
    if !isTogether { return "(\(name)).self" }
    return name == "Any" ? "Any.self" : "\(SwiftKeywords.escaped(name)).self"
}

/// The names of types in a list such as `Int, [String: Int]`, and the text after it.
///
/// The list ends before a bracket that closes one opened before it, as in `A) -> (B` and `A>.B<C`.
package func typesOfList(_ text: Substring) -> (types: [Substring], rest: Substring) {
    var types: [Substring] = []
    var start = text.startIndex
    var end = text.endIndex
    var depth = 0
    var previous: Character = " "
    for index in text.indices {
        switch text[index] {
        case "(", "[", "<": depth += 1
        case ">" where previous == "-": break
        case ")", "]", ">": depth -= 1
        case "," where depth == 0:
            types.append(text[start..<index])
            start = text.index(after: index)
        default: break
        }
        if depth < 0 {
            end = index
            break
        }
        previous = text[index]
    }
    return ((types + [text[start..<end]]).map { $0.drop { $0 == " " } }, text[end...])
}
