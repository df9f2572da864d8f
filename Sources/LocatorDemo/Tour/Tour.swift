import Locator

/// The chapters of the demo, each in its own file.
struct Tour {
    let context: AppContext
    let storefront: Storefront

    func heading(_ text: String) {
        print("\n\(text)")
    }

    func row(_ name: String, _ value: String, because reason: String = "") {
        let line = "  " + padded(name, to: 17) + (reason.isEmpty ? value : padded(value, to: 32) + reason)
        print(line)
    }

    /// Prints a text of several lines, such as a report of the library.
    func show(_ text: String) {
        print(text.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))
    }

    private func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
