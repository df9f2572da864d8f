import Locator

/// The information in symbol graphs that constants do not have: comments, and how types are decoded.
///
/// `swift package check-wiring` writes symbol graphs to `symbols` in the build folder. Without them, types have no
/// comments, and it is unknown whether an initializer decodes them in its own way.
struct SymbolGraphs {
    /// The first paragraphs of documentation comments, by name: `Shop.Theme.color`.
    private(set) var comments: [String: String] = [:]
    /// The types with an `init(from:)` that the compiler synthesized.
    private var synthesized: Set<String> = []
    /// The types with an `init(from:)` or an `init(rawValue:)` in the source code.
    private var written: Set<String> = []
    /// The properties declared with `let`.
    ///
    /// If they have an initial value, they are not decoded.
    private(set) var constants: Set<String> = []

    init() {}

    /// Reads the existing symbol graphs of the checked targets.
    ///
    /// Those of their dependencies may be very large, and are not read.
    ///
    /// - Parameter others: Additional modules whose types are needed.
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
        let type = ([module] + parts.dropLast()).joined(separator: ".")
        let isWritten = symbol["location"] != nil
        // A memberwise initializer may have the same name, but another parameter: `let from: String` creates one.
        if last == "init(from:)", fragments.contains(where: { $0["spelling"] == "Decoder" }) {
            if isWritten { written.insert(type) } else { synthesized.insert(type) }
        }
        // The initializer of an enumeration with raw values may accept others.
        if last == "init(rawValue:)", isWritten { written.insert(type) }
        if fragments.contains(where: { $0["kind"] == "keyword" && $0["spelling"] == "let" }) { constants.insert(name) }
        let lines = (symbol["docComment"]?["lines"]?.arrayValue ?? []).compactMap { $0["text"]?.stringValue }
        let paragraph = lines.drop { $0.allSatisfy(\.isWhitespace) }.prefix { !$0.allSatisfy(\.isWhitespace) }
        if !paragraph.isEmpty { comments[name] = paragraph.joined(separator: " ") }
    }

    /// Whether the compiler is known to have synthesized the decoding of a type.
    func synthesizesDecoding(of type: String) -> Bool { synthesized.contains(type) && !written.contains(type) }

    func hasOwnDecoding(_ type: String) -> Bool { written.contains(type) }
}
