import Locator
import Testing

private protocol People: Sendable {}
private final class Friends: People {
    init() {}
}
private final class Messages: Sendable {
    init(_: Friends) {}
}

@Suite("A cycle through a dependency that is resolved later, but read too early, is explained in all forms")
struct LaterCycleTests {
    /// The notes of a cycle that is found while an instance is made.
    private func notes<each Parameter>(
        _ make: @escaping @Sendable (repeat each Parameter) throws -> Friends
    ) throws -> [String] {
        let context = try AppContext().load(
            Module("Friends") { registry in
                registry.register(Friends.self, make)
                registry.register(Messages.self, Messages.init)
            })
        do throws(LocatorError) {
            _ = try context.resolve(Friends.self)
        } catch {
            return error.notes
        }
        return []
    }

    @Test func layersAroundWhatIsResolved_doNotMatter() throws {
        let expected = try notes { (messages: Lazy<Messages>) in
            _ = try messages.resolved()
            return Friends()
        }
        #expect(expected.count == 1)
        let ofProvider = try notes { (messages: Provider<Messages>) in
            _ = try messages()
            return Friends()
        }
        #expect(ofProvider == expected)
        let ofCollection = try notes { (messages: Lazy<[Messages]>) in
            _ = try messages.resolved()
            return Friends()
        }
        #expect(ofCollection == expected)
        let ofOptional = try notes { (messages: Provider<Messages?>) in
            _ = try messages()
            return Friends()
        }
        #expect(ofOptional == expected)
    }

    @Test("A closure without parameters resolves through a wrapper or a context")
    func closureThatResolves() throws {
        #expect(
            try notes { () throws in
                _ = try AppContext.current.resolve(Messages.self)
                return Friends()
            } == ["Friends reads a wrapper of Messages, or resolves it, while it is being made"])
    }

    @Test("A closure that resolves its own type was meant to wrap another registration")
    func closureThatResolvesItsOwnType() throws {
        let fakes = Module("Fakes") { registry in
            registry.register(Friends.self, fileID: "Shop/Shop.swift", line: 2) {
                try AppContext.current.resolve(Friends.self)
            }
        }
        let context = try AppContext().load(fakes)
        #expect(
            message { try context.resolve(Friends.self, fileID: "Shop/Main.swift", line: 9) } == """
                Shop/Shop.swift:2: Friends depends on itself
                  Friends (Shop/Shop.swift:2)
                  needs Friends (Shop/Shop.swift:2)
                  requested: Friends at Shop/Main.swift:9
                  fix: to wrap the other registrations of Friends, write \
                registry.decorate(Friends.self) { base in … }; otherwise, remove the dependency
                """)
    }

    @Test("A closure that resolves an alias of its own type was meant to wrap another registration, too")
    func closureThatResolvesItsOwnAlias() throws {
        let context = try AppContext().load(
            Module("Friends") { registry in
                registry.register(Friends.self, fileID: "Shop/Shop.swift", line: 2) { () throws in
                    _ = try AppContext.current.resolve((any People).self)
                    return Friends()
                }
                .alias((any People).self, fileID: "Shop/Shop.swift", line: 3) { $0 }
            })
        #expect(
            message { try context.resolve(Friends.self, fileID: "Shop/Main.swift", line: 9) } == """
                Shop/Shop.swift:2: Friends depends on itself
                  Friends (Shop/Shop.swift:2)
                  needs alias any People (Shop/Shop.swift:3)
                  needs Friends (Shop/Shop.swift:2)
                  requested: Friends at Shop/Main.swift:9
                  fix: to wrap the other registrations of Friends, write \
                registry.decorate(Friends.self) { base in … }; otherwise, remove the dependency
                """)
    }
}
