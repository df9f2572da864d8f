internal import LocatorProperties

/// A parameter of a factory closure that decides at run time what it depends on.
///
/// ```swift
/// registry.register((any Storage).self) { (resolver: Resolver) -> any Storage in
///     if try resolver.value("storage.inMemory") { return MemoryStorage() }
///     return try resolver.resolve(DiskStorage.self)
/// }
/// ```
///
/// Validation cannot check the dependencies that a closure resolves in this way. Use parameters if they are sufficient.
public struct Resolver: Sendable, OpaqueToReflection {
    let core: ContextCore

    /// Resolves an instance of a type.
    ///
    /// - Throws: ``LocatorError`` for the same reasons as ``AppContext/resolve(_:qualifier:fileID:line:)->Value``.
    public func resolve<Value>(
        _ type: Value.Type = Value.self, qualifier: Qualifier? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(LocatorError) -> Value {
        try core.resolve(type, qualifier: qualifier, location: SourcePlace(fileID: fileID, line: line))
    }

    /// Resolves an instance of a type.
    ///
    /// The result is nil only if the type is not registered, or not with this qualifier. For a `ConfigProperty` type
    /// without a registration, it is nil if there is no setting at its path.
    ///
    /// - Throws: ``LocatorError`` for the same reasons as for a type that is not optional, unless the result is nil.
    public func resolve<Value>(
        _ type: Value?.Type, qualifier: Qualifier? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> Value? {
        try core.resolveOptional(
            Value.self, qualifier: qualifier, location: SourcePlace(fileID: fileID, line: line))
    }

    /// Calls a factory with a payload.
    ///
    /// - Throws: ``LocatorError`` if no factory of the type takes this payload, if the factory is asynchronous, if it
    ///   or one of its dependencies fails, if the setting of the qualifier is missing, or if the context has ended.
    public func resolve<Value, Payload>(
        _ type: Value.Type = Value.self, with payload: Payload, as payloadType: Payload.Type = Payload.self,
        qualifier: Qualifier? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> Value {
        try core.resolve(
            type, with: payload, qualifier: qualifier, location: SourcePlace(fileID: fileID, line: line))
    }

    /// Calls a factory with several payloads.
    ///
    /// - Throws: ``LocatorError`` for the same reasons as with one payload.
    public func resolve<Value, First, Second, each Further>(
        _ type: Value.Type = Value.self, with first: First, _ second: Second, _ further: repeat each Further,
        as payloadTypes: (First, Second, repeat each Further).Type = (First, Second, repeat each Further).self,
        qualifier: Qualifier? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> Value {
        try resolve(type, with: (first, second, repeat each further), qualifier: qualifier, fileID: fileID, line: line)
    }

    /// Calls a synchronous or asynchronous factory with a payload, in asynchronous code.
    ///
    /// - Throws: ``LocatorError`` if no factory of the type takes this payload, if it or one of its dependencies fails,
    ///   if the setting of the qualifier is missing, or if the context has ended. An error of the factory, including
    ///   `CancellationError`, is its ``LocatorError/underlying`` error.
    public func resolve<Value, Payload>(
        _ type: Value.Type = Value.self, with payload: Payload, as payloadType: Payload.Type = Payload.self,
        qualifier: Qualifier? = nil,
        isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws(LocatorError) -> Value {
        try await core.resolve(
            type, with: payload, qualifier: qualifier, location: SourcePlace(fileID: fileID, line: line))
    }

    /// Calls a synchronous or asynchronous factory with several payloads, in asynchronous code.
    ///
    /// - Throws: ``LocatorError`` for the same reasons as with one payload.
    public func resolve<Value, First, Second, each Further>(
        _ type: Value.Type = Value.self, with first: First, _ second: Second, _ further: repeat each Further,
        as payloadTypes: (First, Second, repeat each Further).Type = (First, Second, repeat each Further).self,
        qualifier: Qualifier? = nil, isolation: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws(LocatorError) -> Value {
        try await resolve(
            type, with: (first, second, repeat each further), qualifier: qualifier, isolation: isolation,
            fileID: fileID, line: line)
    }

    /// Resolves all instances of a type, optionally with a qualifier, in lookup order and then registration order.
    ///
    /// - Throws: ``LocatorError`` if one of the instances cannot be resolved, if the setting of the qualifier is missing,
    ///   or if the context has ended. An empty result is not an error, unless the elements are of a type that cannot be
    ///   registered, such as an optional.
    public func resolveAll<Element>(
        _ type: Element.Type = Element.self, qualifier: Qualifier? = nil, from modules: ModuleSelection = .all,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> [Element] {
        try core.resolveAll(
            type, qualifier: qualifier, from: modules, location: SourcePlace(fileID: fileID, line: line))
    }

    /// Resolves the qualified instances of a type, by qualifier.
    ///
    /// - Throws: ``LocatorError`` if one of the instances cannot be resolved, or if the context has ended. An empty
    ///   result is not an error, unless the elements are of a type that cannot be registered, such as an optional.
    public func resolveMap<Element>(
        _ type: Element.Type = Element.self, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> [String: Element] {
        try core.resolveMap(type, location: SourcePlace(fileID: fileID, line: line))
    }

    /// Returns the decoded value of a setting.
    ///
    /// - Throws: ``LocatorError/Kind/properties(_:)`` if the setting is missing, cannot be decoded as `Value`, or has a
    ///   placeholder without a value, or if the path is malformed. ``LocatorError/Kind/contextGone`` if the context has
    ///   ended.
    public func value<Value: Decodable>(
        _ path: String, as type: Value.Type = Value.self, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> Value {
        try core.property(
            path, as: type, Request(key: Key(type), location: SourcePlace(fileID: fileID, line: line)))
    }

    /// Returns the decoded value of a setting, or a default value if it is missing.
    ///
    /// - Throws: ``LocatorError/Kind/properties(_:)`` if the setting exists and cannot be decoded as `Value`, if it has
    ///   a placeholder without a value, or if the path is malformed. ``LocatorError/Kind/contextGone`` if the context
    ///   has ended.
    public func value<Value: Decodable>(
        _ path: String, as type: Value.Type = Value.self, default fallback: Value,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> Value {
        try core.property(
            path, as: type, default: { fallback },
            Request(key: Key(type), location: SourcePlace(fileID: fileID, line: line)))
    }
}

extension Resolver {
    /// The argument for a parameter of a factory closure.
    func argument<Value>(_ type: Value.Type, qualifier: Qualifier?) throws -> Value {
        if let way = injectable(type),
            let value = try way.injected(for: .init(core: core, qualifier: qualifier, location: location)) as? Value
        {
            return value
        }
        return try core.resolve(type, qualifier: qualifier, location: location)
    }

    /// The factory closure of a type that is decoded from the settings.
    static func configuration<Value: ConfigProperty>(_ type: Value.Type) -> Maker {
        Maker { call throws -> Value in
            if call.asksForParameters { throw ParametersAdded.error }
            let (core, location) = (call.resolver.core, call.resolver.location)
            return try core.property(type.path, as: type, Request(key: Key(type), location: location))
        }
    }

    /// The place of the registration whose parameters are being resolved.
    private var location: SourcePlace {
        ThreadRecord.current.innermostLocation
    }
}

/// The request for an injectable parameter, which resolves it now or later.
struct ParameterRequest: Sendable {
    let core: ContextCore
    let qualifier: Qualifier?
    /// The place of the registration.
    let location: SourcePlace
}

extension Resolver: InjectableParameter {
    static var dependency: (type: any Any.Type, kind: DependencyKind) { (Resolver.self, .resolver) }

    static func injected(for request: ParameterRequest) -> Resolver { Resolver(core: request.core) }
}

extension Optional: InjectableParameter {
    static var dependency: (type: any Any.Type, kind: DependencyKind) { (Wrapped.self, .optional) }

    static func injected(for request: ParameterRequest) throws -> Wrapped? {
        if let way = injectable(Wrapped.self) {
            // A parameter that is resolved later is immediately nil if nothing is registered.
            let later = DeclaredDependency(Wrapped.self, qualifier: request.qualifier)
            if try request.core.isMissing(later, at: request.location) { return nil }
            return try way.injected(for: request) as? Wrapped
        }
        return try request.core.resolveOptional(
            Wrapped.self, qualifier: request.qualifier, location: request.location)
    }
}

extension Array: InjectableParameter {
    static var dependency: (type: any Any.Type, kind: DependencyKind) { (Element.self, .collection) }

    static func injected(for request: ParameterRequest) throws -> [Element] {
        try request.core.resolveAll(
            Element.self, qualifier: request.qualifier, from: .all, location: request.location)
    }
}
