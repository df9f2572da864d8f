import Locator

/// Texts in the cells of a Markdown table.
enum Markdown {
    /// How long a value gets.
    private static let limit = 80

    /// A text that is shown as written, in a span of code.
    static func code(_ text: String) -> String {
        let escaped = text.escapingHidden()
        let short = escaped.count <= limit ? escaped : escaped.prefix(limit - 1) + "…"
        // Longer than any run of backticks inside.
        var run = 0
        var longest = 0
        for character in short {
            run = character == "`" ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        let space = short.hasPrefix("`") || short.hasSuffix("`") || short.isEmpty ? " " : ""
        return fence + space + pipes(short) + space + fence
    }

    /// A text of a comment, which is Markdown itself, in one line.
    static func text(_ text: String) -> String { pipes(text.escapingHidden()) }

    /// A bar ends a cell, in a span of code as well.
    private static func pipes(_ text: String) -> String { text.replacing("|", with: #"\|"#) }
}
