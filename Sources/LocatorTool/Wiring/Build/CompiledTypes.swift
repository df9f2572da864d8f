/// The types of a build by name, with what their extensions add.
struct CompiledTypes {
    private var byName: [String: [CompiledType]]
    /// What their symbol graphs say.
    let symbols: SymbolGraphs

    init(_ build: BuildFolder, symbols: SymbolGraphs = SymbolGraphs()) {
        byName = Dictionary(grouping: build.types, by: \.name.text)
        self.symbols = symbols
    }

    /// The type where it is declared, without its extensions.
    func declaration(of type: TypeText) -> CompiledType? {
        (byName[type.text] ?? []).first { $0.place != nil }
    }

    /// The path at which a `ConfigProperty` is decoded; nil if only the running program knows.
    func settingsPath(of type: TypeText) -> String? { text(member("path", of: type.text)) }

    /// Whether a type conforms to a protocol, as far as the build says.
    func conforms(_ type: TypeText, to name: String) -> Bool {
        (byName[type.text] ?? []).contains { $0.conformances.contains(name) }
    }

    /// What a static property of a type gives.
    func member(_ label: String, of type: String) -> Constant? {
        (byName[type] ?? []).lazy.compactMap { $0.statics[label] }.first
    }

    /// The type and the texts of the raw values that an enumeration has; nil for any other type.
    func rawValues(of type: TypeText) -> (type: TypeText, values: [String])? {
        guard let found = (byName[type.text] ?? []).first(where: { !$0.rawValues.isEmpty }), let raw = found.rawType
        else { return nil }
        return (raw, found.rawValues)
    }

    /// A constant with references to members followed.
    func resolved(_ constant: Constant?) -> Constant? {
        var current = constant
        // Constants that name each other in a circle do not end.
        for _ in 0..<16 {
            guard case .member(let type, let label)? = current else { return current }
            current = member(label, of: type) ?? .computed
        }
        return .computed
    }

    /// The text that a constant is; nil if only the running program knows.
    func text(_ constant: Constant?) -> String? {
        if case .literal(let text)? = resolved(constant) { text } else { nil }
    }
}
