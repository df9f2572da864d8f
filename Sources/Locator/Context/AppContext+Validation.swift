public import LocatorProperties

extension AppContext {
    /// Checks all registrations without making anything, and reports all problems.
    ///
    /// ```swift
    /// try context.validate().orThrow()
    /// ```
    ///
    /// It reports missing registrations, ambiguous ones, dependency cycles, shared instances that hold instances with
    /// shorter lifetimes, decorators that wrap nothing, and settings that are missing or have the wrong type. It
    /// decodes `ConfigProperty` types and the types passed to ``Registry/requires(_:as:fileID:line:)``. What a
    /// ``Resolver`` resolves at run time is unknown, so the report lists the registrations that take one. The requests
    /// of wrappers are unknown, too.
    ///
    /// The report stays readable if there are many problems: it suggests similar names for the first 20 missing keys,
    /// and lists the first 10 shorter-lived instances that one instance holds, with a note if there are more.
    ///
    /// - Parameter profiles: The profiles to check, each with the current files. A problem in several profiles is
    ///   reported once. Without profiles, the current state of the context is checked.
    public func validate(profiles: [ProfileList] = []) -> ValidationReport {
        core.validate(profiles: profiles)
    }
}

extension AppContext {
    /// Explains what a type resolves to, and why: the registration, its decorators and aliases, what it was made from,
    /// and what it hides.
    ///
    /// This function makes nothing. For `[any Book].self`, it lists all elements of the collection. To explain the
    /// origin of a setting, use ``properties``.
    public func explain<Value>(
        _ type: Value.Type, qualifier: Qualifier? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> KeyExplanation {
        core.explain(type, qualifier, location: SourcePlace(fileID: fileID, line: line))
    }

    /// Returns the contents of the context as text: modules, registrations, instances, and settings without secrets.
    public func dump() -> String { core.dump() }
}
