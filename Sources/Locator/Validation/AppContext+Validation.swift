public import LocatorProperties

extension AppContext {
    /// Checks all registrations without creating an instance, and reports all problems.
    ///
    /// ```swift
    /// try context.validate().orThrow()
    /// ```
    ///
    /// The report contains missing and ambiguous registrations, dependency cycles, shared instances that hold instances
    /// with shorter lifetimes, decorators that wrap nothing, and settings that are missing or have the wrong type. To
    /// check settings, this function decodes `ConfigProperty` types and the types passed to
    /// ``Registry/requires(_:as:fileID:line:)``. It does not know the dependencies that a ``Resolver`` resolves at run
    /// time, so the report lists the registrations that take one. It does not know the requests of wrappers either.
    ///
    /// The report is limited, so that it stays readable if there are many problems. It suggests similar names for the
    /// first 20 missing keys. For each instance, it lists the first 10 shorter-lived instances that it holds, with a
    /// note if there are more. If the chain of dependencies to such an instance is long, it shows the first and the
    /// last 10 steps.
    ///
    /// - Parameter profiles: The profiles to check, each with the current files. A problem in several profiles is
    ///   reported once. Without profiles, the current state of the context is checked.
    public func validate(profiles: [ProfileList] = []) -> ValidationReport {
        Validator.report(on: core, profiles: profiles)
    }

    /// Reports all problems of a context, of which this context is a snapshot.
    func validate(asSnapshotOf original: ContextCore) -> ValidationReport {
        let (wiring, findings) = Validator.findings(in: self, of: Validator.Subject(of: original))
        return ValidationReport(findings: findings, registrationCount: wiring.registrationCount, profiles: [])
    }
}
