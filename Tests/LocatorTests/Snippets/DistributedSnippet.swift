import Distributed
import Foundation
import Locator
import TestSupport
import Testing

// The article about distributed actors shows parts of this file. `Cluster` stands for the actor system of a program.

/// What the program needs, wherever it runs.
private protocol Stock: Sendable {
    func count(of title: String) async throws -> Int
}

private distributed actor StockActor: Stock {
    typealias ActorSystem = Cluster

    private let counts: [String: Int]

    init(counts: [String: Int], actorSystem: Cluster) {
        self.counts = counts
        self.actorSystem = actorSystem
    }

    distributed func count(of title: String) -> Int { counts[title] ?? 0 }
}

private struct StockSettings: ConfigProperty {
    static let path = "stock"
    let actor: String
}

private let cluster = Module("Cluster") { registry in
    registry.register(Cluster.self) { Cluster(node: "shop") }
}

/// The stock is in this process.
private let localStock = Module("Local stock", when: .not(.profile("prod"))) { registry in
    registry.register((any Stock).self) { (cluster: Cluster) in
        StockActor(counts: ["Emma": 2], actorSystem: cluster)
    }
}

/// The stock is an actor of another process, which the settings name.
private let remoteStock = Module("Remote stock", when: .profile("prod")) { registry in
    registry.register((any Stock).self) { (settings: StockSettings, cluster: Cluster) in
        try StockActor.resolve(id: settings.actor, using: cluster)
    }
}

private let shop = Module("Shop", including: [cluster, localStock, remoteStock]) { registry in
    registry.register(Checkout.init)
}

private final class Checkout: Sendable {
    private let stock: any Stock

    init(stock: any Stock) {
        self.stock = stock
    }

    func isAvailable(_ title: String) async throws -> Bool {
        try await stock.count(of: title) > 0
    }
}

private struct FakeStock: Stock {
    func count(of title: String) async throws -> Int { 7 }
}

@Suite("The snippets about distributed actors do what they say")
struct DistributedSnippet {
    private func context(profile: String) throws -> AppContext {
        let folder = try TemporaryFolder([
            "application.json": "{}", "application-dev.json": "{}",
            "application-prod.json": #"{ "stock": { "actor": "warehouse/1" } }"#,
        ])
        return try AppContext()
            .loadProperties(from: folder.path, profiles: ProfileList(profile), environment: [:])
            .load(shop)
    }

    @Test("In dev the actor is in the process")
    func local() async throws {
        let context = try context(profile: "dev")
        #expect(context.validate(profiles: ["dev", "prod"]).errors.isEmpty)
        #expect(try await context.resolve(Checkout.self).isAvailable("Emma"))
        #expect(try context.resolve(Cluster.self).callCount == 0)
    }

    @Test("In prod it is called over the actor system")
    func remote() async throws {
        let warehouse = Cluster(node: "warehouse")
        let stock = StockActor(counts: ["Persuasion": 1], actorSystem: warehouse)
        let context = try context(profile: "prod")
        let cluster = try context.resolve(Cluster.self)
        cluster.connect(to: warehouse)
        let checkout = try context.resolve(Checkout.self)
        #expect(try await checkout.isAvailable("Persuasion"))
        #expect(try await !checkout.isAvailable("Emma"))
        #expect(cluster.callCount == 2)
        withExtendedLifetime((stock, context)) {}
    }

    @Test("A test uses a fake, in either profile", arguments: ["dev", "prod"])
    func fake(profile: String) async throws {
        let context = try context(profile: profile)
        let fakes = Module("Fakes") { $0.register((any Stock).self) { FakeStock() } }
        let push = try context.push(fakes)
        defer { push.pop() }
        #expect(try await context.resolve(Checkout.self).isAvailable("Sanditon"))
    }
}

/// An actor system whose nodes are in one process and send each other JSON.
private final class Cluster: DistributedActorSystem, @unchecked Sendable {
    // Sendable: everything that changes is guarded by `lock`.
    typealias ActorID = String
    typealias InvocationEncoder = Encoder
    typealias InvocationDecoder = Decoder
    typealias ResultHandler = Handler
    typealias SerializationRequirement = any Codable

