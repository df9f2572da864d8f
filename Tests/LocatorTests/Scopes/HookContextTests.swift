import Locator
import TestSupport
import Testing

@Suite("In a hook, the disposing context is current and still resolves")
struct HookContextTests {
    enum Kind: CaseIterable {
        case context, fork, pushedChild, leanChild, grandchild
    }

    fileprivate final class Audit: Sendable {
        let name: String

        init(name: String) {
            self.name = name
        }
    }

    /// Reads a wrapper for the first time in its hook.
    private final class Visit: Sendable {
        private let audit = Dependency<Audit>()

        var auditName: String { (try? audit.resolved().name) ?? "nobody" }
        var contextName: String { (try? audit.context.resolve(Audit.self).name) ?? "nobody" }
    }

    private let log = Log()

    private func shop(_ atEnd: @escaping @Sendable (Visit) throws -> Void) -> Module {
        Module("Shop") { registry in
            registry.register { Audit(name: "shop") }
            registry.register(scope: Scope("request")) { Visit() }.onDispose(atEnd)
        }
    }

    /// Makes a visit in a context of this kind, and releases the context.
    private func visit(_ kind: Kind, _ shop: Module) throws {
        let context = try AppContext().load(shop)
        let own = Module("Own") { $0.register { Audit(name: "\(kind)") } }
        let request = Scope("request")
        switch kind {
        case .context:
            _ = try context.push(own).context.resolve(Visit.self)
        case .fork:
            _ = try context.fork(pushing: own).resolve(Visit.self)
        case .pushedChild:
            _ = try context.child(opening: request, pushing: own).resolve(Visit.self)
        case .leanChild:
            try context.push(own)
            _ = try context.child(opening: request).resolve(Visit.self)
        case .grandchild:
            _ = try context.child(pushing: own).child(opening: request).resolve(Visit.self)
        }
    }

    @Test(arguments: Kind.allCases)
    func droppedContext_isCurrent(_ kind: Kind) throws {
        try visit(
            kind,
            shop { [log] _ in
                #expect(AppContext.current !== AppContext.shared)
                log(try AppContext.current.resolve(Audit.self).name)
            })
        #expect(log.take() == ["\(kind)"])
    }

    @Test(arguments: Kind.allCases)
    func wrapperReadFirstInTheHook_isAnswered(_ kind: Kind) throws {
        try visit(kind, shop { [log] in log("\($0.auditName), \($0.contextName)") })
        #expect(log.take() == ["\(kind), \(kind)"])
    }

    @Test func anotherContextThatIsCurrent_isNotReached() throws {
        let other = try AppContext().load(Module("Other") { $0.register { Audit(name: "other") } })
        try AppContext.withContext(other) {
            try visit(.fork, shop { [log] _ in log(try AppContext.current.resolve(Audit.self).name) })
        }
        #expect(log.take() == ["fork"])
    }

    @Test func whatAHookMakes_isDisposedOf_andFreed() throws {
        final class Witness: Sendable {}
        weak var witness: Witness?
        do {
            let context = try AppContext().load(
                Module("M") { [log] registry in
                    registry.register { Witness() }.onDispose { _ in log("witness") }
                    registry.register { Audit(name: "late") }
                        .onDispose { _ in
                            _ = try AppContext.current.resolve(Witness.self)
                            log("audit")
                        }
                    registry.register { Visit() }.onDispose { log("visit, \($0.auditName)") }
                })
            _ = try context.resolve(Visit.self)
            witness = try context.resolve(Witness.self)
        }
        #expect(log.take() == ["witness", "visit, late", "audit", "witness"])
        #expect(witness == nil)
    }

    @Test("Also at the end of a context whose shutdown hooks have not run")
    func contextThatWasNotShutDown() throws {
        do {
            let context = try AppContext().load(
                Module("M") { [log] registry in
                    registry.register { Audit(name: "late") }.onDispose { _ in log("audit") }
                    registry.register { Visit() }
                        .onShutdown { _ in log("shutdown") }
                        .onDispose { log("visit, \($0.auditName)") }
                })
            _ = try context.resolve(Visit.self)
        }
        #expect(log.take() == ["visit, late", "audit"])
    }

    @Test func hooksThatMakeEachOthersInstances_comeToAnEnd() throws {
        do {
            let context = try AppContext().load(
                Module("M") { registry in
                    registry.register(Int.self) { 1 }.onDispose { _ in _ = try AppContext.current.resolve(String.self) }
                    registry.register(String.self) { "" }
                        .onDispose { _ in _ = try AppContext.current.resolve(Int.self) }
                })
            _ = try context.resolve(Int.self)
        }
    }

    @Test func currentContextKeptBeyondTheHook_hasEnded() throws {
        let kept = Late<AppContext>()
        try visit(.fork, shop { _ in kept.value = .current })
        let context = try #require(kept.value)
        let asked = """
            Shop/Main.swift:3: Audit was requested, but its context has ended
              fix: keep a reference to the context for as long as it is used
            """
        let ended = """
            Shop/Main.swift:4: the context has ended
              fix: keep a reference to the context for as long as it is used
            """
        #expect(message { try context.resolve(Audit.self, fileID: "Shop/Main.swift", line: 3) } == asked)
        #expect(message { try context.child(fileID: "Shop/Main.swift", line: 4) } == ended)
        #expect(message { try context.fork(fileID: "Shop/Main.swift", line: 4) } == ended)
        #expect(message { try context.reset(fileID: "Shop/Main.swift", line: 4) } == ended)
    }

    @Test func childMadeInTheHook_outlivesItsParent() throws {
        let kept = Late<AppContext>()
        try visit(
            .fork,
            shop { _ in
                kept.value = try AppContext.current.child(opening: Scope("request"))
                _ = try kept.value?.resolve(Audit.self)
            })
        let child = try #require(kept.value)
        #expect(try child.resolve(Audit.self).name == "fork")
        #expect(try child.resolve(Visit.self).auditName == "fork")
    }

    @Test func childIsCurrent_whenAChangeOfItsParentEndsItsInstance() throws {
        let database = Module("Database") { $0.register(Int.self) { 1 } }
        let context = try AppContext().load(database)
        let child = try context.child(
            pushing: Module("Child") { [log] registry in
                registry.register { Audit(name: "child") }
                registry.register(String.self) { (number: Int) in "\(number)" }
                    .onDispose { log("\($0), \(try AppContext.current.resolve(Audit.self).name)") }
            })
        _ = try child.resolve(String.self)
        try context.unload(database)
        _ = child.existing(String.self)
        #expect(log.take() == ["1, child"])
        try context.load(database)
        _ = try child.resolve(String.self)
        try context.reset()
        _ = child.existing(String.self)
        #expect(log.take() == ["1, child"])
    }

    @Test func shutdownHook_runsInItsContext() async throws {
        let context = try AppContext().load(
            Module("M") { [log] registry in
                registry.register { Audit(name: "shop") }
                registry.register { Visit() }.onShutdown { visit in
                    await Task.yield()
                    log("\(visit.auditName), \(try AppContext.current.resolve(Audit.self).name)")
                }
            })
        let child = try context.child(pushing: Module("Child") { $0.register { Audit(name: "child") } })
        _ = try (context.resolve(Visit.self), child.resolve(Visit.self))
        try await child.shutdown()
        try await context.shutdown()
        #expect(log.take() == ["shop, shop"])
    }
}
