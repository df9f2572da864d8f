import Foundation
import Locator
import Testing

private let file: StaticString = "Shop/Shop.swift"

@Suite("If a parameter probably has a default argument, the error says that the context cannot see it")
struct DefaultArgumentTests {
    private struct Client: Sendable {
        let retries: Int

        init(retries: Int = 3) {
            self.retries = retries
        }

        init(url: URL = URL(fileURLWithPath: "/")) {
            retries = 1
        }

        init(log: @escaping @Sendable (String) -> Void = { _ in }) {
            retries = 1
        }

        init(names: [String: Int] = [:]) {
            retries = names.count
        }

        init(sink: any Sink = NoSink()) {
            retries = 1
        }

        init(store: Store = Store()) {
            retries = 1
        }

        init(settings: Settings = Settings()) {
            retries = 1
        }
    }

    private struct Retrying: Sendable {
        var retries = 3
    }

    private protocol Sink: Sendable {}
    private struct NoSink: Sink {}
    private final class Store: Sendable {}
    private struct Settings: Sendable {}

    private static let hint = ".init ignores default arguments"

    private func context(_ register: @escaping @Sendable (Registry) -> Void) throws -> AppContext {
        try AppContext().load(Module("Shop", register))
    }

    @Test func secondPayloadOfAFactory_isExplained() throws {
        let context = try context { registry in
            registry.factory(Client.self, fileID: file, line: 2) { (retries: Int, name: String) in
                Client(retries: retries)
            }
        }
        #expect(
            message { try context.resolve(Client.self, with: 1, fileID: file, line: 9) } == """
                Shop/Shop.swift:2: String is not registered
                  needed by Client (Shop/Shop.swift:2)
                  requested: Client at Shop/Shop.swift:9
                  fix: if the caller passes it, declare all that it passes: given: Int.self, String.self; otherwise, pass a value in the factory closure, or take it from a ConfigProperty
                """)
        #expect(
            context.validate().description == """
                Shop/Shop.swift:2: error: Client needs String, which is not registered
                  fix: if the caller passes it, declare all that it passes: given: Int.self, String.self; otherwise, pass a value in the factory closure, or take it from a ConfigProperty
                1 error in 1 registration
                """)
        // What the error suggests.
        let fixed = try self.context { registry in
            registry.factory(Client.self, given: Int.self, String.self) { retries, _ in Client(retries: retries) }
        }
        _ = try fixed.resolve(Client.self, with: 1, "name")
    }

    @Test func valueOfTheStandardLibrary_isExplained() throws {
        let context = try context { $0.register(Client.self, fileID: file, line: 2, Client.init(retries:)) }
        #expect(
            message { try context.resolve(Client.self, fileID: file, line: 9) } == """
                Shop/Shop.swift:2: Int is not registered
                  needed by Client (Shop/Shop.swift:2)
                  requested: Client at Shop/Shop.swift:9
                  fix: pass a value in the factory closure (.init ignores default arguments), take it from a ConfigProperty, or, if the caller passes it, register a factory
                """)
        #expect(
            context.validate().description == """
                Shop/Shop.swift:2: error: Client needs Int, which is not registered
                  fix: pass a value in the factory closure (.init ignores default arguments), take it from a ConfigProperty, or, if the caller passes it, register a factory
                1 error in 1 registration
                """)
        // What the error suggests.
        let fixed = try self.context { $0.register(Retrying.self) { Retrying() } }
        #expect(try fixed.resolve(Retrying.self).retries == 3)
    }

    @Test func foundationFunctionsAndDictionaries_too() throws {
        let registrations: [@Sendable (Registry) -> Void] = [
            { $0.register(Client.self, Client.init(url:)) }, { $0.register(Client.self, Client.init(log:)) },
            { $0.register(Client.self, Client.init(names:)) },
        ]
        for register in registrations {
            let context = try context(register)
            #expect(message { try context.resolve(Client.self) }?.contains(Self.hint) == true)
            #expect(context.validate().description.contains(Self.hint))
        }
    }

    @Test func servicesAndTypesOfOnesOwn_areMoreLikelyForgotten() throws {
        let registrations: [@Sendable (Registry) -> Void] = [
            { $0.register(Client.self, Client.init(sink:)) }, { $0.register(Client.self, Client.init(store:)) },
            { $0.register(Client.self, Client.init(settings:)) },
        ]
        for register in registrations {
            let context = try context(register)
            #expect(message { try context.resolve(Client.self) }?.contains(Self.hint) == false)
            #expect(!context.validate().description.contains(Self.hint))
        }
    }

    @Test func plainRequests_andThoseAtRunTime_haveNoDefault() throws {
        let context = try context { registry in
            registry.register(Client.self) { (resolver: Resolver) in
                Client(retries: try resolver.resolve(Int.self))
            }
            registry.register(String.self) { "" }
        }
        #expect(message { try context.resolve(Int.self) }?.contains(Self.hint) == false)
        #expect(message { try context.resolve(Client.self) }?.contains(Self.hint) == false)
    }
}
