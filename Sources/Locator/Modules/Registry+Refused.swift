/// Registrations that do not work, so that the compiler tells what to write instead.
///
/// A trailing closure drops its label. Without these functions, a closure that fits no registration would be taken as
/// the value of `instance:`, or run asynchronously. They are isolated to actors that nothing runs on, so that calling one
/// is an error; an unavailable function would never be chosen.
extension Registry {
    /// Refused: a shared instance must be `Sendable`.
    @SharedInstancesMustBeSendable
    @available(
        *, deprecated,
        message: "a shared instance must be Sendable: make the type Sendable, or use scope: .prototype or onMainActor:"
    )
    @discardableResult
    public func register<Value, each Parameter>(
        _ type: Value.Type, qualifier: Qualifier? = nil, scope: Scope = .singleton,
        parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @Sendable (repeat each Parameter) throws -> Value
    ) -> Registration<Value> {
        preconditionFailure("A shared instance must be Sendable")
    }

    /// Refused: a shared instance must be `Sendable`.
    @SharedInstancesMustBeSendable
    @available(
        *, deprecated,
        message: "a shared instance must be Sendable: make the type Sendable, or use scope: .prototype or onMainActor:"
    )
    @discardableResult
    public func register<Value, each Parameter>(
        qualifier: Qualifier? = nil, scope: Scope = .singleton,
        parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @Sendable (repeat each Parameter) throws -> Value
    ) -> Registration<Value> {
        preconditionFailure("A shared instance must be Sendable")
    }

    /// Refused: a shared instance must be `Sendable`.
    @SharedInstancesMustBeSendable
    @available(
        *, deprecated,
        message: "a shared instance must be Sendable: make the type Sendable, or use scope: .prototype or onMainActor:"
    )
    @discardableResult
    public func register<Value, each Parameter>(
        _ type: Value.Type, qualifier: Qualifier? = nil, scope: UnretainedScope,
        parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @Sendable (repeat each Parameter) throws -> Value
    ) -> UnretainedRegistration<Value> {
        preconditionFailure("A shared instance must be Sendable")
    }

    /// Refused: a shared instance must be `Sendable`.
    @SharedInstancesMustBeSendable
    @available(
        *, deprecated,
        message: "a shared instance must be Sendable: make the type Sendable, or use scope: .prototype or onMainActor:"
    )
    @discardableResult
    public func register<Value, each Parameter>(
        qualifier: Qualifier? = nil, scope: UnretainedScope,
        parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @Sendable (repeat each Parameter) throws -> Value
    ) -> UnretainedRegistration<Value> {
        preconditionFailure("A shared instance must be Sendable")
    }

    /// Refused: an asynchronous closure needs its label.
    @AsynchronousClosuresNeedTheLabelAsync
    @available(
        *, deprecated,
        message: "an asynchronous closure needs its label: write register(…, async: { … }), and call start()"
    )
    @discardableResult
    public func register<Value, each Parameter>(
        _ type: Value.Type, qualifier: Qualifier? = nil, scope: Scope = .singleton,
        parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @Sendable (repeat each Parameter) async throws -> Value
    ) -> Registration<Value> {
        preconditionFailure("An asynchronous closure needs its label")
    }

    /// Refused: an asynchronous closure needs its label.
    @AsynchronousClosuresNeedTheLabelAsync
    @available(
        *, deprecated,
        message: "an asynchronous closure needs its label: write register(…, async: { … }), and call start()"
    )
    @discardableResult
    public func register<Value, each Parameter>(
        qualifier: Qualifier? = nil, scope: Scope = .singleton,
        parameterQualifiers: [Qualifier?] = [], fileID: StaticString = #fileID, line: UInt = #line,
        _ make: @escaping @Sendable (repeat each Parameter) async throws -> Value
    ) -> Registration<Value> {
        preconditionFailure("An asynchronous closure needs its label")
    }
}

/// The actor of registrations that share what is not `Sendable`; nothing runs on it.
///
/// Its name is a part of the compiler's error.
@globalActor
public actor SharedInstancesMustBeSendable {
    /// The actor.
    public static let shared = SharedInstancesMustBeSendable()
}

/// The actor of registrations whose asynchronous closure has no label; nothing runs on it.
///
/// Its name is a part of the compiler's error.
@globalActor
public actor AsynchronousClosuresNeedTheLabelAsync {
    /// The actor.
    public static let shared = AsynchronousClosuresNeedTheLabelAsync()
}
