/// A dependency that is asked for each time: a new instance of a prototype, the current one of anything else.
///
/// ```swift
/// registry.register(Queue.self) { (jobs: Provider<Job>) in Queue(makeJob: { try jobs() }) }
/// ```
public struct Provider<Value>: Sendable {
    private let core: ContextCore
    private let qualifier: Qualifier?
    private let location: SourcePlace
    /// What is made from it, for a ``RequestSite``.
    private let holder: (any Any.Type)?

    init(core: ContextCore, qualifier: Qualifier?, location: SourcePlace) {
        holder = ThreadRecord.current.askingType
        self.core = core
        self.qualifier = qualifier
        self.location = location
    }

    /// Asks the context.
    ///
    /// - Throws: ``LocatorError`` if nothing is registered, if several registrations could answer, if the instance
    ///   needs itself, if it belongs to another actor, if `start()` has not created it yet, or if its initializer or
    ///   one of its dependencies fails.
    public func callAsFunction() throws(LocatorError) -> Value {
        try ThreadRecord.current.asking(for: holder, at: location) { () throws(LocatorError) in
            try core.resolve(Value.self, qualifier: qualifier, location: location)
        }
    }
}

extension Provider: InjectableParameter {
    static var dependency: (type: any Any.Type, kind: DependencyKind) { (Value.self, .provider) }

    static func injected(by resolver: Resolver, qualifier: Qualifier?, location: SourcePlace) -> Provider<Value> {
        Provider(core: resolver.core, qualifier: qualifier, location: location)
    }
}
