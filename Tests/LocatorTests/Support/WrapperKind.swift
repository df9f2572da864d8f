import Locator

/// The wrappers for one instance of a type.
enum WrapperKind: CaseIterable, Sendable {
    case dependency
    case optional
    case array
    case lazy

    /// A function that reads a new wrapper of a context.
    func reader<Value: Sendable>(
        of type: Value.Type, qualifier: Qualifier? = nil, in context: AppContext
    ) throws -> @Sendable () throws -> Value {
        switch self {
        case .dependency:
            let wrapper = AppContext.withContext(context) { Dependency<Value>(qualifier: qualifier) }
            return { try wrapper.resolved() }
        case .optional:
            let wrapper = AppContext.withContext(context) { Dependency<Value?>(qualifier: qualifier) }
            return { try given(wrapper.resolved()) }
        case .array:
            let wrapper = AppContext.withContext(context) { DependencyArray<Value>(qualifier: qualifier) }
            return { try given(wrapper.resolved().first) }
        case .lazy:
            let lazy = try context.resolve(Lazy<Value>.self, qualifier: qualifier)
            return { try lazy.resolved() }
        }
    }
}

/// The expected value of an optional, or of an array of optionals.
private func given<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw NothingGiven() }
    return value
}

private struct NothingGiven: Error {}

/// The scopes, as one type.
enum ScopeKind: CaseIterable, Sendable {
    case singleton
    case always
    case session
    case weak
    case graph
    case prototype

    static let sessionScope = Scope("session")

    /// Whether it can be made on demand instead of at load.
    static let onDemand = allCases.filter { $0 != .always }

    /// Registers a class in this scope.
    func register<Value: Sendable>(
        _ type: Value.Type, in registry: Registry, _ make: @escaping @Sendable () throws -> Value,
        injecting inject: (@Sendable (Value) throws -> Void)? = nil
    ) {
        switch self {
        case .singleton, .always, .session:
            let scope = self == .singleton ? Scope.singleton : self == .always ? .always : Self.sessionScope
            let registration = registry.register(type, scope: scope, make)
            if let inject { registration.injecting { try inject($0) } }
        case .weak, .graph:
            let registration = registry.register(type, scope: self == .weak ? .weak : .graph, make)
            if let inject { registration.injecting { try inject($0) } }
        case .prototype:
            let registration = registry.register(type, scope: .prototype, make)
            if let inject { registration.injecting { try inject($0) } }
        }
    }
}
