import Locator

/// A run of a module's closure, and what makes its nodes.
struct ModelModuleRun: Sendable {
    let number: Int
    let world: ModelWorld
    nonisolated(unsafe) let registry: Registry

    /// Makes a node from its reads; the first may have been made already, over a parameter.
    func make(
        _ id: Int, _ reads: [ReadSpec], _ resolver: Resolver, first: ModelNode.Part? = nil, base: ModelNode? = nil,
        peer: ModelKey? = nil
    ) throws -> ModelNode {
        var parts: [ModelNode.Part] = first.map { [$0] } ?? []
        for read in reads.dropFirst(parts.count) { parts.append(try read.part(resolver, parts)) }
        if let base { parts.insert(.node(base), at: 0) }
        let node = ModelNode(
            maker: id, run: number, parts: parts,
            peer: peer.map { modelTypes[$0.type].wrapper($0.qualifier.map(Qualifier.named)) }, world: world)
        if world.keepsAll { world.kept.append(node) }
        return node
    }
}

extension Scope {
    /// The scope that random runs reset.
    static let modelScope = Scope("model")
}

/// A key type.
struct ModelType<Value: Sendable>: AnyModelType {
    let upcast: @Sendable (ModelNode) -> Value
    let node: @Sendable (Value) -> ModelNode

    func one(_ resolver: Resolver, _ qualifier: Qualifier?) throws -> ModelNode {
        node(try resolver.resolve(Value.self, qualifier: qualifier))
    }

    func optional(_ resolver: Resolver, _ qualifier: Qualifier?) throws -> ModelNode? {
        try resolver.resolve(Value?.self, qualifier: qualifier).map(node)
    }

    func all(_ resolver: Resolver, _ qualifier: Qualifier?, _ selection: ModuleSelection) throws -> [ModelNode] {
        try resolver.resolveAll(Value.self, qualifier: qualifier, from: selection).map(node)
    }

    func product<Payload>(_ resolver: Resolver, _ qualifier: Qualifier?, _ payload: Payload) throws -> ModelNode {
        node(try resolver.resolve(Value.self, with: payload, qualifier: qualifier))
    }

    func lazy(_ resolver: Resolver, _ qualifier: Qualifier?) throws -> ModelNode {
        node(try resolver.resolve(Lazy<Value>.self, qualifier: qualifier).resolved())
    }

    func wrapper(_ qualifier: Qualifier?) -> () throws -> ModelNode? {
        let dependency = Dependency<Value?>(qualifier: qualifier)
        return { try dependency.resolved().map(node) }
    }

    func ask(_ context: AppContext, _ read: ReadSpec) throws -> ModelNode.Part {
        switch read {
        case .one(let key): return .node(node(try context.resolve(Value.self, qualifier: key.named)))
        case .optional(let key):
            return try context.resolve(Value?.self, qualifier: key.named).map { .node(node($0)) } ?? .nothing
        case .all(let key, let selection):
            let all = try context.resolveAll(Value.self, qualifier: key.named, from: selection.modules)
            return .nodes(all.map(node))
        case .product(let key, text: true):
            return .node(node(try context.resolve(Value.self, with: "payload", qualifier: key.named)))
        case .product(let key, text: false):
            return .node(node(try context.resolve(Value.self, with: 7, qualifier: key.named)))
        case .chosen(_, let path): return .node(node(try context.resolve(Value.self, qualifier: .property(path))))
        case .property, .properties, .wrapper, .lazy, .peer, .caught: fatalError("Only makers read this")
        }
    }

    func existing(_ context: AppContext, _ qualifier: String?) -> ModelNode? {
        context.existing(Value.self, qualifier: qualifier.map(Qualifier.named)).map(node)
    }

