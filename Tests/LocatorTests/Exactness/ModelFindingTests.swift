import Locator
import Testing

/// Rare cases that the random model has found, as small sequences.
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

    @Test func unloadOfAModule_endsWhatItsIncludedModulesHaveSetAside_alsoWhereAPushKeepsThese() throws {
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

    @Test func part_isDisposedOf_whereAChildFollowsAReloadThatEndedWhatWasMadeFromIt() throws {
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

    @Test func failingClosure_runsOnceInTheParentAndOnceInTheChild_whereAnAliasIsRequested() throws {
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

    @Test func childThatHasGotAPartOfItsOwn_makesWhatIsMadeFromItAnew() throws {
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
        #expect(try child.resolve(Page.self) === own)
        #expect(try child.resolve(Book.self).page === own)
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
}
