import Locator
import TestSupport
import Testing

// Users need messages, messages need friends, and friends need users. Asked for, that is an error which names the whole
// cycle; there are two ways to close it on purpose.

private protocol Users: Sendable {
    func name(of id: Int) -> String
    func inbox(of id: Int) -> [String]
}

private protocol Messages: Sendable {
    func messages(to id: Int) -> [String]
}

private protocol Friends: Sendable {
    func friends(of id: Int) -> [String]
}

private struct FriendsService: Friends {
    let users: any Users

    func friends(of id: Int) -> [String] { [users.name(of: id + 1)] }
}

private struct MessagesService: Messages {
    let friends: any Friends

    func messages(to id: Int) -> [String] { friends.friends(of: id).map { "Hello from \($0)" } }
}

@Suite("Cycle: three services that need each other")
struct CycleScenario {
    /// Needs messages to be made, like everything else in the cycle.
    private struct UsersService: Users {
        let messages: any Messages

        func name(of id: Int) -> String { "user \(id)" }
        func inbox(of id: Int) -> [String] { messages.messages(to: id) }
    }

    @Test func cycle_isAnErrorThatNamesThePath() throws {
        let module = Module("Social") { registry in
            registry.register((any Users).self, fileID: "Social/Social.swift", line: 11, UsersService.init)
            registry.register((any Messages).self, fileID: "Social/Social.swift", line: 12, MessagesService.init)
            registry.register((any Friends).self, fileID: "Social/Social.swift", line: 13, FriendsService.init)
        }
        let context = try AppContext().load(module)
        #expect(
            message { try context.resolve((any Users).self, fileID: "Social/Home.swift", line: 3) } == """
                Social/Social.swift:11: any Users depends on itself
                  any Users (Social/Social.swift:11)
                  needs any Messages (Social/Social.swift:12)
                  needs any Friends (Social/Social.swift:13)
                  needs any Users (Social/Social.swift:11)
                  requested: any Users at Social/Home.swift:3
                  fix: resolve one of them lazily (Lazy<…> or a wrapper), or pass it with .injecting
                """)
    }

    /// The first solution: what needs the others only later requests them later.
    private struct PatientUsersService: Users {
        let messages: Lazy<any Messages>

        func name(of id: Int) -> String { "user \(id)" }
        func inbox(of id: Int) -> [String] { messages().messages(to: id) }
    }

    @Test func lazyParameter_closesTheCycle() throws {
        let module = Module("Social") { registry in
            registry.register((any Users).self, PatientUsersService.init)
            registry.register((any Messages).self, MessagesService.init)
            registry.register((any Friends).self, FriendsService.init)
        }
        let context = try AppContext().load(module)
        #expect(try context.resolve((any Users).self).inbox(of: 1) == ["Hello from user 2"])
    }

    /// The second solution: what needs the others gets them after it was made.
    private final class LateUsersService: Users {
        let messages = Late<any Messages>()

        func name(of id: Int) -> String { "user \(id)" }
        func inbox(of id: Int) -> [String] { messages.value?.messages(to: id) ?? [] }
    }

    @Test func injecting_closesTheCycle() throws {
        let module = Module("Social") { registry in
            registry.register((any Users).self, qualifier: nil) { LateUsersService() as any Users }
                .injecting { (users, messages: any Messages) in
                    (users as? LateUsersService)?.messages.value = messages
                }
            registry.register((any Messages).self, MessagesService.init)
            registry.register((any Friends).self, FriendsService.init)
        }
        let context = try AppContext().load(module)
        #expect(try context.resolve((any Users).self).inbox(of: 1) == ["Hello from user 2"])
        // The cycle is found wherever it is entered.
        try context.reset()
        _ = try context.resolve((any Friends).self)
        #expect(try context.resolve((any Users).self).inbox(of: 3) == ["Hello from user 4"])
    }
}
