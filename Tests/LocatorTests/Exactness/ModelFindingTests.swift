import Locator
import Testing

/// Rare cases that the random model has found, as short sequences.
@Suite struct ModelFindingTests {
    private struct Failure: Error {}

    private protocol Titled: Sendable {}

    private final class Page: Titled {
        let color: String

        init(_ color: String) {
            self.color = color
        }
    }

    private final class Book: Titled {
        let page: Page

        init(_ page: Page) {
            self.page = page
        }
    }

    private static let request = Scope("request")

    @Test func unloadOfAModule_endsWhatItsIncludedModulesHaveSetAside_evenIfAPushKeepsThese() throws {
        let disposals = Tally<String>()
        let pages = Module("Pages", properties: ["color": "blue"]) { registry in
            registry.register { (resolver: Resolver) in Page(try resolver.value("color")) }
                .onDispose { disposals.append($0.color) }
        }
        let books = Module("Books", including: [pages])
        let context = try AppContext().load(settings(["color": "red"]))
        try context.load(books, pages, priority: .low)
        _ = try context.resolve(Page.self)
        try context.push(pages)
        try context.unload(pages)
        #expect(disposals.take() == [])
        try context.unload(books)
        #expect(disposals.take() == ["red"])
        #expect(try context.resolve(Page.self).color == "blue")
    }

    @Test func part_isDisposedOf_whenAChildFollowsAReloadThatEndedWhatWasMadeFromIt() throws {
        final class Ink: Sendable {}
        final class Sheet: Sendable { init(_ ink: Ink) {} }
        final class Shelf: Sendable { init(_ sheet: Sheet) {} }
        let log = Log()
        let source = MemoryFiles("{}")
        let module = Module("Books") { registry in
            registry.register { Ink() }.onDispose { _ in log("ink") }
            registry.register { (resolver: Resolver) in
                _ = try? resolver.value("color", as: String.self)
                return Sheet(try resolver.resolve(Ink.self))
            }
            .onDispose { _ in log("sheet") }
            registry.register(Shelf.init).onDispose { _ in log("shelf") }
        }
        var context: AppContext? = try AppContext().load(module).loadProperties(source.source)
        let decorator = Module("Decorator") { $0.decorate(Sheet.self) { sheet in sheet } }
        var child = try context?.child(pushing: decorator)
        for _ in 0..<2 { _ = try child?.resolve(Shelf.self) }
        source.content = "{\"color\": \"red\"}"
        try context?.reloadProperties()
        #expect(log.take() == ["sheet"])
        child = nil
        #expect(log.take() == ["shelf"])
        context = nil
        #expect(log.take() == ["ink"])
    }

    @Test func failingClosure_runsOnceInTheParentAndOnceInTheChild_whenAnAliasIsRequested() throws {
        let log = Log()
        let module = Module("Books") { registry in
            registry.register(scope: Self.request) { () throws -> Page in throw Failure() }
            registry.register { (resolver: Resolver) -> Book in
                log("book")
                return Book(try resolver.resolve(Page.self))
            }
            .alias((any Titled).self) { $0 }
        }
        let context = try AppContext().load(module)
        let child = try context.child(opening: Self.request, pushing: settings(["color": "red"]))
        #expect((try? child.resolve((any Titled).self)) == nil)
        #expect(log.take() == ["book", "book"])
        #expect((try? child.resolve(Book.self)) == nil)
        #expect(log.take() == ["book", "book"])
        withExtendedLifetime(context) {}
    }

    @Test func childThatHasMadeAPartOfItsOwnUnderAPush_sharesThatOfItsParentAgain() throws {
        let pages = Module("Pages") { registry in
            registry.register { (resolver: Resolver) in Page(try resolver.value("color")) }
        }
        let books = Module("Books", properties: ["color": "red"]) { $0.register(Book.init) }
        let context = try AppContext().load(pages, settings(["color": "red"]))
        let child = try context.child(pushing: books)
        let shared = try child.resolve(Book.self)
        try context.push(settings(["color": "blue"]))
        let own = try child.resolve(Page.self)
        #expect(own !== shared.page)
        context.pop()
        #expect(try child.resolve(Page.self) === shared.page)
        #expect(try child.resolve(Book.self) === shared)
    }

