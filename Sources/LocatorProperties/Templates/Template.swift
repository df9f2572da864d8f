/// A text with placeholders, taken apart: `http://${server.host}:${server.port:8080}`.
struct Template: Hashable, Sendable {
    /// One part of the text.
    indirect enum Part: Hashable, Sendable {
        /// Text that stands for itself.
        case text(String)
        /// `${target}`, `${target:default}`
        case placeholder(Placeholder)
    }

    /// A placeholder in a text.
    struct Placeholder: Hashable, Sendable {
        /// What the placeholder leads to.
        var target: Target
        /// What serves where the target is missing.
        var defaultTemplate: Template?
        /// The placeholder as written.
        var source: String
    }

    /// What a placeholder leads to.
    enum Target: Hashable, Sendable {
        case property(PropertyPath)
        case variable(String)
        case file(String)
    }

    /// The parts in order; no two texts are neighbors.
    var parts: [Part]

    /// The placeholder that is the whole text, if the text is just one.
    var onlyPlaceholder: Placeholder? {
        guard parts.count == 1, case .placeholder(let placeholder) = parts[0] else { return nil }
        return placeholder
    }

    /// Whether there is a placeholder, not just escaped ones.
    var hasPlaceholders: Bool {
        parts.contains {
            if case .placeholder = $0 { true } else { false }
        }
    }

    /// Whether a text needs to be taken apart at all: it holds `${`, perhaps an escaped one.
    static func isTemplate(_ text: String) -> Bool {
        JSONText.withBytes(of: text) { bytes in
            guard bytes.count > 1 else { return false }
            return (1..<bytes.count).contains {
                bytes[$0] == UInt8(ascii: "{") && bytes[$0 - 1] == UInt8(ascii: "$")
            }
        }
    }
}
