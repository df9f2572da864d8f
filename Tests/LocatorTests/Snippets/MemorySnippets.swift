import Locator
import TestSupport
import Testing

// The article about memory and cycles shows parts of this file.

private protocol Friends: AnyObject, Sendable {
    var names: [String] { get }
}

private protocol Messages: AnyObject, Sendable {
    var senders: [String] { get }
}

/// Allows the cycle: it resolves the messages when they are first needed.
private final class FriendService: Friends {
    private let messages: Lazy<any Messages>
    let names = ["Ada", "Ben"]

    init(messages: Lazy<any Messages>) {
        self.messages = messages
    }

    var writers: [String] { messages().senders }
}

private final class MessageService: Messages {
    private let friends: any Friends

    init(friends: any Friends) {
        self.friends = friends
    }

    var senders: [String] { friends.names }
}

/// Allows the cycle without holding anything: it resolves the messages each time.
private final class ForgetfulFriends: Friends {
    private let messages: Provider<any Messages>
    let names = ["Ada"]

    init(messages: Provider<any Messages>) {
        self.messages = messages
    }

    func writers() throws -> [String] { try messages().senders }
}

/// Allows the cycle with a wrapper, and breaks it at its end.
private final class TidyFriends: Friends {
    private let messages = Dependency<any Messages>()
    let names = ["Ada"]

    var writers: [String] { messages().senders }
    func close() { messages.reset() }
}

/// Is given the messages after both were created.
private final class PatientFriends: Friends {
    let messages = Late<any Messages>()
    let names = ["Ada"]
}

private final class Thumbnail: Sendable {}

extension Scope {
    fileprivate static let request = Scope("request", requiresOpening: true)
}

@Suite("The snippets about memory and cycles do what they say")
struct MemorySnippets {
    /// What is left of the services of a context that has ended.
    private func remains<Service: Friends>(
        of type: Service.Type, using use: (Service) throws -> Void, _ register: @escaping @Sendable (Registry) -> Void
    ) throws -> (any Friends)? {
        weak var friends: Service?
        do {
            let context = AppContext()
            try context.load(
                Module("Friends") { registry in
                    register(registry)
                    registry.register((any Messages).self, MessageService.init)
                })
            let service = try #require(try context.resolve((any Friends).self) as? Service)
            try use(service)
            friends = service
            withExtendedLifetime((context, service)) {}
        }
        return friends
    }

    @Test("Lazy allows a cycle, and both instances hold each other once it is used")
    func lazy() throws {
        let used = try remains(of: FriendService.self, using: { _ = $0.writers }) { registry in
            registry.register((any Friends).self, FriendService.init)
        }
        #expect(used != nil)
        let unused = try remains(of: FriendService.self, using: { _ = $0.names }) { registry in
            registry.register((any Friends).self, FriendService.init)
        }
        #expect(unused == nil)
    }

    @Test("A provider holds nothing")
    func provider() throws {
        let used = try remains(of: ForgetfulFriends.self, using: { _ = try $0.writers() }) { registry in
            registry.register((any Friends).self, ForgetfulFriends.init)
        }
        #expect(used == nil)
    }

    @Test("Resetting a wrapper releases what belongs to a request")
    func wrapper() throws {
        let server = AppContext()
        try server.load(
            Module("Friends") { registry in
                registry.register(scope: .request, TidyFriends.init)
                    .alias((any Friends).self) { $0 }
                    .onDispose { friends in friends.close() }
                registry.register((any Messages).self, scope: .request, MessageService.init)
            })
        weak var friends: TidyFriends?
        try server.within(.request) { child in
            let service = try child.resolve(TidyFriends.self)
            #expect(service.writers == ["Ada"])
            friends = service
            withExtendedLifetime(service) {}
        }
        #expect(friends == nil)
    }

    @Test("An instance that is injected later is held like any property value")
    func injecting() throws {
        let context = AppContext()
        try context.load(
            Module("Friends") { registry in
                registry.register(PatientFriends.init)
                    .alias((any Friends).self) { $0 }
                    .injecting { (friends, messages: any Messages) in friends.messages.value = messages }
                registry.register((any Messages).self, MessageService.init)
            })
        let friends = try context.resolve(PatientFriends.self)
        #expect(friends.messages.value?.senders == ["Ada"])
        friends.messages.value = nil
    }

    @Test("A weak instance lives as long as other code holds it")
    func weakly() throws {
        let context = AppContext()
        let cache = Module("Cache") { registry in
            registry.register(Thumbnail.self, scope: .weak, Thumbnail.init)
        }
        try context.load(cache)
        var first: Thumbnail? = try context.resolve(Thumbnail.self)
        #expect(try context.resolve(Thumbnail.self) === first)
        first = nil
        #expect(context.existing(Thumbnail.self) == nil)
    }

    @Test("A cycle between initializers is an error that names the cycle")
    func cycle() throws {
        let context = AppContext()
        final class Hen: Sendable {
            init(egg: Egg) {}
        }
        final class Egg: Sendable {
            init(hen: Hen) {}
        }
        try context.load(
            Module("Farm") { registry in
                registry.register(Hen.init)
                registry.register(Egg.init)
            })
        do throws(LocatorError) {
            _ = try context.resolve(Hen.self)
            Issue.record("a cycle was resolved")
        } catch {
            guard case .circularDependency(let steps) = error.kind else { throw error }
            #expect(steps.count == 3)
        }
    }
}
