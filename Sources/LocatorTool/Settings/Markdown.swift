import Locator

/// The texts in the cells of a Markdown table.
enum Markdown {
    private static let limit = 80

    /// Returns a text as a code span, shown as written.
    static func code(_ text: String) -> String {
        let short = text.escapingHidden().cut(to: limit)
        // The fence is longer than any sequence of backticks inside.
        let longest = short.split { $0 != "`" }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: longest + 1)
        let space = short.hasPrefix("`") || short.hasSuffix("`") || short.isEmpty ? " " : ""
        return fence + space + pipes(short) + space + fence
    }

    /// Returns the text of a comment, which is itself Markdown, in one line.
    static func text(_ text: String) -> String { pipes(text.escapingHidden()) }

    /// Returns a text with vertical bars escaped.
    ///
    /// A bar would end a cell, even in a code span.
    private static func pipes(_ text: String) -> String { text.replacing("|", with: #"\|"#) }
}
