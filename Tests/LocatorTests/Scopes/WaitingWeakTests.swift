import Locator
import Testing

/// Injections run at the end of a request.
///
/// A weak instance that waits for them may end before.
@Suite("A .weak instance that ends before its injections have run does not count as being made")
struct WaitingWeakTests {
    private final class Clock: Sendable {}

    /// Not held by what is made from it.
    final class Page: Sendable {}

    private struct Title: Sendable {
        let text: String
        var page: Page?
    }

    private static let clock = Module("Clock") { registry in
        registry.register(Clock.init).injecting { (_: Clock, _: Resolver) in }
    }

    private static let pages = Module("Pages", including: [clock]) { registry in
        registry.register(Page.self, scope: .weak) { (_: Clock) in Page() }
    }

    private static let injectedPages = Module("Pages") { registry in
        registry.register(Page.self, scope: .weak) { Page() }.injecting { (_: Page, _: Resolver) in }
    }

    /// Requests that drop the page.
    enum Drop: String, CaseIterable {
        case one, all, optional

        func page(from resolver: Resolver) throws {
            switch self {
            case .one: _ = try resolver.resolve(Page.self)
            case .all: _ = try resolver.resolveAll(Page.self)
            case .optional: _ = try resolver.resolve(Page?.self)
            }
        }

        func pageOfWrapper() throws -> Page? {
            switch self {
            case .one: try Dependency<Page>().resolved()
            case .all: try DependencyArray<Page>().resolved().first
            case .optional: try Dependency<Page?>().resolved()
            }
        }
    }

    @Test("The same request requests it again", arguments: [pages, injectedPages], Drop.allCases)
    func askedAgain(_ pages: Module, _ drop: Drop) throws {
        let titles = Module("Titles") { registry in
            registry.register { (resolver: Resolver) in
                try drop.page(from: resolver)
                return Title(text: "page")
            }
            registry.decorate(Title.self) { (title: Title, _: Resolver) in
                Title(text: "decorated \(title.text)", page: try drop.pageOfWrapper())
            }
        }
        let context = try AppContext().load(pages, titles)
        let title = try context.resolve(Title.self)
        #expect(title.text == "decorated page")
        let page = try #require(title.page)
        #expect(try context.resolve(Page.self) === page)
        #expect(try AppContext.withContext(context) { Dependency<Page>() }.resolved() === page)
        #expect(try context.resolve(Title.self).page === page)
    }

    @Test("Its decorator is made from another one", arguments: Drop.allCases)
    func decorated(_ drop: Drop) throws {
        let titles = Module("Titles") { registry in
            registry.decorate(Page.self) { (_: Page, _: Resolver) in Page() }
            registry.register { (resolver: Resolver) in
                try drop.page(from: resolver)
                try drop.page(from: resolver)
                return Title(text: "page", page: try drop.pageOfWrapper())
            }
        }
        let context = try AppContext().load(Self.pages, titles)
        let title = try context.resolve(Title.self)
        #expect(title.text == "page")
        #expect(try context.resolve(Page.self) === title.page)
    }
}
