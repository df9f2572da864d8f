internal import LocatorProperties

/// Returns the name of a type as written in code: `any Logger`, `[Int]`.
@inline(never)
func typeName(_ type: any Any.Type) -> String {
    TypeName.of(type).withoutConstraints
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
    let name = TypeName.qualified(type).withoutPrivateContexts.withoutConstraints
    return typeName(type).hasPrefix("any ") && !name.hasPrefix("any ") ? "any \(name)" : name
}

extension String {
    /// The name of a type with primary associated types as in source code: `any Store<Int>`.
    ///
    /// The runtime writes `any Store<Self.Store.Element == Int>`.
    fileprivate var withoutConstraints: String {
        // Most names have none, and to look for one byte takes much less time than to look for a text.
        guard utf8.contains(UInt8(ascii: "=")) else { return self }
        return ["<", ", "].reduce(self) { name, mark in
            let parts = name.split(separator: "\(mark)Self.", omittingEmptySubsequences: false)
            return parts.dropFirst().reduce(into: String(parts[0])) {
                $0 += mark + $1.drop { $0 != "=" }.dropFirst("== ".count)
            }
        }
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
}

/// Returns the name of a type as written as an argument: `Int.self`, `(any Logger).self`.
func metatypeText(of name: String) -> String {
    // A name that begins with a bracket, or has spaces only in its generic arguments, needs no parentheses.
    let isTogether = name.hasPrefix("[") || !name.prefix { $0 != "<" }.contains(" ")
    return isTogether ? "\(name).self" : "(\(name)).self"
}
