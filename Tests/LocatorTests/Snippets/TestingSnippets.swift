import Locator
import Testing

// The README shows parts of this file.

private protocol Shelf: Sendable {
    var titles: [String] { get }
}

private struct RealShelf: Shelf {
    let titles = ["Frankenstein", "The Moonstone"]
}

private struct FakeShelf: Shelf {
    let titles: [String]
    init(title: String) { titles = [title] }
}

private final class Reader {
    @Dependency var shelf: any Shelf

    init() {}

    init(shelf: Dependency<any Shelf>) {
        _shelf = shelf
    }
}

private struct Loan: Sendable {
    let title: String
}

private final class Desk: Sendable {
    private let shelf: Lazy<any Shelf>
    private let makeLoan: Factory<String, Loan>

    init(shelf: Lazy<any Shelf>, makeLoan: Factory<String, Loan>) {
        self.shelf = shelf
        self.makeLoan = makeLoan
    }

    func lendFirst() throws -> Loan { try makeLoan(shelf().titles[0]) }
}

@Suite("The snippets about testing do what they say")
struct TestingSnippets {
    let context = AppContext()

    init() throws {
        try context.load(Module("Library") { $0.register((any Shelf).self) { RealShelf() } })
    }

    @Test("A fork has its own instances, and its fakes win", arguments: ["Emma", "Dracula", "Ulysses"])
    func fork(title: String) throws {
        let fakes = Module("Fakes") { $0.register((any Shelf).self) { FakeShelf(title: title) } }
        let fork = try context.fork(pushing: fakes)
        let reader = AppContext.withContext(fork) { Reader() }  // its wrappers belong to the fork for good
        #expect(reader.shelf.titles == [title])
    }

    @Test("A wrapper takes a value")
    func value() {
        let reader = Reader(shelf: .value(FakeShelf(title: "Emma")))
        #expect(reader.shelf.titles == ["Emma"])
    }

    @Test("A parameter that resolves later takes a value or a closure")
    func closures() throws {
        let desk = Desk(shelf: .value(FakeShelf(title: "Emma")), makeLoan: Factory { Loan(title: $0) })
        #expect(try desk.lendFirst().title == "Emma")
    }
}
