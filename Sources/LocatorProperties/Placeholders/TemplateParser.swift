extension Template {
    /// Takes a text apart: `${…}` is a placeholder, `$${` a literal `${`, everything else is text.
    init(parsing text: String) throws(PlaceholderProblem) {
        var parser = TemplateParser(text: text)
        self = try parser.parseTemplate(isNested: false)
    }
}

/// Reads a template from left to right.
private struct TemplateParser {
    /// Defaults within defaults; a text that goes deeper is no honest one.
    private static let nestingLimit = 64

    private let text: String
    private var rest: Substring
    private var depth = 0

    init(text: String) {
        self.text = text
        self.rest = text[...]
    }

    /// Reads to the end of the text; a nested template (a default) ends before the brace that closes its placeholder.
    mutating func parseTemplate(isNested: Bool) throws(PlaceholderProblem) -> Template {
        var parts: [Template.Part] = []
        var literal = ""
        while let character = rest.first {
            if rest.hasPrefix("$${") {
                literal += "${"
                rest = rest.dropFirst(3)
            } else if rest.hasPrefix("${") {
                if !literal.isEmpty { parts.append(.text(literal)) }
                literal = ""
                parts.append(.placeholder(try parsePlaceholder()))
            } else if isNested, character == "}" {
                break
            } else {
                literal.append(character)
                rest.removeFirst()
            }
        }
        if !literal.isEmpty { parts.append(.text(literal)) }
        return Template(parts: parts)
    }

    private mutating func parsePlaceholder() throws(PlaceholderProblem) -> Template.Placeholder {
        let start = rest.startIndex
        let column = text.distance(from: text.startIndex, to: start) + 1
        guard depth < Self.nestingLimit else { throw .tooDeep }
        depth += 1
        defer { depth -= 1 }
        rest = rest.dropFirst(2)

        let target = takeTarget()
        var defaultTemplate: Template?
        let targetValue: Template.Target
        if target == "env", rest.first == ":" {
            rest.removeFirst()
            let name = rest.prefix { !":}".contains($0) }
            rest = rest[name.endIndex...]
            targetValue = .variable(String(name))
            if name.isEmpty, rest.first != nil { throw .withoutName(column: column) }
        } else {
            if target.isEmpty, rest.first != nil { throw .withoutName(column: column) }
            guard rest.first != nil else { throw .unclosed(column: column) }
            do {
                targetValue = .property(try PropertyPath(parsing: String(target)))
            } catch {
                throw .malformedPath(error)
            }
        }
        if rest.first == ":" {
            rest.removeFirst()
            defaultTemplate = try parseTemplate(isNested: true)
        }
        guard rest.first == "}" else { throw .unclosed(column: column) }
        rest.removeFirst()
        return Template.Placeholder(
            target: targetValue, defaultTemplate: defaultTemplate, source: String(text[start..<rest.startIndex]))
    }

    /// Takes the text up to the colon or brace that ends the target; those inside of quotes do not.
    private mutating func takeTarget() -> Substring {
        let start = rest.startIndex
        var quote: Character?
        while let character = rest.first {
            if let open = quote {
                if character == "\\" {
                    rest.removeFirst()
                    if rest.isEmpty { break }
                } else if character == open {
                    quote = nil
                }
            } else if character == "'" || character == "\"" {
                quote = character
            } else if character == ":" || character == "}" {
                break
            }
            rest.removeFirst()
        }
        return text[start..<rest.startIndex]
    }
}
