public import LocatorProperties

extension AppContext {
    /// Checks the whole wiring without running a factory closure, and reports everything that is wrong.
    ///
    /// ```swift
    /// try context.validate().orThrow()
    /// ```
    ///
    /// It finds missing and ambiguous keys, circles, shared instances that hold shorter-lived ones, decorators that
    /// wrap nothing, and settings that are missing or of the wrong type. To check settings, it decodes the types of
    /// `ConfigProperty` and those passed to ``Registry/requires(_:as:fileID:line:)``. What a ``Resolver`` resolves at
    /// run time is not known, and is listed. What wrappers resolve is not known either.
    ///
    /// The report stays short: near names are given for the first 20 missing keys. For one instance that holds
    /// shorter-lived ones, the first 10 are reported, with a note that there are more.
    ///
    /// - Parameter profiles: The profiles to check, each with the current contents of the files. A finding in several
    ///   profiles is reported once. If the list is empty, the context is checked as it is.
    public func validate(profiles: [ProfileList] = []) -> ValidationReport {
        core.validate(profiles: profiles)
    }
}
