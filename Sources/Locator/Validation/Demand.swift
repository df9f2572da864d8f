/// What a parameter of a maker asks for, as far as its type tells.
struct Demand {
    /// The type that is asked for; that of the elements for a collection.
    var type: any Any.Type
    /// How it is asked for.
    var kind: DependencyKind
    /// Which of the type's answers is asked for.
    var shape = Shape.single
    /// Whether what is asked for may be made by an asynchronous factory.
    var isAwaited = false
    /// Whether it may be missing.
    var isOptional = false

    /// Which of a type's answers is asked for.
    enum Shape {
        case single
        case collection
        case factory(payload: any Any.Type)

        var query: Cell.Query.Kind {
            switch self {
            case .single: .single
            case .collection: .collection
            case .factory(let payload): .factory(payload: ObjectIdentifier(payload))
            }
        }
    }

    /// Whether all of a type's answers are asked for.
    var isCollection: Bool {
        if case .collection = shape { true } else { false }
    }

    /// Takes a type apart that is a way to ask, over any number of layers: `Lazy<[any Book]>`, `Provider<Page?>`.
    init(parameter: any Any.Type) {
        type = parameter
        kind = .direct
        while let way = type as? any InjectableParameter.Type {
            let (inner, innerKind) = way.dependency
            type = inner
            switch innerKind {
            case .direct:
                break
            case .optional:
                isOptional = true
                postpone(innerKind)
            case .lazy, .provider:
                postpone(innerKind)
            case .collection:
                shape = .collection
                postpone(innerKind)
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

    /// Takes over how a further layer asks, unless a layer around it asks later.
    private mutating func postpone(_ innerKind: DependencyKind) {
        switch kind {
        case .direct, .optional: kind = innerKind
        case .collection, .lazy, .provider, .factory, .resolver, .site: break
        }
    }
}

extension DependencyKind {
    /// Whether what is asked for is needed before the one that asks can be made.
    var isNeededWhileMaking: Bool {
        switch self {
        case .direct, .optional, .collection: true
        case .lazy, .provider, .factory, .resolver, .site: false
        }
    }
}
