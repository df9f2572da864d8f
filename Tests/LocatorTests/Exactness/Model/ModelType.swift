import Locator

/// A run of a module's closure, which makes nodes.
struct ModelModuleRun: Sendable {
    let number: Int
    let world: ModelWorld
    nonisolated(unsafe) let registry: Registry

    /// Makes a node from its reads.
    ///
    /// The first read may be the result of a parameter.
    func make(
        _ id: Int, _ reads: [ReadSpec], _ resolver: Resolver, first: ModelNode.Part? = nil, base: ModelNode? = nil,
        peer: WrapperSpec? = nil, flag: Int? = nil
    ) throws -> ModelNode {
        var parts: [ModelNode.Part] = first.map { [$0] } ?? []
        for read in reads.dropFirst(parts.count) { parts.append(try read.part(resolver, parts, world)) }
        if let base { parts.insert(.node(base), at: 0) }
        if let flag, world.flags.contains(flag) { throw ModelFailure(maker: id) }
        let node = ModelNode(
            maker: id, run: number, parts: parts, peer: try peer?.read(with: resolver), world: world)
        if world.keepsAll { world.keep(node) }
        return node
    }
}

extension Scope {
    /// The scopes that children open and random runs reset.
    static let modelScopes = [Scope("model 0"), Scope("model 1")]
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

