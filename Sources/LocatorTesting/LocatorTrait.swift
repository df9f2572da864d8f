public import Locator
public import LocatorProperties
public import Testing

/// Gives each test a context of its own: a started fork with modules, a profile and properties.
///
/// Made with `.locator(…)`, which gives it to a suite or a test.
public struct LocatorTrait: TestTrait, SuiteTrait, TestScoping {
    let modules: [Module]
    let profile: ProfileList?
    let properties: [String: JSONValue]
    let isStrict: Bool
    let base: AppContext

    /// Each test of a suite gets a context of its own.
    public var isRecursive: Bool { true }

    /// Runs a test, or one case of a parametrised test, in its own context.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        for finding in try await findings(performing: function) { Issue.record("\(finding)") }
    }

    /// Runs a test in its own context, and gives what is wrong with how it used it.
    package func findings(performing function: @Sendable () async throws -> Void) async throws -> [String] {
        let overrides = Module("properties of the test trait", properties: properties)
        // An outer trait, such as the suite's, has made its fork the current context already.
        let base = AppContext.isEntered ? AppContext.current : base
        let fork = try base.fork(profile: profile)
        for module in ([overrides] + modules).reversed() { try fork.push(module) }
        let pushes = fork.pushes.count
        if isStrict { fork.watchAnswers(outside: modules) }
        try await fork.start()
        try await AppContext.withContext(fork) { try await function() }
        let left = fork.pushes.dropFirst(pushes)
        return left.map { "\($0.location): \($0.module) was pushed in the test and not popped" }
            + fork.answersFromOutside
    }
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
    public static func locator(
        _ modules: Module..., profile: ProfileList? = nil, properties: [String: JSONValue] = [:],
        strict: Bool = false, base: AppContext = .shared
    ) -> LocatorTrait {
        LocatorTrait(
            modules: modules, profile: profile, properties: properties, isStrict: strict, base: base)
    }
}
