/// A dependency that is resolved on every call.
///
/// Each call returns a new instance of a prototype, or the current instance of a singleton.
///
/// ```swift
/// registry.register(Queue.self) { (jobs: Provider<Job>) in Queue(makeJob: { try jobs() }) }
/// ```
///
/// A unit test can pass a closure: `Queue(makeJob: Provider { FakeJob() })`.
public struct Provider<Value>: Sendable {
    private let make: @Sendable () throws(LocatorError) -> Value

    /// Creates a provider that calls a closure, for tests without a context.
    ///
    /// If the closure throws an error, the provider throws ``LocatorError/Kind/initializationFailed(_:_:)`` with that
    /// error.
    public init<Failure: Error>(_ make: @escaping @Sendable () throws(Failure) -> Value) {
        self.make = { () throws(LocatorError) in
            do { return try make() } catch { throw LocatorError(making: Value.self, failed: error) }
        }
    }

    private init(resolving make: @escaping @Sendable () throws(LocatorError) -> Value) { self.make = make }

    /// Resolves the dependency.
    ///
    /// - Throws: ``LocatorError`` for the same reasons as ``AppContext/resolve(_:qualifier:fileID:line:)->Value``.
    public func callAsFunction() throws(LocatorError) -> Value { try make() }
}

extension Provider: InjectableParameter {
    static var dependency: (type: any Any.Type, kind: DependencyKind) { (Value.self, .provider) }

    static func injected(for request: ParameterRequest) -> Provider<Value> {
        // The type that it is injected into, for a `RequestSite`.
        let holder = ThreadRecord.current.requestingType
        return Provider(resolving: { () throws(LocatorError) in
            try ThreadRecord.current.requesting(for: holder, at: request.location) { () throws(LocatorError) in
                try request.core.resolve(Value.self, qualifier: request.qualifier, location: request.location)
            }
        })
    }
}
