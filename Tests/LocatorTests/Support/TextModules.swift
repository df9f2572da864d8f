import Locator

extension Module {
    /// A module that registers one text, its own name, so that lookups show which module answered.
    static func text(
        _ name: String, qualifier: Qualifier? = nil, properties: [String: JSONValue] = [:],
        including: @autoclosure @escaping @Sendable () -> [Module] = [], when condition: Condition? = nil
    ) -> Module {
        Module(name, properties: properties, including: including(), when: condition) { registry in
            registry.register(String.self, qualifier: qualifier) { name }
        }
    }
}

extension Module {
    /// The instance of a registration of ``naming(_:)``.
    private struct Name: Sendable {}

    /// A module that registers something in each of these scopes, so that children can open them.
    static func naming(_ scopes: Scope...) -> Module {
        Module("Scopes") { registry in
            for scope in scopes { registry.register(Name.self, qualifier: .named(scope.name), scope: scope) { Name() } }
        }
    }
}

extension AppContext {
    /// The texts of all modules in lookup order.
    func texts() throws -> [String] { try resolveAll(String.self) }
}
