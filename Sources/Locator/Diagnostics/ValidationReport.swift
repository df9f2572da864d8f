/// Everything that ``AppContext/validate(profiles:)`` has found.
///
/// ```swift
/// try context.validate().orThrow()            // at launch
/// #expect(try context.validate(profiles: ["dev", "prod"]).errors.isEmpty)
/// ```
public struct ValidationReport: Sendable, Hashable, CustomStringConvertible {
    /// All findings: errors, then warnings, then notes; each kind in the order of the wiring.
    public let findings: [Finding]

    /// How many registrations were checked.
    public let registrationCount: Int

    /// The profiles that were checked, where profiles were asked for.
    public let profiles: [String]

    init(findings: [Finding], registrationCount: Int, profiles: [String]) {
        self.findings = Finding.Severity.allCases.flatMap { severity in findings.filter { $0.severity == severity } }
        self.registrationCount = registrationCount
        self.profiles = profiles
    }

    /// What fails, or is wrong, once it is used.
    public var errors: [Finding] { findings.filter { $0.severity == .error } }

    /// What is likely not meant.
    public var warnings: [Finding] { findings.filter { $0.severity == .warning } }

    /// What is good to know: what was not checked, and what is shared.
    public var notes: [Finding] { findings.filter { $0.severity == .note } }

    /// Throws the report where it has errors.
    ///
    /// ```swift
    /// try AppContext.shared.load(.shop).validate().orThrow()
    /// ```
    ///
    /// - Throws: ``ValidationError`` with this report if it has errors. Warnings and notes do not count.
    @discardableResult
    public func orThrow() throws(ValidationError) -> ValidationReport {
        if !errors.isEmpty { throw ValidationError(report: self) }
        return self
    }

    /// All findings as a compiler writes them, and a line that counts them.
    public var description: String {
        (findings.map(\.description) + [summary]).joined(separator: "\n")
    }

    /// How much was checked and found: `2 errors, 1 warning in 41 registrations (dev, prod)`.
    public var summary: String {
        var counts: [String] = []
        if !errors.isEmpty { counts.append(count(errors.count, "error")) }
        if !warnings.isEmpty { counts.append(count(warnings.count, "warning")) }
        if !notes.isEmpty { counts.append(count(notes.count, "note")) }
        let found = counts.isEmpty ? "nothing found" : counts.joined(separator: ", ")
        let checked = "\(found) in \(count(registrationCount, "registration"))"
        return profiles.isEmpty ? checked : "\(checked) (\(profiles.joined(separator: ", ")))"
    }
}

/// A context has mistakes in its wiring.
public struct ValidationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was found.
    public let report: ValidationReport

    /// The errors as a compiler writes them, and how many there are.
    public var description: String {
        (report.errors.map(\.description) + [report.summary]).joined(separator: "\n")
    }
}
