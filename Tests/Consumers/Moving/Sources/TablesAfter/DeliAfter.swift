import Locator

private protocol Book: Sendable {}
private protocol Messages: Sendable {}
private protocol Users: Sendable {}

private struct Novel: Book {}
private final class Network: Sendable { init(key: String) {} }
private struct Vault: Sendable { let key = "" }
private struct NoUsers: Users {}
private struct Mailbox: Messages { let users: any Users }

private struct Library: Sendable { init(books: [any Book]) {} }

private struct UserService: Users {
    let messages: Lazy<any Messages>
}

private struct FriendPayload: Sendable { let id: String, name: String }
private struct FriendInfo { init(payload: FriendPayload, users: any Users) {} }

private struct ServerConfig: ConfigProperty {
    static let path = "server"
    let port: Int
}

extension Module {
    static let library = Module("Library") { registry in
        registry.register((any Book).self, qualifier: "Novel", scope: .prototype, Novel.init)
        registry.register(parameterQualifiers: ["Novel"], Library.init)
        registry.register((any Users).self, UserService.init)
        registry.register((any Messages).self, Mailbox.init)
        registry.register(Vault.init)
        registry.register(Network.self) { (vault: Vault) in Network(key: vault.key) }
        registry.factory(FriendInfo.init)
    }

    fileprivate static let fakes = Module("Fakes") { registry in
        registry.register((any Users).self) { NoUsers() }
    }
}

private final class Screen {
    @Dependency(qualifier: "main") var users: any Users
    @DependencyArray(qualifier: "Novel") var novels: [any Book]
    @PropertyValue("server.url") var url: String

    func open(_ context: AppContext) throws {
        _ = try context.resolve(Library.self)
        _ = try context.resolve(FriendInfo.self, with: FriendPayload(id: "7", name: "Ada"))
    }
}

private func launch() throws {
    try AppContext.shared.loadProperties(from: "Config").load(.library)
    let push = try AppContext.shared.push(.fakes)
    push.pop()
}
