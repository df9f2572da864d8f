/// A registered factory as a function from a payload to an instance.
///
/// ```swift
/// final class FriendList {
///     private let info: Factory<FriendPayload, FriendInfo>
///     init(info: Factory<FriendPayload, FriendInfo>) { self.info = info }
///     func open(_ name: String) throws -> FriendInfo { try info(FriendPayload(name: name)) }
/// }
/// ```
///
/// The payload of a factory with several payloads is a tuple. Pass its elements: call a `Factory<(Int, String), Item>`
/// as `try item(1, "Lamp")`. Inject an asynchronous factory as an ``AsyncFactory``.
///
/// A unit test can pass a closure: `FriendList(info: Factory { FriendInfo(name: $0.name) })`.
public struct Factory<Payload, Value>: Sendable {
    private let make: @Sendable (Payload) throws(LocatorError) -> Value

    /// Creates a factory that calls a closure, for tests without a context.
    ///
    /// If the closure throws an error, the factory throws ``LocatorError/Kind/initializationFailed(_:_:)`` with that
    /// error.
    public init<Failure: Error>(_ make: @escaping @Sendable (Payload) throws(Failure) -> Value) {
        self.make = { (payload) throws(LocatorError) in
            do { return try make(payload) } catch { throw LocatorError(making: Value.self, failed: error) }
        }
    }

    private init(resolving make: @escaping @Sendable (Payload) throws(LocatorError) -> Value) { self.make = make }

    /// Creates a value from a payload.
    ///
    /// - Throws: ``LocatorError`` if no factory of the type takes this payload, if the factory is asynchronous, if it
    ///   or one of its dependencies fails, if the setting of the qualifier is missing, or if the context has ended.
    public func callAsFunction(_ payload: Payload) throws(LocatorError) -> Value { try make(payload) }

    /// Creates a value from several payloads, the elements of the factory's tuple.
    ///
    /// - Throws: ``LocatorError`` for the same reasons as with one payload.
    public func callAsFunction<each Part>(
        _ part: repeat each Part
    ) throws(LocatorError) -> Value where Payload == (repeat each Part) {
        try callAsFunction((repeat each part))
    }
}

extension Factory: InjectableParameter {
    static var dependency: (type: any Any.Type, kind: DependencyKind) { (Value.self, .factory) }

    static var payload: (any Any.Type)? { Payload.self }

    static func injected(for request: ParameterRequest) -> Factory<Payload, Value> {
        // The type that it is injected into, for a `RequestSite`.
        let holder = ThreadRecord.current.requestingType
        return Factory(resolving: { (payload) throws(LocatorError) in
            try ThreadRecord.current.requesting(for: holder, at: request.location) { () throws(LocatorError) in
                try request.core.resolve(
                    Value.self, with: payload, qualifier: request.qualifier, location: request.location)
            }
        })
    }
}
