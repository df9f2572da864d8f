/// The injectable parameter that a type is, or nil if it is a type that is registered.
///
/// No class is one. Telling a class costs little; looking for a conformance, in ten thousand types, much.
func injectable(_ type: any Any.Type) -> (any InjectableParameter.Type)? {
    if type is AnyClass { return nil }
    return type as? any InjectableParameter.Type
}

/// A type of parameter that the context makes, and that is not registered: `Lazy<T>`, `[T]`, `T?`.
protocol InjectableParameter {
    /// What is asked for, and how.
    static var dependency: (type: any Any.Type, kind: DependencyKind) { get }

    /// The type of the payload, where the parameter is a factory.
    static var payload: (any Any.Type)? { get }

    /// Whether the factory may be an asynchronous one.
    static var isAwaited: Bool { get }

    /// The argument for a parameter of this type.
    static func injected(for request: ParameterRequest) throws -> Self
}

extension InjectableParameter {
    static var payload: (any Any.Type)? { nil }
    static var isAwaited: Bool { false }
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
    /// Who asks, as a ``RequestSite``; nothing has to be registered for it.
    case site
}
