import Locator
import TestSupport
import Testing

extension Scope {
    fileprivate static let request = Scope("request")
    fileprivate static let session = Scope("session")
}

/// A child makes its own instance while a push sets aside the one that it shares with its parent.
@Suite("After a balanced push and pop, a child shares the same instances with its parent as before")
struct ReturningAboveTests {
    final class Theme: Sendable {
        let color: String
        init(_ color: String) { self.color = color }
    }

    final class Page: Sendable {
        let theme: Theme
        init(_ theme: Theme) { self.theme = theme }
    }

    final class Shelf: Sendable {
        let page: Page
        init(_ page: Page) { self.page = page }
    }

    static let shelves = Module("Shelves") { $0.register(Shelf.init) }

    static func settings(_ color: String) -> Module { Module(color, properties: ["color": JSONValue(color)]) }

    static let pages = Module("Pages") { registry in
        registry.register { (resolver: Resolver) in Theme(try resolver.value("color")) }
        registry.register(Page.init)
    }

    static let pagesByQualifier = Module("Pages") { registry in
        registry.register(qualifier: "red") { Theme("red") }
        registry.register(qualifier: "blue") { Theme("blue") }
        registry.register(Page.self, parameterQualifiers: [.property("color")]) { (theme: Theme) in Page(theme) }
    }

    @Test(
        "The child's setting has the value that the parent's had before the push", arguments: [pages, pagesByQualifier])
    func sameValue(_ pages: Module) throws {
        let server = try AppContext().load(pages, Self.settings("red"))
        let child = try server.child(pushing: Self.settings("red"))
        let grandchild = try child.child()
        let page = try server.resolve(Page.self)
        #expect(try child.resolve(Page.self) === page)
        #expect(try grandchild.resolve(Page.self) === page)
        for _ in 0..<2 {
            try server.push(Self.settings("blue"))
            #expect(try server.resolve(Page.self).theme.color == "blue")
            let own = try child.resolve(Page.self)
            #expect(own.theme.color == "red")
            #expect(try grandchild.resolve(Page.self) === own)
            server.pop()
            #expect(try grandchild.resolve(Page.self) === page)
            #expect(try child.resolve(Page.self) === page)
            #expect(try server.resolve(Page.self) === page)
        }
    }

