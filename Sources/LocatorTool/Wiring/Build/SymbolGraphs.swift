import Locator

/// What the symbol graphs of a build say about types beyond their constants: comments, and how a type is decoded.
///
/// `swift package check-wiring` writes them into `symbols` in the folder of the build. Without them nothing is lost but
/// knowledge: types then have no comments, and it is unknown whether an initializer decodes them in its own way.
struct SymbolGraphs {
    /// The first paragraph of documentation comments, by name: `Shop.Theme.color`.
    private var comments: [String: String] = [:]
    /// The types whose `init(from:)` the compiler has written.
    private var synthesized: Set<String> = []
    /// The types whose `init(from:)` somebody has written.
    private var written: Set<String> = []
    /// The properties that are constants: with a value of their own they are not decoded.
    private var constants: Set<String> = []

    /// Nothing.
    init() {}

    /// Reads the graphs of the targets that are checked, as far as there are any; those of what they depend on may be
    /// very large.
    ///
    /// - Parameter others: The modules of types that are looked at besides.
    init(_ build: BuildFolder, _ files: FileSystem, andOf others: Set<String> = []) {
        let checked = build.checked.map { String($0.target.map { $0.isLetter || $0.isNumber ? $0 : "_" }) }
        for module in checked + others.subtracting(checked).sorted() {
            guard let bytes = try? files.read("\(build.folder)/symbols/\(module).symbols.json"),
                let graph = try? JSONValue(parsing: bytes)
            else { continue }
            for symbol in graph["symbols"]?.arrayValue ?? [] { add(symbol, module) }
        }
    }

    private mutating func add(_ symbol: JSONValue, _ module: String) {
        guard let parts = symbol["pathComponents"]?.arrayValue?.compactMap(\.stringValue), let last = parts.last,
            // A member that a protocol adds has the comment of the protocol.
            symbol["identifier"]?["precise"]?.stringValue?.contains("::SYNTHESIZED::") == false
        else { return }
        let name = ([module] + parts).joined(separator: ".")
        let fragments = symbol["declarationFragments"]?.arrayValue ?? []
        // An initializer of the same name may take something else: `let from: String` makes one.
        if last == "init(from:)", fragments.contains(where: { $0["spelling"] == "Decoder" }) {
            let type = ([module] + parts.dropLast()).joined(separator: ".")
            if symbol["location"] == nil { synthesized.insert(type) } else { written.insert(type) }
        }
        if fragments.contains(where: { $0["kind"] == "keyword" && $0["spelling"] == "let" }) { constants.insert(name) }
        let lines = (symbol["docComment"]?["lines"]?.arrayValue ?? []).compactMap { $0["text"]?.stringValue }
        let paragraph = lines.drop { $0.allSatisfy(\.isWhitespace) }.prefix { !$0.allSatisfy(\.isWhitespace) }
        if !paragraph.isEmpty { comments[name] = paragraph.joined(separator: " ") }
    }

    /// The first paragraph of the comment of a type or of a member of it.
    func comment(of name: String) -> String? { comments[name] }

    /// Whether the compiler has written how the type is decoded; false where that is not known.
    func synthesizesDecoding(of type: String) -> Bool { synthesized.contains(type) && !written.contains(type) }

    /// Whether somebody has written how the type is decoded.
    func hasOwnDecoding(_ type: String) -> Bool { written.contains(type) }

    /// Whether a property is declared with `let`.
    func isConstant(_ name: String) -> Bool { constants.contains(name) }
}
