import Locator

/// `locator check`: checks whether every profile can be loaded, and whether the profiles match.
enum CheckCommand: Command {
    static let syntax = Syntax(
        name: "check", summary: "Check every file, every profile and group, and compare them",
        options: Configuration.options + [CheckFinding.strictOption],
        notes: [
            """
            Errors are problems that make loading fail, placeholders without a value, and settings that have one type in one
            profile and another type in another. Warnings are keys that one profile has and another lacks without removing
            them, variables whose names are similar to those of settings, variables whose texts are not numbers or Booleans
            as in the files, placeholders with a default whose path is similar to a setting, unknown keys below "locator",
            entries of locator.secrets that name no setting, and files that no profile reads, such as application.prod.json.
            A single profile is compared with the base file. The exit status is 1 if there are errors.
            """
        ])

    static func run(_ arguments: Arguments, in surroundings: Surroundings) throws(ToolError) -> Outcome {
        let check = try ConfigurationCheck(Configuration(arguments, in: surroundings))
        return CheckFinding.outcome(of: check.findings, summary: summary(of: check), arguments, in: surroundings)
    }

    /// Returns the counts: `1 error, 2 warnings in 3 files (dev, prod, staging)`.
    private static func summary(of check: ConfigurationCheck) -> String {
        let files = check.fileCount == 0 ? "no files" : count(check.fileCount, "file")
        let profiles = check.profiles.isEmpty ? "" : " (\(check.profiles.shortList))"
        let found = Finding.Severity.counts(of: check.findings.map(\.severity))
        return "\(found) in \(files)\(profiles)".escapingHidden()
    }
}
