import Dispatch

/// A list that many threads may append to.
final class Tally<Element: Sendable>: @unchecked Sendable {
    // Sendable: `list` is touched on the serial queue alone.

    private let queue = DispatchQueue(label: "Tally")
    private var list: [Element] = []

    func append(_ element: Element) {
        queue.sync { list.append(element) }
    }

    var elements: [Element] { queue.sync { list } }

    /// Returns what was appended since the last call.
    func take() -> [Element] {
        queue.sync {
            defer { list = [] }
            return list
        }
    }
}
