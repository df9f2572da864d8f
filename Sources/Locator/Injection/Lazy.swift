/// A dependency that is asked for when it is first used, and then kept for as long as the answer is the same.
///
/// As a parameter of a maker it closes a circle, and postpones what is expensive:
///
/// ```swift
/// final class MessagesService: Messages {
///     private let friends: Lazy<any Friends>
///     init(friends: Lazy<any Friends>) { self.friends = friends }
///     func senders() -> [Friend] { friends().all }
/// }
/// ```
public struct Lazy<Value> {
    private let state: WrapperState
    /// What is made from it, for a ``RequestSite``.
    private let holder = ThreadRecord.current.requestingType

    /// The instance.
    ///
    /// Where there is none the program stops with the full text of the error.
    public func callAsFunction() -> Value { value }

    /// The instance.
    ///
    /// Where there is none the program stops with the full text of the error.
    public var value: Value {
        withExtendedLifetime(state) {
            state.isSettled ? state.settledValue(as: Value.self) : state.value(ask)
        }
    }

    /// The instance, or an error where there is none.
    ///
    /// - Throws: ``LocatorError`` if nothing is registered, if several registrations could answer, if the instance
    ///   needs itself, if it belongs to another actor, if `start()` has not created it yet, or if its initializer or
    ///   one of its dependencies fails.
    public func resolved() throws(LocatorError) -> Value { try state.resolved(ask) }

    private func ask(_ site: WrapperSite, _ core: ContextCore) throws(LocatorError) -> Value {
        try DependencySource.ask(site, core, for: holder)
    }
}

extension Lazy: Sendable where Value: Sendable {}

extension Lazy: InjectableParameter {
    static var dependency: (type: any Any.Type, kind: DependencyKind) { (Value.self, .lazy) }

    static func injected(for request: ParameterRequest) -> Lazy<Value> {
        let site = request.core.site(Value.self, request.qualifier, request.location)
        return Lazy(state: WrapperState(site, core: .passUnretained(request.core)))
    }
}
