internal import LocatorProperties

/// What a maker asks for what it decides at run time.
///
/// ```swift
/// registry.register((any Storage).self) { (resolver: Resolver) in
///     try resolver.value("storage.inMemory") ? MemoryStorage() : resolver.resolve(DiskStorage.self)
/// }
/// ```
///
/// What is asked of a resolver cannot be checked before it is asked; prefer parameters where they suffice.
public struct Resolver: Sendable {
    let core: ContextCore

    /// The instance that answers for a type.
    ///
    /// - Throws: ``LocatorError`` if nothing is registered, if several registrations could answer, if the instance
    ///   needs itself, if it belongs to another actor, if `start()` has not created it yet, or if its initializer or
    ///   one of its dependencies fails.
    public func resolve<Value>(
        _ type: Value.Type = Value.self, qualifier: Qualifier? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(LocatorError) -> Value {
        try core.resolve(type, qualifier: qualifier, location: SourcePlace(fileID: fileID, line: line))
    }

    /// The instance that answers for a type, or nil where nothing is registered, and only then.
    ///
    /// - Throws: ``LocatorError`` if something is registered and cannot be given, for the same reasons as for a type
    ///   that is not optional.
    public func resolve<Value>(
        _ type: Value?.Type, qualifier: Qualifier? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> Value? {
        try core.resolveOptional(
            Value.self, qualifier: qualifier, location: SourcePlace(fileID: fileID, line: line))
    }

    /// The product of a factory for a payload.
    ///
    /// - Throws: ``LocatorError`` if no factory of the type takes this payload, if the factory is asynchronous, or if
    ///   it or one of its dependencies fails.
    public func resolve<Value, Payload>(
        _ type: Value.Type = Value.self, with payload: Payload, qualifier: Qualifier? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> Value {
        try core.resolve(
            type, with: payload, qualifier: qualifier, location: SourcePlace(fileID: fileID, line: line))
    }

    /// The product of a factory of several payloads.
    ///
    /// - Throws: ``LocatorError`` if no factory of the type takes this payload, if the factory is asynchronous, or if
    ///   it or one of its dependencies fails.
    public func resolve<Value, First, Second, each Further>(
        _ type: Value.Type = Value.self, with first: First, _ second: Second, _ further: repeat each Further,
        qualifier: Qualifier? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> Value {
        try resolve(type, with: (first, second, repeat each further), qualifier: qualifier, fileID: fileID, line: line)
    }

    /// The product of a factory for a payload, in asynchronous code; the factory may be an asynchronous one.
    ///
    /// - Throws: ``LocatorError`` if no factory of the type takes this payload, or if it or one of its dependencies
    ///   fails. An error of the factory, `CancellationError` too, is its ``LocatorError/underlying`` error.
    public func resolve<Value, Payload>(
        _ type: Value.Type = Value.self, with payload: Payload, qualifier: Qualifier? = nil,
        isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws(LocatorError) -> Value {
        try await core.resolve(
            type, with: payload, qualifier: qualifier, location: SourcePlace(fileID: fileID, line: line))
    }

    /// The product of a factory of several payloads, in asynchronous code; the factory may be an asynchronous one.
    ///
    /// - Throws: ``LocatorError`` if no factory of the type takes this payload, or if it or one of its dependencies
    ///   fails. An error of the factory, `CancellationError` too, is its ``LocatorError/underlying`` error.
    public func resolve<Value, First, Second, each Further>(
        _ type: Value.Type = Value.self, with first: First, _ second: Second, _ further: repeat each Further,
        qualifier: Qualifier? = nil, isolation: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws(LocatorError) -> Value {
        try await resolve(
            type, with: (first, second, repeat each further), qualifier: qualifier, isolation: isolation,
            fileID: fileID, line: line)
    }

    /// Every instance of a type, of a qualifier where one is given, in lookup order and then registration order.
    ///
    /// - Throws: ``LocatorError`` if one of the instances cannot be given. An empty result is no error.
    public func resolveAll<Element>(
        _ type: Element.Type = Element.self, qualifier: Qualifier? = nil, from modules: ModuleSelection = .all,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> [Element] {
        try core.resolveAll(
            type, qualifier: qualifier, from: modules, location: SourcePlace(fileID: fileID, line: line))
    }

    /// The qualified instances of a type, by qualifier.
    ///
    /// - Throws: ``LocatorError`` if one of the instances cannot be given. An empty result is no error.
    public func resolveMap<Element>(
        _ type: Element.Type = Element.self, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> [String: Element] {
        try core.resolveMap(type, location: SourcePlace(fileID: fileID, line: line))
    }

    /// The value of a property, decoded.
    ///
    /// - Throws: ``LocatorError/Kind/properties(_:)`` if the setting is missing or cannot be decoded as `Value`, or if
    ///   the path is malformed.
    public func value<Value: Decodable>(
        _ path: String, as type: Value.Type = Value.self, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> Value {
        try core.property(
            path, as: type, Request(key: Key(type), location: SourcePlace(fileID: fileID, line: line)))
    }

    /// The value of a property, decoded; a default where it is missing, and only there.
    ///
    /// - Throws: ``LocatorError/Kind/properties(_:)`` if the setting is there and cannot be decoded as `Value`, or if
    ///   the path is malformed.
    public func value<Value: Decodable>(
        _ path: String, as type: Value.Type = Value.self, default fallback: Value,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> Value {
        try core.property(
            path, as: type, default: { fallback },
            Request(key: Key(type), location: SourcePlace(fileID: fileID, line: line)))
    }
}

extension Resolver: CustomReflectable {
    /// What `dump` and other reflection see: nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Resolver {
    /// The argument for a maker's parameter.
    func argument<Value>(_ type: Value.Type, qualifier: Qualifier?) throws -> Value {
        if let way = injectable(type),
            let value = try way.injected(for: .init(core: core, qualifier: qualifier, location: location)) as? Value
        {
            return value
        }
        return try core.resolve(type, qualifier: qualifier, location: location)
    }

    /// What makes a type that is decoded from the properties.
    static func configuration<Value: ConfigProperty>(_ type: Value.Type) -> Maker {
        Maker { call throws -> Value in
            if call.asksForParameters { throw ParameterTypes(list: []) }
            let (core, location) = (call.resolver.core, call.resolver.location)
            return try core.property(type.path, as: type, Request(key: Key(type), location: location))
        }
    }

    /// The place of the registration whose parameters are being asked for.
    private var location: SourcePlace {
        ThreadRecord.current.innermostLocation
    }
}

/// What resolves an injectable parameter, now or later.
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
        if let way = injectable(Wrapped.self) { return try way.injected(for: request) as? Wrapped }
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
