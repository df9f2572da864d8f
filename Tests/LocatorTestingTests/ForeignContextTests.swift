import Locator
import LocatorTesting
import Testing

private final class Part: Sendable {}
private final class Screen: Sendable {
    let part = Dependency<Part>(fileID: "Test.swift", line: 5)
}

private let real = Module("Real") { registry in
    registry.register(Part.self, fileID: "Shop/Real.swift", line: 1) { Part() }
}
private let fakes = Module("Fakes") { registry in
    registry.register(Part.self, fileID: "Shop/Fakes.swift", line: 1) { Part() }
}
private let extra = Module("Extra")

/// Runs a closure outside of the test, as in a detached task or a dispatch block.
private func outsideOfTests<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await Task.detached { try body() }.value
}

@Suite struct `A test that uses contexts which are not its own` {
    private let base: AppContext

    init() throws {
        base = try AppContext().load(real)
    }

    private func findings(
        strict: Bool = true, _ body: @escaping @Sendable (AppContext) async throws -> Void
    ) async throws -> [String] {
        let base = base
        return try await LocatorTrait.locator(fakes, strict: strict, base: base).findings {
            try await body(base)
        }.map(\.description)
    }

    // MARK: Pushes

    @Test(arguments: [true, false])
    func `fails with what it has pushed on the base and not popped`(strict: Bool) async throws {
        let found = try await findings(strict: strict) { base in
            try base.push(extra, fileID: "Test.swift", line: 2)
            try base.push(fakes, fileID: "Test.swift", line: 3)
            try base.push(fakes, fileID: "Test.swift", line: 4)
            try base.pop(fakes)
        }
        #expect(
            found == [
                """
                Test.swift:3: module "Fakes" was pushed on the trait's base context in the test and not popped, \
                so that later tests still see it
                  fix: push it on AppContext.current, or pass it to the trait: .locator(…)
                """,
                """
                Test.swift:2: module "Extra" was pushed on the trait's base context in the test and not popped, \
                so that later tests still see it
                  fix: push it on AppContext.current, or pass it to the trait: .locator(…)
                """,
            ])
        base.pop()
        base.pop()
    }

    @Test func `fails with what it has pushed on the shared context`() async throws {
        let found = try await findings { _ in
            try AppContext.shared.push(extra, fileID: "Test.swift", line: 2)
        }
        #expect(
            found == [
                """
                Test.swift:2: module "Extra" was pushed on AppContext.shared in the test and not popped, \
                so that later tests still see it
                  fix: push it on AppContext.current, or pass it to the trait: .locator(…)
                """
            ])
        try AppContext.shared.pop(extra)
    }

    @Test func `does not fail with what it has popped, what others push, and what follows the fix`() async throws {
        let found = try await findings { base in
            try base.push(extra)
            try base.pop(extra)
            try await outsideOfTests { _ = try base.push(extra) }
            try AppContext.current.push(extra)
            AppContext.current.pop()
        }
        #expect(found.isEmpty)
        base.pop()
    }

    // MARK: Asks

    private static let foreign = """
        Test.swift:1: Part was resolved from module "Real" (Shop/Real.swift:1) of a context other than the test's
          fix: use AppContext.current, and create wrappers in the test; a static wrapper belongs to the context that was current at its first use
        """

    private static let detached = """
        Test.swift:1: Part was resolved from module "Real" (Shop/Real.swift:1) of a context other than the test's, \
        and was requested outside of any test
          fix: enter the test's context in a detached task or a dispatch block: AppContext.withContext(context) { … }
        """

    @Test func `gets the real service from the base, which fails a strict test`() async throws {
        _ = try base.resolve(Part.self)
        let found = try await findings { base in
            for _ in 0..<3 { _ = try base.resolve(Part.self, fileID: "Test.swift", line: 1) }
        }
        #expect(found == [Self.foreign])
        #expect(try await findings(strict: false) { _ = try $0.resolve(Part.self) }.isEmpty)
    }

    @Test func `gets the real service in a detached task, which fails a strict test`() async throws {
        let found = try await findings { base in
            try await outsideOfTests {
                _ = try AppContext.withContext(base) { try base.resolve(Part.self, fileID: "Test.swift", line: 1) }
            }
            try await outsideOfTests { _ = try base.resolve(Part.self, fileID: "Test.swift", line: 1) }
        }
        #expect(found == [Self.detached])
    }

    @Test(arguments: [1, 2, 3])
    func `gets it by a qualifier that a setting names, which fails a strict test`(way: UInt) async throws {
        let parts = Module("Parts", properties: ["region": "eu"]) { registry in
            registry.register(Part.self, qualifier: "eu", fileID: "Shop/Parts.swift", line: 1) { Part() }
        }
        try base.load(parts)
        let found = try await findings { base in
            try await outsideOfTests {
                let region = Qualifier.property("region"), file: StaticString = "Test.swift"
                switch way {
                case 1: _ = try base.resolve(Part.self, qualifier: region, fileID: file, line: 1)
                case 2: _ = try base.resolve(Part?.self, qualifier: region, fileID: file, line: 2)
                default: _ = try base.resolveAll(Part.self, qualifier: region, fileID: file, line: 3)
                }
            }
        }
        #expect(
            found == [
                """
                Test.swift:\(way): Part "eu" was resolved from module "Parts" (Shop/Parts.swift:1) of a context other \
                than the test's, and was requested outside of any test
                  fix: enter the test's context in a detached task or a dispatch block: \
                AppContext.withContext(context) { … }
                """
            ])
    }

    @Test func `enters its context in a detached task, as the fix says`() async throws {
        let found = try await findings { _ in
            let context = AppContext.current
            try await outsideOfTests {
                _ = try AppContext.withContext(context) { try AppContext.current.resolve(Part.self) }
            }
        }
        #expect(found.isEmpty)
    }

    @Test func `does not fail with what another test requests from the base`() async throws {
        let base = base
        let found = try await findings { _ in
            // Both a test with the trait and one without know which test they are.
            try await Task.detached {
                _ = try await LocatorTrait.locator(extra, base: base).findings { _ = try base.resolve(Part.self) }
            }.value
        }
        #expect(found.isEmpty)
    }

    @Test func `leaves the base as it was`() async throws {
        _ = try await findings { _ in }
        let part = try base.resolve(Part.self)
        #expect(try base.fork().resolve(Part.self) !== part)
        #expect(try base.resolve(Part.self) === part)
    }

    // MARK: Static wrappers

    @Test func `fails with a wrapper that an earlier test has made`() async throws {
        let screen = try await LocatorTrait.locator(fakes, base: base).made()
        for strict in [true, false] {
            #expect(
                try await findings(strict: strict) { _ in _ = screen.part() } == [
                    """
                    Test.swift:5: Part was read through a wrapper whose context has ended: it is an instance of that context
                      fix: create the wrapper in the test; a static wrapper belongs to the context that was current at its first use
                    """
                ])
        }
        #expect(try await findings { _ in _ = Screen().part() }.isEmpty)
    }
}

extension LocatorTrait {
    /// An object of a test, whose wrappers have been read.
    fileprivate func made() async throws -> Screen {
        let made = Made()
        _ = try await findings {
            let screen = Screen()
            _ = screen.part()
            await made.set(screen)
        }
        return try #require(await made.screen)
    }
}

private actor Made {
    var screen: Screen?
    func set(_ screen: Screen) { self.screen = screen }
}
