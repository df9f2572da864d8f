import Locator

/// The modules of a program, as modules of the library.
final class ModelModules: @unchecked Sendable {
    // Sendable: a random run uses one thread.

    private var modules: [Module] = []
    private let world: ModelWorld

    init(_ specs: [ModuleSpec], _ world: ModelWorld) {
        self.world = world
        for spec in specs {
            modules.append(
                Module(
                    spec.name, properties: spec.properties.mapValues { .string($0) },
                    including: spec.included.map { [unowned self] in self[$0] },
                    when: spec.condition.map { .property($0.path, equals: .string($0.value)) }
                ) { [unowned self] registry in
                    register(spec, in: registry)
                })
        }
    }

    subscript(id: Int) -> Module { modules[id] }

    private func register(_ spec: ModuleSpec, in registry: Registry) {
        let run = ModelModuleRun(number: world.startRun(of: spec.id), world: world, registry: registry)
        for registration in spec.registrations { modelTypes[registration.key.type].register(registration, run) }
        for decorator in spec.decorators { modelTypes[decorator.type].decorate(decorator, run) }
        for factory in spec.factories { modelTypes[factory.key.type].makeFactory(factory, run) }
        if spec.registersConfiguration {
            let settings = ModelSettings(values: ["run": "\(run.number)"])
            registry.register(ModelSettings.self) { settings }
        }
        for type in spec.replaced { modelTypes[type].replaceAll(in: registry) }
    }
}

extension ReadSpec {
    /// The requested type.
    var type: Int? {
        switch self {
        case .one(let key), .optional(let key), .all(let key, _), .product(let key, _): key.type
        case .chosen(let type, _): type
        case .wrapper(let wrapper): wrapper.read.type
        case .caught(let read): read.type
        case .property, .properties, .demanded, .configuration, .peer, .holder: nil
        }
    }
}

extension ModelProgram {
    /// Whether anything except the context may hold instances.
    var hasHolders: Bool {
        modules.contains { $0.registrations.contains { $0.peer != nil } }
            || steps.contains { if case .makeWrapper = $0.action { true } else { false } }
    }
}

/// A type that is decoded from the settings, unless a module registers it.
struct ModelSettings: ConfigProperty {
    static let path = "a"
    let values: [String: String]

    init(values: [String: String]) {
        self.values = values
    }

    init(from decoder: any Decoder) throws {
        values = try decoder.singleValueContainer().decode([String: String].self)
    }

    var text: String { values.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: ",") }
}
