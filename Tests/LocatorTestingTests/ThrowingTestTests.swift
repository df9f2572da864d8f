import Locator
import LocatorTesting
import Testing

private final class Part: Sendable {}

private struct Failure: Error {}

private let real = Module("Real") { registry in
    registry.register(Part.self, fileID: "Shop/Real.swift", line: 1) { Part() }
}
private let extra = Module("Extra")

@Suite struct `A test with the trait that throws` {
    private let base: AppContext

    init() throws {
        base = try AppContext().load(real)
    }

    /// What is reported to a test, and whether its error was rethrown.
    private func findings(
        strict: Bool = false, _ body: @escaping @Sendable (AppContext) async throws -> Void
    ) async throws -> (texts: [String], hasThrown: Bool) {
        let base = base
        var texts: [String] = []
        do {
            try await LocatorTrait.locator(strict: strict, base: base).run {
                try await body(base)
            } report: {
                texts = $0.map(\.description)
            }
        } catch is Failure {
            return (texts, true)
        }
        return (texts, false)
    }

    @Test func `is told what it has pushed on the base, which later tests would see`() async throws {
        let found = try await findings { base in
            try base.push(extra, fileID: "Test.swift", line: 2)
            throw Failure()
        }
        #expect(
            found.texts == [
                """
                Test.swift:2: module "Extra" was pushed on the trait's base context in the test and not popped, \
                so that later tests still see it
                  fix: push it on AppContext.current, or pass it to the trait: .locator(…)
                """
            ])
        #expect(found.hasThrown)
    }

    @Test func `is told what came from outside if it is strict`() async throws {
        let found = try await findings(strict: true) { _ in
            _ = try AppContext.current.resolve(Part.self, fileID: "Test.swift", line: 2)
            throw Failure()
        }
        #expect(
            found.texts == [
                """
                Test.swift:2: Part was resolved from module "Real" (Shop/Real.swift:1), \
                which is not a module of the trait
                  fix: register it in a module of the trait, or remove `strict`
                """
            ])
        #expect(found.hasThrown)
    }

    @Test func `is told the error of a hook that runs on the main actor`() async throws {
        var texts: [String] = []
        let module = Module("Fakes") { registry in
            registry.register(Part.self, fileID: "Shop/Fakes.swift", line: 1) { Part() }
                .onDispose(onMainActor: { _ in throw Failure() })
        }
        try await LocatorTrait.locator(module, base: base).run {
            _ = try AppContext.current.resolve(Part.self)
        } report: {
            texts = $0.map(\.description)
        }
        #expect(texts.count == 1 && texts[0].hasSuffix("disposing of Part (Shop/Fakes.swift:1): Failure()"))
    }

    @Test func `is not told what it has pushed on its own context, because its error is the reason`() async throws {
        let found = try await findings { _ in
            try AppContext.current.push(extra)
            throw Failure()
        }
        #expect(found.texts == [])
        #expect(found.hasThrown)
    }
}