    func wrapper(_ spec: WrapperSpec, _ resolver: Resolver?) throws -> () throws -> ModelNode.Part {
        switch spec {
        case .one(let key):
            let dependency = Dependency<Value>(qualifier: key.named)
            return { .node(node(try dependency.resolved())) }
        case .optional(let key):
            let dependency = Dependency<Value?>(qualifier: key.named)
            return { try dependency.resolved().map { .node(node($0)) } ?? .nothing }
        case .all(let key):
            let dependency = DependencyArray<Value>(qualifier: key.named)
            return { .nodes(try dependency.resolved().map(node)) }
        case .lazy(let key):
            guard let resolver else { fatalError("Only makers have this") }
            let lazy = try resolver.resolve(Lazy<Value>.self, qualifier: key.named)
            return { .node(node(try lazy.resolved())) }
        case .property, .configuration: fatalError("Not of this type")
        }
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
        case .property, .properties, .demanded, .configuration, .wrapper, .peer, .holder, .caught:
            fatalError("Only makers read this")
        }
    }

    func existing(_ context: AppContext, _ qualifier: String?) -> ModelNode? {
        context.existing(Value.self, qualifier: qualifier.map(Qualifier.named)).map(node)
    }

    func register(_ spec: RegistrationSpec, _ run: ModelModuleRun) {
        let qualifier = spec.key.named
        let make: @Sendable (Resolver) throws -> Value = { resolver in
            upcast(try run.make(spec.id, spec.reads, resolver, peer: spec.peer, flag: spec.flag))
        }
        if spec.isInput, case .custom(let number) = spec.lifetime {
            return finish(
                run.registry.input(Value.self, qualifier: qualifier, scope: .modelScopes[number]), spec)
        }
        switch spec.lifetime {
        case .singleton: finish(shared(spec, run, .singleton, make), spec, run)
        case .always: finish(shared(spec, run, .always, make), spec, run)
        case .custom(let number): finish(shared(spec, run, .modelScopes[number], make), spec, run)
        case .weak: finish(run.registry.register(Value.self, qualifier: qualifier, scope: .weak, make), spec, run)
        case .graph: finish(run.registry.register(Value.self, qualifier: qualifier, scope: .graph, make), spec, run)
        case .prototype:
            finish(run.registry.register(Value.self, qualifier: qualifier, scope: .prototype, make), spec, run)
        }
    }

    private func shared(
        _ spec: RegistrationSpec, _ run: ModelModuleRun, _ scope: Scope,
        _ make: @escaping @Sendable (Resolver) throws -> Value
    ) -> Registration<Value> {
        if let type = spec.parameter?.parameterType {
            return modelTypes[type].register(spec, run, for: self, scope: scope)
        }
        if case .configuration? = spec.parameter {
            @Sendable func make(_ settings: ModelSettings, _ resolver: Resolver) throws -> Value {
                let first = ModelNode.Part.text(settings.text)
                return upcast(
                    try run.make(spec.id, spec.reads, resolver, first: first, peer: spec.peer, flag: spec.flag))
            }
            if spec.isAsynchronous {
                return run.registry.register(
                    Value.self, qualifier: spec.key.named, scope: scope,
                    async: { (settings: ModelSettings, resolver: Resolver) async throws in
                        try make(settings, resolver)
                    })
            }
            return run.registry.register(Value.self, qualifier: spec.key.named, scope: scope, make)
        }
        if spec.isAsynchronous {
            return run.registry.register(
                Value.self, qualifier: spec.key.named, scope: scope,
                async: { (resolver: Resolver) async throws in try make(resolver) })
        }
        return run.registry.register(Value.self, qualifier: spec.key.named, scope: scope, make)
    }

    func register<Other: Sendable>(
        _ spec: RegistrationSpec, _ run: ModelModuleRun, for type: ModelType<Other>, scope: Scope
    ) -> Registration<Other> {
        let own = spec.key.named
        @Sendable func make(_ first: ModelNode.Part, _ resolver: Resolver) throws -> Other {
            type.upcast(
                try run.make(spec.id, spec.reads, resolver, first: first, peer: spec.peer, flag: spec.flag))
        }
        /// Registers a factory closure with one parameter, which may be asynchronous.
        func register<Parameter>(
            _ qualifier: Qualifier?, _ part: @escaping @Sendable (Parameter) -> ModelNode.Part
        ) -> Registration<Other> {
            if spec.isAsynchronous {
                return run.registry.register(
                    Other.self, qualifier: own, scope: scope, parameterQualifiers: [qualifier, nil],
                    async: { (parameter: Parameter, resolver: Resolver) async throws in
                        try make(part(parameter), resolver)
                    })
            }
            return run.registry.register(
                Other.self, qualifier: own, scope: scope, parameterQualifiers: [qualifier, nil]
            ) {
                (parameter: Parameter, resolver: Resolver) in
                try make(part(parameter), resolver)
            }
        }
        switch spec.reads.first {
        case .one(let key): return register(key.named) { (part: Value) in .node(node(part)) }
        case .optional(let key):
            return register(key.named) { (part: Value?) in part.map { .node(node($0)) } ?? .nothing }
        case .all(let key, _): return register(key.named) { (parts: [Value]) in .nodes(parts.map(node)) }
        case .chosen(_, let path): return register(.property(path)) { (part: Value) in .node(node(part)) }
        default: fatalError("No parameter")
        }
    }

    private func finish(_ registration: Registration<Value>, _ spec: RegistrationSpec, _ run: ModelModuleRun) {
        if spec.isPrimary { registration.primary() }
        for alias in spec.aliases {
            modelTypes[alias.type].addAlias(to: registration, alias.qualifier.map(Qualifier.named), of: self)
        }
        if !spec.injections.isEmpty {
            registration.injecting { (value, resolver: Resolver) in try inject(value, spec, resolver, run.world) }
        }
        guard spec.hasHook else { return }
        registration.onDispose { [world = run.world] value in
            world.disposed.append((node(value).serial, ObjectIdentifier(AppContext.current)))
        }
    }

    private func finish(_ registration: UnretainedRegistration<Value>, _ spec: RegistrationSpec, _ run: ModelModuleRun)
    {
        if spec.isPrimary { registration.primary() }
        for alias in spec.aliases {
            modelTypes[alias.type].addAlias(to: registration, alias.qualifier.map(Qualifier.named), of: self)
        }
        if !spec.injections.isEmpty {
            registration.injecting { (value, resolver: Resolver) in try inject(value, spec, resolver, run.world) }
        }
    }

    private func finish(_ input: InputRegistration<Value>, _ spec: RegistrationSpec) {
        if spec.isPrimary { input.primary() }
        for alias in spec.aliases {
            modelTypes[alias.type].addAlias(to: input, alias.qualifier.map(Qualifier.named), of: self)
        }
    }

    private func inject(
        _ value: Value, _ spec: RegistrationSpec, _ resolver: Resolver, _ world: ModelWorld
    ) throws {
        let node = node(value)
        for read in spec.injections { node.inject(try read.part(resolver, node.parts, world)) }
    }

    func addAlias<Other>(to registration: Registration<Other>, _ qualifier: Qualifier?, of type: ModelType<Other>) {
        registration.alias(Value.self, qualifier: qualifier) { upcast(type.node($0)) }
    }

    func addAlias<Other>(
        to registration: UnretainedRegistration<Other>, _ qualifier: Qualifier?, of type: ModelType<Other>
    ) {
        registration.alias(Value.self, qualifier: qualifier) { upcast(type.node($0)) }
    }

    func addAlias<Other>(
        to registration: InputRegistration<Other>, _ qualifier: Qualifier?, of type: ModelType<Other>
    ) {
        registration.alias(Value.self, qualifier: qualifier) { upcast(type.node($0)) }
    }

    func input(_ node: ModelNode, _ qualifier: Qualifier?) -> Input {
        .input(upcast(node), as: Value.self, qualifier: qualifier)
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
    /// The type of the parameter for this read.
    var parameterType: Int? {
        switch self {
        case .one(let key), .optional(let key), .all(let key, .all): key.type
        case .chosen(let type, _): type
        case .all, .property, .properties, .demanded, .product, .configuration, .wrapper, .peer, .holder, .caught: nil
        }
    }

    /// Whether a parameter can be this read.
    var isParameter: Bool { if case .configuration = self { true } else { parameterType != nil } }

    /// Performs the read.
    func part(
        _ resolver: Resolver, _ earlier: [ModelNode.Part], _ world: ModelWorld
    ) throws -> ModelNode.Part {
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
        case .configuration: return .text(try resolver.resolve(ModelSettings.self).text)
        case .demanded(let path):
            let text = try resolver.value(path, default: "none")
            if text == "2" { throw ModelFailure(maker: -1) }
            return .text(text)
        case .product(let key, text: true):
            return .node(try modelTypes[key.type].product(resolver, key.named, "payload"))
        case .product(let key, text: false):
            return .node(try modelTypes[key.type].product(resolver, key.named, 7))
        case .wrapper(let wrapper):
            return try wrapper.read(with: resolver)()
        case .peer(let position):
            guard earlier.indices.contains(position), let peer = earlier[position].firstNode?.peer else {
                return .nothing
            }
            return try peer()
        case .holder(let type, let relation):
            return try world.readHolder?(type, relation) ?? .nothing
        case .caught(let read):
            do { return try read.part(resolver, earlier, world) } catch { return .failed }
        }
    }
}

extension WrapperSpec {
    /// Creates the wrapper in the current context, and returns the closure that reads it.
    func read(with resolver: Resolver?) throws -> () throws -> ModelNode.Part {
        switch self {
        case .one(let key), .optional(let key), .all(let key), .lazy(let key):
            return try modelTypes[key.type].wrapper(self, resolver)
        case .property(let path):
            let value = PropertyValue<String>(path, default: "none")
            return { .text(try value.resolved()) }
        case .configuration:
            let settings = Dependency<ModelSettings>()
            return { .text(try settings.resolved().text) }
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
