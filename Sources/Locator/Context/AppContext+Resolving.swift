extension AppContext {
    /// Resolves an instance of a type.
    ///
    /// ```swift
    /// let catalog = try context.resolve((any Catalog).self)
    /// let logger: any Logger = try context.resolve(qualifier: "file")
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type to resolve. You can omit it if the compiler can infer it.
    ///   - qualifier: The name that distinguishes the registration from others of its type. Without one, a registration
    ///     without a qualifier is preferred.
    ///   - fileID: The file of the call, for errors.
    ///   - line: The line of the call, for errors.
    /// - Throws: ``LocatorError`` if the type is not registered, if several registrations match, if only factories make
    ///   it, if the instance depends on itself, if its scope is not open, if it belongs to another actor, if `start()`
    ///   has not created it yet, if its initializer or one of its dependencies fails, if the setting of the qualifier
    ///   is missing, or if the context has ended.
    @inlinable
    public func resolve<Value>(
        _ type: Value.Type = Value.self, qualifier: Qualifier? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(LocatorError) -> Value {
        // A ready answer is read here, because the compiler knows the type.
        if let lookup = beginLookup(type, qualifier) {
            if !lookup.isRecipe { return lookup.read.take(as: Value.self) }
            if let entry = enter(lookup, type, qualifier, fileID, line) { return try make(entry) }
        }
        return try resolved(type, qualifier: qualifier, fileID: fileID, line: line)
    }

    @usableFromInline
    func resolved<Value>(
        _ type: Value.Type, qualifier: Qualifier?, fileID: StaticString, line: UInt
    ) throws(LocatorError) -> Value {
        try core.resolve(
            type, qualifier: qualifier, location: SourcePlace(fileID: fileID, line: line), isOfContext: true)
    }

    @usableFromInline
    func beginLookup(_ type: any Any.Type, _ qualifier: Qualifier?) -> WarmLookup? {
        switch qualifier?.content {
        case nil: core.beginLookup(WarmKey(type))
        case .name(let name): core.beginLookup(WarmKey(type, named: name))
        case .property: nil
        }
    }

    @usableFromInline
    func beginLookup(all type: any Any.Type, _ qualifier: Qualifier?, _ modules: ModuleSelection) -> WarmRead? {
        guard qualifier == nil, case .all = modules.rule else { return nil }
        return core.beginWarmRead(WarmKey(type, isCollection: true))
    }

    @usableFromInline
    func enter(
        _ lookup: WarmLookup, _ type: any Any.Type, _ qualifier: Qualifier?, _ fileID: StaticString, _ line: UInt
    ) -> LeanEntry? {
        core.enter(lookup, type, qualifier?.name, SourcePlace(fileID: fileID, line: line))
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
    /// ```swift
    /// let info = try context.resolve(FriendInfo.self, with: FriendPayload(name: "Ada"))
    /// ```
    ///
    /// The static type of the payload chooses the factory. For a factory of another type, such as a protocol, name it:
    /// `with: text, as: (any Document).self`.
    ///
    /// - Throws: ``LocatorError`` if no factory of the type takes this payload, if the factory is asynchronous, if it
    ///   or one of its dependencies fails, if the setting of the qualifier is missing, or if the context has ended.
    @inlinable
    public func resolve<Value, Payload>(
        _ type: Value.Type = Value.self, with payload: Payload, as payloadType: Payload.Type = Payload.self,
        qualifier: Qualifier? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> Value {
        // If `Payload` were the type of one parameter only, Swift 6 would pass the value inside an `any Document`.
        if qualifier == nil {
            // A ready recipe runs here, because the compiler knows the types.
            if let entry = enter(type, ObjectIdentifier(Payload.self), fileID, line) {
                return try withUnsafePointer(to: payload) { (payload) throws(LocatorError) in
                    try make(entry, UnsafeRawPointer(payload))
                }
            }
        }
        return try resolved(type, with: payload, qualifier: qualifier, fileID: fileID, line: line)
    }

    /// Calls a factory with several payloads.
    ///
    /// ```swift
    /// let item = try context.resolve(Item.self, with: 1, "Lamp")
    /// ```
    ///
    /// - Throws: ``LocatorError`` for the same reasons as with one payload.
    @inlinable
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

    @usableFromInline
    func enter(
        _ type: any Any.Type, _ payloadType: ObjectIdentifier, _ fileID: StaticString, _ line: UInt
    ) -> LeanEntry? {
        core.enter(type, payloadType: payloadType, SourcePlace(fileID: fileID, line: line))
    }

    @usableFromInline
    func make<Value>(_ entry: LeanEntry, _ payload: UnsafeRawPointer? = nil) throws(LocatorError) -> Value {
        try core.make(entry, payload: payload, isKept: true)
    }

    @usableFromInline
    func resolved<Value, Payload>(
        _ type: Value.Type, with payload: Payload, qualifier: Qualifier?, fileID: StaticString, line: UInt
    ) throws(LocatorError) -> Value {
        try core.resolve(
            type, with: payload, qualifier: qualifier, location: SourcePlace(fileID: fileID, line: line))
    }

    /// Resolves all instances of a type, optionally with a qualifier, in lookup order and then registration order.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - qualifier: The qualifier of the elements. By default, all registrations of the type are included.
    ///   - modules: The modules to take elements from.
    ///   - fileID: The file of the call, for errors.
    ///   - line: The line of the call, for errors.
    /// - Throws: ``LocatorError`` if one of the instances cannot be resolved, if the setting of the qualifier is missing,
    ///   or if the context has ended. An empty result is not an error, unless the elements are of a type that cannot be
    ///   registered, such as an optional.
    @inlinable
    public func resolveAll<Element>(
        _ type: Element.Type = Element.self, qualifier: Qualifier? = nil, from modules: ModuleSelection = .all,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> [Element] {
        // A ready collection is read here, because the compiler knows the type.
        if let read = beginLookup(all: type, qualifier, modules) { return read.take(as: [Element].self) }
        return try resolvedAll(type, qualifier: qualifier, from: modules, fileID: fileID, line: line)
    }

    @usableFromInline
    func resolvedAll<Element>(
        _ type: Element.Type, qualifier: Qualifier?, from modules: ModuleSelection, fileID: StaticString, line: UInt
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

    /// Returns whether a type has a registration, including an input or a factory.
    ///
    /// No instance is created. For an optional, an array, or a `Lazy`, this function checks the wrapped type. A type
    /// that is decoded from settings without a registration does not count.
    public func isRegistered<Value>(_ type: Value.Type, qualifier: Qualifier? = nil) -> Bool {
        core.isRegistered(type, qualifier)
    }

    /// Returns the instance that a request would return, or nil if it does not exist yet.
    ///
    /// No instance is created. For types that are not registered, such as arrays and `Lazy`, the result is nil. Off the
    /// main actor, it is also nil for a type that belongs to the main actor and is not `Sendable`.
    ///
    /// What a factory closure gets from this function is not recorded, so its instance stays even if a push replaces
    /// the other instance. In a factory closure, resolve the other instance instead.
    public func existing<Value>(
        _ type: Value.Type = Value.self, qualifier: Qualifier? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Value? {
        let request = Request(key: Key(type), location: SourcePlace(fileID: fileID, line: line))
        // If the setting that names the qualifier cannot be read, no such instance exists.
        guard let key = try? core.key(type, qualifier, request) else { return nil }
        return core.existing(Request(key: key, location: request.location))?.value(as: type)
    }

    /// Returns the instance that a request would return, or nil if it does not exist yet.
    ///
    /// No instance is created.
    public func existing<Value>(
        _ type: Value?.Type, qualifier: Qualifier? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Value? {
        existing(Value.self, qualifier: qualifier, fileID: fileID, line: line)
    }
}
