import Locator
import Testing

@Suite("Wrappers of a child follow a reset of its parent")
struct ChildWrapperTests {
    private final class Engine: Sendable {}
    private final class Car: Sendable {
        let engine: Engine
        init(engine: Engine) { self.engine = engine }
    }
    private final class Request: Sendable {
        let car: Car
        init(car: Car) { self.car = car }
    }

    private static let session = Scope("session")

    /// Which context resets what.
    enum Reset: CaseIterable, Sendable {
        case parent
        case parentScope
        case siblingScope
        case childScope
        case shutdownOfParent
    }

    @Test(arguments: WrapperKind.allCases, Reset.allCases)
    func reset_isFollowed(_ kind: WrapperKind, _ reset: Reset) async throws {
        let context = AppContext()
        let module = Module("Cars") { [log] registry in
            registry.register(scope: Self.session, Engine.init).onDispose { _ in log("engine") }
            registry.register(scope: Self.session, Car.init).onDispose { _ in log("car") }
            registry.register(scope: Scope("request"), Request.init).onDispose { _ in log("request") }
        }
        try context.load(module)
        let child = try context.child(opening: Scope("request"))
        let grandchild = try child.child(pushing: .text("own"))
        let sibling = try context.child(opening: Scope("request"))
        let readers = try [context, child, grandchild].map { context in
            (context, try kind.reader(of: Car.self, in: context), try kind.reader(of: Request.self, in: context))
        }
        let car = try context.resolve(Car.self)
        for (context, readCar, readRequest) in readers {
            #expect(try readCar() === car)
            #expect(try readRequest() === context.resolve(Request.self))
            #expect(try readRequest().car === car)
        }
        switch reset {
        case .parent: try context.reset()
        case .parentScope: try context.reset(Self.session)
        case .siblingScope: try sibling.reset(Self.session)
        case .childScope: try child.reset(Self.session)
        case .shutdownOfParent: try await context.shutdown()
        }
        // The instances of other children end when those children are used.
        let endsAtOnce = reset == .childScope
        #expect(log.take() == (endsAtOnce ? ["request", "request", "car", "engine"] : ["request", "car", "engine"]))
        let next = try context.resolve(Car.self)
        #expect(next !== car)
        for (context, readCar, readRequest) in readers {
            #expect(try readCar() === next)
            #expect(try readCar() === context.resolve(Car.self))
            #expect(try readRequest() === context.resolve(Request.self))
            #expect(try readRequest().car === next)
        }
        #expect(log.take() == (endsAtOnce ? [] : ["request"]))
    }

    private let log = Log()

    @Test func arraysAndPrototypes_areMadeAgain() throws {
        struct Holder {
            @DependencyArray var cars: [Car]
            @Dependency(qualifier: "hired") var hired: Car
            @Dependency var absent: Int?
        }
        let context = AppContext()
        let module = Module("Cars") { registry in
            registry.register(Engine.init)
            registry.register(Car.init)
            registry.register(qualifier: "hired", scope: .prototype, Car.init)
        }
        try context.load(module)
        let child = try context.child()
        let grandchild = try child.child()
        let holders = [child, grandchild].map { AppContext.withContext($0) { Holder() } }
        let before = holders.map { ($0.cars, $0.hired) }
        #expect(holders.allSatisfy { $0.absent == nil })
        try context.reset()
        let engine = try context.resolve(Engine.self)
        for (holder, (cars, hired)) in zip(holders, before) {
            #expect(holder.cars.count == 2)
            #expect(holder.cars[0] !== cars[0])
            #expect(try holder.cars[0] === context.resolve(Car.self))
            #expect(holder.cars.allSatisfy { $0.engine === engine })
            #expect(holder.hired !== hired)
            #expect(holder.hired.engine === engine)
            #expect(holder.absent == nil)
        }
    }
}
