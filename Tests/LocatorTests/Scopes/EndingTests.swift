import Locator
import Testing

extension Scope {
    fileprivate static let session = Scope("session")
}

@Suite("Instances end once, in reverse order of creation")
struct EndingTests {
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let log = Log()

    /// `c` needs `b`, which needs `a`.
    private func chain() -> Module {
        Module("Chain") { [log] registry in
            registry.register(String.self, qualifier: "a", scope: .session) { "a" }.onDispose { log($0) }
            registry.register(String.self, qualifier: "b", parameterQualifiers: ["a"]) { (a: String) in "b<\(a)" }
                .onDispose { log($0) }
            registry.register(String.self, qualifier: "c", parameterQualifiers: ["b"]) { (b: String) in "c<\(b)" }
                .onDispose { log($0) }
            registry.register(String.self, qualifier: "alone") { "alone" }.onDispose { log($0) }
        }
    }

    @Test func reset_disposes_inReverseOrderOfMaking() throws {
        let context = try AppContext().load(chain())
        _ = try context.resolve(String.self, qualifier: "alone")
        _ = try context.resolve(String.self, qualifier: "c")
        try context.reset()
        #expect(log.take() == ["c<b<a", "b<a", "a", "alone"])
        try context.reset()
        #expect(log.take() == [])
    }

    @Test func resetOfAScope_disposesOfItAndOfWhatWasMadeFromIt() throws {
        let context = try AppContext().load(chain())
        _ = try context.resolve(String.self, qualifier: "alone")
        _ = try context.resolve(String.self, qualifier: "c")
        try context.reset(.session)
        #expect(log.take() == ["c<b<a", "b<a", "a"])
    }

    @Test func whatWasNeverMade_isNotDisposedOf() throws {
        let context = try AppContext().load(chain())
        _ = try context.resolve(String.self, qualifier: "a")
        try context.unloadAll()
        #expect(log.take() == ["a"])
    }

    @Test func unload_disposesOfWhatWasMadeFromTheModule() throws {
        let base = Module("Base") { [log] registry in
            registry.register(Int.self) { 1 }.onDispose { log("\($0)") }
        }
        let user = Module("User") { [log] registry in
            registry.register(String.self) { (number: Int) in "made of \(number)" }.onDispose { log($0) }
        }
        let context = try AppContext().load(base, user)
        _ = try context.resolve(String.self)
        try context.unload(base)
        #expect(log.take() == ["made of 1", "1"])
    }

    @Test func setAsideInstance_isNotDisposedOf_untilItsModuleGoes() throws {
        let chain = chain()
        let context = try AppContext().load(chain)
        _ = try context.resolve(String.self, qualifier: "b")
        try context.push(Module("Fake") { $0.register(String.self, qualifier: "a") { "fake" } })
        #expect(try context.resolve(String.self, qualifier: "b") == "b<fake")
        #expect(log.take() == [])
        context.pop()
        #expect(log.take() == ["b<fake"])
        #expect(try context.resolve(String.self, qualifier: "b") == "b<a")
        try context.unload(chain)
        #expect(log.take() == ["b<a", "a"])
    }

    @Test func droppedContext_disposesOfWhatItHolds() throws {
        do {
            let context = try AppContext().load(chain())
            _ = try context.resolve(String.self, qualifier: "c")
        }
        #expect(log.take() == ["c<b<a", "b<a", "a"])
    }

    @Test func readyInstance_isDisposedOf_onlyWhereThatWasRequested() throws {
        let module = Module("M") { [log] registry in
            registry.register(instance: 1)
            registry.register(instance: "asked").onDispose { log($0) }
        }
        let context = try AppContext().load(module)
        _ = try (context.resolve(Int.self), context.resolve(String.self))
        try context.unload(module)
        #expect(log.take() == ["asked"])
    }

    @Test func severalHooks_runInTheOrderWritten() throws {
        let module = Module("M") { [log] registry in
            registry.register(Int.self) { 1 }.onDispose { _ in log("first") }.onDispose { _ in log("second") }
        }
        let context = try AppContext().load(module)
        _ = try context.resolve(Int.self)
        try context.reset()
        #expect(log.take() == ["first", "second"])
    }

    private func failing() -> Module {
        Module("Failing") { [log] registry in
            for name in ["a", "b", "c"] {
                registry.register(String.self, qualifier: .named(name), fileID: "Shop/Shop.swift", line: 3) { name }
                    .onDispose {
                        log($0)
                        if name != "b" { throw Failure(description: "\($0) is stuck") }
                    }
            }
        }
    }

