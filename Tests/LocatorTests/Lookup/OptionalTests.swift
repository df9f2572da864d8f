import Locator
import Testing

@Suite("An optional is nil only if nothing is registered")
struct OptionalTests {
    private struct Failure: Error {}

    private final class Holder {
        @Dependency var number: Int?
        @Dependency(qualifier: "a") var qualified: Int?
    }

    private struct Parameters: Sendable {
        let number: Int?
        let text: String?
    }

    @Test func optional_isNil_whenNothingIsRegistered() throws {
        let context = AppContext()
        #expect(try context.resolve(Int?.self) == nil)
        #expect(AppContext.withContext(context) { Holder() }.number == nil)
    }

    @Test func optional_isTheInstance_whenItIsRegistered() throws {
        let context = try AppContext().load(Module("M") { $0.register(Int.self) { 1 } })
        #expect(try context.resolve(Int?.self) == 1)
        let holder = AppContext.withContext(context) { Holder() }
        #expect(holder.number == 1)
        #expect(holder.qualified == nil)
    }

    @Test func existingOptional_isWhatExistsOfTheType() throws {
        let context = try AppContext().load(
            Module("M") { registry in
                registry.register(Int.self) { 1 }
                registry.register(qualifier: "a", instance: 2)
            })
        #expect(context.existing(Int?.self) == nil)
        _ = try context.resolve(Int.self)
        #expect(context.existing(Int?.self) == 1)
        #expect(context.existing(Int?.self, qualifier: "a") == 2)
        #expect(context.existing(String?.self) == nil)
        // The type of the result does not make the request one for an optional.
        let inferred: Int? = context.existing()
        #expect(inferred == 1)
    }

    @Test func optionalWrapper_follows_whenTheKeyComesAndGoes() throws {
        let context = AppContext()
        let holder = AppContext.withContext(context) { Holder() }
        #expect(holder.number == nil)
        try context.push(Module("M") { $0.register(Int.self) { 1 } })
        #expect(holder.number == 1)
        context.pop()
        #expect(holder.number == nil)
    }

    @Test func optionalParameter_isNilOrTheInstance() throws {
        let module = Module("M") { registry in
            registry.register(Parameters.init)
            registry.register(Int.self) { 1 }
        }
        let parameters = try AppContext().load(module).resolve(Parameters.self)
        #expect(parameters.number == 1)
        #expect(parameters.text == nil)
    }

    @Test func failingClosure_isAnError_notNil() throws {
        let module = Module("M") { registry in
            registry.register(Int.self) { () throws -> Int in throw Failure() }
            registry.register(Parameters.init)
        }
        let context = try AppContext().load(module)
        #expect(locatorError({ try context.resolve(Int?.self) }) != nil)
        #expect(locatorError({ try context.resolve(Parameters.self) }) != nil)
        let holder = AppContext.withContext(context) { Holder() }
        #expect(locatorError({ try holder.$number.resolved() }) != nil)
    }

    @Test func missingDependencyOfTheInstance_isAnError_notNil() throws {
        let context = try AppContext().load(Module("M") { $0.register(Int.self) { (text: String) in text.count } })
        #expect(locatorError({ try context.resolve(Int?.self) }) != nil)
    }

    @Test(
        "Types that stand for a request cannot be registered",
        arguments: [
            Registering { $0.register(Int?.self) { 1 } },
            Registering { $0.register([Int].self) { [1] } },
            Registering { $0.register(Lazy<Int>?.self) { nil } },
            Registering { $0.register(instance: Int?.some(1)) },
            Registering { $0.register(Int.self) { 1 }.alias(Int?.self) { $0 } },
            Registering { $0.register(Provider<Int>.self, scope: .prototype) { (ints: Provider<Int>) in ints } },
            Registering { $0.register(Factory<Int, String>.self) { (make: Factory<Int, String>) in make } },
            Registering { $0.register([Int].self, qualifier: "a") { (ints: [Int]) in ints } },
        ])
    func waysToAsk_cannotBeRegistered(row: Registering) throws {
        let error = locatorError { try AppContext().load(Module("M", row.register)) }
        guard case .invalidRegistrations(let problems) = error?.kind else {
            Issue.record("accepted")
            return
        }
        #expect(problems.map(\.kind) == [.notRegistrable])
    }
}
