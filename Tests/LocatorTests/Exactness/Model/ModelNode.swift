import Foundation
import Locator

// The key types of a random run: protocols that one class conforms to, so that any graph can be built from data.
protocol Service: Sendable { var node: ModelNode { get } }
protocol Service0: Service {}
protocol Service1: Service {}
protocol Service2: Service {}
protocol Service3: Service {}
protocol Service4: Service {}
protocol Service5: Service {}
protocol Service6: Service {}
protocol Service7: Service {}

/// The result of every registration, decorator, and factory of a random run.
///
/// It knows what made it, and from what.
final class ModelNode: Service0, Service1, Service2, Service3, Service4, Service5, Service6, Service7,
    @unchecked Sendable
{
    // Sendable: a random run uses one thread, and the fields of a finished node do not change.

    /// The result of one read.
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

    /// The number of the node, unique in a run.
    let serial: Int
    let parts: [Part]
    private var injected: [Part] = []
    /// Reads the node's wrapper.
    let peer: (() throws -> Part)?
    private let world: ModelWorld

    /// Creates a node to pass for an input, which nothing has made.
    init(inputIn world: ModelWorld) {
        serial = world.made()
        parts = []
        peer = nil
        self.world = world
    }

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

    /// Records the result of an injection.
    func inject(_ part: Part) {
        injected.append(part)
        world.injected.append((serial, part.seen))
    }
}

/// The result of a read, with serial numbers instead of objects.
enum SeenPart: Hashable {
    case node(Int)
    case nodes([Int])
    case text(String)
    case nothing
    case failed
}

/// The error that a factory closure throws while its flag is set.
struct ModelFailure: Error {
    let maker: Int
}

/// A successful run of a factory closure.
struct SeenMaking {
    let serial: Int
    let maker: Int
    /// The run of the module's closure that registered the factory closure.
    let run: Int
    /// The current context at that time.
    let context: ObjectIdentifier
    let parts: [SeenPart]
}

/// Records the events of one run.
final class ModelWorld: @unchecked Sendable {
    // Sendable: a random run uses one thread, except for asynchronous factory closures, which only use `made` and
    // `ended`. Those are guarded by `lock`.

    private let lock = NSLock()
    private var serial = 0
    /// The serial numbers of the nodes that have not ended.
    var alive: Set<Int> = []
    /// What was made since the last comparison, in order.
    var makings: [SeenMaking] = []
    /// What was injected since the last comparison.
    var injected: [(serial: Int, part: SeenPart)] = []
    /// The nodes that were disposed of since the last comparison, and the current context of each.
    var disposed: [(serial: Int, context: ObjectIdentifier)] = []
    /// The number of the latest run of a module closure.
    private var latestRun = 0
    /// The runs of module closures since the last comparison.
    var started: [(module: Int, run: Int)] = []
    /// Nodes that are kept alive.
    private var kept: [ModelNode] = []
    var keepsAll = false
    /// The flags that make factory closures fail.
    var flags: Set<Int> = []
    /// Reads the latest wrapper of a related context that requests a type with a higher number.
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

    /// Counts a node that is passed for an input.
    fileprivate func made() -> Int {
        lock.withLock {
            serial += 1
            alive.insert(serial)
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

    /// Records that the closure of a module runs.
    func startRun(of module: Int) -> Int {
        latestRun += 1
        started.append((module, latestRun))
        return latestRun
    }
}

/// A type-erased key type.
protocol AnyModelType: Sendable {
    func one(_ resolver: Resolver, _ qualifier: Qualifier?) throws -> ModelNode
    func optional(_ resolver: Resolver, _ qualifier: Qualifier?) throws -> ModelNode?
    func all(_ resolver: Resolver, _ qualifier: Qualifier?, _ selection: ModuleSelection) throws -> [ModelNode]
    func product<Payload>(_ resolver: Resolver, _ qualifier: Qualifier?, _ payload: Payload) throws -> ModelNode
    /// Makes a request from outside of all factory closures.
    func ask(_ context: AppContext, _ read: ReadSpec) throws -> ModelNode.Part
    /// Creates a wrapper of the current context or the resolver's context, and returns a closure that reads it.
    func wrapper(_ spec: WrapperSpec, _ resolver: Resolver?) throws -> () throws -> ModelNode.Part
    func existing(_ context: AppContext, _ qualifier: String?) -> ModelNode?
    func register(_ spec: RegistrationSpec, _ run: ModelModuleRun)
    /// Registers another type with a parameter of this type.
    func register<Value: Sendable>(
        _ spec: RegistrationSpec, _ run: ModelModuleRun, for type: ModelType<Value>, scope: Scope
    ) -> Registration<Value>
    func addAlias<Value>(to registration: Registration<Value>, _ qualifier: Qualifier?, of type: ModelType<Value>)
    func addAlias<Value>(
        to registration: UnretainedRegistration<Value>, _ qualifier: Qualifier?, of type: ModelType<Value>)
    func addAlias<Value>(
        to registration: InputRegistration<Value>, _ qualifier: Qualifier?, of type: ModelType<Value>)
    /// Passes a node for an input of this type.
    func input(_ node: ModelNode, _ qualifier: Qualifier?) -> Input
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
