/// Functions for typical mistakes, so that the compiler says what to write instead.
///
/// Without these functions, the compiler would fail to produce a diagnostic, or suggest a wrong label.
extension AppContext {
    /// Not available: the type is unknown.
    @available(*, unavailable, message: "name the type: try context.resolve((any Catalog).self)")
    public func resolve() { unavailable() }

    /// Not available: the type is unknown.
    @available(*, unavailable, message: "name the type: try context.resolve(Item.self, with: …)")
    public func resolve<each Payload>(with payload: repeat each Payload, qualifier: Qualifier? = nil) { unavailable() }

    /// Not available: a qualifier and a payload need their labels.
    @available(
        *, unavailable,
        message: "add a label: qualifier: \"…\" chooses a registration, with: … is the payload of a factory"
    )
    public func resolve<Value, Argument>(_ type: Value.Type, _ argument: Argument) -> Value { unavailable() }

    /// Not available: the label of a qualifier is `qualifier:`.
    @available(*, unavailable, message: "use the label qualifier: try context.resolve(Logger.self, qualifier: \"…\")")
    public func resolve<Value>(_ type: Value.Type, name qualifier: Qualifier) -> Value { unavailable() }

    /// Not available: the label of a payload is `with:`.
    @available(*, unavailable, message: "use the label with: try context.resolve(Item.self, with: …)")
    public func resolve<Value, Payload>(_ type: Value.Type, argument payload: Payload) throws -> Value { unavailable() }

    /// Not available: the label of a payload is `with:`.
    @available(*, unavailable, message: "use the label with: try context.resolve(Item.self, with: …)")
    public func resolve<Value, Payload>(
        _ type: Value.Type, arguments payload: Payload, _ others: Any...
    ) throws -> Value { unavailable() }

    /// Not available: there is no body to run.
    @available(
        *, unavailable,
        message: "the body is missing: pushing(fakes) { … }; without a body, use push and pop"
    )
    public func pushing(_ modules: Module...) { unavailable() }

    /// Not available: the type of the setting is unknown.
    @available(
        *, unavailable,
        message: "name the type of the setting: try context.value(\"server.port\", as: Int.self)"
    )
    public func value(_ path: String) { unavailable() }

    /// Not available: a type and a default need their labels.
    @available(
        *, unavailable,
        message: "add a label: as: … is the type of the setting, default: … its value if it is missing"
    )
    public func value<Argument>(_ path: String, _ argument: Argument) -> Argument { unavailable() }

    /// Not available: a closure is not a module.
    @available(*, unavailable, message: "create a module: try context.load(Module(\"App\") { registry in … })")
    public func load(_ register: (Registry) -> Void) throws { unavailable() }

    /// Not available: a closure is not a module.
    @available(*, unavailable, message: "create a module: try context.push(Module(\"Fakes\") { registry in … })")
    public func push(_ register: (Registry) -> Void) throws { unavailable() }

    /// Not available: `push` does not run a closure.
    @available(*, unavailable, message: "to run a closure with these modules, write pushing(fakes) { … }")
    @discardableResult
    public func push<Result>(
        _ modules: Module..., priority: Priority = .high, _ body: () async throws -> Result
    ) throws -> Result { unavailable() }

    /// Not available: the scopes have no label.
    @available(*, unavailable, message: "the scope has no label: try context.within(.request) { child in … }")
    public func within<each Value, Result>(
        opening scopes: Scope..., giving values: repeat each Value, line: UInt = #line,
        _ body: (AppContext) throws -> Result
    ) throws -> Result { unavailable() }

    /// Not available: the scopes have no label.
    @available(*, unavailable, message: "the scope has no label: try await context.within(.request) { child in … }")
    public func within<each Value, Result>(
        opening scopes: Scope..., giving values: repeat each Value, line: UInt = #line,
        _ body: (AppContext) async throws -> Result
    ) async throws -> Result { unavailable() }

    /// Not available: the label of a folder is `from:`, and that of files `files:`.
    @available(
        *, unavailable,
        message: "add a label: loadProperties(from: \"Config\") for a folder, loadProperties(files: […]) for files"
    )
    public func loadProperties(_ path: String) throws { unavailable() }

    /// Not available: several profiles are passed as an array.
    @available(*, unavailable, message: "write the profiles in brackets: profiles: [\"dev\", \"prod\"]")
    public func loadProperties<Folder>(
        from folder: Folder, profiles: ProfileList, _ second: String, _ others: String...
    ) throws { unavailable() }

    /// Not available: the label of files is `files:`.
    @available(*, unavailable, message: "use the label files: loadProperties(files: [\"application.json\"])")
    public func loadProperties(file: String) throws { unavailable() }

    /// Not available: `withContext` is a function of the type.
    @available(*, unavailable, message: "write AppContext.withContext(context) { … }")
    public func withContext<Result>(_ body: () throws -> Result) rethrows -> Result { unavailable() }
}

@available(
    *, unavailable,
    message: "a context ends when nothing refers to it; to end a child at a known point, use within(…) { child in … }"
)
extension AppContext {
    /// Not available: a context ends with its last reference.
    public func end() { unavailable() }

    /// Not available: a context ends with its last reference.
    public func close() { unavailable() }
}

@available(
    *, unavailable,
    message: "register in a module, and load it: try context.load(Module(\"App\") { registry in registry.register(…) })"
)
extension AppContext {
    /// Not available: types are registered in a module.
    @discardableResult
    public func register<Value, each Parameter>(
        _ type: Value.Type, qualifier: Qualifier? = nil, scope: Scope = .singleton,
        _ make: (repeat each Parameter) throws -> Value
    ) -> Registration<Value> { unavailable() }

    /// Not available: types are registered in a module.
    @discardableResult
    public func register<Value, each Parameter>(
        qualifier: Qualifier? = nil, scope: Scope = .singleton, _ make: (repeat each Parameter) throws -> Value
    ) -> Registration<Value> { unavailable() }

    /// Not available: types are registered in a module.
    @_disfavoredOverload @discardableResult
    public func register<Value, each Parameter>(
        _ type: Value.Type, qualifier: Qualifier? = nil, scope: RefusedScope,
        _ make: (repeat each Parameter) throws -> Value
    ) -> Registration<Value> { unavailable() }

    /// Not available: types are registered in a module.
    @_disfavoredOverload @discardableResult
    public func register<Value, each Parameter>(
        qualifier: Qualifier? = nil, scope: RefusedScope, _ make: (repeat each Parameter) throws -> Value
    ) -> Registration<Value> { unavailable() }

    /// Not available: types are registered in a module.
    @_disfavoredOverload
    public func register<Value: Sendable>(
        _ type: Value.Type = Value.self, qualifier: Qualifier? = nil, scope: RefusedScope = .singleton, instance: Value
    ) { unavailable() }
}

@available(
    *, unavailable,
    message: "name the folder: loadProperties(from: \"Config\", profiles: [\"dev\"]), or set LOCATOR_PROFILE=dev"
)
extension AppContext {
    /// Not available: profiles are loaded from a folder or from files.
    public func loadProperties(profile: String) throws { unavailable() }

    /// Not available: profiles are loaded from a folder or from files.
    public func loadProperties(profiles: ProfileList) throws { unavailable() }
}
