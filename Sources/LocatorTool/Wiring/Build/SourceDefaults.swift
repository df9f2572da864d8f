import Locator

/// The defaults of wrappers that are literals: `@PropertyValue("server.retries", default: 3)`.
///
/// The compiler does not describe closures, and a default is one. This type therefore reads the line in the source
/// file, and accepts only what is unambiguous: one wrapper and one default that is a literal without escapes and
/// interpolations, or `.case`.
struct SourceDefaults {
    private let files: FileSystem
    private var lines: [String: [Substring]] = [:]

    init(_ files: FileSystem) {
        self.files = files
    }

    /// Returns the default of the wrapper at a place: `/Shop/Sources/Shop/Shop.swift:41`.
    mutating func literal(at place: String) -> Constant? {
        guard let colon = place.lastIndex(of: ":"), let number = Int(place[place.index(after: colon)...]) else {
            return nil
        }
        let lines = lines(of: String(place[..<colon]))
        guard lines.indices.contains(number - 1) else { return nil }
        let line = lines[number - 1]
        guard line.split(separator: "PropertyValue", omittingEmptySubsequences: false).count == 2 else { return nil }
        let parts = line.split(separator: "default:", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        return Self.literal(parts[1])
    }

    private mutating func lines(of file: String) -> [Substring] {
        if let known = lines[file] { return known }
        let bytes = (try? files.read(file)) ?? []
        // "\r\n" is one character.
        let read = String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false) {
            $0 == "\n" || $0 == "\r\n"
        }
        lines[file] = read
        return read
    }

    /// Parses the text after `default:`, up to the end of the call.
    private static func literal(_ text: Substring) -> Constant? {
        let text = text.drop { $0 == " " }
        if text.first == "\"" {
            let content = text.dropFirst().prefix { $0 != "\"" && $0 != "\\" }
            let rest = text[content.endIndex...]
            return rest.first == "\"" && isEnd(rest.dropFirst()) ? .literal(String(content)) : nil
        }
        let word = text.prefix { $0.isLetter || $0.isNumber || "_.-".contains($0) }
        guard isEnd(text[word.endIndex...]) else { return nil }
        let name = word.dropFirst()
        if word.first == ".", !name.contains(".") { return .member(type: "", label: String(name)) }
        let isNumber = word.first.map { $0 == "-" || $0.isNumber } ?? false
        return isNumber || ["true", "false"].contains(word) ? .literal(word.filter { $0 != "_" }) : nil
    }

    private static func isEnd(_ rest: Substring) -> Bool { rest.drop { $0 == " " }.first == ")" }
}
