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

extension AppContext {
    /// The texts of all modules in lookup order.
    func texts() throws -> [String] { try resolveAll(String.self) }
}
