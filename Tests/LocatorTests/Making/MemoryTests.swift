import Locator
import Testing

/// Counts its instances that are alive.
private class Counted: @unchecked Sendable {
    private let alive: Log
    init(_ alive: Log) {
        self.alive = alive
        alive("+")
    }
    deinit { alive("-") }
}

extension Log {
    fileprivate var alive: Int { entries.reduce(0) { $0 + ($1 == "+" ? 1 : -1) } }
}

@Suite("The context holds instances only as long as necessary")
struct MemoryTests {
    private let log = Log()

    private func module(_ scope: Scope = .singleton) -> Module {
        Module("Counted") { [log] registry in
            registry.register(Counted.self, scope: scope) { Counted(log) }
            registry.register(Counted.self, qualifier: "prototype", scope: .prototype) { Counted(log) }
            registry.register(Counted.self, qualifier: "graph", scope: .graph) { Counted(log) }
            registry.factory(Counted.self) { (_: Int) in Counted(log) }
        }
    }

    @Test func droppedContext_freesItsInstances() throws {
        do {
            let context = try AppContext().load(module())
            _ = try context.resolve(Counted.self)
            #expect(log.alive == 1)
        }
        #expect(log.alive == 0)
    }

    @Test func droppedContext_freesInstances_thatReferToEachOtherThroughWrappers() throws {
        final class Hen: Sendable {
            let counted: Counted
            let egg = Dependency<Egg>()
            init(counted: Counted) { self.counted = counted }
        }
        final class Egg: Sendable {
            let hen = Dependency<Hen>()
        }
        weak var seen: AppContext?
        do {
            let context = try AppContext().load(
                module(),
                Module("Cycle") { registry in
                    registry.register(Hen.init)
                    registry.register(Egg.init)
                })
            seen = context
            // The two hold each other once both wrappers are settled, which makes them a reference cycle.
            #expect(try context.resolve(Hen.self).egg().hen.context === context)
        }
        #expect(seen == nil)
        #expect(log.alive == 0)
    }

    @Test func context_isNotHeld_byWhatItMade() throws {
        final class Holder: Sendable {
            let lazy: Lazy<Counted>
            let provider: Provider<Counted>
            let factory: Factory<Int, Counted>
            let resolver: Resolver
            let wrapper = Dependency<Counted>()
            init(
                lazy: Lazy<Counted>, provider: Provider<Counted>, factory: Factory<Int, Counted>, resolver: Resolver
            ) {
                self.lazy = lazy
                self.provider = provider
                self.factory = factory
                self.resolver = resolver
            }
        }
        weak var seen: AppContext?
        let holder: Holder
        do {
            let context = try AppContext().load(module(), Module("H") { $0.register(Holder.init) })
            seen = context
            holder = try context.resolve(Holder.self)
            #expect(holder.lazy() === holder.wrapper())
        }
        #expect(seen == nil)
        // Settled wrappers keep their value. Those that ask each time cannot.
        #expect(holder.lazy() === holder.wrapper())
        #expect(log.alive == 1)
        #expect(locatorError({ try holder.provider() }) != nil)
        #expect(locatorError({ try holder.factory(1) }) != nil)
        #expect(locatorError({ try holder.resolver.resolve(Counted.self) }) != nil)
    }

    @Test func prototypes_areNeverKept() throws {
        let context = try AppContext().load(module())
        for _ in 0..<10 {
            _ = try context.resolve(Counted.self, qualifier: "prototype")
            _ = try context.resolve(Counted.self, qualifier: "graph")
            _ = try context.resolve(Counted.self, with: 1)
            #expect(log.alive == 0)
        }
    }

    @Test func holder_isNotHeld() throws {
        final class Screen {
            @Dependency var counted: Counted
            @DependencyArray var all: [Counted]
            @PropertyValue("size", default: 1) var size: Int
        }
        let context = try AppContext().load(module())
        weak var seen: Screen?
        do {
            let screen = AppContext.withContext(context) { Screen() }
            seen = screen
            #expect(screen.all.count == 3)
            _ = screen.counted
            _ = screen.size
        }
        #expect(seen == nil)
        // The singleton stays. The prototype and the graph part of the collection end with their holder.
        #expect(log.alive == 1)
    }

    @Test func poppedInstance_isFreed() throws {
        let context = try AppContext().load(module())
        try context.push(module())
        _ = try context.resolve(Counted.self)
        #expect(log.alive == 1)
        context.pop()
        #expect(log.alive == 0)
    }

    @Test func setAsideInstance_isAlive_andTheSameAfterwards() throws {
        let context = try AppContext().load(module())
        weak let counted = try context.resolve(Counted.self)
        try context.push(module())
        _ = try context.resolve(Counted.self)
        #expect(log.alive == 2)
        context.pop()
        #expect(log.alive == 1)
        #expect(try context.resolve(Counted.self) === counted)
    }

    @Test func unloadedInstance_isFreed_withWhatTheModuleCaptured() throws {
        let context = AppContext()
        do {
            let captured = Counted(log)
            let module = Module("M") { $0.register(instance: captured) }
            try context.load(module)
            _ = try context.resolve(Counted.self)
            try context.unload(module)
        }
        #expect(log.alive == 0)
    }

    @Test func resetInstance_isFreed_whileAWrapperDoesNotHoldIt() throws {
        let context = try AppContext().load(module())
        _ = try context.resolve(Counted.self)
        try context.reset()
        #expect(log.alive == 0)
    }

    @Test func failedMaking_keepsNothing() throws {
        struct Refusal: Error {}
        let module = Module("M") { [log] registry in
            registry.register(String.self) { (_: Counted) -> String in throw Refusal() }
            registry.register(Counted.self, scope: .graph) { Counted(log) }
        }
        let context = try AppContext().load(module)
        #expect(locatorError({ try context.resolve(String.self) }) != nil)
        #expect(log.alive == 0)
    }

    @Test func manyPushesAndPops_leaveNothing() throws {
        let context = try AppContext().load(module())
        for _ in 0..<1000 {
            try context.push(module())
            _ = try context.resolve(Counted.self)
            context.pop()
        }
        #expect(log.alive == 0)
    }
}