    private let node: String
    private let lock = NSLock()
    private var actors: [String: WeakActor] = [:]
    private var nodes: [String: Cluster] = [:]
    private var actorCount = 0
    private var calls = 0

    private struct WeakActor {
        weak var actor: (any DistributedActor)?
    }

    init(node: String) {
        self.node = node
    }

    var callCount: Int { lock.withLock { calls } }

    func connect(to other: Cluster) {
        lock.withLock { nodes[other.node] = other }
    }

    func resolve<Act: DistributedActor>(id: String, as type: Act.Type) throws -> Act? where Act.ID == String {
        lock.withLock { actors[id]?.actor } as? Act
    }

    func assignID<Act: DistributedActor>(_ type: Act.Type) -> String where Act.ID == String {
        lock.withLock {
            actorCount += 1
            return "\(node)/\(actorCount)"
        }
    }

    func actorReady<Act: DistributedActor>(_ actor: Act) where Act.ID == String {
        lock.withLock { actors[actor.id] = WeakActor(actor: actor) }
    }

    func resignID(_ id: String) {
        lock.withLock { actors[id] = nil }
    }

    func makeInvocationEncoder() -> Encoder { Encoder() }

    func remoteCall<Act: DistributedActor, Failure: Error, Value: Codable>(
        on actor: Act, target: RemoteCallTarget, invocation: inout Encoder, throwing: Failure.Type,
        returning: Value.Type
    ) async throws -> Value where Act.ID == String {
        let data = try await send(target, invocation, to: actor.id)
        return try JSONDecoder().decode(Value.self, from: data)
    }

    func remoteCallVoid<Act: DistributedActor, Failure: Error>(
        on actor: Act, target: RemoteCallTarget, invocation: inout Encoder, throwing: Failure.Type
    ) async throws where Act.ID == String {
        _ = try await send(target, invocation, to: actor.id)
    }

    private func send(_ target: RemoteCallTarget, _ invocation: Encoder, to id: String) async throws -> Data {
        let other = lock.withLock {
            calls += 1
            return nodes[String(id.prefix { $0 != "/" })]
        }
        guard let actor = other?.lock.withLock({ other?.actors[id]?.actor }), let other else { throw Gone(id: id) }
        let handler = Handler()
        var decoder = Decoder(invocation.arguments)
        try await other.execute(target, on: actor, &decoder, handler)
        return handler.result.value ?? Data()
    }

    private func execute(
        _ target: RemoteCallTarget, on actor: some DistributedActor, _ decoder: inout Decoder, _ handler: Handler
    ) async throws {
        try await executeDistributedTarget(on: actor, target: target, invocationDecoder: &decoder, handler: handler)
    }

    struct Gone: Error {
        let id: String
    }

    struct Encoder: DistributedTargetInvocationEncoder {
        typealias SerializationRequirement = any Codable
        private(set) var arguments: [Data] = []

        mutating func recordGenericSubstitution<T>(_ type: T.Type) {}
        mutating func recordArgument<Value: Codable>(_ argument: RemoteCallArgument<Value>) throws {
            arguments.append(try JSONEncoder().encode(argument.value))
        }
        mutating func recordErrorType<E: Error>(_ type: E.Type) {}
        mutating func recordReturnType<R: Codable>(_ type: R.Type) throws {}
        mutating func doneRecording() {}
    }

    struct Decoder: DistributedTargetInvocationDecoder {
        typealias SerializationRequirement = any Codable
        private var arguments: ArraySlice<Data>

        init(_ arguments: [Data]) {
            self.arguments = arguments[...]
        }

        mutating func decodeGenericSubstitutions() -> [any Any.Type] { [] }
        mutating func decodeNextArgument<Argument: Codable>() throws -> Argument {
            try JSONDecoder().decode(Argument.self, from: arguments.removeFirst())
        }
        mutating func decodeErrorType() -> (any Any.Type)? { nil }
        mutating func decodeReturnType() -> (any Any.Type)? { nil }
    }

    struct Handler: DistributedTargetInvocationResultHandler {
        typealias SerializationRequirement = any Codable
        let result = Late<Data>()

        func onReturn<Success: Codable>(value: Success) async throws {
            result.value = try JSONEncoder().encode(value)
        }
        func onReturnVoid() async throws {}
        func onThrow<Err: Error>(error: Err) async throws { throw error }
    }
}
