/// The parameters of a maker: how many, and of which types.
struct Parameters {
    let count: Int
    let types: @Sendable () -> [any Any.Type]

    init<each Value>(_ types: repeat (each Value).Type) {
        var count = 0
        for _ in repeat each types { count += 1 }
        self.count = count
        self.types = {
            var list: [any Any.Type] = []
            repeat list.append((each Value).self)
            return list
        }
    }
}

/// Hands a maker its arguments, one after the other.
struct Arguments {
    private let resolver: Resolver
    private let taking: [Qualifier?]
    private var position = 0

    init(_ resolver: Resolver, taking: [Qualifier?]) {
        self.resolver = resolver
        self.taking = taking
    }

    /// The argument for the next parameter, which has this type.
    mutating func next<Value>(_ type: Value.Type) throws -> Value {
        let qualifier = taking.isEmpty ? nil : taking[position]
        position += 1
        return try resolver.argument(type, qualifier: qualifier)
    }
}

/// A type of parameter that is a way to ask rather than a thing that is registered.
protocol InjectableParameter {
    /// What is asked for, and how.
    static var dependency: (type: any Any.Type, kind: DependencyKind) { get }

    /// The type of the payload, where the parameter is a factory.
    static var payload: (any Any.Type)? { get }

    /// The argument for a parameter of this type.
    static func injected(by resolver: Resolver, qualifier: Qualifier?) throws -> Self
}

extension InjectableParameter {
    static var payload: (any Any.Type)? { nil }
}

/// How one registration depends on what it asks for.
public enum DependencyKind: String, Sendable, Hashable, Codable {
    /// The instance itself, needed while making.
    case direct
    /// The instance, or nil where nothing is registered.
    case optional
    /// Every instance of a type.
    case collection
    /// The instance, when it is first used.
    case lazy
    /// The instance, each time it is asked for.
    case provider
    /// A function from a payload to an instance.
    case factory
    /// Decided at run time; not known before.
    case resolver
}
