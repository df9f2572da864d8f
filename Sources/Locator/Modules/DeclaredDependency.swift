internal import Synchronization

/// One thing that a registration or a decorator depends on, as far as the type of a parameter tells.
///
/// This is the only description of a dependency: validation, the graph, explanations, the cells of a recipe, and what a
/// child shares with its parent are all found from it.
struct DeclaredDependency: Sendable {
    /// The parameter's type as it is written: `Lazy<[any Book]>`.
    let parameter: any Any.Type
    /// The qualifier that was named for the parameter.
    let qualifier: Qualifier?
    /// When it is resolved.
    let phase: Phase
    /// The type that is resolved; that of the elements for a collection.
    private(set) var type: any Any.Type
    /// How it is resolved.
    private(set) var kind = DependencyKind.direct
    /// Which of the type's answers is resolved.
    private(set) var shape = Shape.single
    /// Whether it may be made by an asynchronous factory.
    private(set) var isAwaited = false
    /// Whether it may be missing.
    private(set) var isOptional = false

    enum Phase {
        /// Before the instance is made, or handed to its factory closure to be resolved later.
        case making
        /// After the instance was made, by `.injecting`.
        case injection
        /// It is what an alias or a decorator stands on.
        case layer
    }

    /// Which of a type's answers is resolved.
    enum Shape {
        case single
        case collection
        case factory(payload: any Any.Type)
    }

    /// Takes an injectable parameter apart, over any number of layers: `Lazy<[any Book]>`, `Provider<Page?>`.
    init(_ parameter: any Any.Type, qualifier: Qualifier? = nil, phase: Phase = .making) {
        self.parameter = parameter
        self.qualifier = qualifier
        self.phase = phase
        type = parameter
        while let way = injectable(type) {
            let (inner, innerKind) = way.dependency
            type = inner
            // A layer around it may ask later.
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

    /// Whether all of a type's answers are resolved.
    var isCollection: Bool {
        if case .collection = shape { true } else { false }
    }

    /// Whether the instance holds it for as long as it lives.
    var isHeld: Bool {
        switch kind {
        case .direct, .optional, .collection: true
        case .lazy, .provider, .factory, .resolver, .site: phase == .layer
        }
    }

    /// Whether it is resolved before the instance can be made.
    var isNeededWhileMaking: Bool { isHeld && phase != .injection }
}

/// The dependencies of a registration or a decorator, which are found when they are first needed.
struct DeclaredDependencies: ~Copyable {
    private final class List: Sendable {
        let all: [DeclaredDependency]

        init(_ all: [DeclaredDependency]) {
            self.all = all
        }
    }

    // Many threads may find the list at the same time; they find the same one, and one of these is kept.
    private let list = AtomicLazyReference<List>()

    func all(_ find: () -> [DeclaredDependency]) -> [DeclaredDependency] {
        (list.load() ?? list.storeIfNil(List(find()))).all
    }
}

extension [DeclaredDependency] {
    /// What parameters depend on.
    init(_ parameters: [any Any.Type], _ qualifiers: [Qualifier?] = [], phase: DeclaredDependency.Phase = .making) {
        self = parameters.enumerated().map { position, parameter in
            DeclaredDependency(parameter, qualifier: qualifiers.isEmpty ? nil : qualifiers[position], phase: phase)
        }
    }
}
