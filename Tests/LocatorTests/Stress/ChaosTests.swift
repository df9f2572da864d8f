import Locator
import TestSupport
import Testing

/// Many threads use a context at once.
///
/// Every answer belongs to one state, and in the end everything is as before.
@Suite struct ChaosTests {
    /// Instances and settings that always change together.
    private struct Version: Sendable { let number: Int }

    private final class Base: Sendable {
        let version: Int

        init(_ version: Version) { self.version = version.number }
    }

    private final class Service: Sendable {
        let base: Base
        let version: Int
        let property: Int
        let elements: [Int]
        let late: Int

        init(_ base: Base, _ version: Version, _ elements: [Version], _ resolver: Resolver) throws {
            self.base = base
            self.version = version.number
            self.elements = elements.map(\.number)
            property = try resolver.value("version")
            late = try Dependency<Version>().resolved().number
        }

        /// Whether all its values belong to one state.
        var isWhole: Bool {
            base.version == version && property == version && elements.first == version && late == version
        }
    }

    private final class Unaffected: Sendable {}
    private final class Visit: Sendable {
        let service: Service

        init(_ service: Service) { self.service = service }
    }
    private final class Prototype: Sendable {
        let service: Service

        init(_ service: Service) { self.service = service }
    }

    private static let visit = Scope("visit")

    private func base() -> Module {
        Module("Base", properties: ["version": 0]) { registry in
            registry.register(Version.self) { Version(number: 0) }
            registry.register(Base.init)
            registry.register(Service.init)
            registry.register(Unaffected.init)
            registry.register(scope: Self.visit, Visit.init)
            registry.register(scope: .prototype, Prototype.init)
        }
    }

    private func version(_ number: Int) -> Module {
        Module("Version \(number)", properties: ["version": .number(JSONNumber(number))]) { registry in
            registry.register(Version.self) { Version(number: number) }
        }
    }

    private struct Holder: Sendable {
        let service = Dependency<Service>()
        let unaffected = Dependency<Unaffected>()
        let prototype = Dependency<Prototype>()
        let versions = DependencyArray<Version>()
        let number = PropertyValue<Int>("version")
    }

    private func use(_ context: AppContext, _ holder: Holder, _ turn: Int) throws {
        switch turn % 5 {
        case 0: #expect(try context.resolve(Service.self).isWhole)
        case 1: #expect(holder.service().isWhole)
        case 2:
            #expect(holder.prototype().service.isWhole)
            #expect(try context.resolve(Prototype.self).service.isWhole)
        case 3:
            #expect(!holder.versions().isEmpty)
            #expect(holder.number() >= 0)
        default: #expect(try context.resolve(Visit.self).service.isWhole)
        }
    }

    @Test func pushesAndPops_fromManyThreads_restoreEveryObject() throws {
        for round in 0..<4 {
            let context = try AppContext().load(base())
            let holder = AppContext.withContext(context) { Holder() }
            let original = try context.resolve(Service.self)
            let unaffected = try context.resolve(Unaffected.self)
            let count = TestScale.count(10_000)
            try Crowd.run("pushes and pops", threads: 6) { member in
                if member.number < 2 {
                    for turn in 0..<count / 4 + 1 {
                        let module = version(1 + member.number + 2 * turn)
                        member.step("push")
                        try context.push(module)
                        if (turn + round) % 3 == 0 { #expect(try context.resolve(Service.self).isWhole) }
                        member.step("pop")
                        try context.pop(module)
                    }
                } else {
                    for turn in 0..<count {
                        member.step("use")
                        try use(context, holder, turn + member.number)
                        #expect(holder.unaffected() === unaffected)
                    }
                }
            }
            #expect(try context.resolve(Service.self) === original)
            #expect(holder.service() === original)
            #expect(holder.number() == 0)
        }
    }

    @Test func everythingAtOnce_givesNothingHalf() throws {
        let files = MemoryFiles(#"{"noise": 0}"#)
        let context = try AppContext().load(base()).loadProperties(files.source)
        let holder = AppContext.withContext(context) { Holder() }
        let count = TestScale.count(10_000)
        try Crowd.run("everything at once", threads: 8) { member in
            for turn in 0..<count {
                member.step("turn \(turn)")
                switch member.number {
                case 0 where turn % 8 == 0:
                    let module = version(turn + 1)
                    try context.push(module)
                    #expect(try context.resolve(Service.self).isWhole)
                    try context.pop(module)
                case 1 where turn % 16 == 0:
                    try context.reset(Self.visit)
                case 2 where turn % 64 == 0:
                    try context.reset()
                case 3 where turn % 16 == 0:
                    let fork = try context.fork(pushing: version(-1))
                    let service = try fork.resolve(Service.self)
                    #expect(service.isWhole && service.version == -1)
                    let inside = AppContext.withContext(fork) { Holder() }
                    #expect(inside.service() === service)
                case 4 where turn % 32 == 0:
                    let module = Module("Loaded") { $0.register(Unaffected.self, qualifier: "other") { Unaffected() } }
                    try context.load(module)
                    _ = try context.resolve(Unaffected.self, qualifier: "other")
                    try context.unload(module)
                case 5 where turn % 64 == 0:
                    try context.reloadProperties()
                default:
                    try use(context, holder, turn)
                    let fresh = AppContext.withContext(context) { Holder() }
                    #expect(fresh.service().isWhole)
                }
            }
        }
        #expect(try context.resolve(Service.self).version == 0)
        #expect(try context.resolve(Service.self) === holder.service())
    }

    @Test func children_comeAndGo_whileTheParentChanges() throws {
        let context = try AppContext().load(base())
        let count = TestScale.count(4_000)
        try Crowd.run("children", threads: 5) { member in
            for turn in 0..<count {
                member.step("turn \(turn)")
                if member.number == 0 {
                    let module = version(turn + 1)
                    try context.push(module)
                    #expect(try context.resolve(Service.self).isWhole)
                    try context.pop(module)
                } else {
                    let child = try context.child(opening: Self.visit)
                    let visit = try child.resolve(Visit.self)
                    #expect(visit.service.isWhole)
                    #expect(try child.resolve(Unaffected.self) === context.resolve(Unaffected.self))
                }
            }
        }
    }

    @Test func pushing_fromManyTasks_leavesNothing() async throws {
        let context = try AppContext().load(base())
        let original = try context.resolve(Service.self)
        let count = TestScale.count(2_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<6 {
                group.addTask {
                    for turn in 0..<count {
                        try await context.pushing(version(1 + task + 6 * turn)) {
                            let service = try context.resolve(Service.self)
                            #expect(service.isWhole)
                            await Task.yield()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try context.resolve(Service.self) === original)
    }

    @Test func weakInstances_endOnAnyThread() throws {
        final class Session: Sendable {
            let service: Service
            init(_ service: Service) { self.service = service }
        }
        let weak = Module("Weak") { $0.register(scope: .weak, Session.init) }
        let context = try AppContext().load(base(), weak)
        let count = TestScale.count(10_000)
        try Crowd.run("weak", threads: 5) { member in
            for turn in 0..<count {
                member.step("turn \(turn)")
                if member.number == 0, turn % 8 == 0 {
                    let module = version(turn + 1)
                    try context.push(module)
                    try context.pop(module)
                }
                let session = try context.resolve(Session.self)
                #expect(session.service.isWhole)
            }
        }
    }
}
