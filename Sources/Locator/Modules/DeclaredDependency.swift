/// A dependency of a registration or a decorator, as known from the type of a parameter.
///
/// This is the only description of a dependency. Validation, the graph, explanations, the cells of a recipe, and the
/// decision what a child shares with its parent are all based on it.
struct DeclaredDependency: Sendable {
    /// The parameter's type as it is written: `Lazy<[any Book]>`.
    let parameter: any Any.Type
    /// The qualifier that was passed for the parameter.
    let qualifier: Qualifier?
    let phase: Phase
    /// The type that is resolved; for a collection, the type of the elements.
    private(set) var type: any Any.Type
    private(set) var kind = DependencyKind.direct
    private(set) var shape = Shape.single
    /// Whether it may be made by an asynchronous factory.
    private(set) var isAwaited = false
    private(set) var isOptional = false

    enum Phase {
        /// Before the instance is made, or passed to its factory closure to be resolved later.
        case making
        /// After the instance was made, by `.injecting`.
        case injection
        /// The registration that an alias forwards to or a decorator wraps.
        case layer
    }

    /// The shape of an answer: one instance, a collection, or the product of a factory.
    enum Shape {
        case single
        case collection
        case factory(payload: any Any.Type)
    }

    /// Unwraps an injectable parameter with any number of layers: `Lazy<[any Book]>`, `Provider<Page?>`.
    init(_ parameter: any Any.Type, qualifier: Qualifier? = nil, phase: Phase = .making) {
        self.parameter = parameter
        self.qualifier = qualifier
        self.phase = phase
        type = parameter
        while let way = injectable(type) {
            let (inner, innerKind) = way.dependency
            type = inner
            // A layer around it may resolve later.
            if kind == .direct || kind == .optional { kind = innerKind }
            switch innerKind {
            case .direct, .lazy, .provider:
                break
            case .optional:
                isOptional = true
            case .collection:
                shape = .collection
                return
            case .factory:
                if let payload = way.payload { shape = .factory(payload: payload) }
                isAwaited = way.isAwaited
                kind = innerKind
                return
            case .resolver, .site:
                kind = innerKind
                return
            }
        }
    }

    /// Whether all instances of the type are resolved.
    var isCollection: Bool {
        if case .collection = shape { true } else { false }
    }

    /// Whether the instance holds it until the instance ends.
    var isHeld: Bool {
        switch kind {
        case .direct, .optional, .collection: true
        case .lazy, .provider, .factory, .resolver, .site: phase == .layer
        }
    }

    /// Whether it is resolved before the instance can be made.
    var isNeededWhileMaking: Bool { isHeld && phase != .injection }
}

extension [DeclaredDependency] {
    /// Creates the dependencies of parameters.
    init(_ parameters: [any Any.Type], _ qualifiers: [Qualifier?] = [], phase: DeclaredDependency.Phase = .making) {
        self = parameters.enumerated().map { position, parameter in
            DeclaredDependency(parameter, qualifier: qualifiers.isEmpty ? nil : qualifiers[position], phase: phase)
        }
    }
}
