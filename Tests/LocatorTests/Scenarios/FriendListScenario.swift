import Locator
import Testing

// A list shows friends. It makes a view model for each, from what the list knows (the payload) and what the context
// knows (the accounts).

private protocol Accounts: Sendable {
    func balance(of name: String) -> Int
}

private struct AccountsService: Accounts {
    func balance(of name: String) -> Int { name.count * 100 }
}

private struct FriendPayload {
    let name: String
}

private final class FriendInfoViewModel {
    let text: String

    init(payload: FriendPayload, accounts: any Accounts) {
        text = "\(payload.name): \(accounts.balance(of: payload.name))"
    }
}

private final class FriendListViewModel {
    private let names: [String]
    private let info: Factory<FriendPayload, FriendInfoViewModel>

    init(names: [String], info: Factory<FriendPayload, FriendInfoViewModel>) {
        self.names = names
        self.info = info
    }

    func rows() throws -> [FriendInfoViewModel] {
        try names.map { try info(FriendPayload(name: $0)) }
    }
}

extension Module {
    fileprivate static let friends = Module("Friends") { registry in
        registry.register((any Accounts).self, AccountsService.init)
        registry.factory(FriendInfoViewModel.init)
        registry.register(FriendListViewModel.self, scope: .prototype) { info in
            FriendListViewModel(names: ["Ada", "Grace"], info: info)
        }
    }
}

@Suite("Friend list: one view model per friend, from a payload and a service")
struct FriendListScenario {
    private let context: AppContext

    init() throws {
        context = try AppContext().load(.friends)
    }

    @Test func list_makesAViewModelForEachFriend() throws {
        let list = try context.resolve(FriendListViewModel.self)
        #expect(try list.rows().map(\.text) == ["Ada: 300", "Grace: 500"])
    }

    @Test func eachCall_makesANewViewModel() throws {
        let list = try context.resolve(FriendListViewModel.self)
        #expect(try list.rows()[0] !== list.rows()[0])
    }

    @Test func pushedService_reachesTheFactory() throws {
        struct Bankrupt: Accounts {
            func balance(of name: String) -> Int { 0 }
        }
        let list = try context.resolve(FriendListViewModel.self)
        try context.push(Module("Fakes") { $0.register((any Accounts).self, Bankrupt.init) })
        defer { context.pop() }
        #expect(try list.rows().map(\.text) == ["Ada: 0", "Grace: 0"])
    }

    @Test func payload_isGivenWhereAViewModelIsRequestedDirectly() throws {
        let info = try context.resolve(FriendInfoViewModel.self, with: FriendPayload(name: "Alan"))
        #expect(info.text == "Alan: 400")
    }
}
