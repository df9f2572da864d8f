import Foundation
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

/// What every registration, decorator and factory of a random run makes: it knows who made it and from what.
final class ModelNode: Service0, Service1, Service2, Service3, Service4, Service5, Service6, Service7,
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

        /// The part with objects replaced by their serial numbers.
        var seen: SeenPart {
            switch self {
            case .node(let node): .node(node.serial)
            case .nodes(let nodes): .nodes(nodes.map(\.serial))
            case .text(let text): .text(text)
            case .nothing: .nothing
            case .failed: .failed
            }
        }
    }

    /// Counts the nodes of a run; no two have the same.
    let serial: Int
    let parts: [Part]
    private var injected: [Part] = []
    /// Reads a wrapper that the node keeps.
    let peer: (() throws -> Part)?
    private let world: ModelWorld

    init(maker: Int, run: Int, parts: [Part], peer: (() throws -> Part)?, world: ModelWorld) {
        serial = world.made(maker, run: run, from: parts)
        self.parts = parts
        self.peer = peer
        self.world = world
    }

    deinit {
        world.ended(serial)
    }

    var node: ModelNode { self }

    /// Notes what an injection has given.
    func inject(_ part: Part) {
        injected.append(part)
        world.injected.append((serial, part.seen))
    }
}

/// What a read gave, with objects as their serial numbers.
enum SeenPart: Hashable {
    case node(Int)
    case nodes([Int])
    case text(String)
    case nothing
    case failed
}

/// What a maker throws while its flag is set.
struct ModelFailure: Error {
    let maker: Int
}

/// A making that has succeeded.
struct SeenMaking {
    let serial: Int
    let maker: Int
    /// The run of the module's closure that registered the maker.
    let run: Int
    /// The context that was current.
    let context: ObjectIdentifier
    let parts: [SeenPart]
}

/// What the nodes of one run report to.
final class ModelWorld: @unchecked Sendable {
    // Sendable: a random run uses one thread, but for asynchronous makers, which come over `made` and `ended` alone;
    // those are guarded by `lock`.

    private let lock = NSLock()
    private var serial = 0
    /// The serial numbers of the nodes that have not ended.
    var alive: Set<Int> = []
    /// What was made since the last look, in order.
    var makings: [SeenMaking] = []
    /// What injections have given since the last look.
    var injected: [(serial: Int, part: SeenPart)] = []
    /// The nodes that were disposed of since the last look, and the context that was current.
    var disposed: [(serial: Int, context: ObjectIdentifier)] = []
    /// The run that each module's closure had last.
    private var latestRun = 0
    /// The runs of module closures since the last look.
    var started: [(module: Int, run: Int)] = []
    /// Nodes that are kept alive.
    private var kept: [ModelNode] = []
    var keepsAll = false
    /// The flags that make makers fail.
    var flags: Set<Int> = []
    /// Reads the latest wrapper that asks for a type above this one and belongs to a context so related to the current.
    var readHolder: ((Int, ReadSpec.Relation) throws -> ModelNode.Part)?

    fileprivate func made(_ maker: Int, run: Int, from parts: [ModelNode.Part]) -> Int {
        lock.withLock {
            serial += 1
            alive.insert(serial)
            makings.append(
                SeenMaking(
                    serial: serial, maker: maker, run: run, context: ObjectIdentifier(AppContext.current),
                    parts: parts.map(\.seen)))
            return serial
        }
    }

    fileprivate func ended(_ serial: Int) {
        lock.withLock { _ = alive.remove(serial) }
    }

    /// Keeps a node alive.
    func keep(_ node: ModelNode) {
        lock.withLock { kept.append(node) }
    }

    /// Notes that the closure of a module runs.
    func startRun(of module: Int) -> Int {
        latestRun += 1
        started.append((module, latestRun))
        return latestRun
    }
}

/// A key type, with its static type hidden.
protocol AnyModelType: Sendable {
    func one(_ resolver: Resolver, _ qualifier: Qualifier?) throws -> ModelNode
    func optional(_ resolver: Resolver, _ qualifier: Qualifier?) throws -> ModelNode?
    func all(_ resolver: Resolver, _ qualifier: Qualifier?, _ selection: ModuleSelection) throws -> [ModelNode]
    func product<Payload>(_ resolver: Resolver, _ qualifier: Qualifier?, _ payload: Payload) throws -> ModelNode
    /// Asks from outside of any maker.
    func ask(_ context: AppContext, _ read: ReadSpec) throws -> ModelNode.Part
    /// A wrapper of the current context, or of the resolver's context; returns the closure that reads it.
    func wrapper(_ spec: WrapperSpec, _ resolver: Resolver?) throws -> () throws -> ModelNode.Part
    func existing(_ context: AppContext, _ qualifier: String?) -> ModelNode?
    func register(_ spec: RegistrationSpec, _ run: ModelModuleRun)
    /// Registers for another type with a parameter of this one.
    func register<Value: Sendable>(
        _ spec: RegistrationSpec, _ run: ModelModuleRun, for type: ModelType<Value>, scope: Scope
    ) -> Registration<Value>
    func addAlias<Value>(to registration: Registration<Value>, _ qualifier: Qualifier?, of type: ModelType<Value>)
    func addAlias<Value>(
        to registration: UnretainedRegistration<Value>, _ qualifier: Qualifier?, of type: ModelType<Value>)
    func decorate(_ spec: DecoratorSpec, _ run: ModelModuleRun)
    func makeFactory(_ spec: FactorySpec, _ run: ModelModuleRun)
    func replaceAll(in registry: Registry)
}

/// The key types, by number.
let modelTypes: [any AnyModelType] = [
    ModelType<any Service0>(of: { $0 }), ModelType<any Service1>(of: { $0 }), ModelType<any Service2>(of: { $0 }),
    ModelType<any Service3>(of: { $0 }), ModelType<any Service4>(of: { $0 }), ModelType<any Service5>(of: { $0 }),
    ModelType<any Service6>(of: { $0 }), ModelType<any Service7>(of: { $0 }),
]

extension ModelType where Value: Sendable {
    fileprivate init(of upcast: @escaping @Sendable (ModelNode) -> Value) {
        self.init(upcast: upcast, node: { ($0 as? any Service)?.node ?? ModelType.noNode() })
    }

    private static func noNode() -> ModelNode { fatalError("Not a node") }
}
