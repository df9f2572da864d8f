/// A dependency that is made from a payload: a registered factory as a function.
///
/// ```swift
/// final class FriendList {
///     private let info: Factory<FriendPayload, FriendInfo>
///     init(info: Factory<FriendPayload, FriendInfo>) { self.info = info }
///     func open(_ name: String) throws -> FriendInfo { try info(FriendPayload(name: name)) }
/// }
/// ```
public struct Factory<Payload, Value>: Sendable {
    private let core: ContextCore
    private let qualifier: Qualifier?
    private let location: SourceLocation

    init(core: ContextCore, qualifier: Qualifier?, location: SourceLocation) {
        self.core = core
        self.qualifier = qualifier
        self.location = location
    }

    /// Makes a value from a payload.
    public func callAsFunction(_ payload: Payload) throws(LocatorError) -> Value {
        try core.resolve(Value.self, with: payload, qualifier: qualifier, location: location)
    }
}

extension Factory: InjectableParameter {
    static var dependency: (type: any Any.Type, kind: DependencyKind) { (Value.self, .factory) }

    static var payload: (any Any.Type)? { Payload.self }

    static func injected(
        by core: ContextCore, qualifier: Qualifier?, location: SourceLocation
    ) -> Factory<Payload, Value> {
        Factory(core: core, qualifier: qualifier, location: location)
    }
}
