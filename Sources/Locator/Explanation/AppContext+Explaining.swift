extension AppContext {
    /// Explains how a request for a type is resolved.
    ///
    /// The explanation contains the registration that is used, its decorators and aliases, what the instance was made
    /// from, and which registrations it hides. No instance is created.
    ///
    /// For an array, such as `[any Book].self`, the explanation lists each element. To find out where the value of a
    /// setting comes from, use ``properties``.
    public func explain<Value>(
        _ type: Value.Type, qualifier: Qualifier? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> KeyExplanation {
        Explainer(core: core).explain(type, qualifier, location: SourcePlace(fileID: fileID, line: line))
    }

    /// Returns a description of the context's modules, registrations, instances, and settings.
    ///
    /// Secrets are masked.
    public func dump() -> String { ContextDump(of: core).text }
}
