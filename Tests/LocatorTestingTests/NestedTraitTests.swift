import Locator
import LocatorTesting
import Testing

private final class Part: Sendable {}
private final class Other: Sendable {}

private let real = Module("Real") { registry in
    registry.register(Part.self, fileID: "Shop/Real.swift", line: 1) { Part() }
    registry.register(Other.self, fileID: "Shop/Real.swift", line: 2) { Other() }
}
private let fakeParts = Module("Fake parts") { $0.register { Part() } }
private let fakeOthers = Module("Fake others") { $0.register { Other() } }
private let extra = Module("Extra")

/// A test is checked as one, however many of its suites have the trait.
@Suite struct `A test with the trait, in a suite with the trait` {
    private let base: AppContext

    init() throws {
        base = try AppContext().load(real)
    }

    /// The findings, which the trait of the test reports, because it knows the file of the test.
    private func findings(
        suite: LocatorTrait, test: LocatorTrait, _ body: @escaping @Sendable (AppContext) async throws -> Void
    ) async throws -> [String] {
        let base = base
        let texts = Texts()
        let ofSuite = try await suite.findings {
            await texts.add(try await test.findings { try await body(base) })
        }
        #expect(ofSuite.map(\.description) == [])
        return await texts.all
    }

    @Test(arguments: [(true, false), (false, true), (true, true)])
    func `may use the modules of both if one of them is strict`(suiteIsStrict: Bool, testIsStrict: Bool) async throws {
        let found = try await findings(
            suite: .locator(fakeParts, strict: suiteIsStrict, base: base),
            test: .locator(fakeOthers, strict: testIsStrict)
        ) { _ in
            _ = try AppContext.current.resolve(Part.self)
            _ = try AppContext.current.resolve(Other.self)
        }
        #expect(found == [])
    }

    @Test(arguments: [(true, false), (false, true), (true, true)])
    func `is told once what comes from outside if one of them is strict`(
        suiteIsStrict: Bool, testIsStrict: Bool
    ) async throws {
        let found = try await findings(
            suite: .locator(fakeParts, strict: suiteIsStrict, base: base),
            test: .locator(extra, strict: testIsStrict)
        ) { base in
            _ = try AppContext.current.resolve(Other.self, fileID: "Test.swift", line: 1)
            _ = try base.resolve(Part.self, fileID: "Test.swift", line: 2)
            try await Task.detached { _ = try base.resolve(Other.self, fileID: "Test.swift", line: 3) }.value
        }
        #expect(
            found.sorted() == [
                """
                Test.swift:1: Other was resolved from module "Real" (Shop/Real.swift:2), which is not a module of the trait
                  fix: register it in a module of the trait, or remove `strict`
                """,
                """
                Test.swift:2: Part was resolved from module "Real" (Shop/Real.swift:1) of a context other than the test's
                  fix: use AppContext.current, and create wrappers in the test; a static wrapper belongs to the context \
                that was current at its first use
                """,
                """
                Test.swift:3: Other was resolved from module "Real" (Shop/Real.swift:2) of a context other than the test's, \
                and was requested outside of any test
                  fix: enter the test's context in a detached task or a dispatch block: AppContext.withContext(context) \
                { … }
                """,
            ])
    }

    @Test func `is told once what it has pushed on the base of the suite`() async throws {
        let found = try await findings(
            suite: .locator(fakeParts, base: base), test: .locator(fakeOthers)
        ) { base in
            try base.push(extra, fileID: "Test.swift", line: 1)
        }
        #expect(
            found == [
                """
                Test.swift:1: module "Extra" was pushed on the trait's base context in the test and not popped, \
                so that later tests still see it
                  fix: push it on AppContext.current, or pass it to the trait: .locator(…)
                """
            ])
        base.pop()
    }
}

private actor Texts {
    var all: [String] = []
    func add(_ findings: [LocatorTrait.Finding]) { all += findings.map(\.description) }
}
