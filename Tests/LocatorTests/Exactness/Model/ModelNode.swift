import Locator

// The key types of a random run: protocols that one class has all of, so that any graph can be built from data.
protocol Service: Sendable { var node: ModelNode { get } }
protocol Service0: Service {}
protocol Service1: Service {}
protocol Service2: Service {}
protocol Service3: Service {}
protocol Service4: Service {}
protocol Service5: Service {}
protocol Service6: Service {}
protocol Service7: Service {}
protocol Service8: Service {}
protocol Service9: Service {}

/// What every registration, decorator and factory of a random run makes: it knows who made it and from what.
final class ModelNode: Service0, Service1, Service2, Service3, Service4, Service5, Service6, Service7, Service8,
    Service9,
    @unchecked Sendable
{
    // Sendable: a random run uses one thread; the fields of a finished node are not changed.

    /// What a making got for one read.
    enum Part {
        case node(ModelNode)
        case nodes([ModelNode])
        case text(String)
        case nothing
        case failed
    }

    /// Counts the nodes of a run; no two have the same.
    let serial: Int
    /// The registration, decorator or factory.
    let maker: Int
    /// The run of the module's closure that registered it.
    let run: Int
    let parts: [Part]
    var injected: [Part] = []
    /// Reads a wrapper that the node keeps.
    let peer: (() throws -> ModelNode?)?
    private let world: ModelWorld

    init(maker: Int, run: Int, parts: [Part], peer: (() throws -> ModelNode?)?, world: ModelWorld) {
        serial = world.nextSerial()
        self.maker = maker
        self.run = run
        self.parts = parts
        self.peer = peer
        self.world = world
        world.alive.insert(serial)
    }

    deinit {
        world.alive.remove(serial)
    }

    var node: ModelNode { self }
}

/// What the nodes of one run report to.
final class ModelWorld: @unchecked Sendable {
    // Sendable: a random run uses one thread.

    private var serial = 0
    /// The serial numbers of the nodes that have not ended.
    var alive: Set<Int> = []
    /// The nodes that were disposed of, since the last look.
    var disposed: [(maker: Int, run: Int, serial: Int)] = []
    /// Which run of its closure each module is in.
    var runs: [Int: Int] = [:]
    /// The modules whose closures ran since the last look.
    var started: [Int] = []
    /// Nodes that are kept alive.
    var kept: [ModelNode] = []
    var keepsAll = false

    func nextSerial() -> Int {
        serial += 1
        return serial
    }

    var latestSerial: Int { serial }

    /// Notes that the closure of a module runs.
    func startRun(of module: Int) -> Int {
        let run = runs.values.reduce(0, max) + 1
        runs[module] = run
        started.append(module)
        return run
    }
}

/// A key type, with its static type hidden.
protocol AnyModelType: Sendable {
    func one(_ resolver: Resolver, _ qualifier: Qualifier?) throws -> ModelNode
    func optional(_ resolver: Resolver, _ qualifier: Qualifier?) throws -> ModelNode?
    func all(_ resolver: Resolver, _ qualifier: Qualifier?, _ selection: ModuleSelection) throws -> [ModelNode]
    func product<Payload>(_ resolver: Resolver, _ qualifier: Qualifier?, _ payload: Payload) throws -> ModelNode
    func lazy(_ resolver: Resolver, _ qualifier: Qualifier?) throws -> ModelNode
    /// Asks from outside of any maker.
    func ask(_ context: AppContext, _ read: ReadSpec) throws -> ModelNode.Part
    /// A wrapper of the current context.
    func wrapper(_ qualifier: Qualifier?) -> () throws -> ModelNode?
    func existing(_ context: AppContext, _ qualifier: String?) -> ModelNode?
    func register(_ spec: RegistrationSpec, _ run: ModelModuleRun)
    /// Registers for another type with a parameter of this one.
    func register<Value: Sendable>(
        _ spec: RegistrationSpec, _ run: ModelModuleRun, for type: ModelType<Value>, scope: Scope
    ) -> Registration<Value>
    func addAlias<Value>(to registration: Registration<Value>, _ qualifier: Qualifier?, of type: ModelType<Value>)
    func addAlias<Value>(
        to registration: UnheldRegistration<Value>, _ qualifier: Qualifier?, of type: ModelType<Value>)
    func decorate(_ spec: DecoratorSpec, _ run: ModelModuleRun)
    func makeFactory(_ spec: FactorySpec, _ run: ModelModuleRun)
    func replaceAll(in registry: Registry)
}

/// The key types, by number.
let modelTypes: [any AnyModelType] = [
    ModelType<any Service0>(of: { $0 }), ModelType<any Service1>(of: { $0 }), ModelType<any Service2>(of: { $0 }),
    ModelType<any Service3>(of: { $0 }), ModelType<any Service4>(of: { $0 }), ModelType<any Service5>(of: { $0 }),
    ModelType<any Service6>(of: { $0 }), ModelType<any Service7>(of: { $0 }), ModelType<any Service8>(of: { $0 }),
    ModelType<any Service9>(of: { $0 }),
]

extension ModelType where Value: Sendable {
    fileprivate init(of upcast: @escaping @Sendable (ModelNode) -> Value) {
        self.init(upcast: upcast, node: { ($0 as? any Service)?.node ?? ModelType.noNode() })
    }

    private static func noNode() -> ModelNode { fatalError("Not a node") }
}
