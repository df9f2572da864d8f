import Locator
import LocatorTesting
import Testing

private final class Store: Sendable {
    let isFake: Bool
    init(isFake: Bool = false) { self.isFake = isFake }
}
private final class Boot: Sendable {
    let store: Store
    init(store: Store) { self.store = store }
}
private final class Holder: Sendable {
    let store = Dependency<Store>()
}
@MainActor private final class Window: Sendable {
    init() {}
}
private final class Service: Sendable {
    let isFake: Bool
    init(isFake: Bool) { self.isFake = isFake }
}
private struct Failure: Error {}

private let real = Module("Real") { registry in
    registry.register(Store.self, fileID: "Shop/Real.swift", line: 1) { Store() }
}
private let services = Module("Services") { registry in
    registry.register(
        Service.self, fileID: "Shop/Services.swift", line: 1,
        async: {
            Issue.record("the real service was opened")
            return Service(isFake: false)
        })
}
private let fake = Module("Fake") { $0.register { Store(isFake: true) } }
private let fakeService = Module("Fake service") { $0.register(Service.self, async: { Service(isFake: true) }) }
private let boot = Module("Boot") { $0.register(scope: .always, Boot.init) }

private let outsideOfStrict = """
    Store was resolved from module "Real" (Shop/Real.swift:1), which is not a module of the trait
      fix: register it in a module of the trait, or remove `strict`
    """

@Suite struct `At the beginning of a test, the trait` {
    private func findings(
        of trait: LocatorTrait, _ body: @escaping @Sendable () async throws -> Void = {}
    ) async throws -> [String] {
        try await trait.findings(performing: body).map(\.description)
    }

    @Test(arguments: [[fake, boot], [boot, fake]])
    func `pushes all modules before it makes an instance`(modules: [Module]) async throws {
        let base = try AppContext().load(real)
        let found = try await findings(of: .locator(modules, strict: true, base: base)) {
            let boot = try AppContext.current.resolve(Boot.self)
            #expect(boot.store.isFake)
        }
        #expect(found == [])
    }

    @Test func `reports what its own modules use from outside, if it is strict`() async throws {
        let base = try AppContext().load(real)
        let found = try await LocatorTrait.locator(boot, strict: true, base: base).findings {}
        #expect(found.map(\.text) == [outsideOfStrict])
    }

    @Test func `makes instances on the main actor that need it`() async throws {
        let window = Module("Window") { $0.register(Window.self, scope: .always, onMainActor: Window.init) }
        let found = try await findings(of: .locator(window, base: AppContext())) {
            let window = AppContext.current.existing(Window.self)
            #expect(window != nil)
        }
        #expect(found == [])
    }

    @Test func `runs the closures of modules in the context of the test`() async throws {
        let base = try AppContext().load(real)
        let holder = Module("Holder") { $0.register(instance: Holder()) }
        let found = try await findings(of: .locator(fake, holder, base: base)) {
            let holder = try AppContext.current.resolve(Holder.self)
            #expect(holder.store().isFake)
        }
        #expect(found == [])
    }

    @Test func `uses the base that it names, whatever context is current`() async throws {
        let base = try AppContext().load(real)
        try await AppContext.withContext(AppContext()) {
            let found = try await findings(of: .locator(base: base)) {
                let store = try AppContext.current.resolve(Store.self)
                #expect(!store.isFake)
            }
            #expect(found == [])
        }
    }
}

private let servicesBase: AppContext = {
    let context = AppContext()
    do { try context.load(services, real) } catch { Issue.record(error) }
    return context
}()

@Suite(.locator(boot, base: servicesBase))
struct `A test that replaces what its suite needs` {
    @Test(.locator(fakeService, fake))
    func `starts only its own service`() throws {
        let service = try AppContext.current.resolve(Service.self)
        let boot = try AppContext.current.resolve(Boot.self)
        #expect(service.isFake)
        #expect(boot.store.isFake)
    }

    @Suite(.locator(fake)) struct `in an inner suite` {
        @Test(.locator(fakeService, strict: true))
        func `has the modules of all suites`() throws {
            let boot = try AppContext.current.resolve(Boot.self)
            let service = try AppContext.current.resolve(Service.self)
            #expect(boot.store.isFake)
            #expect(service.isFake)
        }
    }
}

@Suite struct `A strict test that starts its context` {
    @Test func `does not open a real service, and is told which one is missing`() async throws {
        let trait = LocatorTrait.locator(fake, strict: true, base: servicesBase)
        let findings = try await trait.findings {
            try await AppContext.current.start()
            let error = #expect(throws: LocatorError.self) {
                _ = try AppContext.current.resolve(Service.self, fileID: "Test.swift", line: 1)
            }
            #expect(
                error?.description == """
                    Shop/Services.swift:1: Service has an asynchronous factory closure that has not run yet
                      requested: Service at Test.swift:1
                      the test is strict, and no module of its trait registers it
                      fix: register it in a module of the trait, or remove `strict`
                    """)
        }
        #expect(findings.count == 1)
    }
}

@Suite struct `At the end of a test, its context` {
    private func trait(_ hook: @escaping @Sendable () throws -> Void) -> LocatorTrait {
        .locator(Module("Hook") { $0.register { Store() }.onDispose { _ in try hook() } }, base: AppContext())
    }

    @Test func `disposes of its instances, even if a task still has the context`() async throws {
        try await confirmation { disposed in
            let (ends, end) = AsyncStream<Void>.makeStream()
            let left = Tasks()
            _ = try await trait { disposed() }.findings {
                _ = try AppContext.current.resolve(Store.self)
                await left.add(Task { for await _ in ends {} })
            }
            end.finish()
            await left.wait()
        }
    }

    @Test func `reports the errors of dispose hooks`() async throws {
        let findings = try await trait { throw Failure() }.findings { _ = try AppContext.current.resolve(Store.self) }
        #expect(findings.count == 1)
        #expect(findings.first?.description.contains("Failure") == true)
    }
}

private actor Tasks {
    private var tasks: [Task<Void, Never>] = []
    func add(_ task: Task<Void, Never>) { tasks.append(task) }
    func wait() async { for task in tasks { await task.value } }
}

@Suite struct `A strict test that reads a wrapper of another test` {
    @Test func `is told so, while the other test runs`() async throws {
        let base = try AppContext().load(real)
        let others = Module("Others") { registry in
            registry.register(Store.self, fileID: "Fake.swift", line: 1) { Store(isFake: true) }
        }
        let ofFirst = try await LocatorTrait.locator(others, strict: true, base: base).findings {
            let holder = Holder()
            _ = holder.store()
            // A detached task does not belong to the test.
            let ofSecond = try await Task.detached {
                try await LocatorTrait.locator(fake, strict: true, base: base).findings { _ = holder.store() }
                    .map(\.text)
            }.value
            #expect(
                ofSecond == [
                    """
                    Store was resolved from module "Others" (Fake.swift:1) of a context other than the test's
                      fix: use AppContext.current, and create wrappers in the test; a static wrapper belongs to the \
                    context that was current at its first use
                    """
                ])
            _ = holder.store()
        }
        #expect(ofFirst.map(\.description) == [])
    }
}

@Suite struct `An object that outlives a child of the test's context` {
    @Test func `keeps its values`() async throws {
        let findings = try await LocatorTrait.locator(fake, base: AppContext()).findings {
            let holder = try AppContext.current.within { _ in
                let holder = Holder()
                _ = holder.store()
                return holder
            }
            #expect(holder.store().isFake)
        }
        #expect(findings.map(\.description) == [])
    }
}
