public import Locator
public import LocatorProperties
public import Testing

/// A trait that gives each test its own context: a started fork with modules, a profile, and settings.
///
/// Create it with `.locator(…)` on a suite or a test.
///
/// ```swift
/// @Test(.locator(.fakes, properties: ["lending.days": 7], base: library))
/// func lendsForAWeek() { … }
/// ```
public struct LocatorTrait: TestTrait, SuiteTrait, TestScoping {
    let modules: [Module]
    let profile: ProfileList?
    let properties: [String: JSONValue]
    let isStrict: Bool
    /// The context to fork, if the trait specifies one.
    let base: AppContext?
    /// The place of the trait in the test.
    let sourceLocation: Testing.SourceLocation

    /// True: each test of a suite gets its own context.
    public var isRecursive: Bool { true }

    /// Runs a test, or one case of a parameterized test, in its own context.
    ///
    /// - Throws: The error of the test, or `LocatorError` if its context cannot be created or started.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        // The outermost trait creates one context with the modules of all traits. Otherwise, the suite's modules would use
        // what the test replaces.
        if Self.testWithContext == test.id { return try await function() }
        let traits = test.traits.compactMap { $0 as? LocatorTrait }
        try await Self.$testWithContext.withValue(test.id) {
            try await Self.run(function, with: traits) { findings in
                for finding in findings { (traits.last ?? self).record(finding, in: test) }
            }
        }
    }

    /// The test whose context the outermost of its traits has created.
    @TaskLocal private static var testWithContext: Test.ID?

    private func record(_ finding: Finding, in test: Test) {
        let place = place(of: finding, in: test.sourceLocation)
        #if compiler(>=6.3)
            Issue.record(
                "\(finding)", severity: finding.isWarning ? .warning : .error, sourceLocation: place)
        #else
            // Without severities, a warning would fail the test.
            if !finding.isWarning { Issue.record("\(finding)", sourceLocation: place) }
        #endif
    }

    /// The place to show a finding: its line if it is in the file of the trait or of the test, otherwise the trait.
    package func place(of finding: Finding, in test: Testing.SourceLocation? = nil) -> Testing.SourceLocation {
        guard let location = finding.location, location.line > 0,
            let file = [sourceLocation, test].lazy.compactMap(\.self).first(where: { $0.fileID == location.fileID })
        else { return sourceLocation }
        return Testing.SourceLocation(
            fileID: file.fileID, filePath: file.filePath, line: location.line, column: 1)
    }

    /// A mistake in how a test used its context, and the place of the mistake, if it is known.
    package struct Finding: CustomStringConvertible {
        var location: SourcePlace?
        package let text: String
        /// Whether the code may be correct, so that the test does not fail.
        package var isWarning = false

        package var description: String { (location.map { "\($0): " } ?? "") + text }
    }

    /// Runs a test in its own context, and reports mistakes in its use of contexts, even if it throws an error.
    package func run(
        _ function: @Sendable () async throws -> Void, report: ([Finding]) -> Void
    ) async throws {
        try await Self.run(function, with: [self], report: report)
    }

    /// Runs a test in a context with several traits, the outermost first.
    private static func run(
        _ function: @Sendable () async throws -> Void, with traits: [LocatorTrait], report: ([Finding]) -> Void
    ) async throws {
        // Another trait may have changed the current context.
        let own = traits.lazy.compactMap(\.base).first ?? .shared
        let base = TestUse.current != nil || own === AppContext.shared ? AppContext.current : own
        let use = TestUse.current ?? TestUse(base: base)
        let isFirstStrict = use.addTrait(with: traits.flatMap(\.modules), isStrict: traits.contains(where: \.isStrict))
        let fork = try base.fork(profile: traits.last { $0.profile != nil }?.profile)
        let misspelled = misspelledSettings(of: traits, over: fork.properties)
        let overrides = traits.map(\.overrides)
        func findings() -> [Finding] {
            for answer in fork.answersFromOutside { use.note(answer.location, answer.text) }
            let answers = use.takeFindings().map { Finding(location: $0.location, text: $0.text) }
            return misspelled + popsWithoutPush(of: overrides, on: fork, by: use) + pushesLeft(by: use) + answers
        }
        var ownPushes: Set<UInt> = []
        do {
            try await TestUse.$current.withValue(use) {
                try await AppContext.withContext(fork) {
                    // The last trait is the innermost, and comes first in lookup order.
                    let modules = zip(overrides, traits).reversed().flatMap { [$0] + $1.modules }
                    try await fork.push(modules, of: use)
                    try await fork.start()
                }
            }
            ownPushes = Set(fork.pushes.map(\.number))
            try await TestUse.$current.withValue(use) {
                try await watching(isFirstStrict ? use.outside[...] : [], for: use) {
                    try await AppContext.withContext(fork) { try await function() }
                }
            }
        } catch {
            // The modules that the test pushed on its own context end with it. The error is the reason that they were
            // not popped.
            report(findings())
            try? await fork.endTest()
            throw error
        }
        let left = fork.pushes.filter { !ownPushes.contains($0.number) }.map {
            Finding(
                location: $0.location,
                text: """
                    \($0.module) was pushed in the test and not popped
                      \(fix)
                    """)
        }
        var ending: [Finding] = []
        // A task that the test has left behind may keep the context, but not the instances of the test.
        do { try await fork.endTest() } catch { ending.append(Finding(text: "\(error)")) }
        report(left + findings() + ending)
    }

    /// The settings of the trait, as a module.
    private var overrides: Module {
        Module("settings of the test trait", properties: properties, fileID: "the test trait", line: 0)
    }

    /// Runs a strict test, and watches contexts other than its own.
    private static func watching(
        _ contexts: ArraySlice<AppContext>, for use: TestUse, _ body: @Sendable () async throws -> Void
    ) async throws {
        guard let context = contexts.first else { return try await body() }
        try await context.withWatch(for: use, isInTest: { Test.current != nil }) {
            try await watching(contexts.dropFirst(), for: use, body)
        }
    }

    /// Returns the settings of the trait that override nothing, although there is one with the same words in its path, or
    /// a similar path.
    ///
    /// A setting whose path is only similar may be one that the test adds, so this is a warning.
    private static func misspelledSettings(of traits: [LocatorTrait], over settings: Properties) -> [Finding] {
        func words(_ path: String) -> [[String]] { path.split(separator: ".").map { Words.split(String($0)) } }
        func isSlip(_ path: String, for other: String) -> Bool {
            guard let path = try? PropertyPath(parsing: path), let other = try? PropertyPath(parsing: other) else {
                return false
            }
            return path.isSlip(for: other)
        }
        var settings = settings
        return traits.flatMap { trait -> [Finding] in
            guard let own = try? Properties(overrides: trait.properties, name: "the trait") else { return [] }
            let findings = own.overriddenPaths.compactMap { path -> Finding? in
                let near = settings.explain(path).near
                let sameWords = near.first { words($0) == words(path) }
                guard let meant = sameWords ?? near.first(where: { isSlip(path, for: $0) }) else { return nil }
                return Finding(
                    text: "the setting \(path) of the trait overrides nothing; did you mean \(meant)?",
                    isWarning: sameWords == nil)
            }
            settings = Properties.stacked(above: [own], base: settings, below: [])
            return findings
        }
    }

    /// How a test pops exactly the modules that it has pushed.
    private static let fix = "fix: pop it with what push returns: let push = try context.push(…); defer { push.pop() }"

    /// Returns a finding if the test called `pop()` more often than `push`, and so popped modules of the trait.
    private static func popsWithoutPush(of overrides: [Module], on fork: AppContext, by use: TestUse) -> [Finding] {
        if !overrides.contains(where: { use.hasPopped($0, from: fork) }) { return [] }
        return [
            Finding(
                text: """
                    pop() was called in the test without a push, so it popped settings or modules of the trait
                      \(fix)
                    """)
        ]
    }

    /// Returns the modules that the test pushed on contexts that outlive it, and did not pop.
    private static func pushesLeft(by use: TestUse) -> [Finding] {
        use.outside.flatMap { context in
            let name = context === AppContext.shared ? "AppContext.shared" : "the trait's base context"
            return use.takePushesLeft(on: context).map {
                Finding(
                    location: $0.location,
                    text: """
                        \($0.module) was pushed on \(name) in the test and not popped, so that later tests still see it
                          fix: push it on AppContext.current, or pass it to the trait: .locator(…)
                        """)
            }
        }
    }
}

