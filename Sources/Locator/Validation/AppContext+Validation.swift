public import LocatorProperties

extension AppContext {
    /// Checks the whole wiring without running a maker, and reports everything that is wrong.
    ///
    /// ```swift
    /// try context.validate().orThrow()
    /// ```
    ///
    /// It finds keys that nothing registers, ambiguous ones, circles, shared instances that hold shorter-lived ones,
    /// decorators that wrap nothing, and properties that are missing or of the wrong type. The types of
    /// `ConfigProperty` and those given to ``Registry/requires(_:as:fileID:line:)`` are decoded.
    /// What a ``Resolver`` asks for at run time is not known and is listed; what wrappers ask for is not known either.
    ///
    /// The report stays readable where much is wrong: near names are given for the first 20 keys that are missing, and of
    /// what one instance holds too long the first 10 are told, with a note that there is more.
    ///
    /// - Parameter profiles: The profiles to check, each with the files as they are now. What holds in several is
    ///   reported once. Without any, the context is checked as it is.
    public func validate(profiles: [ProfileList] = []) -> ValidationReport {
        core.validate(profiles: profiles)
    }
}
