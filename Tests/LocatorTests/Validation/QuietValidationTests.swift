import Dispatch
import Locator
import TestSupport
import Testing

private final class Wheel: Sendable {}
private final class Car: Sendable {
    let wheel: Wheel
    init(wheel: Wheel) { self.wheel = wheel }
}
private struct Copy: Sendable {}
private final class Prepared: Sendable {}
private struct Settings: ConfigProperty {
    static let path = "shop"
    let name: String
}

extension Scope {
    fileprivate static let session = Scope("session")
}

/// Registers in every way, including `.always` in one profile.
///
/// No function may run unless `isOpen` is true.
private func everyWay(_ isOpen: Late<Bool>) -> Module {
    @Sendable func run<Value>(_ function: String, _ value: @autoclosure () -> Value = ()) -> Value {
        if isOpen.value != true { Issue.record("validation ran \(function)") }
        return value()
    }
    let atLoad = Module("At load", when: .profile("prod")) { registry in
        registry.register(Float.self, scope: .always) { run("a maker at load", 1) }
    }
    return Module("Shop", including: [atLoad]) { registry in
        registry.register(Wheel.self) { run("a maker", Wheel()) }
            .injecting { _ in run("an injection") }
            .onDispose { _ in run("a dispose hook") }
            .onShutdown { _ in run("a shutdown hook") }
        registry.register(Car.self) { wheel in run("a maker", Car(wheel: wheel)) }
            .alias((any Sendable).self) { car in run("an alias", car) }
        registry.decorate(Car.self) { car in run("a decorator", car) }
        registry.register(Int.self, scope: .session) { (_: Settings) in run("a maker", 1) }
        registry.register(UInt.self, scope: .graph) { (_: Wheel) in run("a maker", 1) }
        registry.register(Copy.self, scope: .prototype) { (_: Wheel) in run("a maker", Copy()) }
        registry.register(Prepared.self, async: { run("an asynchronous maker", Prepared()) })
        registry.register(String.self, onMainActor: { run("a maker of the main actor", "") })
        registry.factory(Bool.self) { (_: String, _: Wheel) in run("a factory", true) }
    }
}

@Suite("Validation makes nothing and leaves nothing behind")
struct QuietValidationTests {
    private let isOpen = Late(false)

    private func loaded() throws -> (AppContext, TemporaryFolder) {
        let folder = try TemporaryFolder([
            "application.json": #"{ "shop": { "name": "Corner" } }"#, "application-prod.json": "{}",
        ])
        let context = try AppContext().loadProperties(from: folder.path, environment: [:]).load(everyWay(isOpen))
        return (context, folder)
    }

    @Test func validation_runsNoClosure_andMakesNothing() throws {
        let (context, folder) = try loaded()
        defer { withExtendedLifetime(folder) { isOpen.value = true } }
        for _ in 0..<2 {
            #expect(context.validate().description == "nothing found in 8 registrations")
            #expect(context.validate(profiles: ["prod"]).description == "nothing found in 9 registrations (prod)")
        }
        #expect(context.existing(Wheel.self) == nil)
        #expect(context.existing(Car.self) == nil)
        #expect(context.existing(Int.self) == nil)
    }

    @Test func validation_isNothingToObservers() throws {
        let (context, folder) = try loaded()
        defer { withExtendedLifetime(folder) { isOpen.value = true } }
        let events = Log()
        let observation = context.observe { events("\($0)") }
        defer { observation.end() }
        _ = context.validate()
        _ = context.validate(profiles: ["prod"])
        #expect(events.entries == [])
    }

    @Test func instances_stayTheIdenticalObjects() async throws {
        let (context, folder) = try loaded()
        isOpen.value = true
        try await context.start()
        let before = (
            try context.resolve(Wheel.self), try context.resolve(Car.self), try context.resolve(Prepared.self)
        )
        isOpen.value = false
        _ = context.validate()
        _ = context.validate(profiles: ["prod", "none"])
        #expect(context.existing(Wheel.self) === before.0)
        #expect(try context.resolve(Wheel.self) === before.0)
        #expect(try context.resolve(Car.self) === before.1)
        #expect(try context.resolve(Prepared.self) === before.2)
        isOpen.value = true
        withExtendedLifetime(folder) {}
    }

