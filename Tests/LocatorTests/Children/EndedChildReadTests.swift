import Locator
import TestSupport
import Testing

@Suite("An instance that was made from one of an ended child stays, and still depends on the reads of that one")
struct EndedChildReadTests {
    final class Logger: Sendable {}
    private final class Part: Sendable {
        let logger: Logger
        init(_ logger: Logger) { self.logger = logger }
    }
    private final class Whole: Sendable {
        let part: Part
        init(_ part: Part) { self.part = part }
    }
    private final class Report: Sendable {
        let logger: Logger
        init(_ logger: Logger) { self.logger = logger }
    }

    private static let request = Scope("request", requiresOpening: true)

    /// How the factory closure of the report opens and ends a child.
    enum Way: CaseIterable {
        case within, dropped, endedLater

        func use(_ kept: Late<AppContext>, _ body: (AppContext) throws -> Logger) throws -> Logger {
            switch self {
            case .within:
                return try AppContext.current.within(EndedChildReadTests.request) { try body($0) }
            case .dropped:
                return try body(AppContext.current.child(opening: EndedChildReadTests.request))
            case .endedLater:
                let child = try AppContext.current.child(opening: EndedChildReadTests.request)
                kept.value = child
                return try body(child)
            }
        }
    }

    private struct Run {
        let server: AppContext
        let made = Late<Int>()
        let ended = Late<Int>()
        let kept = Late<AppContext>()

        init(_ way: Way) throws {
            let (made, ended, kept) = (made, ended, kept)
            (made.value, ended.value) = (0, 0)
            server = try AppContext().load(
                Module("Shop") { registry in
                    registry.register { Logger() }
                    registry.register(scope: EndedChildReadTests.request, Part.init).onDispose { _ in }
                    registry.register(scope: EndedChildReadTests.request, Whole.init)
                    registry.register {
                        made.value = (made.value ?? 0) + 1
                        return Report(try way.use(kept) { try $0.resolve(Whole.self).part.logger })
                    }
                    .onDispose { _ in ended.value = (ended.value ?? 0) + 1 }
                })
        }
    }

    @Test(arguments: Way.allCases)
    func isShared(_ way: Way) throws {
        let run = try Run(way)
        let report = try run.server.resolve(Report.self)
        run.kept.value = nil
        #expect(try run.server.resolve(Report.self) === report)
        let wrapper = AppContext.withContext(run.server) { Dependency<Report>() }
        #expect(try wrapper.resolved() === report)
        #expect(run.server.existing(Report.self) === report)
        #expect(run.made.value == 1)
        #expect(run.ended.value == 0)
        try run.server.reset()
        #expect(run.ended.value == 1)
    }

    @Test(arguments: Way.allCases)
    func comesBack_afterAPushOfWhatTheChildsInstanceHasRead(_ way: Way) throws {
        let run = try Run(way)
        let report = try run.server.resolve(Report.self)
        run.kept.value = nil
        try run.server.push(Module("Other") { $0.register(qualifier: "other") { Logger() } })
        #expect(try run.server.resolve(Report.self) === report)
        run.server.pop()
        try run.server.push(Module("Fake") { $0.register { Logger() } })
        let other = try run.server.resolve(Report.self)
        run.kept.value = nil
        #expect(other !== report)
        #expect(try other.logger === run.server.resolve(Logger.self))
        #expect(run.ended.value == 0)
        run.server.pop()
        #expect(try run.server.resolve(Report.self) === report)
        #expect(run.ended.value == 1)
    }

    @Test("Direct reads of a factory closure in the child count as well", arguments: Way.allCases)
    func readsOfTheChildItself(_ way: Way) throws {
        let kept = Late<AppContext>()
        let server = try AppContext().load(
            Module("Shop") { registry in
                registry.register { Logger() }
                registry.register(scope: Self.request, Part.init)
                registry.register { Report(try way.use(kept) { try $0.resolve(Logger.self) }) }
            })
        let report = try server.resolve(Report.self)
        kept.value = nil
        try server.push(Module("Fake") { $0.register { Logger() } })
        #expect(try server.resolve(Report.self).logger === server.resolve(Logger.self))
        kept.value = nil
        server.pop()
        #expect(try server.resolve(Report.self) === report)
    }

    /// When the child ends.
    enum End: CaseIterable {
        case before, underAPush
    }

