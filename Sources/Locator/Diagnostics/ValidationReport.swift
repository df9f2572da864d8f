/// The result of ``AppContext/validate(profiles:)``.
///
/// ```swift
/// try context.validate().orThrow()            // at launch
/// #expect(context.validate(profiles: ["dev", "prod"]).errors.isEmpty)
/// ```
public struct ValidationReport: Sendable, Hashable, CustomStringConvertible {
    /// All findings: errors, then warnings, then notes, each in lookup order.
    public let findings: [Finding]

    /// The number of checked registrations.
    public let registrationCount: Int

    /// The checked profiles, if any were specified.
    public let profiles: [String]

    init(findings: [Finding], registrationCount: Int, profiles: [String]) {
        self.findings = Finding.Severity.allCases.flatMap { severity in findings.filter { $0.severity == severity } }
        self.registrationCount = registrationCount
        self.profiles = profiles
    }

    /// The problems that cause a failure or wrong behavior when they are used.
    public var errors: [Finding] { findings.filter { $0.severity == .error } }

    /// The probable mistakes.
    public var warnings: [Finding] { findings.filter { $0.severity == .warning } }

    /// Information: what was not checked, and what is shared.
    public var notes: [Finding] { findings.filter { $0.severity == .note } }

    /// Throws an error with this report if it contains errors.
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

    /// All findings in the format of a compiler, and a summary.
    public var description: String {
        (findings.map(\.description) + [summary]).joined(separator: "\n")
    }

    /// The numbers of findings and registrations: `2 errors, 1 warning in 41 registrations (dev, prod)`.
    public var summary: String {
        let found = Finding.Severity.counts(of: findings.map(\.severity))
        let checked = "\(found) in \(count(registrationCount, "registration"))"
        return profiles.isEmpty ? checked : "\(checked) (\(profiles.joined(separator: ", ")))"
    }
}

extension Finding.Severity {
    /// Returns how many findings have each severity: `2 errors, 1 warning`.
    package static func counts(of severities: [Self]) -> String {
        let counts = allCases.compactMap { severity in
            let number = severities.count { $0 == severity }
            return number == 0 ? nil : count(number, severity.rawValue)
        }
        return counts.isEmpty ? "nothing found" : counts.joined(separator: ", ")
    }
}

/// An error that contains a validation report with errors.
public struct ValidationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The report.
    public let report: ValidationReport

    /// The errors in the format of a compiler, and a summary.
    public var description: String {
        (report.errors.map(\.description) + [report.summary]).joined(separator: "\n")
    }
}