    @Test("The push is in a child between the two", arguments: [pages, pagesByQualifier])
    func pushInBetween(_ pages: Module) throws {
        let server = try AppContext().load(pages, Self.settings("red"))
        let child = try server.child()
        let grandchild = try child.child(pushing: Self.settings("red"))
        let page = try grandchild.resolve(Page.self)
        #expect(try server.resolve(Page.self) === page)
        for resolvesInChild in [false, true] {
            try child.push(Self.settings("blue"))
            if resolvesInChild { #expect(try child.resolve(Page.self).theme.color == "blue") }
            #expect(try grandchild.resolve(Page.self).theme.color == "red")
            child.pop()
            #expect(try grandchild.resolve(Page.self) === page)
            #expect(try child.resolve(Page.self) === page)
        }
    }

    @Test("A grandchild that undoes a push in between has one instance", arguments: [pages, pagesByQualifier])
    func undoneBelow(_ pages: Module) throws {
        let server = try AppContext().load(pages, Self.settings("red"))
        let child = try server.child()
        let grandchild = try child.child(pushing: Self.settings("red"), Self.shelves)
        let page = AppContext.withContext(grandchild) { Dependency<Page>() }
        let shelf = try grandchild.resolve(Shelf.self)
        #expect(try page.resolved() === server.resolve(Page.self))
        for readsFirst in [false, true] {
            try child.push(Self.settings("blue"))
            let read = readsFirst ? try page.resolved() : nil
            let during = try grandchild.resolve(Shelf.self)
            #expect(during.page.theme.color == "red")
            #expect(try grandchild.resolve(Page.self) === during.page)
            #expect(try page.resolved() === during.page)
            if readsFirst { #expect(read === during.page) }
            child.pop()
            #expect(try grandchild.resolve(Shelf.self) === shelf)
            #expect(try page.resolved() === shelf.page)
            #expect(try grandchild.resolve(Page.self) === server.resolve(Page.self))
        }
    }

    @Test("A module that a child has pushed is also pushed in the parent", arguments: [false, true])
    func sameModule(isRead: Bool) throws {
        let themes = Module("Themes") { registry in
            registry.register { (resolver: Resolver) in Theme(try resolver.value("color")) }
        }
        let module = Module("Pages", properties: ["color": "red"], including: [themes]) { registry in
            registry.register(Page.init)
        }
        let server = AppContext()
        let child = try server.child(pushing: module)
        let grandchild = try child.child(pushing: Self.shelves)
        let shelf = try grandchild.resolve(Shelf.self)
        #expect(try child.resolve(Page.self) === shelf.page)
        for _ in 0..<2 {
            try server.push(module)
            #expect(try server.resolve(Page.self) !== shelf.page)
            if isRead {
                #expect(try child.resolve(Theme.self) === shelf.page.theme)
                #expect(try grandchild.resolve(Shelf.self) === shelf)
            }
            server.pop()
            #expect(try server.resolve(Page?.self) == nil)
            #expect(try child.resolve(Page.self) === shelf.page)
            #expect(try grandchild.resolve(Shelf.self) === shelf)
        }
        try server.push(module)
        let page = try server.resolve(Page.self)
        child.pop()
        #expect(try child.resolve(Page.self) === page)
        #expect(try grandchild.resolve(Shelf.self).page === page)
    }

    @Test("A child's own instance stays if it has not read something that only the parent's instance has read")
    func readByTheParentOnly() throws {
        let server = try AppContext().load(Self.pagesByQualifier, Self.settings("red"))
        let shared = try server.resolve(Page.self)
        let child = try server.child()
        func red(_ color: String) -> Module {
            Module(color) { $0.register(qualifier: "red") { Theme(color) } }
        }
        try child.push(red("crimson"))
        try child.push(Self.settings("blue"))
        let own = try child.resolve(Page.self)
        #expect(own.theme.color == "blue")
        try child.push(red("scarlet"))
        #expect(try child.resolve(Page.self) === own)
        child.pop()
        #expect(try child.resolve(Page.self) === own)
        child.pop()
        #expect(try child.resolve(Page.self).theme.color == "crimson")
        child.pop()
        #expect(try child.resolve(Page.self) === shared)
    }

    @Test("A child shares again when the last difference has gone", arguments: [false, true])
    func lastDifference(isFirstOut: Bool) throws {
        let server = Late<AppContext>()
        func theme(_ name: String, _ color: String) -> Module {
            Module(name) { $0.register(qualifier: .named(name)) { Theme(color) } }
        }
        // A child makes the page from the same themes as the server, but cannot know that.
        let pages = Module("Pages") { registry in
            registry.register {
                let server = try #require(server.value)
                _ = try server.resolve(Theme.self, qualifier: "paper")
                return Page(try server.resolve(Theme.self, qualifier: "text"))
            }
        }
        let parent = try AppContext().load(pages, theme("text", "black"), theme("paper", "white"))
        server.value = parent
        defer { server.value = nil }
        let shared = try parent.resolve(Page.self)
        let child = try parent.child()
        let changes = [theme("text", "red"), theme("paper", "blue")]
        for change in changes { try child.push(change) }
        let own = try child.resolve(Page.self)
        #expect(own !== shared)
        #expect(own.theme === shared.theme)
        try child.pop(changes[isFirstOut ? 0 : 1])
        #expect(try child.resolve(Page.self) === own)
        try child.pop(changes[isFirstOut ? 1 : 0])
        #expect(try child.resolve(Page.self) === shared)
    }

    @Test("An instance returns if a push brings another difference from the parent")
    func otherDifference() throws {
        let (server, grandchild) = (Late<AppContext>(), Late<AppContext>())
        let pages = Module("Pages") { registry in
            registry.register {
                let grandchild = try #require(grandchild.value)
                return Page((try? grandchild.resolve(Theme.self, qualifier: "paper")) ?? Theme("none"))
            }
        }
        // The paper needs a text of the server, which has none. So only the server's page has read the text.
        let papers = Module("Papers") { registry in
            registry.register(qualifier: "text") { Theme("black") }
            registry.register(Theme.self, qualifier: "paper", scope: .prototype) {
                Theme(try #require(server.value).resolve(Theme.self, qualifier: "text").color)
            }
        }
        let whites = Module("Whites") { registry in
            registry.register(qualifier: "text") { Theme("gray") }
            registry.register(qualifier: "paper") { Theme("white") }
        }
        let parent = try AppContext().load(pages)
        server.value = parent
        let child = try parent.child()
        grandchild.value = try child.child()
        defer { (server.value, grandchild.value) = (nil, nil) }
        try child.push(papers)
        let page = try child.resolve(Page.self)
        #expect(page.theme.color == "none")
        try child.push(whites)
        #expect(try child.resolve(Page.self).theme.color == "white")
        child.pop()
        #expect(try child.resolve(Page.self) === page)
    }

    @Test("The hooks of the child's own instances run once, after the pop")
    func disposal() throws {
        let disposals = Tally<String>()
        let server = try AppContext().load(
            Module("Pages") { registry in
                registry.register { (resolver: Resolver) in Theme(try resolver.value("color")) }
                    .onDispose { disposals.append("theme \($0.color)") }
                registry.register(Page.init).onDispose { disposals.append("page \($0.theme.color)") }
            }, Self.settings("red"))
        let child = try server.child(pushing: Self.settings("red"))
        let page = try child.resolve(Page.self)
        try server.push(Self.settings("blue"))
        #expect(try child.resolve(Page.self) !== page)
        server.pop()
        #expect(try child.resolve(Page.self) === page)
        #expect(disposals.take().filter { $0.hasSuffix("red") } == ["page red", "theme red"])
    }

    @Test("The parent's instance was made from an instance of a grandchild that another one had replaced")
    func grandchild() throws {
        let wrappers = Late<(child: Dependency<Theme>, grandchild: Dependency<Page>)>()
        let server = try AppContext().load(
            Module("Pages") { registry in
                registry.register(Int.self, scope: .request) { 0 }
                registry.register(scope: .session) { Theme("real") }
                registry.register { Page(try #require(wrappers.value).child.resolved()) }
                registry.register(qualifier: "read") { try #require(wrappers.value).grandchild.resolved() }
                registry.register(qualifier: "outer", parameterQualifiers: ["read"]) { (page: Page) in Page(page.theme)
                }
            })
        let child = try server.child(opening: .request)
        let grandchild = try child.child(opening: .session)
        wrappers.value = (
            AppContext.withContext(child) { Dependency<Theme>() },
            AppContext.withContext(grandchild) { Dependency<Page>() }
        )
        defer { wrappers.value = nil }
        let page = try server.resolve(Page.self, qualifier: "outer")
        #expect(page.theme.color == "real")
        try server.push(Module("Fake") { $0.register(scope: .prototype) { Theme("fake") } })
        #expect(try server.resolve(Page.self, qualifier: "outer").theme.color == "fake")
        server.pop()
        #expect(try server.resolve(Page.self, qualifier: "outer") === page)
    }

    /// The context whose setting a page reads.
    @TaskLocal private static var server = AppContext()

    @Test("The parent makes its instance after the child's push has gone", arguments: [false, true])
    func madeLater(_ isWeak: Bool) throws {
        let pages = Module("Pages") { registry in
            if isWeak {
                registry.register(scope: .weak) { Theme(try Self.server.value("color")) }
            } else {
                registry.register { Theme(try Self.server.value("color")) }
            }
        }
        let server = try AppContext().load(pages, Self.settings("red"))
        let child = try server.child(pushing: Self.settings("blue"))
        try Self.$server.withValue(server) {
            let own = try child.resolve(Theme.self)
            try server.reset()
            child.pop()
            #expect(try child.resolve(Theme.self) === own)
            let above = try server.resolve(Theme.self)
            #expect(try child.resolve(Theme.self) === own)
            try server.push(Module("Unrelated") { _ in })
            #expect(try child.resolve(Theme.self) === own)
            server.pop()
            #expect(try child.resolve(Theme.self) === own)
            #expect(try server.resolve(Theme.self) === above)
        }
    }
}
