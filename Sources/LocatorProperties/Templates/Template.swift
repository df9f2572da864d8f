/// The parts of a text with placeholders: `http://${server.host}:${server.port:8080}`.
struct Template: Hashable, Sendable {
    enum Part: Hashable, Sendable {
        /// Literal text.
        case text(String)
        /// `${target}`, `${target:default}`
        case placeholder(Placeholder)
    }

    struct Placeholder: Hashable, Sendable {
        var target: Target
        /// The default, which is used if the target is missing.
        var defaultTemplate: Template?
        /// The placeholder, as written, but without a long default.
        var source: String
    }

    enum Target: Hashable, Sendable {
        case property(PropertyPath)
        case variable(String)
        case file(String)

        /// The target as it is written: a path, `env:` and the name of a variable, or `file:` and the path of a file.
        var text: String {
            switch self {
            case .property(let path): path.text
            case .variable(let name): "env:\(name)"
            case .file(let path): "file:\(path)"
            }
        }
    }

    /// The parts in order, never two texts in a row.
    var parts: [Part]

    /// The placeholder that is the whole text, or nil if there is none.
    var onlyPlaceholder: Placeholder? {
        guard parts.count == 1, case .placeholder(let placeholder) = parts[0] else { return nil }
        return placeholder
    }

    /// The placeholders that are not escaped, without those in their defaults.
    var placeholders: [Placeholder] {
        parts.compactMap {
            if case .placeholder(let placeholder) = $0 { placeholder } else { nil }
        }
    }

    /// The placeholders that are not escaped, each followed by those in its default.
    var allPlaceholders: [Placeholder] {
        placeholders.flatMap { [$0] + ($0.defaultTemplate?.allPlaceholders ?? []) }
    }

    /// Whether a text contains `${`, escaped or not, so that it needs parsing.
    static func isTemplate(_ text: String) -> Bool {
        JSONText.withBytes(of: text) { bytes in
            guard bytes.count > 1 else { return false }
            return (1..<bytes.count).contains {
                bytes[$0] == UInt8(ascii: "{") && bytes[$0 - 1] == UInt8(ascii: "$")
            }
        }
    }
}