    @Test("A request of the child makes it in the parent", arguments: End.allCases)
    func requestOfTheChild(_ end: End) throws {
        let kept = Late<AppContext>()
        let server = try AppContext().load(
            Module("Shop") { registry in
                registry.register { Logger() }
                registry.register(scope: Self.request, Part.init)
                registry.register { Report(try #require(kept.value).resolve(Part.self).logger) }
            })
        kept.value = try server.child(opening: Self.request)
        let report = try #require(kept.value).resolve(Report.self)
        #expect(try server.resolve(Report.self) === report)
        if end == .before { kept.value = nil }
        try server.push(Module("Fake") { $0.register { Logger() } })
        kept.value = nil
        let other = try server.child(opening: Self.request)
        kept.value = other
        #expect(try server.resolve(Report.self).logger === server.resolve(Logger.self))
        kept.value = nil
        server.pop()
        #expect(try server.resolve(Report.self) === report)
        withExtendedLifetime(other) {}
    }

    @Test("An asynchronous factory closure may use a child as well", arguments: [false, true])
    func asynchronous(isPushedDuringIt: Bool) async throws {
        let during = Late<@Sendable () throws -> Void>()
        let server = try AppContext().load(
            Module("Shop") { registry in
                registry.register { Logger() }
                registry.register(scope: Self.request, Part.init)
                registry.register(scope: Self.request, Whole.init)
                registry.register(
                    Report.self,
                    async: {
                        let logger = try AppContext.current.within(Self.request) {
                            try $0.resolve(Whole.self).part.logger
                        }
                        let run = during.value
                        during.value = nil
                        try run?()
                        return Report(logger)
                    })
            })
        let fake = Module("Fake") { $0.register { Logger() } }
        if isPushedDuringIt { during.value = { try onThread { _ = try server.push(fake) } } }
        try await server.start()
        let report = try server.resolve(Report.self)
        #expect(try report.logger === server.resolve(Logger.self))
        if isPushedDuringIt { return }
        let other = try await server.pushing(fake) {
            #expect(try server.resolve(Report.self).logger === server.resolve(Logger.self))
            return try server.resolve(Report.self)
        }
        #expect(other !== report)
        #expect(try server.resolve(Report.self) === report)
    }

    @Test("It does not retain the child's instances", arguments: Way.allCases)
    func retainsNothing(_ way: Way) throws {
        let part = Late<@Sendable () -> Part?>()
        let kept = Late<AppContext>()
        let server = try AppContext().load(
            Module("Shop") { registry in
                registry.register { Logger() }
                registry.register(scope: Self.request, Part.init)
                registry.register {
                    Report(
                        try way.use(kept) { child in
                            let used = try child.resolve(Part.self)
                            part.value = { [weak used] in used }
                            return used.logger
                        })
                }
            })
        let report = try server.resolve(Report.self)
        kept.value = nil
        #expect(part.value?() == nil)
        #expect(try server.resolve(Report.self) === report)
    }

    @Test("A wrapper that keeps its own instance does not retain them, and follows their reads")
    func wrapper_doesNotRetainTheChildsInstances() throws {
        let (parts, made) = (Late<[@Sendable () -> Part?]>(), Counter())
        parts.value = []
        let server = try AppContext().load(
            Module("Shop") { registry in
                registry.register { Logger() }
                registry.register(scope: Self.request, Part.init).onDispose { _ in }
                registry.register(scope: .prototype) {
                    _ = made.next()
                    return Report(
                        try AppContext.current.within(Self.request) { child in
                            let part = try child.resolve(Part.self)
                            parts.value?.append { [weak part] in part }
                            return part.logger
                        })
                }
            })
        let wrapper = AppContext.withContext(server) { Dependency<Report>() }
        let report = try wrapper.resolved()
        #expect(parts.value?.compactMap { $0() }.count == 0)
        #expect(try wrapper.resolved() === report)
        // The settings of the module change nothing that was read.
        try server.push(Module("Settings", properties: ["a": 1]))
        #expect(try wrapper.resolved() === report)
        server.pop()
        #expect(try wrapper.resolved() === report)
        try server.push(Module("Fakes") { registry in registry.register { Logger() } })
        #expect(try wrapper.resolved() !== report)
        #expect(made.value == 2)
        #expect(parts.value?.compactMap { $0() }.count == 0)
    }

    @Test("An instance ends with its part if a reset ends the part, but not if the child ends")
    func reset() throws {
        let run = try Run(.endedLater)
        let report = try run.server.resolve(Report.self)
        try #require(run.kept.value).reset(Self.request)
        #expect(run.ended.value == 1)
        run.kept.value = nil
        #expect(try run.server.resolve(Report.self) !== report)
        run.kept.value = nil
    }
}
