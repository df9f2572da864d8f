extension AppContext {
    /// The instance that answers for a type.
    ///
    /// ```swift
    /// let catalog = try context.resolve((any Catalog).self)
    /// let logger: any Logger = try context.resolve(qualifier: "file")
    /// ```
    @inlinable
    public func resolve<Value>(
        _ type: Value.Type = Value.self, qualifier: Qualifier? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(LocatorError) -> Value {
        // A ready answer is read here, where the type is known to the compiler.
        if qualifier == nil, let read = beginReading(type) { return read.take(as: Value.self) }
        return try resolved(type, qualifier: qualifier, fileID: fileID, line: line)
    }

    @usableFromInline
    func resolved<Value>(
        _ type: Value.Type, qualifier: Qualifier?, fileID: StaticString, line: UInt
    ) throws(LocatorError) -> Value {
        try core.resolve(type, qualifier: qualifier, location: SourceLocation(fileID: fileID, line: line))
    }

    @usableFromInline
    func beginReading(_ type: any Any.Type) -> WarmRead? {
        guard let read = core.beginWarmRead(type) else { return nil }
        if !read.isMissing { return read }
        read.end()
        return nil
    }

    /// The instance that answers for a type, or nil where nothing is registered, and only then.
    public func resolve<Value>(
        _ type: Value?.Type, qualifier: Qualifier? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> Value? {
        try core.resolveOptional(
            Value.self, qualifier: qualifier, location: SourceLocation(fileID: fileID, line: line))
    }

    /// The product of a factory for a payload.
    ///
    /// ```swift
    /// let info = try context.resolve(FriendInfo.self, with: FriendPayload(name: "Ada"))
    /// ```
    public func resolve<Value, Payload>(
        _ type: Value.Type = Value.self, with payload: Payload, qualifier: Qualifier? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> Value {
        try core.resolve(
            type, with: payload, qualifier: qualifier, location: SourceLocation(fileID: fileID, line: line))
    }

    /// Every instance of a type, of a qualifier where one is given, in lookup order and then registration order.
    public func resolveAll<Element>(
        _ type: Element.Type = Element.self, qualifier: Qualifier? = nil, from modules: ModuleSelection = .all,
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> [Element] {
        try core.resolveAll(
            type, qualifier: qualifier, from: modules, location: SourceLocation(fileID: fileID, line: line))
    }

    /// The qualified instances of a type, by qualifier.
    public func resolveMap<Element>(
        _ type: Element.Type = Element.self, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(LocatorError) -> [String: Element] {
        try core.resolveMap(type, location: SourceLocation(fileID: fileID, line: line))
    }

    /// The instance that a request would give where it is made already, else nil.
    ///
    /// Nothing is made.
    public func existing<Value>(
        _ type: Value.Type = Value.self, qualifier: Qualifier? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Value? {
        let request = Request(key: Key(type), location: SourceLocation(fileID: fileID, line: line))
        // A qualifier whose property cannot be read names nothing that was made.
        guard let name = try? core.qualifierName(qualifier, request) as String?? else { return nil }
        return core.existing(type, Cell.Query(kind: .single, qualifier: name))?.value(as: type)
    }
}
