/// The first elements of a list that an error or a finding shows, and how many more there are.
///
/// A module may register thousands of instances of one type, and each finding about the type shows them.
struct Shortlist<Element> {
    static var limit: Int { 20 }

    let shown: [Element]
    private let moreCount: Int

    /// Creates a list from all elements, or from the first ones of `count` elements.
    init(_ elements: [Element], of count: Int? = nil) {
        shown = Array(elements.prefix(Self.limit))
        moreCount = (count ?? elements.count) - shown.count
    }

    private init(shown: [Element], moreCount: Int) {
        self.shown = shown
        self.moreCount = moreCount
    }

    func map<Other>(_ transform: (Element) -> Other) -> Shortlist<Other> {
        Shortlist<Other>(shown: shown.map(transform), moreCount: moreCount)
    }

    func lines(_ line: (Element) -> String) -> [String] { shown.map(line) + (more.map { [$0] } ?? []) }

    func notes(_ note: (Element) -> Finding.Note) -> [Finding.Note] {
        shown.map(note) + (more.map { [.init(text: $0)] } ?? [])
    }

    private var more: String? { moreCount == 0 ? nil : "… and \(moreCount) more" }
}

extension Shortlist<String> {
    /// The texts in one line.
    func joined(by separator: String) -> String { lines { $0 }.joined(separator: separator) }

    /// The texts in one line, each in quotes.
    func quoted(by separator: String) -> String { map { "\"\($0)\"" }.joined(by: separator) }
}