    @Test func throwingHooks_areCollected_andNoneIsSkipped() throws {
        let context = try AppContext().load(failing())
        _ = try context.resolveAll(String.self)
        let expected = """
            Shop/Main.swift:9: 2 hooks failed:
                disposing of String "c" (Shop/Shop.swift:3): c is stuck
                disposing of String "a" (Shop/Shop.swift:3): a is stuck
            """
        #expect(message { try context.reset(fileID: "Shop/Main.swift", line: 9) } == expected)
        #expect(log.take() == ["c", "b", "a"])
        #expect(message { try context.reset() } == nil)

        _ = try context.resolveAll(String.self)
        #expect(message { try context.unloadAll(fileID: "Shop/Main.swift", line: 9) } == expected)
        #expect(try context.resolveAll(String.self) == [])
    }

    @Test func popOfAModule_throwsWhatHooksThrow_andPopDoesNot() throws {
        let module = failing()
        let context = AppContext()
        try context.push(module)
        _ = try context.resolve(String.self, qualifier: "a")
        #expect(
            message { try context.pop(module, fileID: "Shop/Main.swift", line: 9) } == """
                Shop/Main.swift:9: 1 hook failed:
                    disposing of String "a" (Shop/Shop.swift:3): a is stuck
                """)
        try context.push(module)
        _ = try context.resolve(String.self, qualifier: "a")
        context.pop()
        #expect(log.take() == ["a", "a"])
    }

    @Test func shutdown_runsShutdownHooks_latestFirst_thenDisposes() async throws {
        let module = Module("M") { [log] registry in
            registry.register(Int.self) { 1 }
                .onShutdown { _ in
                    await Task.yield()
                    log("shut down Int")
                }
                .onDispose { _ in log("dispose of Int") }
            registry.register(String.self) { (number: Int) in "made of \(number)" }
                .onShutdown { _ in log("shut down String") }
                .onDispose { _ in log("dispose of String") }
            registry.register(Double.self) { 1 }.onShutdown { _ in log("never made") }
        }
        let context = try AppContext().load(module)
        _ = try context.resolve(String.self)
        try context.reset()
        #expect(log.take() == ["dispose of String", "dispose of Int"])
        _ = try context.resolve(String.self)
        try await context.shutdown()
        #expect(log.take() == ["shut down String", "shut down Int", "dispose of String", "dispose of Int"])
        try await context.shutdown()
        #expect(log.take() == [])
    }

    @Test func shutdown_collectsErrors_ofBothKinds() async throws {
        let module = Module("M") { registry in
            registry.register(Int.self, fileID: "Shop/Shop.swift", line: 3) { 1 }
                .onShutdown { _ in throw Failure(description: "cannot close") }
                .onDispose { _ in throw Failure(description: "cannot dispose") }
            registry.register(String.self, fileID: "Shop/Shop.swift", line: 6) { "" }
                .onShutdown { _ in throw Failure(description: "cannot flush") }
        }
        let context = try AppContext().load(module)
        _ = try (context.resolve(Int.self), context.resolve(String.self))
        let error = await message { try await context.shutdown(fileID: "Shop/Main.swift", line: 9) }
        #expect(
            error == """
                Shop/Main.swift:9: 3 hooks failed:
                    shutting down String (Shop/Shop.swift:6): cannot flush
                    shutting down Int (Shop/Shop.swift:3): cannot close
                    disposing of Int (Shop/Shop.swift:3): cannot dispose
                """)
    }

    @Test func shutdownHook_mayResolve_andWhatItMakesIsShutDownToo() async throws {
        let module = Module("M") { [log] registry in
            registry.register(Int.self) { 1 }.onShutdown { _ in log("Int") }
            registry.register(String.self) { "" }
                .onShutdown { _ in
                    _ = try AppContext.current.resolve(Int.self)
                    log("String")
                }
        }
        let context = try AppContext().load(module)
        _ = try context.resolve(String.self)
        try await context.shutdown()
        #expect(log.take() == ["String", "Int"])
    }

    /// Each hook removes the module of the hook before it, so that the memory of its registrations is used again.
    @Test(arguments: [false, true])
    func hooks_thatExchangeModules_allRun(inAChild: Bool) throws {
        let count = 40
        var root: AppContext? = AppContext()
        weak let context = root
        @Sendable func module(_ number: Int) -> Module {
            Module("Module \(number)") { [log] registry in
                registry.register(String.self, scope: .session) { "\(number)" }
                    .onDispose { text in
                        log(text)
                        if number == count { return }
                        let user = AppContext.current
                        (inAChild ? context ?? user : user).pop()
                        try (inAChild ? context ?? user : user).push(module(number + 1))
                        _ = try user.resolve(String.self)
                    }
            }
        }
        try root?.push(module(1))
        if inAChild {
            _ = try root?.child(opening: .session).resolve(String.self)
        } else {
            _ = try root?.resolve(String.self)
        }
        root = nil
        #expect(log.take() == (1...count).map(String.init))
    }
}
