/// The request of a parameter, as far as its type shows it.
struct Demand {
    /// The requested type; the element type of a collection.
    var type: any Any.Type
    /// The kind of the dependency.
    var kind: DependencyKind
    /// Which answers of the type are requested.
    var shape = Shape.single
    /// Whether an asynchronous factory may make it.
    var isAwaited = false
    /// Whether it may be missing.
    var isOptional = false

    /// Which answers of a type are requested.
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

    /// Whether all answers of the type are requested.
    var isCollection: Bool {
        if case .collection = shape { true } else { false }
    }

    /// Unwraps a parameter type with any number of layers, such as `Lazy<[any Book]>` or `Provider<Page?>`.
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

    /// Takes over the kind of an inner layer, unless an outer layer resolves later.
    private mutating func postpone(_ innerKind: DependencyKind) {
        switch kind {
        case .direct, .optional: kind = innerKind
        case .collection, .lazy, .provider, .factory, .resolver, .site: break
        }
    }
}

extension DependencyKind {
    /// Whether the dependency must exist before the dependent instance is made.
    var isNeededWhileMaking: Bool {
        switch self {
        case .direct, .optional, .collection: true
        case .lazy, .provider, .factory, .resolver, .site: false
        }
    }
}
