import Locator

/// `locator wiring`: checks whether each profile has everything that the wrappers of a program need.
enum WiringCommand: Command {
    static let syntax = Syntax(
        name: "wiring", summary: "Check that every profile has what the wrappers in the sources need",
        arguments: [
            .init(name: "BUILD", summary: "The folder of a debug build with -emit-const-values")
        ],
        options: [
            .init(
                name: "targets", placeholder: "NAMES",
                summary: "The targets to check, separated by commas; default: all that were built")
        ] + Configuration.options + [
            .init(
                name: "wiring", placeholder: "FILES",
                summary: "The JSON of context.graph(), one file for each profile if modules depend on it"),
            .init(
                name: "skip", placeholder: "PATHS",
                summary: "Paths to skip, with all paths below them, because only the running program has them"),
            CheckFinding.strictOption,
        ],
        notes: [
            ofPlugin,
            """
            Errors are settings that are missing in a profile or do not fit the declared type. With --wiring, they are
            also unregistered dependencies and qualifiers, and components that no module lists. Warnings are optionals and
            defaults that are used even though a similar name exists. Notes list what cannot be checked. The exit status
            is 1 if there are errors.
            """,
        ])

    /// The usual way to run the command.
    static let ofPlugin =
        "swift package check-wiring builds the package and calls this command; it takes the same options."

    static func run(_ arguments: Arguments, in surroundings: Surroundings) throws(ToolError) -> Outcome {
        let build = try BuildFolder(arguments.positional[0], targets: arguments.list("targets"), in: surroundings)
        let (profiles, failures) = try profiles(for: build, arguments, in: surroundings)
        var wirings: [ProviderCheck] = []
        for file in arguments.list("wiring") ?? [] {
            wirings.append(ProviderCheck(try GraphReading.graph(inFile: file, surroundings)))
        }
        var skipped: [PropertyPath] = []
        for text in arguments.list("skip") ?? [] {
            do {
                skipped.append(try PropertyPath(parsing: text))
            } catch {
                throw .properties(PropertiesError(.path(error)))
            }
        }
        let check = WiringCheck(build, profiles: profiles, wirings: wirings, skipped: skipped, surroundings.fileSystem)
        let findings = failures + check.findings
        let limits = limits(of: check, hasWiring: !wirings.isEmpty)
        let summary = summary(of: findings, check, build, profiles) + limits
        return CheckFinding.outcome(of: findings, summary: summary, arguments, in: surroundings)
    }

    /// Returns what the check does not cover, for the end of the summary.
    private static func limits(of check: WiringCheck, hasWiring: Bool) -> String {
        guard hasWiring else { return "; registrations are not checked without --wiring FILE" }
        if check.profilesWithoutWiring.isEmpty { return "" }
        let names = check.profilesWithoutWiring.joined(separator: ", ")
        return "; registrations are not checked in \(names), because modules that are off in the wiring may be on there"
    }

    /// Returns the profiles that can be loaded, and the reasons why others cannot.
    private static func profiles(
        for build: BuildFolder, _ arguments: Arguments, in surroundings: Surroundings
    ) throws(ToolError) -> ([WiringCheck.Profile], [CheckFinding]) {
        // A program without settings has no folder for them.
        if !WiringCheck.readsProperties(build), arguments[Configuration.folderOption.name] == nil { return ([], []) }
        let configuration = Configuration(arguments, in: surroundings)
        let check = try ConfigurationCheck(configuration)
        var profiles: [WiringCheck.Profile] = []
        var hasFailures = false
        for name in check.profiles.isEmpty ? [""] : check.profiles {
            if let properties = try? configuration.load(ProfileList(name.isEmpty ? [] : [name])) {
                profiles.append(.init(name: name, properties: properties))
            } else {
                hasFailures = true
            }
        }
        return (profiles, hasFailures ? check.findings.filter { $0.severity == .error } : [])
    }

    /// Returns the counts: `1 error, 2 warnings in 14 wrappers of Shop (dev, prod)`.
    private static func summary(
        of findings: [CheckFinding], _ check: WiringCheck, _ build: BuildFolder, _ profiles: [WiringCheck.Profile]
    ) -> String {
        let names = profiles.map(\.name).filter { !$0.isEmpty }
        let end = names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
        let targets = build.checked.map(\.target).joined(separator: ", ")
        let found = Finding.Severity.counts(of: findings.map(\.severity))
        return "\(found) in \(count(check.wrapperCount, "wrapper")) of \(targets)\(end)"
    }
}
