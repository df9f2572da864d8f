import Locator
import Testing

@Suite("Several registrations of one key in one module are ambiguous unless one is primary")
struct AmbiguityTests {
    private static func module(primary: Set<Int> = [], qualifier: Qualifier? = nil) -> Module {
        Module("Numbers") { registry in
            for number in 1...3 {
                let registration = registry.register(
                    Int.self, qualifier: qualifier, fileID: "Shop/Shop.swift", line: UInt(number)
                ) { number }
                if primary.contains(number) { registration.primary() }
            }
        }
    }

    @Test func primary_isChosen() throws {
        #expect(try AppContext().load(Self.module(primary: [2])).resolve(Int.self) == 2)
        #expect(try AppContext().load(Self.module(primary: [3], qualifier: "a")).resolve(Int.self) == 3)
        let qualified = try AppContext().load(Self.module(primary: [1], qualifier: "a"))
        #expect(try qualified.resolve(Int.self, qualifier: "a") == 1)
    }

    @Test("Without exactly one primary, the request is an error", arguments: [[], [1, 2], [1, 2, 3]] as [Set<Int>])
    func ambiguous_isAnError(primary: Set<Int>) throws {
        let context = try AppContext().load(Self.module(primary: primary))
        guard case .ambiguous(let key, let candidates) = locatorError({ try context.resolve(Int.self) })?.kind else {
            Issue.record("not ambiguous")
            return
        }
        #expect(key == Key(Int.self))
        #expect(candidates.map(\.location.line) == [1, 2, 3])
    }

    @Test func primary_countsInItsModuleOnly() throws {
        let front = Module("Front") { $0.register(Int.self) { 9 } }
        #expect(try AppContext().load(front, Self.module(primary: [2])).resolve(Int.self) == 9)
    }

    @Test func moduleInFront_resolvesTheAmbiguity() throws {
        let context = try AppContext().load(Self.module())
        try context.push(Module("Fake") { $0.register(Int.self) { 0 } })
        #expect(try context.resolve(Int.self) == 0)
        context.pop()
        #expect(message { try context.resolve(Int.self) } != nil)
    }

    @Test func severalQualifiers_areAmbiguous_forAnUnqualifiedRequest() throws {
        let module = Module("Loggers") { registry in
            registry.register(Int.self, qualifier: "one") { 1 }
            registry.register(Int.self, qualifier: "two") { 2 }
        }
        let context = try AppContext().load(module)
        guard case .ambiguous = locatorError({ try context.resolve(Int.self) })?.kind else {
            Issue.record("not ambiguous")
            return
        }
        #expect(try context.resolve(Int.self, qualifier: "two") == 2)
    }

    @Test func primaryAmongQualified_answersTheUnqualifiedRequest() throws {
        let module = Module("Loggers") { registry in
            registry.register(Int.self, qualifier: "one") { 1 }
            registry.register(Int.self, qualifier: "two") { 2 }.primary()
        }
        #expect(try AppContext().load(module).resolve(Int.self) == 2)
    }

    @Test func collection_isNeverAmbiguous() throws {
        let context = try AppContext().load(Self.module())
        #expect(try context.resolveAll(Int.self) == [1, 2, 3])
    }

    @Test func optional_isAnError_whenTheRequestIsAmbiguous() throws {
        let context = try AppContext().load(Self.module())
        #expect(message { try context.resolve(Int?.self) } == message { try context.resolve(Int.self) })
    }
}
