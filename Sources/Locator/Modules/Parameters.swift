/// The type as an injectable parameter, such as `Lazy`; nil for a registered type.
///
/// No class conforms. Recognizing a class is cheap, while looking up a conformance among ten thousand types is not.
func injectable(_ type: any Any.Type) -> (any InjectableParameter.Type)? {
    if type is AnyClass { return nil }
    return type as? any InjectableParameter.Type
}

/// A parameter type that the context provides, instead of a registered type.
protocol InjectableParameter {
    /// The type of the dependency, and how it is resolved.
    static var dependency: (type: any Any.Type, kind: DependencyKind) { get }

    /// The type of the payload, if the parameter is a factory.
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

/// How a registration depends on another one.
enum DependencyKind {
    /// The instance itself, resolved before the closure runs.
    case direct
    /// The instance, or nil if the type is not registered.
    case optional
    /// All instances of a type.
    case collection
    /// The instance, resolved on first access.
    case lazy
    /// The instance, resolved on every call.
    case provider
    /// A function from a payload to an instance.
    case factory
    /// The dependencies that the closure resolves at run time.
    case resolver
    /// The place of the request, as a ``RequestSite``. It needs no registration.
    case site
}
