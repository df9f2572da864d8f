import Foundation
import Locator
import Testing

private final class Engine: Sendable {}

private struct Plane {
    @Dependency var engine: Engine
    var seats = 4
}

private class Car {
    @Dependency var engine: Engine
    let wheels: Int

    init(wheels: Int) { self.wheels = wheels }
}

private final class Van: Car {
    @Dependency(qualifier: "heating") var heating: Engine

    init() { super.init(wheels: 4) }
}

private actor Train {
    @Dependency var engine: Engine

    func isPulled(by other: Engine) -> Bool { engine === other }
}

@MainActor private final class Ship {
    @Dependency var engine: Engine
}

private final class Trailer<Load> {
    @Dependency var load: Load
    @DependencyArray var all: [Load]
}

private protocol Driving {
    func start() -> Engine
}

extension Driving {
    func start() -> Engine {
        @Dependency var engine: Engine
        return engine
    }
}

private struct Driver: Driving {}

/// A `Sendable` class has constants only: through its initializer, or with the wrapper as a constant.
private final class Tractor: Sendable {
    let engine: Engine
    let heating = Dependency<Engine>(qualifier: "heating")
    let engines = DependencyArray<Engine>()
    let gears = PropertyValue<Int>("gears", default: 5)

    init(engine: Engine) { self.engine = engine }
}

private enum Garage {
    case empty

    var engine: Engine {
        @Dependency var engine: Engine
        return engine
    }
}

@Suite("Wrappers work wherever a property can be declared")
struct PlacesTests {
    private let context: AppContext
    private let engine: Engine
    private let heating: Engine

    init() throws {
        let module = Module("Engines") { registry in
            registry.register(Engine.init)
            registry.register(qualifier: "heating", Engine.init)
            registry.register(Tractor.init)
        }
        context = try AppContext().load(module)
        engine = try context.resolve()
        heating = try context.resolve(qualifier: "heating")
    }

    @Test func inAStruct() {
        let plane = AppContext.withContext(context) { Plane() }
        #expect(plane.engine === engine)
        let copy = plane
        #expect(copy.engine === engine)
    }

    @Test func inAClass_andInItsSubclass() {
        let (car, van) = AppContext.withContext(context) { (Car(wheels: 3), Van()) }
        #expect(car.engine === engine)
        #expect(van.engine === engine)
        #expect(van.heating === heating)
    }

    @Test func inAnActor() async {
        let train = AppContext.withContext(context) { Train() }
        #expect(await train.isPulled(by: engine))
    }

    @Test @MainActor func inAMainActorClass() {
        let ship = AppContext.withContext(context) { Ship() }
        #expect(ship.engine === engine)
    }

    @Test func inAGenericClass() {
        let trailer = AppContext.withContext(context) { Trailer<Engine>() }
        #expect(trailer.load === engine)
        #expect(trailer.all.count == 2)
        let optional = AppContext.withContext(context) { Trailer<Int?>() }
        #expect(optional.load == nil)
    }

    /// More places than a thread remembers, each with several types and qualifiers, in two contexts.
    @Test func onThousandsOfLines_forSeveralTypesQualifiersAndContexts() throws {
        let contexts = try (0..<2).map { number in
            try AppContext().load(
                Module("Numbers") { registry in
                    for name in 0..<6 {
                        registry.register(Int.self, qualifier: "\(name)") { number * 100 + name }
                        registry.register(String.self, qualifier: "\(name)") { "\(number * 100 + name)" }
                    }
                    registry.register { number * 100 }
                })
        }
        for _ in 0..<2 {
            for line in (0..<6000 as Range<UInt>) {
                for (number, context) in contexts.enumerated() {
                    AppContext.withContext(context) {
                        let name = line % 6
                        #expect(Dependency<Int>(line: line).wrappedValue == number * 100)
                        let integer = Dependency<Int>(qualifier: "\(name)", line: line)
                        #expect(integer.wrappedValue == number * 100 + Int(name))
                        let text = Dependency<String>(qualifier: "\(name)", line: line / 600)
                        #expect(text.wrappedValue == "\(number * 100 + Int(name))")
                    }
                }
            }
        }
    }

    @Test func asALocal_inAFunctionOrAnEnum() {
        AppContext.withContext(context) {
            @Dependency var local: Engine
            #expect(local === engine)
            #expect(Garage.empty.engine === engine)
        }
    }

    @Test func asALocal_inADefaultMethodOfAProtocol() {
        #expect(AppContext.withContext(context) { Driver().start() } === engine)
    }

    @Test func asAConstant_inASendableClass() throws {
        let tractor = try context.resolve(Tractor.self)
        #expect(tractor.engine === engine)
        #expect(tractor.heating() === heating)
        #expect(tractor.engines().count == 2)
        #expect(tractor.gears() == 5)
    }

    @Test func asAConstant_readFromManyThreads() throws {
        let tractor = try context.resolve(Tractor.self)
        DispatchQueue.concurrentPerform(iterations: 100) { _ in
            #expect(tractor.heating() === heating)
            #expect(tractor.engines().count == 2)
        }
    }
}