    @Test func objects_areFreed_asWithoutValidation() throws {
        weak var wheel: Wheel?
        do {
            let context = try AppContext().load(Module("Shop") { $0.register(Wheel.self) { Wheel() } })
            wheel = try context.resolve(Wheel.self)
            _ = context.validate(profiles: ["prod"])
            #expect(wheel != nil)
        }
        #expect(wheel == nil)
    }

    @Test func validation_mayBeCalledInsideAClosure() throws {
        let texts = Log()
        let context = AppContext()
        let shop = Module("Shop") { registry in
            registry.register(Wheel.self) { [weak context] in
                texts(context?.validate().description ?? "gone")
                texts(context?.validate(profiles: ["prod"]).description ?? "gone")
                return Wheel()
            }
            registry.register(Car.self, Car.init)
        }
        try context.load(shop)
        _ = try context.resolve(Car.self)
        #expect(
            texts.entries == ["nothing found in 2 registrations", "nothing found in 2 registrations (prod)"])
    }

    @Test func validation_ofAChild_seesWhatTheChildHas_andMakesNothingInEither() throws {
        let (context, folder) = try loaded()
        defer { withExtendedLifetime(folder) { isOpen.value = true } }
        let visit = Module("Visit") { registry in
            registry.register(Double.self, fileID: "Shop/Visit.swift", line: 2) { (_: Int64) in 1 }
        }
        let child = try context.child(opening: .session, pushing: visit)
        #expect(
            child.validate(profiles: ["prod"]).description == """
                Shop/Visit.swift:2: error: Double needs Int64, which is not registered [prod]
                  fix: pass a value in the factory closure (.init ignores default arguments), take it from a ConfigProperty, or, if the caller passes it, register a factory
                1 error in 10 registrations (prod)
                """)
        #expect(child.validate().errors.count == 1)
        #expect(context.validate().description == "nothing found in 8 registrations")
        #expect(child.existing(Wheel.self) == nil)
        #expect(context.existing(Wheel.self) == nil)
    }

    @Test func validation_ofAFork_seesWhatTheForkHas() throws {
        let (context, folder) = try loaded()
        defer { withExtendedLifetime(folder) { isOpen.value = true } }
        let fakes = Module("Fakes") { registry in
            registry.register(Wheel.self, fileID: "Shop/Fakes.swift", line: 2) { (_: Int64) in Wheel() }
        }
        let fork = try context.fork(pushing: fakes)
        #expect(fork.validate().errors.map(\.message) == ["Wheel needs Int64, which is not registered"])
        #expect(context.validate().description == "nothing found in 8 registrations")
        #expect(fork.existing(Wheel.self) == nil)
    }

    @Test func validation_fromSeveralThreads_whileTheContextChanges() throws {
        let (context, folder) = try loaded()
        isOpen.value = true
        let counts = Tally<String>()
        DispatchQueue.concurrentPerform(iterations: 4) { number in
            for _ in 0..<TestScale.count(200) {
                if number == 0 {
                    do {
                        let module = Module("More") { $0.register(Int16.self) { (_: Wheel) in 1 } }
                        try context.load(module)
                        _ = try context.resolve(Car.self)
                        try context.unload(module)
                    } catch {
                        Issue.record(error)
                    }
                } else {
                    counts.append(context.validate(profiles: number == 1 ? ["prod"] : []).summary)
                }
            }
        }
        let expected = [
            "nothing found in 8 registrations", "nothing found in 9 registrations (prod)",
            "nothing found in 9 registrations", "nothing found in 10 registrations (prod)",
        ]
        #expect(Set(counts.elements).isSubset(of: expected))
        withExtendedLifetime(folder) {}
    }
}
