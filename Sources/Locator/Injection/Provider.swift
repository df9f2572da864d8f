/// A dependency that is asked for each time: a new instance of a prototype, the current one of anything else.
///
/// ```swift
/// registry.register(Queue.self) { (jobs: Provider<Job>) in Queue(makeJob: { try jobs() }) }
/// ```
public struct Provider<Value>: Sendable {
    private let request: ParameterRequest
    /// What is made from it, for a ``RequestSite``.
    private let holder = ThreadRecord.current.requestingType

    /// Asks the context.
    ///
    /// - Throws: ``LocatorError`` if nothing is registered, if several registrations could answer, if the instance
    ///   needs itself, if it belongs to another actor, if `start()` has not created it yet, or if its initializer or
    ///   one of its dependencies fails.
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
