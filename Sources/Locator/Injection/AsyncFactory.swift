/// A registered factory as a function that you call in asynchronous code.
///
/// The factory itself can be synchronous or asynchronous.
///
/// ```swift
/// final class Client: Sendable {
///     private let connect: AsyncFactory<String, Connection>
///     init(connect: AsyncFactory<String, Connection>) { self.connect = connect }
///     func open(_ host: String) async throws -> Connection { try await connect(host) }
/// }
/// ```
///
/// To call a factory with several payloads, pass the elements of its tuple, as with a ``Factory``.
///
/// A unit test can pass a closure: `Client(connect: AsyncFactory { FakeConnection(host: $0) })`.
public struct AsyncFactory<Payload, Value>: Sendable {
    // Not an overload of `Factory.callAsFunction`: in a closure with a single expression, the compiler would choose the
    // synchronous one.

    private let make: nonisolated(nonsending) @Sendable (Payload) async throws(LocatorError) -> Value

    /// Creates a factory that calls a closure, for tests without a context.
    ///
    /// The closure runs on the actor that calls the factory. If the closure throws an error, the factory throws
    /// ``LocatorError/Kind/initializationFailed(_:_:)`` with that error.
    public init<Failure: Error>(
        _ make: nonisolated(nonsending) @escaping @Sendable (Payload) async throws(Failure) -> Value
    ) {
        self.make = { (payload) async throws(LocatorError) in
            do { return try await make(payload) } catch { throw LocatorError(making: Value.self, failed: error) }
        }
    }

    private init(
        resolving make: nonisolated(nonsending) @escaping @Sendable (Payload) async throws(LocatorError) -> Value
    ) {
        self.make = make
    }

    /// Creates a value from a payload.
    ///
    /// - Throws: ``LocatorError`` if no factory of the type takes this payload, if it or one of its dependencies fails,
    ///   if the setting of the qualifier is missing, or if the context has ended. An error of the factory, including
    ///   `CancellationError`, is its ``LocatorError/underlying`` error.
    public func callAsFunction(
        _ payload: Payload, isolation: isolated (any Actor)? = #isolation
    ) async throws(LocatorError) -> Value {
        try await make(payload)
    }

    /// Creates a value from several payloads, the elements of the factory's tuple.
    ///
    /// - Throws: ``LocatorError`` for the same reasons as with one payload.
    public func callAsFunction<each Part>(
        _ part: repeat each Part, isolation: isolated (any Actor)? = #isolation
    ) async throws(LocatorError) -> Value where Payload == (repeat each Part) {
        try await callAsFunction((repeat each part), isolation: isolation)
    }
}

extension AsyncFactory: InjectableParameter {
    static var dependency: (type: any Any.Type, kind: DependencyKind) { (Value.self, .factory) }

    static var payload: (any Any.Type)? { Payload.self }

    static var isAwaited: Bool { true }

    static func injected(for request: ParameterRequest) -> AsyncFactory<Payload, Value> {
        // The type that it is injected into, for a `RequestSite`.
        let holder = ThreadRecord.current.requestingType
        return AsyncFactory(resolving: { (payload) async throws(LocatorError) in
            try await request.core.resolve(
                Value.self, with: payload, qualifier: request.qualifier, location: request.location,
                holder: .some(holder))
        })
    }
}
