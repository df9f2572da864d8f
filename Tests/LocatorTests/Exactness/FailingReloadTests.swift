import Dispatch
import Locator
import TestSupport
import Testing

private struct Refusal: Error, CustomStringConvertible {
    let description = "the disk is full"
}

/// Made from the setting `level`.
private final class Meter: Sendable {
    let level: Int
    init(level: Int) { self.level = level }
}

/// Made from a ``Meter``.
private final class Gauge: Sendable {
    let meter: Meter
    init(meter: Meter) { self.meter = meter }
}

private final class Unrelated: Sendable {}

/// Registered by a module that the setting `off` turns off.
private final class Optional: Sendable {}

@Suite("If loading properties fails, nothing is changed or disposed of")
struct FailingReloadTests {
    private let log = Log()
    private let context = AppContext()
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(["application.json": #"{ "level": 1 }"#, "more.json": Self.changed])
        let shop = Module("Shop") { [log] registry in
            registry.register(Meter.self) { (resolver: Resolver) in Meter(level: try resolver.value("level")) }
                .onDispose { log("dispose of meter \($0.level)") }
            registry.register(Gauge.init).onDispose { log("dispose of gauge \($0.meter.level)") }
            registry.register(Unrelated.init).onDispose { _ in log("dispose of unrelated") }
        }
        let optional = Module("Optional", when: .not(.property("off"))) { [log] registry in
            registry.register(Optional.init).onDispose { _ in log("dispose of optional") }
        }
        try context.loadProperties(from: folder.path, environment: [:]).load(shop, optional)
    }

    private static let changed = #"{ "level": 2, "on": true, "off": true }"#

    /// Its first `.always` instance is made from a new meter.
    ///
    /// The second fails.
    private func failing(_ whileMaking: @escaping @Sendable () throws -> Void = {}) -> Module {
        Module("Failing", when: .property("on", equals: true)) { [log] registry in
            registry.register(String.self, qualifier: "first", scope: .always) { (gauge: Gauge) in
                log("make first from meter \(gauge.meter.level)")
                return "first"
            }
            .onDispose { _ in log("dispose of first") }
            registry.register(String.self, qualifier: "second", scope: .always) { () throws -> String in
                try whileMaking()
                throw Refusal()
            }
        }
    }

    private struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable (AppContext, TemporaryFolder) throws -> Void
    }

    private static let ways = [
        Way(testDescription: "reloadProperties") { context, folder in
            try folder.write(changed, to: "application.json")
            try context.reloadProperties()
        },
        Way(testDescription: "loadProperties") { context, folder in
            try context.loadProperties(files: ["\(folder.path)/more.json"], environment: [:])
        },
    ]

