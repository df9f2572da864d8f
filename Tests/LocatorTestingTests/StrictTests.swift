import Locator
import LocatorTesting
import Testing

private final class Part: Sendable {}
private final class Visit: Sendable {
    let part: Part
    init(part: Part) { self.part = part }
}
private final class Shelf: Sendable {
    let parts: [Part]
    init(parts: [Part]) { self.parts = parts }
}
private final class Maybe: Sendable {
    let part: Part?
    init(part: Part?) { self.part = part }
}

private let visit = Scope("visit")
private let request = Scope("request", requiresOpening: true)

private let real = Module("Real") { registry in
    registry.register(Part.self, fileID: "Shop/Real.swift", line: 1) { Part() }
    registry.register(Visit.self, scope: visit, fileID: "Shop/Real.swift", line: 2, Visit.init)
    registry.input(String.self, scope: request)
}

private let shelves = Module("Shelves") { registry in
    registry.register(Shelf.self, fileID: "Shop/Shelves.swift", line: 3, Shelf.init)
    registry.register(Maybe.self, fileID: "Shop/Shelves.swift", line: 4, Maybe.init)
}

@Suite struct `A strict test` {
    @Test func `does not make asynchronous instances of other modules`() async throws {
        final class Calls: Sendable {}
        let base = try AppContext().load(real).load(
            Module("Services") { registry in
                registry.register(
                    Calls.self,
                    async: { (_: Part) in
                        Issue.record("the real service was made")
                        return Calls()
                    })
            })
        let fake = Module("Fake") { $0.register(Int.self, async: { 7 }) }
        let findings = try await LocatorTrait.locator(fake, strict: true, base: base).findings {
            let number = try AppContext.current.resolve(Int.self)
            #expect(number == 7)
        }
        #expect(findings.isEmpty)
    }

    @Test func `does not make them in a reload or for a push either`() async throws {
        final class Calls: Sendable {}
        let base = try AppContext().load(
            Module("Services") { registry in
                registry.register(
                    Calls.self,
                    async: {
                        Issue.record("the real service was made in the reload")
                        return Calls()
                    })
            },
            Module("Mail", when: .property("mail", equals: true)) { registry in
                registry.register(
                    Calls.self, qualifier: "mail",
                    async: {
                        Issue.record("the real service was made for the push")
                        return Calls()
                    })
            })
        let fake = Module("Fake") { $0.register(Int.self, async: { 7 }) }
        let findings = try await LocatorTrait.locator(fake, strict: true, base: base).findings {
            let context = AppContext.current
            try await context.reloadAndStart()
            try await context.pushing(Module("Settings", properties: ["mail": true])) {
                let number = try context.resolve(Int.self)
                #expect(number == 7)
            }
        }
        #expect(findings.isEmpty)
    }

