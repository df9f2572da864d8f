import Locator
import LocatorTesting
import Testing

private final class Part: Sendable {}
private final class Other: Sendable {}

/// Like a static wrapper: created and read before the test, in a context that outlives it.
private final class Screen: Sendable {
    let part = Dependency<Part>(fileID: "Test.swift", line: 1)
    let optional = Dependency<Part?>(fileID: "Test.swift", line: 2)
    let chosen = Dependency<Part>(qualifierBy: "part", fileID: "Test.swift", line: 3)
    let all = DependencyArray<Part>(fileID: "Test.swift", line: 4)
    let given = Dependency<Part>.value(Part(), fileID: "Test.swift", line: 5)
    let port = PropertyValue<Int>("port", fileID: "Test.swift", line: 6)
    let other = Dependency<Other>(fileID: "Test.swift", line: 7)

    func read() -> Part {
        _ = (optional(), chosen(), all(), given(), port())
        return part()
    }
}

private let real = Module("Real", properties: ["part": "main", "port": 1]) { registry in
    registry.register(Part.self, qualifier: "main", fileID: "Shop/Real.swift", line: 1) { Part() }
    registry.register(Other.self, fileID: "Shop/Real.swift", line: 2) { Other() }
}

@Suite struct `A wrapper that settled before a strict test` {
    private let base: AppContext

    init() throws {
        base = try AppContext().load(real)
    }

    private static func finding(_ line: Int) -> String {
        """
        Test.swift:\(line): Part "main" was resolved from module "Real" (Shop/Real.swift:1) of a context other than the test's
          fix: use AppContext.current, and create wrappers in the test; a static wrapper belongs to the context that was current at its first use
        """
    }

    private func findings(
        strict: Bool = true, _ body: @escaping @Sendable () async throws -> Void
    ) async throws -> [String] {
        try await LocatorTrait.locator(strict: strict, base: base).findings { try await body() }.map(\.description)
    }

    @Test func `is reported where the test reads it, and gives what it gave`() async throws {
        defer { withExtendedLifetime(base) {} }
        let screen = AppContext.withContext(base) { Screen() }
        let part = screen.read()
        _ = screen.other()
        for _ in 0..<2 {
            let found = try await findings { #expect(screen.part() === part) }
            #expect(found == [Self.finding(1)])
        }
        #expect(screen.read() === part)
    }

    @Test func `is reported whatever its kind`() async throws {
        defer { withExtendedLifetime(base) {} }
        let screen = AppContext.withContext(base) { Screen() }
        _ = screen.read()
        #expect(try await findings { _ = screen.optional() } == [Self.finding(2)])
        #expect(try await findings { _ = screen.chosen() } == [Self.finding(3)])
        #expect(try await findings { _ = screen.all() } == [Self.finding(4)])
        #expect(try await findings { _ = (screen.given(), screen.port()) } == [])
    }

    @Test func `is not reported where the test is not strict, or does not read it`() async throws {
        defer { withExtendedLifetime(base) {} }
        let screen = AppContext.withContext(base) { Screen() }
        _ = screen.read()
        #expect(try await findings(strict: false) { _ = screen.read() } == [])
        #expect(try await findings {} == [])
    }
}
