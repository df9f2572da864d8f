import Locator
import TestSupport
import Testing

private let file: StaticString = "Shop/Shop.swift"

@Suite("An asynchronous factory is called with await")
struct AsyncFactoryTests {
    private protocol Line: Sendable {
        var text: String { get }
    }

    private final class Connection: Line {
        let text: String
        init(_ text: String) { self.text = text }
    }

    private struct Wrapped: Line {
        let text: String
    }

    private struct Pool: Sendable {
        let name: String
    }

    private struct Refusal: Error, CustomStringConvertible {
        let description = "refused"
    }

    private let context = AppContext()

    private func load(_ register: @escaping @Sendable (Registry) -> Void) throws {
        let pool = Module("Pool") { $0.register { Pool(name: "main") } }
        try context.load(pool, Module("Connections", register))
    }

    private static func connect(host: String, pool: Pool) async throws -> Connection {
        await Task.yield()
        return Connection("\(host) by \(pool.name)")
    }

    @Test func errorOfHooks_ofAnotherContext_isTheCauseOfTheFailure() async throws {
        let other = try AppContext().load(
            Module("Pool") { $0.register { Pool(name: "other") }.onDispose { _ in throw Refusal() } })
        try load { registry in
            registry.factory(
                Connection.self, given: String.self,
                async: { host in
                    _ = try other.resolve(Pool.self)
                    try other.reset()
                    return Connection(host)
                })
        }
        let error = await locatorError { try await context.resolve(Connection.self, with: "a") }
        guard case .initializationFailed(let key, let cause as LocatorError)? = error?.kind,
            case .hooksFailed = cause.kind
        else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(key == Key(Connection.self))
    }

