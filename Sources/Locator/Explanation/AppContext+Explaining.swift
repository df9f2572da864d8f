extension AppContext {
    /// What answers for a type, and why: the registration, what stands around it, what it was made from, what it hides.
    ///
    /// Nothing is made. For `[any Book].self` every element of the collection is named. Of a property, ``properties``
    /// explains where its value comes from.
    public func explain<Value>(
        _ type: Value.Type, qualifier: Qualifier? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> KeyExplanation {
        core.explain(type, qualifier, location: SourcePlace(fileID: fileID, line: line))
    }

    /// Everything that is in the context, as text: modules, registrations, instances, and properties without secrets.
    public func dump() -> String { core.dump() }
}