    @Test func `reports the real service that the start of a fake needs`() async throws {
        let base = try AppContext().load(real).load(Module("Services") { $0.register(Int.self, async: { 7 }) })
        let fake = Module("Fake") { $0.register(String.self, async: { (number: Int) in "\(number)" }) }
        var findings: [LocatorTrait.Finding] = []
        await #expect(throws: LocatorError.self) {
            try await LocatorTrait.locator(fake, strict: true, base: base).run({}) { findings = $0 }
        }
        #expect(findings.count == 1)
        #expect(findings.first?.description.contains(#"Int was resolved from module "Services""#) == true)
    }

    /// What a strict test does, and the keys that it uses from outside.
    struct Use: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable (AppContext) throws -> Void
        var findings = [part]

        static let part = """
            Test.swift:1: Part was resolved from module "Real" (Shop/Real.swift:1), which is not a module of the trait
              fix: register it in a module of the trait, or remove `strict`
            """
        static let visit = """
            Test.swift:1: Visit was resolved from module "Real" (Shop/Real.swift:2), which is not a module of the trait
              fix: register it in a module of the trait, or remove `strict`
            """

        static func part(at place: String) -> String { part.replacing("Test.swift:1", with: place) }
    }

    private static func ask<Value>(_ context: AppContext, _ type: Value.Type = Value.self) throws {
        _ = try context.resolve(type, fileID: "Test.swift", line: 1)
    }

    private static let uses = [
        Use(testDescription: "a child") { try ask($0.child(), Part.self) },
        Use(testDescription: "a child that was asked before") { context in
            let child = try context.child(opening: visit)
            for _ in 0..<3 { try ask(child, Part.self) }
        },
        Use(
            testDescription: "the scope of a child",
            run: { try ask($0.child(opening: visit), Visit.self) },
            findings: [Use.visit, Use.part(at: "Shop/Real.swift:2")]),
        Use(testDescription: "a child of a child") { try ask($0.child().child(opening: visit), Part.self) },
        Use(testDescription: "a fork") { try ask($0.fork(), Part.self) },
        Use(testDescription: "a fork of a fork, and a child") { try ask($0.fork().fork().child(), Part.self) },
        Use(testDescription: "all of them, reported once") { context in
            let fork = try context.fork(), child = try context.child(), other = try fork.child(opening: visit)
            for context in [child, fork, other, context] { try ask(context, Part.self) }
        },
        Use(testDescription: "a wrapper in a child") { context in
            let child = try context.child(opening: visit)
            let wrapper = AppContext.withContext(child) { Dependency<Part>(fileID: "Test.swift", line: 1) }
            _ = wrapper()
        },
        Use(
            testDescription: "an array as a parameter", run: { try ask($0, Shelf.self) },
            findings: [Use.part(at: "Shop/Shelves.swift:3")]),
        Use(
            testDescription: "an optional as a parameter", run: { try ask($0.child(), Maybe.self) },
            findings: [Use.part(at: "Shop/Shelves.swift:4")]),
        Use(
            testDescription: "an input, which no module makes",
            run: { try ask($0.child(opening: request, giving: "handed in"), String.self) }, findings: []),
        Use(testDescription: "an array that is asked for") { try ask($0, [Part].self) },
        Use(
            testDescription: "its own modules alone", run: { try ask($0.child(pushing: shelves), [Int].self) },
            findings: []),
    ]

    @Test(arguments: uses)
    func `names what comes from elsewhere, wherever it is requested`(use: Use) async throws {
        let base = try AppContext().load(real)
        let findings = try await LocatorTrait.locator(shelves, strict: true, base: base).findings {
            try use.run(AppContext.current)
        }
        #expect(findings.map(\.description) == use.findings)
    }

    @Test func `names what comes from a fork of the base context`() async throws {
        let base = try AppContext().load(real)
        let findings = try await LocatorTrait.locator(shelves, strict: true, base: base).findings {
            let fork = try base.fork()
            try Self.ask(fork, Part.self)
            try Self.ask(fork, [Int].self)
        }
        #expect(findings.map(\.description) == [Use.part])
        // Without a strict trait, the fork is not watched.
        let others = try await LocatorTrait.locator(base: base).findings { try Self.ask(base.fork(), Part.self) }
        #expect(others.isEmpty)
    }

    @Test func `names an existing instance`() async throws {
        let module = Module("Real") { $0.register(instance: Part(), fileID: "Shop/Real.swift", line: 1) }
        let base = try AppContext().load(module)
        let findings = try await LocatorTrait.locator(shelves, strict: true, base: base).findings {
            _ = AppContext.current.existing(Part.self, fileID: "Test.swift", line: 1)
            _ = AppContext.current.existing(Shelf.self, fileID: "Test.swift", line: 2)
        }
        #expect(findings.map(\.description) == [Use.part])
    }

    @Test(arguments: [(#fileID as StaticString, 7), ("Shop/Shop.swift", 1000)])
    func `is shown at the line that asks, or at the trait where that is in another file`(
        file: StaticString, shown: Int
    ) async throws {
        let place = Testing.SourceLocation(fileID: #fileID, filePath: #filePath, line: 1000, column: 3)
        let trait = try LocatorTrait.locator(
            shelves, strict: true, base: AppContext().load(real), sourceLocation: place)
        let findings = try await trait.findings {
            _ = try AppContext.current.child().resolve(Part.self, fileID: file, line: 7)
        }
        let places = findings.map { trait.place(of: $0) }
        #expect(places.map(\.fileID) == [#fileID])
        #expect(places.map(\.filePath) == [#filePath])
        #expect(places.map(\.line) == [shown])
    }
}