    @Test func failureThatAChildCatches_countsByTheAnswersOfTheChild() throws {
        let pages = Module("Pages") { registry in
            registry.register { (resolver: Resolver) throws -> Page in
                let color: String = try resolver.value("color")
                if color == "red" { throw Failure() }
                return Page(color)
            }
        }
        final class Reader: Sendable {
            let page: Page?
            init(_ page: Page?) { self.page = page }
        }
        let readers = Module("Readers", properties: ["color": "red"]) { registry in
            registry.register { (resolver: Resolver) in Reader(try? resolver.resolve(Page.self)) }
        }
        let source = MemoryFiles("{\"color\": \"red\"}")
        let context = try AppContext().load(pages).loadProperties(source.source)
        let child = try context.child(pushing: readers)
        let reader = try child.resolve(Reader.self)
        source.content = "{\"color\": \"blue\"}"
        try context.reloadProperties()
        #expect(try context.resolve(Page.self).color == "blue")
        #expect(try child.resolve(Reader.self) === reader)
        withExtendedLifetime(context) {}
    }

    /// What a child's instance has read in the parent, through the wrapper of a part, is the same in a child of the
    /// child.
    @Test func childOfAChild_sharesWhatReadItsDifferingCollectionOnlyInTheParent() throws {
        final class Chapter: Sendable { let pages = DependencyArray<Page>() }
        final class Reader: Sendable {
            let chapter: Chapter
            init(_ chapter: Chapter) {
                self.chapter = chapter
                _ = chapter.pages()
            }
        }
        let log = Log()
        let books = Module("Books") { registry in
            registry.register { Page("red") }
            registry.register { Chapter() }
            registry.register { (chapter: Chapter) in
                log("reader")
                return Reader(chapter)
            }
        }
        let context = try AppContext().load(books)
        let child = try context.child(pushing: Module("Pages") { $0.register { Page("blue") } })
        let reader = try child.resolve(Reader.self)
        #expect(log.take() == ["reader", "reader"])
        // Its pages have a different order.
        let grandchild = try child.child(pushing: books)
        #expect(try grandchild.resolve(Reader.self) === reader)
        #expect(log.take() == [])
        withExtendedLifetime((context, child, grandchild)) {}
    }

    @Test func childOfAChild_sharesWhatReadItsDifferingSettingOnlyInTheParent() throws {
        final class Chapter: Sendable { let color = PropertyValue<String>("color") }
        final class Reader: Sendable {
            let color: String
            init(_ chapter: Chapter) { color = chapter.color() }
        }
        let books = Module("Books") { registry in
            registry.register { Chapter() }
            registry.register(Reader.init)
        }
        let context = try AppContext().load(books, settings(["color": "red"]))
        let child = try context.child(pushing: settings(["color": "blue"]))
        let reader = try child.resolve(Reader.self)
        let grandchild = try child.child(pushing: settings(["color": "green"]))
        #expect(try grandchild.resolve(Reader.self) === reader)
        #expect(reader.color == "red")
        withExtendedLifetime((context, child, grandchild)) {}
    }

    /// The reason for a child's own instance also counts in a child of the child, if the instance has read it.
    @Test func childOfAChild_makesItsOwn_whenTheChildHasReadWhatDiffersItself() throws {
        final class Chapter: Sendable { let color = PropertyValue<String>("color") }
        final class Reader: Sendable {
            let color: String
            init(_ color: String) { self.color = color }
        }
        let books = Module("Books") { registry in
            registry.register { Chapter() }
            registry.register { (resolver: Resolver, chapter: Chapter) in
                _ = chapter.color()
                return Reader(try resolver.value("color"))
            }
        }
        let context = try AppContext().load(books, settings(["color": "red"]))
        let child = try context.child(pushing: settings(["color": "blue"]))
        #expect(try child.resolve(Reader.self).color == "blue")
        let grandchild = try child.child(pushing: settings(["color": "green"]))
        #expect(try grandchild.resolve(Reader.self).color == "green")
        withExtendedLifetime((context, child, grandchild)) {}
    }

    /// Reading a wrapper of the parent is a separate request, whose injections run before it returns.
    @Test func child_makesItsOwn_whenAnInjectionInTheParentHasReadWhatDiffers_inTheSameRequest() throws {
        final class Shelf: Sendable { let pages = DependencyArray<Page>() }
        let log = Log()
        let pages = Module("Pages") { registry in
            registry.register { Page("red") }
                .injecting { (_, resolver: Resolver) in log(try resolver.value("color", as: String.self)) }
        }
        let context = try AppContext().load(pages, settings(["color": "red"]))
        let shelf = AppContext.withContext(context) { Shelf() }
        let books = Module("Books", properties: ["color": "blue"]) { registry in
            registry.register { (resolver: Resolver) in
                _ = shelf.pages()
                return Book(try resolver.resolve(Page.self))
            }
        }
        let child = try context.child(pushing: books)
        let book = try child.resolve(Book.self)
        #expect(log.take() == ["red", "blue"])
        #expect(try child.resolve(Page.self) === book.page)
        #expect(try context.resolve(Page.self) !== book.page)
        withExtendedLifetime((context, child)) {}
    }
}
