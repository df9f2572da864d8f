// A wrapper is a parameter of an initializer so that a test can pass a value. The context cannot make one, because only the
// wrapper itself says which qualifier or setting it reads.

extension Dependency: NeverRegistered {
    static var fix: String {
        "take \(typeName(Value.self)) instead, or create the wrapper in the factory closure: Dependency()"
    }

    static var fixOfArray: String { DependencyArray<Value>.fix }
}

extension DependencyArray: NeverRegistered {
    static var fix: String {
        "take [\(typeName(Element.self))] instead, or create the wrapper in the factory closure: DependencyArray()"
    }
}

extension PropertyValue: NeverRegistered {
    static var fix: String {
        "take a ConfigProperty instead, or create the wrapper in the factory closure: PropertyValue(\"…\")"
    }
}
