import Locator
import Testing

@Suite("A ConfigProperty needs no registration: it is decoded from the properties")
struct ConfigPropertyTests {
    private struct Server: ConfigProperty, Equatable {
        static let path = "server"
        let host: String
        let port: Int
    }

    /// Counts how often it is decoded.
    private final class Counted: ConfigProperty {
        static let path = "counted"
        static let decodings = Counter()
        let size: Int

        private enum Keys: String, CodingKey { case size }

        required init(from decoder: any Decoder) throws {
            Self.decodings.next()
            size = try decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .size)
        }
    }

    private struct Client: Sendable {
        let server: Server
    }

    private final class Holder {
        @Dependency var server: Server
        @Dependency var optional: Server?
    }

    private let settings = Module("Settings", properties: ["server.host": "a", "server.port": 1])

    @Test func requests_parameters_andWrappers_getTheDecoded() throws {
        let context = try AppContext().load(settings, Module("Client") { $0.register(Client.init) })
        let expected = Server(host: "a", port: 1)
        #expect(try context.resolve(Server.self) == expected)
        #expect(try context.resolve(Client.self).server == expected)
        let holder = AppContext.withContext(context) { Holder() }
        #expect(holder.server == expected)
        #expect(holder.optional == expected)
    }

    @Test func decoding_happensOnce_perPropertyState() throws {
        let context = try AppContext().load(Module("Settings", properties: ["counted.size": 1]))
        let first = try context.resolve(Counted.self)
        #expect(try context.resolve(Counted.self) === first)
        #expect(Counted.decodings.value == 1)

        try context.push(Module("Unrelated", properties: ["other": 1]))
        #expect(try context.resolve(Counted.self) === first)
        context.pop()

        try context.push(Module("Related", properties: ["counted.size": 2]))
        #expect(try context.resolve(Counted.self).size == 2)
        #expect(Counted.decodings.value == 2)
        context.pop()
        #expect(try context.resolve(Counted.self) === first)
        #expect(Counted.decodings.value == 2)
    }

    @Test func registration_wins() throws {
        let module = Module("Fake") { $0.register(Server.self) { Server(host: "fake", port: 0) } }
        let context = try AppContext().load(settings, module)
        #expect(try context.resolve(Server.self).host == "fake")
        try context.unload(module)
        #expect(try context.resolve(Server.self).host == "a")
    }

    @Test func dependents_areMadeAgain_whenAPropertyChanges() throws {
        let context = try AppContext().load(settings, Module("Client") { $0.register(Client.init) })
        #expect(try context.resolve(Client.self).server.port == 1)
        try context.push(Module("Fakes", properties: ["server.port": 2]))
        #expect(try context.resolve(Client.self).server == Server(host: "a", port: 2))
        context.pop()
        #expect(try context.resolve(Client.self).server.port == 1)
    }

    @Test func wrongValue_isAnError_alsoForAnOptional() throws {
        let context = try AppContext().load(Module("Settings", properties: ["server.host": "a", "server.port": "x"]))
        #expect(locatorError({ try context.resolve(Server.self) }) != nil)
        #expect(locatorError({ try context.resolve(Server?.self) }) != nil)
    }

    @Test func optional_isNil_whenThePathIsMissing() throws {
        #expect(try AppContext().resolve(Server?.self) == nil)
        #expect(locatorError({ try AppContext().resolve(Server.self) }) != nil)
    }
}
