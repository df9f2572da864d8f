public import Locator
public import LocatorProperties
public import Testing

/// Gives each test a context of its own: a started fork with modules, a profile and properties.
///
/// Made with `.locator(…)`, which gives it to a suite or a test.
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
    let base: AppContext
    /// Where the trait was made, in the test's code.
    let sourceLocation: Testing.SourceLocation

    /// Each test of a suite gets a context of its own.
    public var isRecursive: Bool { true }

    /// Runs a test, or one case of a parameterized test, in its own context.
    ///
    /// - Throws: What the test throws, and `LocatorError` if its context cannot be created or started.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        for finding in try await findings(performing: function) {
            Issue.record("\(finding)", sourceLocation: place(of: finding))
        }
    }

    /// Where a finding is shown: at its line, where that is in the file of the trait, else at the trait.
    package func place(of finding: Finding) -> Testing.SourceLocation {
        guard finding.location.fileID == sourceLocation.fileID, finding.location.line > 0 else { return sourceLocation }
        return Testing.SourceLocation(
            fileID: sourceLocation.fileID, filePath: sourceLocation.filePath, line: finding.location.line, column: 1)
    }

    /// What is wrong with how a test used its context, and where.
    package struct Finding: CustomStringConvertible {
        let location: SourcePlace
        let text: String

        package var description: String { "\(location): \(text)" }
    }

    /// Runs a test in its own context, and gives what is wrong with how it used it.
    package func findings(performing function: @Sendable () async throws -> Void) async throws -> [Finding] {
        let overrides = Module("properties of the test trait", properties: properties)
        // An outer trait, such as the suite's, has made its fork the current context already.
        let base = AppContext.isEntered ? AppContext.current : base
        let fork = try base.fork(profile: profile)
        for module in ([overrides] + modules).reversed() { try fork.push(module) }
        let pushes = fork.pushes.count
        if isStrict { fork.watchAnswers(outside: modules) }
        try await fork.start()
        let use = TestUse(isStrict: isStrict)
        try await TestUse.$current.withValue(use) {
            try await watching([base, .shared], for: use) {
                try await AppContext.withContext(fork) { try await function() }
            }
        }
        let left = fork.pushes.dropFirst(pushes)
        return left.map { Finding(location: $0.location, text: "\($0.module) was pushed in the test and not popped") }
            + Self.pushesLeft(by: use, on: base) + fork.answersFromOutside.map(Finding.init)
            + use.findings.map(Finding.init)
    }

    /// Runs a test, and where it is strict watches contexts that are not its own.
    private func watching(
        _ contexts: [AppContext], for use: TestUse, _ body: @Sendable () async throws -> Void
    ) async throws {
        guard isStrict, let first = contexts.first else { return try await body() }
        let isInTest = { @Sendable in Test.current != nil }
        guard let other = contexts.first(where: { $0 !== first }) else {
            return try await first.withWatch(for: use, isInTest: isInTest, body)
        }
        try await first.withWatch(for: use, isInTest: isInTest) {
            try await other.withWatch(for: use, isInTest: isInTest, body)
        }
    }

    /// What the test has pushed on contexts that go on after it, and has not popped.
    private static func pushesLeft(by use: TestUse, on base: AppContext) -> [Finding] {
        func findings(_ context: AppContext, _ name: String) -> [Finding] {
            use.pushesLeft(on: context).map {
                Finding(
                    location: $0.location,
                    text: """
                        \($0.module) was pushed on \(name) in the test and not popped, so that later tests still see it
                          fix: push it on AppContext.current, or pass it to the trait: .locator(…)
                        """)
            }
        }
        return base === AppContext.shared
            ? findings(base, "AppContext.shared")
            : findings(base, "the trait's base context") + findings(.shared, "AppContext.shared")
    }
}

extension LocatorTrait: CustomReflectable {
    /// What `dump` and other reflection see: nothing, because properties may be secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Trait where Self == LocatorTrait {
    /// Gives each test a context of its own: a started fork of `base` with these modules in front.
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
    /// Tests run in parallel, and none sees what another overrides. A push that a test leaves behind fails it.
    ///
    /// - Parameters:
    ///   - modules: Modules in front of all others; of several, the first is asked first.
    ///   - profile: Profiles to load the profile files for instead of the active ones.
    ///   - properties: Values by path, over everything else.
    ///   - strict: Whether a key that no module of the trait answers fails the test, so that nothing real is used by
    ///     accident.
    ///   - base: The context to fork; within a test of a suite that has the trait too, the suite's.
    ///   - sourceLocation: Where issues are shown that have no line of their own in the same file.
    public static func locator(
        _ modules: Module..., profile: ProfileList? = nil, properties: [String: JSONValue] = [:],
        strict: Bool = false, base: AppContext = .shared,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) -> LocatorTrait {
        locator(
            modules, profile: profile, properties: properties, strict: strict, base: base,
            sourceLocation: sourceLocation)
    }

    /// Gives each test a context of its own: a started fork of `base` with a list of modules in front.
    public static func locator(
        _ modules: [Module], profile: ProfileList? = nil, properties: [String: JSONValue] = [:],
        strict: Bool = false, base: AppContext = .shared,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) -> LocatorTrait {
        LocatorTrait(
            modules: modules, profile: profile, properties: properties, isStrict: strict, base: base,
            sourceLocation: sourceLocation)
    }
}