extension LocatorTrait: CustomReflectable {
    /// An empty mirror, because settings may be secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Trait where Self == LocatorTrait {
    /// Gives each test its own context: a started fork of `base`, on which the modules are pushed.
    ///
    /// ```swift
    /// @Suite(.locator(.fakes, profile: "test", properties: ["server.url": "http://localhost"]))
    /// struct CheckoutTests {
    ///     @Dependency var checkout: any Checkout
    ///
    ///     @Test func paysOnce() async throws { … }
    /// }
    /// ```
    ///
    /// Tests run in parallel, and no test sees the overrides of another. A test that pushes a module and does not pop
    /// it fails.
    ///
    /// - Parameters:
    ///   - modules: The modules to push. The first one comes first in lookup order.
    ///   - profile: The profiles to load instead of the active ones.
    ///   - properties: Settings by path, which override all other settings.
    ///   - strict: Whether the test fails if it uses a dependency that no module of the trait registers, so that it
    ///     does not use a real service by accident. Asynchronous instances of other modules are not made. If the suite
    ///     also has the trait, the modules of both are allowed, and the test is strict if either trait is.
    ///   - base: The context to fork: `.shared` by default, or the current context inside `AppContext.withContext`. If the
    ///     suite also specifies a base, the base of the suite is used instead.
    ///   - sourceLocation: The place for issues that have no line in the same file.
    public static func locator(
        _ modules: Module..., profile: ProfileList? = nil, properties: [String: JSONValue] = [:],
        strict: Bool = false, base: AppContext? = nil,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) -> LocatorTrait {
        locator(
            modules, profile: profile, properties: properties, strict: strict, base: base,
            sourceLocation: sourceLocation)
    }

    /// Gives each test its own context: a started fork of `base` with a list of modules pushed.
    public static func locator(
        _ modules: [Module], profile: ProfileList? = nil, properties: [String: JSONValue] = [:],
        strict: Bool = false, base: AppContext? = nil,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) -> LocatorTrait {
        LocatorTrait(
            modules: modules, profile: profile, properties: properties, isStrict: strict, base: base,
            sourceLocation: sourceLocation)
    }
}