    @Test func product_isMadeEachTime_fromPayloadsAndDependencies() async throws {
        try load { registry in
            registry.factory(async: Self.connect)
            registry.factory(
                Connection.self, given: String.self, Int.self,
                async: { host, port, pool in
                    try await Self.connect(host: "\(host):\(port)", pool: pool)
                })
            registry.factory(
                Connection.self, given: String.self, Int.self, Bool.self, qualifier: "safe", parameterQualifiers: [nil],
                async: { host, port, isSafe, pool in
                    try await Self.connect(host: "\(host):\(port) \(isSafe)", pool: pool)
                })
        }
        let first = try await context.resolve(Connection.self, with: "a")
        #expect(first.text == "a by main")
        #expect(try await context.resolve(Connection.self, with: "a") !== first)
        #expect(try await context.resolve(Connection.self, with: "a", 80).text == "a:80 by main")
        #expect(
            try await context.resolve(Connection.self, with: "a", 80, true, qualifier: "safe").text
                == "a:80 true by main")
    }

    @Test func synchronousFactories_areAskedTheSameWay() async throws {
        final class Counter {
            var count = 0
        }
        try load { registry in
            registry.factory(Connection.self) { (host: String, pool: Pool) in Connection("\(host) by \(pool.name)") }
            registry.factory(Counter.self) { (counter: Counter) in
                counter.count += 1
                return counter
            }
        }
        for _ in 0..<3 { #expect(try await context.resolve(Connection.self, with: "a").text == "a by main") }
        // Neither the payload nor the product is sent to another isolation domain.
        let counter = Counter()
        #expect(try await context.resolve(Counter.self, with: counter) === counter)
        #expect(counter.count == 1)
    }

    @Test func injected_itIsCalledWithAwait() async throws {
        struct Client: Sendable {
            let connect: AsyncFactory<String, Connection>
            let both: AsyncFactory<(String, Int), Connection>
        }
        try load { registry in
            registry.factory(async: Self.connect)
            registry.factory(
                Connection.self, given: String.self, Int.self,
                async: { host, port, pool in
                    try await Self.connect(host: "\(host):\(port)", pool: pool)
                })
            registry.register(Client.init)
        }
        let client = try context.resolve(Client.self)
        #expect(try await client.connect("a").text == "a by main")
        #expect(try await client.both("a", 80).text == "a:80 by main")
        #expect(context.validate().description == "nothing found in 4 registrations")
    }

    @Test func inSynchronousCode_itIsAnError() throws {
        try load { registry in
            registry.factory(Connection.self, fileID: file, line: 2, async: Self.connect)
            registry.register(Int.self, fileID: file, line: 3) { (connect: Factory<String, Connection>) in
                try connect("a").text.count
            }
        }
        #expect(
            message { try context.resolve(Connection.self, with: "a", fileID: file, line: 9) } == """
                Shop/Shop.swift:2: Connection is made by an asynchronous factory, but was requested without await
                  requested: Connection at Shop/Shop.swift:9
                  fix: call `try await resolve(Connection.self, with: …)`, or take an AsyncFactory
                """)
        #expect(
            message { try context.resolve(Int.self, fileID: file, line: 9) } == """
                Shop/Shop.swift:2: Connection is made by an asynchronous factory, but was requested without await
                  needed by Int (Shop/Shop.swift:3)
                  requested: Int at Shop/Shop.swift:9
                  fix: call `try await resolve(Connection.self, with: …)`, or take an AsyncFactory
                """)
        #expect(
            context.validate().description == """
                Shop/Shop.swift:3: error: Int needs a Factory<String, Connection>, but the factory of Connection is asynchronous
                Shop/Shop.swift:2: note: the factory of Connection
                  fix: take an AsyncFactory<String, Connection>, and call it with try await
                1 error in 3 registrations
                """)
    }

    @Test @MainActor func instanceOfTheMainActor_isNotAParameter() async throws {
        final class Screen {}
        try load { registry in
            registry.register(Screen.self, fileID: file, line: 2, onMainActor: { Screen() })
            registry.factory(
                Connection.self, fileID: file, line: 3,
                async: { (host: String, _: Screen) in Connection(host) })
        }
        _ = try context.resolve(Screen.self)
        let text = await message { try await context.resolve(Connection.self, with: "a", fileID: file, line: 9) }
        #expect(
            text == """
                Shop/Shop.swift:2: Screen belongs to the main actor, but was requested off the main actor
                  needed by Connection (Shop/Shop.swift:3)
                  requested: Connection at Shop/Shop.swift:9
                  an asynchronous factory closure runs off the main actor
                  fix: pass Screen to its methods on the main actor
                """)
        #expect(
            context.validate().description == """
                Shop/Shop.swift:3: error: Connection has an asynchronous factory closure and needs Screen, which belongs to \
                the main actor: each call will fail
                Shop/Shop.swift:2: note: Screen is registered here
                  fix: pass Screen to its methods on the main actor
                1 error in 3 registrations
                """)
    }

    @Test @MainActor func instanceOfTheMainActor_isAParameterOfADecorator() async throws {
        final class Screen {}
        try load { registry in
            registry.register(Screen.self, onMainActor: { Screen() })
            registry.factory(Connection.self, async: { (host: String) in Connection(host) })
            registry.decorate(Connection.self) { (base, _: Screen) in Connection(base.text + " decorated") }
        }
        _ = try context.resolve(Screen.self)
        #expect(context.validate().errors.isEmpty)
        #expect(try await context.resolve(Connection.self, with: "a").text == "a decorated")
    }

    @Test @MainActor func missingSettingOfAQualifier_isTheError() async throws {
        final class Screen {}
        try load { registry in
            registry.register(Screen.self, onMainActor: { Screen() })
            registry.factory(
                Connection.self, parameterQualifiers: [.property("screen")],
                async: { (host: String, _: Screen) in Connection(host) })
        }
        let text = await message { try await context.resolve(Connection.self, with: "a") }
        #expect(text?.contains("screen is missing") == true, "\(text ?? "")")
    }

    @Test func errorOfARequest_inTheClosure_namesWhatWasBeingMade() async throws {
        try load { registry in
            registry.factory(
                Connection.self, fileID: file, line: 2,
                async: { (host: String, resolver: Resolver) in
                    await Task.yield()
                    return Connection("\(host):\(try resolver.resolve(Int.self, fileID: file, line: 3))")
                })
            registry.register(
                Connection.self, fileID: file, line: 5,
                async: { (resolver: Resolver) in
                    await Task.yield()
                    return Connection("\(try resolver.resolve(Int.self, fileID: file, line: 6))")
                })
        }
        #expect(
            await message { try await context.resolve(Connection.self, with: "a", fileID: file, line: 9) } == """
                Shop/Shop.swift:2: Int is not registered
                  needed by Connection (Shop/Shop.swift:2)
                  requested: Int at Shop/Shop.swift:3
                  fix: register it in a loaded module: registry.register(Int.self) { … }
                """)
        #expect(
            await message { try await context.start() } == """
                Shop/Shop.swift:5: Int is not registered
                  needed by Connection (Shop/Shop.swift:5)
                  requested: Int at Shop/Shop.swift:6
                  fix: register it in a loaded module: registry.register(Int.self) { … }
                """)
    }

    @Test func startLeavesItAlone_andItsDependenciesAreStarted() async throws {
        try load { registry in
            registry.register(Int.self, fileID: file, line: 2, async: { 7 })
            registry.factory(
                Connection.self, fileID: file, line: 3,
                async: { (host: String, port: Int) in
                    Connection("\(host):\(port)")
                })
        }
        #expect(
            await message { try await context.resolve(Connection.self, with: "a", fileID: file, line: 9) } == """
                Shop/Shop.swift:2: Int has an asynchronous factory closure that has not run yet
                  needed by Connection (Shop/Shop.swift:3)
                  requested: Connection at Shop/Shop.swift:9
                  fix: call `try await context.start()` first
                """)
        try await context.start()
        #expect(try await context.resolve(Connection.self, with: "a").text == "a:7")
    }

    @Test func error_namesTheFactory_andLeavesNothingBehind() async throws {
        let isRefusing = Late(true)
        try load { registry in
            registry.factory(
                Connection.self, fileID: file, line: 2,
                async: { (host: String, pool: Pool) in
                    await Task.yield()
                    if isRefusing.value == true { throw Refusal() }
                    return try await Self.connect(host: host, pool: pool)
                }
            )
            .alias((any Line).self, fileID: file, line: 3) { $0 }
        }
        #expect(
            await message { try await context.resolve((any Line).self, with: "a", fileID: file, line: 9) } == """
                Shop/Shop.swift:2: making Connection failed: refused
                  needed by alias any Line (Shop/Shop.swift:3)
                  requested: any Line at Shop/Shop.swift:9
                """)
        isRefusing.value = false
        #expect(try await context.resolve((any Line).self, with: "a").text == "a by main")
    }

    @Test func aliasesDecoratorsAndInjections_comeAfterIt() async throws {
        let log = Log()
        try load { registry in
            registry.factory(async: Self.connect)
                .injecting { (connection, pool: Pool) in log("injected \(connection.text) \(pool.name)") }
                .alias((any Line).self) { $0 }
            registry.decorate(Connection.self) { (base, pool: Pool) in
                log("decorated")
                return Connection("\(base.text), decorated by \(pool.name)")
            }
            registry.decorate((any Line).self) { base in Wrapped(text: "<\(base.text)>") }
        }
        #expect(try await context.resolve((any Line).self, with: "a").text == "<a by main, decorated by main>")
        #expect(log.take() == ["decorated", "injected a by main main"])
        #expect(
            await message { try await context.resolve((any Line).self, with: 3, fileID: file, line: 9) } == """
                Shop/Shop.swift:9: no factory of any Line takes a payload of type Int, only String
                  fix: pass String, or register a factory for this payload: registry.factory((any Line).self) { (payload: Int) in … }
                """)
    }

    @Test func pushedWhileItRuns_doesNotReachIt() async throws {
        let (started, resumed) = (Signal(), Signal())
        try load { registry in
            registry.factory(
                Connection.self,
                async: { (host: String, pool: Pool) in
                    started.send()
                    await resumed.wait()
                    return Connection("\(host) by \(pool.name) and \(try AppContext.current.resolve(Pool.self).name)")
                })
            registry.decorate(Connection.self) { (base, pool: Pool) in Connection("\(base.text), then \(pool.name)") }
        }
        let context = context
        let running = Task { try await context.resolve(Connection.self, with: "a").text }
        await started.wait()
        try context.push(Module("Other") { $0.register { Pool(name: "other") } })
        resumed.send()
        // The body resolves in the state of that time. Its parameters and decorators were resolved at the start.
        #expect(try await running.value == "a by main and other, then main")
        #expect(try await context.resolve(Connection.self, with: "a").text == "a by other and other, then other")
    }

    @Test func bodyRunsInItsContext_andAsksItsResolver() async throws {
        try load { registry in
            registry.factory(async: Self.connect)
            registry.factory(
                Wrapped.self,
                async: { (host: String, resolver: Resolver) in
                    let connection = try await resolver.resolve(Connection.self, with: host)
                    return Wrapped(text: "\(connection.text), \(try AppContext.current.resolve(Pool.self).name)")
                })
        }
        #expect(try await context.resolve(Wrapped.self, with: "a").text == "a by main, main")
        let child = try context.child(pushing: Module("Child") { $0.register { Pool(name: "child") } })
        #expect(try await child.resolve(Wrapped.self, with: "a").text == "a by child, child")
        let fork = try context.fork()
        #expect(try await fork.resolve(Wrapped.self, with: "a").text == "a by main, main")
    }

    @Test func resolverPassesSeveralPayloads() async throws {
        try load { registry in
            registry.factory(
                Connection.self, given: String.self, Int.self,
                async: { host, port, pool in
                    try await Self.connect(host: "\(host):\(port)", pool: pool)
                })
            registry.factory(
                Wrapped.self,
                async: { (host: String, resolver: Resolver) in
                    Wrapped(text: try await resolver.resolve(Connection.self, with: host, 80).text)
                })
        }
        #expect(try await context.resolve(Wrapped.self, with: "a").text == "a:80 by main")
    }

    @Test func whatAnAsynchronousClosureResolvesFromIt_countsForIt() async throws {
        try load { registry in
            registry.factory(async: Self.connect)
            registry.register(
                Wrapped.self,
                async: { (connect: AsyncFactory<String, Connection>) in
                    Wrapped(text: try await connect("a").text)
                })
        }
        try await context.start()
        let before = try context.resolve(Wrapped.self)
        #expect(before.text == "a by main")
        let other = try await context.pushing(Module("Other") { $0.register { Pool(name: "other") } }) {
            try context.resolve(Wrapped.self).text
        }
        #expect(other == "a by other")
        #expect(try context.resolve(Wrapped.self).text == "a by main")
        let fake = try await context.pushing(
            Module("Fake") { $0.factory(Connection.self) { (host: String) in Connection("fake \(host)") } }
        ) {
            try context.resolve(Wrapped.self).text
        }
        #expect(fake == "fake a")
    }

    @Test func mainActorCaller_staysOnItsActor() async throws {
        try load { registry in
            registry.factory(async: Self.connect)
            registry.factory(
                Connection.self,
                onMainActor: { (number: Int) in
                    MainActor.assertIsolated()
                    return Connection("\(number)")
                })
            registry.factory(Connection.self, fileID: file, line: 4, async: { (flag: Bool) in Connection("\(flag)") })
                .injecting(onMainActor: { _ in MainActor.assertIsolated() })
        }
        let texts = try await onMainActor()
        #expect(texts == ["a by main", "1", "true"])
        #expect(
            await message { try await context.resolve(Connection.self, with: true, fileID: file, line: 9) } == """
                Shop/Shop.swift:4: Connection is made on the main actor, but was requested off the main actor
                  requested: Connection at Shop/Shop.swift:9
                  fix: resolve it on the main actor
                """)
    }

    @MainActor private func onMainActor() async throws -> [String] {
        [
            try await context.resolve(Connection.self, with: "a").text,
            try await context.resolve(Connection.self, with: 1).text,
            try await context.resolve(Connection.self, with: true).text,
        ]
    }

    @Test func contextThatEnds_isAnErrorAfterwards_whenSomethingIsLeftToDo() async throws {
        let (started, resumed) = (Signal(), Signal())
        try load { registry in
            registry.register(scope: .modelScopes[0]) { 1 }
            registry.factory(
                Connection.self,
                async: { (host: String) in
                    started.send()
                    await resumed.wait()
                    return Connection(host)
                })
            registry.decorate(Connection.self) { base in base }
        }
        let running = try await context.within(.modelScopes[0]) { child in
            let running = Task {
                await message { try await child.resolve(Connection.self, with: "a", fileID: file, line: 9) }
            }
            await started.wait()
            return running
        }
        resumed.send()
        let text = await running.value
        #expect(
            text == """
                Shop/Shop.swift:9: Connection was requested, but its context has ended
                  `within` has returned, and has ended its child, even if a response body is written later
                  fix: open the scope with `child(opening: \(Scope.modelScopes[0]))`, and keep that child for as long as it is used
                """)
    }

    @Test func observers_receiveIt() async throws {
        let log = Log()
        try load { $0.factory(async: Self.connect) }
        let observation = context.observe { event in
            if case .made(let making) = event { log("\(making.key) \(making.scope)") }
        }
        _ = try await context.resolve(Connection.self, with: "a")
        #expect(log.take() == ["Pool .singleton", "Connection .prototype"])
        withExtendedLifetime(observation) {}
    }
}
