public import LocatorProperties

extension AppContext {
    /// Checks all registrations without creating an instance, and reports all problems.
    ///
    /// ```swift
    /// try context.validate().orThrow()
    /// ```
    ///
    /// It reports missing registrations, ambiguous ones, dependency cycles, shared instances that hold instances with
    /// shorter lifetimes, decorators that wrap nothing, and settings that are missing or have the wrong type. It
    /// decodes `ConfigProperty` types and the types passed to ``Registry/requires(_:as:fileID:line:)``. The
    /// dependencies that a ``Resolver`` resolves at run time are unknown, so the report lists the registrations that
    /// take one. The requests of wrappers are also unknown.
    ///
    /// The report is limited, so that it stays readable if there are many problems. It suggests similar names for the
    /// first 20 missing keys. For each instance, it lists the first 10 shorter-lived instances that it holds, with a
    /// note if there are more. If the chain of dependencies to one of these is long, it shows the first and the last 10
    /// steps.
    ///
    /// - Parameter profiles: The profiles to check, each with the current files. A problem in several profiles is
    ///   reported once. Without profiles, the current state of the context is checked.
    public func validate(profiles: [ProfileList] = []) -> ValidationReport {
        Validator.report(on: core, profiles: profiles)
    }

    /// Reports all problems of a context in this snapshot of it.
    func validate(asSnapshotOf original: ContextCore) -> ValidationReport {
        let (wiring, findings) = Validator.findings(in: self, of: Validator.Subject(of: original))
        return ValidationReport(findings: findings, registrationCount: wiring.registrationCount, profiles: [])
    }
}
