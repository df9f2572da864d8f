/// Colors for a terminal, and no colors for anything else.
struct Paint: Sendable {
    enum Color: String, Sendable {
        case bold = "1"
        case faint = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
    }

    private let isOn: Bool

    /// Enables colors on a terminal, unless NO_COLOR is set: https://no-color.org.
    init(_ environment: [String: String], isTerminal: Bool) {
        let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        isOn = isTerminal && !isRefused && environment["TERM"] != "dumb"
    }

    func callAsFunction(_ text: String, _ color: Color) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
    }
}
