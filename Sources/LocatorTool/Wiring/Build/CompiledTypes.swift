/// The types of a build by name, including their extensions.
struct CompiledTypes {
    private var byName: [String: [CompiledType]]
    let symbols: SymbolGraphs

    init(_ build: BuildFolder, symbols: SymbolGraphs = SymbolGraphs()) {
        byName = Dictionary(grouping: build.types, by: \.name.text)
        self.symbols = symbols
    }

    /// Returns the declaration of a type, without its extensions.
    func declaration(of type: TypeText) -> CompiledType? {
        (byName[type.text] ?? []).first { $0.place != nil }
    }

    /// Returns the path at which a `ConfigProperty` is decoded, or nil if only the running program knows it.
    func settingsPath(of type: TypeText) -> String? { text(member("path", of: type.text)) }

    /// Whether a type conforms to a protocol, as far as the build shows.
    func conforms(_ type: TypeText, to name: String) -> Bool {
        (byName[type.text] ?? []).contains { $0.conformances.contains(name) }
    }

    /// Returns the initial value, or the result, of a static property.
    func member(_ label: String, of type: String) -> Constant? {
        (byName[type] ?? []).lazy.flatMap(\.properties).first { $0.isStatic && $0.label == label }?.constant
    }

    /// Returns the type and the texts of an enumeration's raw values, or nil for any other type.
    func rawValues(of type: TypeText) -> (type: TypeText, values: [String])? {
        guard let found = (byName[type.text] ?? []).first(where: { !$0.rawValues.isEmpty }), let raw = found.rawType
        else { return nil }
        return (raw, found.rawValues)
    }

    /// Returns a constant with references to members resolved.
    func resolved(_ constant: Constant?) -> Constant? {
        var current = constant
        // Constants that refer to each other in a cycle would never end.
        for _ in 0..<16 {
            guard case .member(let type, let label)? = current else { return current }
            current = member(label, of: type) ?? .computed
        }
        return .computed
    }

    /// Returns the text of a constant, or nil if only the running program knows it.
    func text(_ constant: Constant?) -> String? {
        if case .literal(let text)? = resolved(constant) { text } else { nil }
    }
}
