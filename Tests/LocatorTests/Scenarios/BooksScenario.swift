import Locator
import Testing

// Novels and other books have one protocol. A library service collects all of them, and the novels by their
// qualifier. Adding a book means adding a registration, and nothing else.

private protocol Book: Sendable {
    var title: String { get }
}

private struct Emma: Book {
    let title = "Emma"
}

private struct Dracula: Book {
    let title = "Dracula"
}

private struct Cookbook: Book {
    let title = "The Joy of Cooking"
}

private protocol Library: Sendable {
    var books: [any Book] { get }
    var novels: [any Book] { get }
}

private final class LibraryService: Library {
    let books: [any Book]
    let novels: [any Book]

    init(books: [any Book], novels: [any Book]) {
        self.books = books
        self.novels = novels
    }
}

private final class ReadingRoom {
    @Dependency var library: any Library
    @DependencyArray var books: [any Book]
    @DependencyArray(qualifier: "novel") var novels: [any Book]
}

extension Module {
    fileprivate static let library = Module("Library") { registry in
        registry.register((any Book).self, qualifier: "novel", Emma.init)
        registry.register((any Book).self, qualifier: "novel", Dracula.init)
        registry.register((any Book).self, Cookbook.init)
        // The second parameter asks for the novels.
        registry.register((any Library).self, parameterQualifiers: [nil, "novel"], LibraryService.init)
    }
}

@Suite("Books: a library collects all implementations of one protocol")
struct BooksScenario {
    private let context: AppContext

    init() throws {
        context = try AppContext().load(.library)
    }

    @Test func service_collectsAllBooksAndTheNovels() throws {
        let library = try context.resolve((any Library).self)
        #expect(library.books.map(\.title) == ["Emma", "Dracula", "The Joy of Cooking"])
        #expect(library.novels.map(\.title) == ["Emma", "Dracula"])
    }

    @Test func wrappers_collectTheSame() throws {
        let room = AppContext.withContext(context) { ReadingRoom() }
        #expect(room.library.novels.map(\.title) == ["Emma", "Dracula"])
        #expect(room.books.map(\.title) == ["Emma", "Dracula", "The Joy of Cooking"])
        #expect(room.novels.map(\.title) == ["Emma", "Dracula"])
    }

    @Test func furtherModule_addsItsBooksBehind() throws {
        struct Ulysses: Book {
            let title = "Ulysses"
        }
        let room = AppContext.withContext(context) { ReadingRoom() }
        #expect(room.library.novels.count == 2)

        try context.load(Module("Modernism") { $0.register((any Book).self, qualifier: "novel", Ulysses.init) })

        #expect(room.library.novels.map(\.title) == ["Emma", "Dracula", "Ulysses"])
        #expect(room.books.map(\.title) == ["Emma", "Dracula", "The Joy of Cooking", "Ulysses"])
    }

    @Test func test_replacesTheWholeCollection() throws {
        struct FakeBook: Book {
            let title = "A fake"
        }
        let fakes = Module("Fakes") { registry in
            registry.replaceAll((any Book).self)
            registry.register((any Book).self, FakeBook.init)
        }
        try context.push(fakes)
        defer { context.pop() }
        #expect(try context.resolve((any Library).self).books.map(\.title) == ["A fake"])
    }
}