    func register(_ spec: RegistrationSpec, _ run: ModelModuleRun) {
        let qualifier = spec.key.named
        let make: @Sendable (Resolver) throws -> Value = { resolver in
            upcast(try run.make(spec.id, spec.reads, resolver, peer: spec.peer))
        }
        switch spec.lifetime {
        case .singleton: finish(shared(spec, run, .singleton, make), spec, run)
        case .always: finish(shared(spec, run, .always, make), spec, run)
        case .custom: finish(shared(spec, run, .modelScope, make), spec, run)
        case .weak: finish(run.registry.register(Value.self, qualifier: qualifier, scope: .weak, make), spec)
        case .graph: finish(run.registry.register(Value.self, qualifier: qualifier, scope: .graph, make), spec)
        case .prototype:
            finish(run.registry.register(Value.self, qualifier: qualifier, scope: .prototype, make), spec)
        }
    }

    private func shared(
        _ spec: RegistrationSpec, _ run: ModelModuleRun, _ scope: Scope,
        _ make: @escaping @Sendable (Resolver) throws -> Value
    ) -> Registration<Value> {
        if spec.takesParameter, let type = spec.reads.first?.parameterType {
            return modelTypes[type].register(spec, run, for: self, scope: scope)
        }
        return run.registry.register(
            Value.self, qualifier: spec.key.named, scope: scope, make)
    }

    func register<Other: Sendable>(
        _ spec: RegistrationSpec, _ run: ModelModuleRun, for type: ModelType<Other>, scope: Scope
    ) -> Registration<Other> {
        let own = spec.key.named
        @Sendable func make(_ first: ModelNode.Part, _ resolver: Resolver) throws -> Other {
            type.upcast(try run.make(spec.id, spec.reads, resolver, first: first, peer: spec.peer))
        }
        switch spec.reads.first {
        case .one(let key):
            return run.registry.register(
                Other.self, qualifier: own, scope: scope, taking: [key.named, nil]
            ) { (part: Value, resolver: Resolver) in try make(.node(node(part)), resolver) }
        case .optional(let key):
            return run.registry.register(
                Other.self, qualifier: own, scope: scope, taking: [key.named, nil]
            ) { (part: Value?, resolver: Resolver) in
                try make(part.map { .node(node($0)) } ?? .nothing, resolver)
            }
        case .all(let key, _):
            return run.registry.register(
                Other.self, qualifier: own, scope: scope, taking: [key.named, nil]
            ) { (parts: [Value], resolver: Resolver) in try make(.nodes(parts.map(node)), resolver) }
        case .chosen(_, let path):
            return run.registry.register(
                Other.self, qualifier: own, scope: scope, taking: [.property(path), nil]
            ) { (part: Value, resolver: Resolver) in try make(.node(node(part)), resolver) }
        default:
            fatalError("No parameter")
        }
    }

    private func finish(_ registration: Registration<Value>, _ spec: RegistrationSpec, _ run: ModelModuleRun) {
        if spec.isPrimary { registration.primary() }
        for alias in spec.aliases {
            modelTypes[alias.type].addAlias(to: registration, alias.qualifier.map(Qualifier.named), of: self)
        }
        if !spec.injections.isEmpty {
            registration.injecting { (value, resolver: Resolver) in try inject(value, spec, resolver) }
        }
        registration.onDispose { [world = run.world] value in
            let node = node(value)
            world.disposed.append((node.maker, node.run, node.serial))
        }
    }

    private func finish(_ registration: UnheldRegistration<Value>, _ spec: RegistrationSpec) {
        if spec.isPrimary { registration.primary() }
        for alias in spec.aliases {
            modelTypes[alias.type].addAlias(to: registration, alias.qualifier.map(Qualifier.named), of: self)
        }
        if !spec.injections.isEmpty {
            registration.injecting { (value, resolver: Resolver) in try inject(value, spec, resolver) }
        }
    }

    private func inject(_ value: Value, _ spec: RegistrationSpec, _ resolver: Resolver) throws {
        let node = node(value)
        for read in spec.injections { node.injected.append(try read.part(resolver, node.parts)) }
    }

