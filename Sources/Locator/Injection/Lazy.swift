/// A dependency that is resolved on first access and cached.
///
/// If its registration changes, the next access picks up the new one.
///
/// As a parameter of an initializer, it breaks a dependency cycle or defers expensive work:
///
/// ```swift
/// final class MessagesService: Messages {
///     private let friends: Lazy<any Friends>
///     init(friends: Lazy<any Friends>) { self.friends = friends }
///     func senders() -> [Friend] { friends().all }
/// }
/// ```
///
/// A unit test can pass the instance: `MessagesService(friends: .value(FakeFriends()))`.
public struct Lazy<Value> {
    private let state: WrapperState
    /// The type that it was injected into, for a ``RequestSite``.
    private let holder = ThreadRecord.current.requestingType

    /// Returns a lazy dependency with a fixed value, for tests without a context.
    public static func value(_ value: Value, fileID: StaticString = #fileID, line: UInt = #line) -> Lazy {
        Lazy(state: .given(value, at: SourcePlace(fileID: fileID, line: line)))
    }

    /// Returns the instance.
    ///
    /// If it cannot be resolved, the program stops with the full error message.
    public func callAsFunction() -> Value { value }

    /// The instance.
    ///
    /// If it cannot be resolved, the program stops with the full error message.
    public var value: Value {
        withExtendedLifetime(state) {
            state.isSettled ? state.settledValue(as: Value.self) : state.value(ask)
        }
    }

    /// Returns the instance, or throws an error if it cannot be resolved.
    ///
    /// - Throws: ``LocatorError`` for the same reasons as ``AppContext/resolve(_:qualifier:fileID:line:)->Value``.
    public func resolved() throws(LocatorError) -> Value { try state.resolved(ask) }

    private func ask(_ site: WrapperSite, _ core: ContextCore) throws(LocatorError) -> Value {
        try DependencySource.ask(site, core, for: holder)
    }
}

extension Lazy: Sendable where Value: Sendable {}

extension Lazy: InjectableParameter {
    static var dependency: (type: any Any.Type, kind: DependencyKind) { (Value.self, .lazy) }

    static func injected(for request: ParameterRequest) -> Lazy<Value> {
        let core = Unmanaged.passUnretained(request.core)
        return Lazy(state: WrapperState(core.site(Value.self, request.qualifier, request.location), core: core))
    }
}
