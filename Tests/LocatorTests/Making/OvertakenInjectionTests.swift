import Foundation
import Locator
import TestSupport
import Testing

@Suite("If a push overtakes a request, the context keeps all instances that injections have joined, or none")
struct OvertakenInjectionTests {
    private final class Title: Sendable {
        let text: String
        init(_ text: String) { self.text = text }
    }

    private final class Page: Sendable {
        let title: Title
        init(_ title: Title) { self.title = title }
    }

    private final class User: Sendable {
        let page = Late<Page>()
    }

    private final class Book: Sendable {
        let title: Title
        let page: Page
        init(_ title: Title, _ page: Page) { (self.title, self.page) = (title, page) }
    }

    /// Titles also wait for an injection, and so do pages.
    private static func titles(_ text: String) -> Module {
        Module(text) { $0.register { Title(text) }.injecting { (_: Title, _: Resolver) in } }
    }

    /// A module whose page runs an action once while it is made.
    private static func users(_ action: Late<@Sendable () -> Void>) -> Module {
        Module("Users") { registry in
            registry.register(User.init).injecting { (user: User, resolver: Resolver) in
                user.page.value = try resolver.resolve(Page.self)
            }
            registry.register { (title: Title) in
                if let run = action.value {
                    action.value = nil
                    let done = DispatchSemaphore(value: 0)
                    Thread {
                        run()
                        done.signal()
                    }.start()
                    done.wait()
                }
                return Page(title)
            }
        }
    }

    private final class Connection: Sendable {
        let isClosed = Late<Bool>()
    }

    @Test("An asynchronous closure keeps a part that a reset ends while the part's injections run")
    func partOfAnAsynchronousClosure() async throws {
        let context = AppContext()
        let action = Late<@Sendable () throws -> Void>()
        action.value = { try context.reset() }
        try context.load(
            Module("Pages") { registry in
                registry.register(Connection.init).injecting { (_: Connection, _: Resolver) in
                    let run = action.value
                    action.value = nil
                    try onThread { try run?() }
                }.onDispose { $0.isClosed.value = true }
                registry.register(
                    Title.self,
                    async: { (connection: Connection) in
                        await Task.yield()
                        #expect(connection.isClosed.value == nil)
                        return Title("a")
                    })
                registry.factory(
                    Page.self,
                    async: { (_: Int, connection: Connection) in
                        #expect(connection.isClosed.value == nil)
                        return Page(Title("b"))
                    })
            })
        try await context.start()
        #expect(action.value == nil)
        try context.reset()
        action.value = { try context.reset() }
        _ = try await context.resolve(Page.self, with: 1)
        #expect(action.value == nil)
    }

    @Test("A request in a new state gets one title, even if a request in the old state needs that title meanwhile")
    func oldRequest_thatNeedsAPendingInstance() throws {
        let (begun, made, done) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let context = try AppContext().load(
            Module("Books") { registry in
                registry.register {
                    made.signal()
                    return Title("")
                }
                .injecting { (_: Title, _: Resolver) in }
                registry.register { (resolver: Resolver) in
                    begun.signal()
                    made.wait()
                    return Page(try resolver.resolve(Title.self))
                }
                registry.register(scope: .prototype) { (resolver: Resolver) in
                    Book(try resolver.resolve(Title.self), try resolver.resolve(Page.self))
                }
            })
        Thread.detachNewThread {
            _ = try? context.resolve(Page.self)
            done.signal()
        }
        begun.wait()
        try context.push(.text("unrelated"))
        let book = try context.resolve(Book.self)
        done.wait()
        #expect(book.page.title === book.title)
        #expect(try context.resolve(Page.self) === book.page)
        #expect(try context.resolve(Title.self) === book.title)
    }

    @Test(arguments: [false, true])
    func push(_ isInChild: Bool) throws {
        let action = Late<@Sendable () -> Void>()
        let server = try AppContext().load(Self.users(action), Self.titles("real"))
        let context = isInChild ? try server.child(pushing: Self.titles("child")) : server
        let real = isInChild ? "child" : "real"
        action.value = { #expect(throws: Never.self) { try context.push(Self.titles("fake")) } }
        // The request sees the state of its start.
        #expect(try context.resolve(User.self).page.value?.title.text == real)
        for _ in 0..<2 {
            let user = try context.resolve(User.self)
            #expect(user.page.value?.title.text == "fake")
            #expect(user.page.value === (try context.resolve(Page.self)))
            context.pop()
            #expect(try context.resolve(User.self).page.value?.title.text == real)
            try context.push(Self.titles("fake"))
        }
    }
}
