import Deli

private protocol Book {}
private protocol Messages {}
private protocol Users {}

private final class DeliFactory: ModuleFactory {}
private final class Network { init(key: String) {} }
private final class Vault { let key = "" }

private final class Novel: Book, Component {
    let qualifier: String? = "Novel"
    let scope = Scope.prototype
}

private final class Library: Autowired {
    required init(Novel books: [Book]) {}
}

private final class UserService: Users, LazyAutowired {
    private var messages: Messages!
    func inject(_ messages: Messages) { self.messages = messages }
}

private final class Networking: Configuration {
    let network = Config(Network.self, Vault.self) { vault in
        Network(key: vault.key)
    }
}

private final class FriendPayload: Payload {
    let id: String
    init(with argument: (id: String, name: String)) { id = argument.id }
}

private final class FriendInfo: AutowiredFactory {
    required init(_ users: Users, payload: FriendPayload) {}
}

private struct ServerConfig: ConfigProperty {
    let target = "server"
    let port: String
}

private final class Screen: Inject {
    @Dependency(qualifier: "main") var users: Users
    @DependencyArray(qualifier: "Novel") var novels: [Book]
    @PropertyValue("server.url") var url: String

    func open() {
        _ = Inject(Library.self)
        _ = Inject(FriendInfo.self, with: (id: "7", name: "Ada"))
    }
}

private func launch() {
    AppContext.load([DeliFactory.self])
    let fakes = ModuleFactory()
    fakes.register(Users.self) { fatalError() }
    AppContext.shared.load(fakes, priority: .high)
    AppContext.shared.unload(fakes)
}