    func addAlias<Other>(to registration: Registration<Other>, _ qualifier: Qualifier?, of type: ModelType<Other>) {
        registration.alias(Value.self, qualifier: qualifier) { upcast(type.node($0)) }
    }

    func addAlias<Other>(
        to registration: UnheldRegistration<Other>, _ qualifier: Qualifier?, of type: ModelType<Other>
    ) {
        registration.alias(Value.self, qualifier: qualifier) { upcast(type.node($0)) }
    }

    func decorate(_ spec: DecoratorSpec, _ run: ModelModuleRun) {
        run.registry.decorate(Value.self, qualifier: spec.qualifier.map(Qualifier.named)) {
            (base, resolver: Resolver) in
            upcast(try run.make(spec.id, spec.reads, resolver, base: node(base)))
        }
    }

    func makeFactory(_ spec: FactorySpec, _ run: ModelModuleRun) {
        let qualifier = spec.key.named
        if spec.takesText {
            run.registry.factory(Value.self, qualifier: qualifier) { (payload: String, resolver: Resolver) in
                upcast(try run.make(spec.id, spec.reads, resolver))
            }
        } else {
            run.registry.factory(Value.self, qualifier: qualifier) { (payload: Int, resolver: Resolver) in
                upcast(try run.make(spec.id, spec.reads, resolver))
            }
        }
    }

    func replaceAll(in registry: Registry) {
        registry.replaceAll(Value.self)
    }
}

extension ReadSpec {
    /// The type of a parameter that makes this read.
    var parameterType: Int? {
        switch self {
        case .one(let key), .optional(let key), .all(let key, .all): key.type
        case .chosen(let type, _): type
        case .all, .property, .properties, .product, .wrapper, .lazy, .peer, .caught: nil
        }
    }

    /// Makes the read.
    func part(_ resolver: Resolver, _ earlier: [ModelNode.Part]) throws -> ModelNode.Part {
        switch self {
        case .one(let key):
            return .node(try modelTypes[key.type].one(resolver, key.named))
        case .optional(let key):
            return try modelTypes[key.type].optional(resolver, key.named)
                .map(ModelNode.Part.node) ?? .nothing
        case .all(let key, let selection):
            return .nodes(
                try modelTypes[key.type].all(resolver, key.named, selection.modules))
        case .chosen(let type, let path):
            return .node(try modelTypes[type].one(resolver, .property(path)))
        case .property(let path):
            return .text(try resolver.value(path, default: "none"))
        case .properties(let path):
            let values = try resolver.value(path, as: [String: String].self, default: [:])
            return .text(values.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: ","))
        case .product(let key, text: true):
            return .node(try modelTypes[key.type].product(resolver, key.named, "payload"))
        case .product(let key, text: false):
            return .node(try modelTypes[key.type].product(resolver, key.named, 7))
        case .wrapper(let key):
            return try modelTypes[key.type].wrapper(key.named)()
                .map(ModelNode.Part.node) ?? .nothing
        case .lazy(let key):
            return .node(try modelTypes[key.type].lazy(resolver, key.named))
        case .peer(let position):
            guard earlier.indices.contains(position), let peer = earlier[position].firstNode?.peer else {
                return .nothing
            }
            return try peer().map(ModelNode.Part.node) ?? .nothing
        case .caught(let read):
            do { return try read.part(resolver, earlier) } catch { return .failed }
        }
    }
}

extension ModelNode.Part {
    var firstNode: ModelNode? {
        switch self {
        case .node(let node): node
        case .nodes(let nodes): nodes.first
        case .text, .nothing, .failed: nil
        }
    }
}

extension ReadSpec.Selection {
    var modules: ModuleSelection {
        switch self {
        case .all: .all
        case .first: .first
        case .named(let module): .modules(named: "M\(module)")
        case .chosen(let module): .where { $0.name == "M\(module)" }
        }
    }
}

extension ModelKey {
    var named: Qualifier? { qualifier.map(Qualifier.named) }
}