    @Test("Instances stay the identical objects", arguments: ways)
    private func failure_keepsInstances(way: Way) throws {
        try context.load(failing())
        let (gauge, unrelated) = (try context.resolve(Gauge.self), try context.resolve(Unrelated.self))
        let optional = try context.resolve(Optional.self)
        #expect(message { try way.run(context, folder) }?.contains("the disk is full") == true)
        // Only what was made from the new settings has ended.
        #expect(
            log.take() == ["make first from meter 2", "dispose of first", "dispose of gauge 2", "dispose of meter 2"])
        #expect(try context.resolve(Gauge.self) === gauge)
        #expect(try context.resolve(Meter.self) === gauge.meter)
        #expect(try context.resolve(Unrelated.self) === unrelated)
        #expect(try context.resolve(Optional.self) === optional)
        #expect(try context.value("level") == 1)
        #expect(try context.resolve(String?.self, qualifier: "first") == nil)
        #expect(log.take() == [])
    }

    private struct Extra: Sendable {}

    /// Made from the setting `level`, and from an ``Extra``.
    private final class Reader: Sendable {
        let level: Int

        init(_ resolver: Resolver) throws {
            level = try resolver.value("level")
            _ = try resolver.resolve(Extra.self)
        }
    }

    private func readers(scope: Scope) -> Module {
        Module("Readers") { [log] registry in
            registry.register { Extra() }
            registry.register(scope: scope) { (resolver: Resolver) in try Reader(resolver) }
                .onDispose { log("dispose of reader \($0.level)") }
        }
    }

    private static let extra = Module("Extra") { $0.register { Extra() } }

    @Test("Another change in the meantime does not end them", arguments: ways, 0..<3)
    private func failure_keepsInstances_overAnotherChange(way: Way, change: Int) throws {
        let behind = Module("Behind") { $0.register { Extra() } }
        let failing = failing { [weak context] in
            try onThread { [context] in
                switch change {
                case 0:
                    try context?.push(Self.extra)
                    context?.pop()
                case 1: try context?.load(Self.extra, priority: .low).unload(Self.extra)
                default: try context?.unload(behind)
                }
            }
        }
        try context.load(readers(scope: .singleton)).load(behind, priority: .low).load(failing)
        // A pop that does not undo the latest load checks more.
        try context.push(Module("Empty"))
        context.pop()
        let reader = try context.resolve(Reader.self)
        #expect(throws: LocatorError.self) { try way.run(context, folder) }
        #expect(try context.resolve(Reader.self) === reader)
        #expect(!log.take().contains { $0.contains("reader") })
    }

    @Test("Another change in the meantime does not end what has read settings that a child keeps", arguments: ways)
    private func failure_keepsReadersOfKeptSettings_overAnotherChange(way: Way) throws {
        let child = Late<AppContext>()
        defer { child.value = nil }
        let readers = Module("Readers") { [log] registry in
            registry.register { Extra() }
            registry.register { (resolver: Resolver) in
                _ = try child.value?.value("level", as: Int.self)
                return try Reader(resolver)
            }
            .onDispose { log("dispose of reader \($0.level)") }
        }
        let failing = failing { [weak context] in
            try onThread { [context] in
                try context?.push(Self.extra)
                context?.pop()
            }
        }
        try context.load(readers, failing)
        child.value = try context.child(keepsSettings: true)
        // The child keeps an earlier load than the one that returns.
        try folder.write(#"{ "level": 3 }"#, to: "application.json")
        try context.reloadProperties()
        let reader = try context.resolve(Reader.self)
        #expect(throws: LocatorError.self) { try way.run(context, folder) }
        #expect(try context.resolve(Reader.self) === reader)
        #expect(!log.take().contains { $0.contains("reader") })
    }

    @Test("A change of a child in the meantime does not end the child's instances", arguments: ways)
    private func failure_keepsInstancesOfChild_overItsChange(way: Way) throws {
        let scope = Scope("session")
        let used = Late<AppContext>()
        let failing = failing {
            try onThread {
                try used.value?.push(Self.extra)
                used.value?.pop()
            }
        }
        try context.load(readers(scope: scope), failing)
        let child = try context.child(opening: scope)
        try child.push(Module("Empty"))
        child.pop()
        used.value = child
        defer { used.value = nil }
        let reader = try child.resolve(Reader.self)
        #expect(throws: LocatorError.self) { try way.run(context, folder) }
        #expect(try child.resolve(Reader.self) === reader)
        #expect(!log.take().contains { $0.contains("reader") })
    }

    @Test("What a child's request makes from the old properties during the load does not stay there", arguments: ways)
    private func request_leavesNothingInChild(way: Way) throws {
        let begun = DispatchSemaphore(value: 0)
        let loading = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        let failing = failing {
            loading.signal()
            ended.wait()
        }
        let slow = Module("Slow") { registry in
            registry.register(Int.self, scope: .prototype) { (resolver: Resolver) in
                begun.signal()
                loading.wait()
                return try resolver.resolve(Meter.self).level
            }
        }
        let (context, folder) = (context, folder)
        let child = try context.load(slow, failing).child()
        try Crowd.run("a request during a load", threads: 2) { member in
            member.step()
            if member.number == 0 {
                defer { ended.signal() }
                let level = try child.resolve(Int.self)
                #expect(level == 1)
            } else {
                begun.wait()
                #expect(throws: LocatorError.self) { try way.run(context, folder) }
            }
        }
        #expect(try child.resolve(Meter.self) === context.resolve(Meter.self))
    }

    @Test("Instances that a push set aside return after the pop", arguments: ways)
    private func failure_keepsSetAsideInstances(way: Way) throws {
        try context.load(failing())
        let gauge = try context.resolve(Gauge.self)
        try context.push(Module("Fakes", properties: ["level": 7]))
        let fake = try context.resolve(Gauge.self)
        #expect(message { try way.run(context, folder) }?.contains("the disk is full") == true)
        #expect(log.take() == ["make first from meter 7", "dispose of first"])
        #expect(try context.resolve(Gauge.self) === fake)
        context.pop()
        #expect(log.take() == ["dispose of gauge 7", "dispose of meter 7"])
        #expect(try context.resolve(Gauge.self) === gauge)
        #expect(log.take() == [])
    }

    @Test("Wrappers and children keep their instances", arguments: ways)
    private func failure_keepsWhatWrappersAndChildrenHave(way: Way) throws {
        struct Holder {
            @Dependency var gauge: Gauge
        }
        try context.load(failing())
        let gauge = try context.resolve(Gauge.self)
        let holder = AppContext.withContext(context) { Holder() }
        #expect(holder.gauge === gauge)
        let child = try context.child(pushing: Module("Child") { $0.register(Gauge.init) })
        let own = try child.resolve(Gauge.self)
        #expect(own !== gauge)
        #expect(message { try way.run(context, folder) } != nil)
        #expect(holder.gauge === gauge)
        #expect(try child.resolve(Gauge.self) === own)
        #expect(try child.resolve(Meter.self) === gauge.meter)
    }

    @Test("Another thread sees the new properties during the load, and the old ones after it fails", arguments: ways)
    private func otherThread_seesOneOrTheOther(way: Way) throws {
        let levels = Late<[Int]>([])
        let context = context
        try context.load(
            failing {
                try Crowd.run("asking during a reload", threads: 1) { member in
                    member.step()
                    levels.value = try [context.resolve(Gauge.self).meter.level, context.value("level")]
                }
            })
        let gauge = try context.resolve(Gauge.self)
        #expect(message { try way.run(context, folder) }?.contains("the disk is full") == true)
        #expect(levels.value == [2, 2])
        #expect(try context.resolve(Gauge.self) === gauge)
    }

    @Test("A successful load disposes of replaced instances after the new ones are made", arguments: ways)
    private func success_disposes(way: Way) throws {
        let made = Module("Made", when: .property("on", equals: true)) { [log] registry in
            registry.register(String.self, scope: .always) { (gauge: Gauge) in
                log("make text from meter \(gauge.meter.level)")
                return "text"
            }
        }
        try context.load(made)
        _ = (try context.resolve(Gauge.self), try context.resolve(Unrelated.self), try context.resolve(Optional.self))
        try way.run(context, folder)
        #expect(
            log.take() == [
                "make text from meter 2", "dispose of optional", "dispose of gauge 1", "dispose of meter 1",
            ])
        #expect(try context.resolve(Optional?.self) == nil)
    }

    @Test("A later successful load disposes of instances that a failed one kept", arguments: ways)
    private func successAfterFailure_disposes(way: Way) throws {
        let failing = failing()
        try context.load(failing)
        _ = try context.resolve(Gauge.self)
        #expect(message { try way.run(context, folder) } != nil)
        _ = log.take()
        try context.unload(failing)
        try way.run(context, folder)
        #expect(log.take() == ["dispose of gauge 1", "dispose of meter 1"])
        #expect(try context.resolve(Gauge.self).meter.level == 2)
    }

    @Test("Hooks may load properties again", arguments: ways)
    private func hook_mayReload(way: Way) throws {
        let module = Module("Hook") { [log] registry in
            registry.register(Int.self) { (resolver: Resolver) in try resolver.value("level") }
                .onDispose { number in
                    try AppContext.current.reloadProperties()
                    log("reloaded at \(number)")
                }
        }
        try context.load(module)
        #expect(try context.resolve(Int.self) == 1)
        try way.run(context, folder)
        #expect(log.take() == ["reloaded at 1"])
        #expect(try context.resolve(Int.self) == 2)
    }
}
