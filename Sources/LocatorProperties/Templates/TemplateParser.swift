extension Template {
    /// Parses a text: `${…}` is a placeholder, `$${` is a literal `${`, and everything else is text.
    init(parsing text: String) throws(PlaceholderProblem) {
        let result = JSONText.withBytes(of: text) { bytes -> Result<Template, PlaceholderProblem> in
            var parser = TemplateParser(bytes: bytes)
            do throws(PlaceholderProblem) {
                return .success(try parser.parseTemplate(isNested: false))
            } catch {
                return .failure(error)
            }
        }
        self = try result.get()
    }
}

/// Parses a template from left to right, byte by byte, because all special characters are ASCII.
private struct TemplateParser {
    /// The length of the longest default in a message.
    private static let shownDefault = 128

    let bytes: UnsafeRawBufferPointer
    var position = 0
    var depth = 0

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func hasNext(_ text: StaticString) -> Bool {
        guard bytes.count - position >= text.utf8CodeUnitCount else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[position + $0] == text.utf8Start[$0] }
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }

    /// Returns the column of a position, in characters.
    private func column(of position: Int) -> Int { text(0..<position).count + 1 }

    /// Reads to the end of the text.
    ///
    /// A nested template, which is a default, ends before the brace that closes its placeholder.
    mutating func parseTemplate(isNested: Bool) throws(PlaceholderProblem) -> Template {
        var parts: [Template.Part] = []
        var literal = ""
        var start = position
        while let byte = next {
            if byte == UInt8(ascii: "$") {
                if hasNext("$${") {
                    // The first dollar sign escapes the rest.
                    literal += text(start..<position)
                    start = position + 1
                    position += 3
                    continue
                }
                if hasNext("${") {
                    literal += text(start..<position)
                    if !literal.isEmpty { parts.append(.text(literal)) }
                    literal = ""
                    parts.append(.placeholder(try parsePlaceholder()))
                    start = position
                    continue
                }
            } else if isNested, byte == UInt8(ascii: "}") {
                break
            }
            position += 1
        }
        literal += text(start..<position)
        if !literal.isEmpty { parts.append(.text(literal)) }
        return Template(parts: parts)
    }

    private mutating func parsePlaceholder() throws(PlaceholderProblem) -> Template.Placeholder {
        let start = position
        guard depth < Limits.nestedDefaults else { throw .tooManyDefaults }
        depth += 1
        defer { depth -= 1 }
        position += 2

        let target = takeTarget()
        var defaultTemplate: Template?
        let targetValue: Template.Target
        if target == "env" || target == "file", next == UInt8(ascii: ":") {
            position += 1
            let nameStart = position
            while let byte = next, byte != UInt8(ascii: ":"), byte != UInt8(ascii: "}") { position += 1 }
            let name = text(nameStart..<position)
            targetValue = target == "env" ? .variable(name) : .file(name)
            if nameStart == position, next != nil { throw .withoutName(column: column(of: start)) }
        } else {
            if target.isEmpty, next != nil { throw .withoutName(column: column(of: start)) }
            guard next != nil else { throw .unclosed(column: column(of: start)) }
            do {
                targetValue = .property(try PropertyPath(parsing: target))
            } catch {
                throw .malformedPath(error)
            }
        }
        let targetEnd = position
        if next == UInt8(ascii: ":") {
            position += 1
            defaultTemplate = try parseTemplate(isNested: true)
        }
        guard next == UInt8(ascii: "}") else { throw .unclosed(column: column(of: start)) }
        position += 1
        // Each of many nested placeholders would repeat a long default in its message.
        let isShort = position - targetEnd <= Self.shownDefault
        return Template.Placeholder(
            target: targetValue, defaultTemplate: defaultTemplate,
            source: isShort ? text(start..<position) : text(start..<targetEnd) + ":…}")
    }

    /// Reads the text up to the colon or brace that ends the target.
    ///
    /// Colons and braces in quotes, which follow a bracket, do not end it.
    private mutating func takeTarget() -> String {
        let start = position
        var quote: UInt8?
        while let byte = next {
            if let open = quote {
                if byte == UInt8(ascii: "\\") {
                    position += 1
                    if position == bytes.count { break }
                } else if byte == open {
                    quote = nil
                }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                if position > start, bytes[position - 1] == UInt8(ascii: "[") { quote = byte }
            } else if byte == UInt8(ascii: ":") || byte == UInt8(ascii: "}") {
                break
            }
            position += 1
        }
        return text(start..<position)
    }
}
