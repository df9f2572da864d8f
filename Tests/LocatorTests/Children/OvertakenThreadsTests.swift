import Foundation
import Locator
import TestSupport
import Testing

extension Scope {
    fileprivate static let session = Scope("session")
    fileprivate static let request = Scope("request", requiresOpening: true)
}

@Suite("If a reset overtakes requests of a child on two threads, each request gets one instance of each registration")
struct OvertakenThreadsTests {
    private final class Title: Sendable {}

    private final class Page: Sendable {
        let title: Title
        init(_ title: Title) { self.title = title }
    }

    private final class Book: Sendable {
        let title: Title
        let page: Page
        init(_ title: Title, _ page: Page) { (self.title, self.page) = (title, page) }
    }

    /// Actions that run in turn, each once.
    private final class Actions: Sendable {
        let actions = Late<[@Sendable () throws -> Void]>([])

        func runNext() throws {
            guard let actions = actions.value, let next = actions.first else { return }
            self.actions.value = Array(actions.dropFirst())
            try next()
        }
    }

    private let context = AppContext()
    private let begun = DispatchSemaphore(value: 0)
    private let mayGoOn = DispatchSemaphore(value: 0)
    private let done = DispatchSemaphore(value: 0)

    @Test("A request does not take a page from another thread that was made from another title")
    func instanceOfAnotherThread() throws {
        let (context, begun, mayGoOn, done) = (context, begun, mayGoOn, done)
        let (atInjection, atPage) = (Actions(), Actions())
        atInjection.actions.value = [{ try onThread { try context.reset(.session) } }]
        atPage.actions.value = [
            {
                begun.signal()
                mayGoOn.wait()
                // Meanwhile, the other request usually begins to wait for the page.
                for _ in 0..<1_000 { sched_yield() }
            }
        ]
        try context.load(
            Module("Books") { registry in
                registry.register(scope: .session) { Title() }
                    .injecting { (_: Title, _: Resolver) in try atInjection.runNext() }
                registry.register(scope: .request) { (resolver: Resolver) in
                    try atPage.runNext()
                    return Page(try resolver.resolve(Title.self))
                }
                registry.register(scope: .prototype) { (resolver: Resolver) in
                    let title = try resolver.resolve(Title.self)
                    mayGoOn.signal()
                    return Book(title, try resolver.resolve(Page.self))
                }
            })
        let child = try context.child(opening: .request)
        Thread.detachNewThread {
            _ = try? child.resolve(Page.self)
            done.signal()
        }
        begun.wait()
        let book = try child.resolve(Book.self)
        done.wait()
        #expect(book.page.title === book.title)
        #expect(try child.resolve(Page.self).title === child.resolve(Title.self))
    }

    @Test("A request gets the title of its page, even if another thread has made a title meanwhile")
    func partOfAnInstance() throws {
        let (context, begun, mayGoOn, done) = (context, begun, mayGoOn, done)
        let mayBegin = DispatchSemaphore(value: 0)
        let atTitle = Actions()
        atTitle.actions.value = [
            { try onThread { try context.reset(.session) } },
            {
                begun.signal()
                mayGoOn.wait()
            },
        ]
        try context.load(
            Module("Books") { registry in
                registry.register(scope: .session) {
                    try atTitle.runNext()
                    return Title()
                }
                registry.register { Page($0) }
                registry.register(scope: .prototype) { (resolver: Resolver) in
                    mayBegin.signal()
                    begun.wait()
                    let page = try resolver.resolve(Page.self)
                    try onThread { try context.reset(.session) }
                    mayGoOn.signal()
                    done.wait()
                    return Book(try resolver.resolve(Title.self), page)
                }
            })
        // A child that loads a module is not a lean one.
        let child = try context.child().load(Module.text("own"))
        Thread.detachNewThread {
            mayBegin.wait()
            _ = try? child.resolve(Title.self)
            done.signal()
        }
        let book = try child.resolve(Book.self)
        #expect(book.page.title === book.title)
    }
}
