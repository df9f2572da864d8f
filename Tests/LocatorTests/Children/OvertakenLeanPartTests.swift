import Locator
import TestSupport
import Testing

extension Scope {
    fileprivate static let request = Scope("request")
}

@Suite("An instance that a child makes during a change of its parent depends on exactly the parts that it was given")
struct OvertakenLeanPartTests {
    private final class Paper: Sendable {}
    private final class Book: Sendable {
        init(_ paper: Paper) {}
    }
    private final class Change: Sendable {}
    private final class Reader: Sendable {
        init(_ change: Change, _ book: Book) {}
    }
    private final class Owner: Sendable {
        let book: Book
        init(_ book: Book, _ change: Change) { self.book = book }
    }

    private typealias Action = @Sendable () throws -> Void

    /// A parent whose child runs `change` on another thread, once, while it makes a reader or an owner.
    private static func parent(_ change: Late<Action>) throws -> AppContext {
        try AppContext().load(
            Module("Books") { registry in
                registry.register(Paper.init)
                registry.register(Book.init)
                registry.register(scope: .request) { () throws -> Change in
                    let action = change.value
                    change.value = nil
                    if let action { try onThread { try action() } }
                    return Change()
                }
                registry.register(scope: .request, Reader.init)
                registry.register(scope: .request, Owner.init)
            })
    }

    /// Lets children find the instances of the parent without a lock.
    private static func makeReady(_ parent: AppContext) throws {
        for _ in 0..<3 {
            _ = try parent.resolve(Book.self)
            let child = try parent.child(opening: .request)
            _ = (try child.resolve(Reader.self), try child.resolve(Owner.self))
        }
    }

    @Test("The parent's instance does not count if the child makes its own", arguments: [true, false])
    func partOfItsOwn(isReset: Bool) throws {
        let change = Late<Action>()
        let parent = try Self.parent(change)
        try Self.makeReady(parent)
        let child = try parent.child(opening: .request, pushing: Module("Fake") { $0.register(Paper.init) })
        change.value = {
            if isReset {
                try parent.reset()
            } else {
                try parent.push(Module("Other") { $0.register(qualifier: "other", Paper.init) })
            }
        }
        let reader = try child.resolve(Reader.self)
        #expect(try child.resolve(Reader.self) === reader)
        try parent.reset()
        #expect(try child.resolve(Reader.self) === reader)
    }

    @Test("The instance that the parent gave counts, not the one that a pop brings back")
    func partThatEnds() throws {
        let change = Late<Action>()
        let parent = try Self.parent(change)
        try Self.makeReady(parent)
        try parent.push(Module("Fake") { $0.register(Paper.init) })
        try Self.makeReady(parent)
        let child = try parent.child(opening: .request)
        change.value = { parent.pop() }
        let owner = try child.resolve(Owner.self)
        let book = try parent.resolve(Book.self)
        #expect(owner.book !== book)
        #expect(try child.resolve(Owner.self).book === book)
    }
}
