/// A dependency that is resolved on every call: a new instance of a prototype, or the current instance of any other
/// scope.
///
/// ```swift
/// registry.register(Queue.self) { (jobs: Provider<Job>) in Queue(makeJob: { try jobs() }) }
/// ```
public struct Provider<Value>: Sendable {
    private let request: ParameterRequest
    /// The type that it was injected into, for a ``RequestSite``.
    private let holder = ThreadRecord.current.requestingType

    /// Resolves the dependency.
    ///
    /// - Throws: ``LocatorError`` for the same reasons as ``AppContext/resolve(_:qualifier:fileID:line:)->Value``.
    public func callAsFunction() throws(LocatorError) -> Value {
        try ThreadRecord.current.requesting(for: holder, at: request.location) { () throws(LocatorError) in
            try request.core.resolve(Value.self, qualifier: request.qualifier, location: request.location)
        }
    }
}

extension Provider: InjectableParameter {
    static var dependency: (type: any Any.Type, kind: DependencyKind) { (Value.self, .provider) }

    static func injected(for request: ParameterRequest) -> Provider<Value> { Provider(request: request) }
}
