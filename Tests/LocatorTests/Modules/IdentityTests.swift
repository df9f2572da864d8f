import Locator
import Testing

@Suite("A module is its own handle")
struct IdentityTests {
    @Test func loadingAgain_doesNothing() throws {
        let runs = Counter()
        let module = Module("Once") { registry in
            runs.next()
            registry.register(String.self) { "once" }
        }
        let context = try AppContext().load(module)
        try context.load(module).load(module, module, priority: .high)
        #expect(runs.value == 1)
        #expect(try context.texts() == ["once"])
    }

    @Test func loadingAgain_leavesThePriority() throws {
        let module = Module.text("a")
        let context = try AppContext().load(module).load(.text("b"))
        try context.load(module, priority: .low)
        #expect(try context.texts() == ["a", "b"])
        let last = Module.text("c")
        try context.load(last).load(last, priority: .high)
        #expect(try context.texts() == ["a", "b", "c"])
    }

    @Test func copies_shareTheIdentity() throws {
        let module = Module.text("a")
        let copy = module
        let context = try AppContext().load(module, copy)
        #expect(try context.texts() == ["a"])
        try context.unload(copy)
        #expect(try context.texts() == [])
    }

    @Test func modulesOfOneName_areDifferent() throws {
        let first = Module.text("same")
        let second = Module.text("same")
        let context = try AppContext().load(first, second)
        #expect(try context.texts() == ["same", "same"])
        try context.unload(second)
        #expect(try context.texts() == ["same"])
        #expect(message { try context.unload(second) } != nil)
    }

    @Test func pushingALoadedModule_counts_andIsPopped() throws {
        let module = Module.text("a")
        let context = try AppContext().load(.text("b"), module)
        try context.push(module)
        #expect(try context.texts() == ["a", "b"])
        context.pop()
        #expect(try context.texts() == ["b", "a"])
    }

    @Test func loadingALoadedModule_underItsPush_doesNothing() throws {
        let module = Module.text("a")
        let context = try AppContext().load(.text("b"), module)
        try context.push(module)
        try context.load(module, priority: .profile)
        context.pop()
        #expect(try context.texts() == ["b", "a"])
    }

    @Test func pushingTwice_needsTwoPops() throws {
        let module = Module.text("a")
        let context = AppContext()
        try context.push(module)
        try context.push(module)
        #expect(try context.texts() == ["a"])
        try context.pop(module)
        #expect(try context.texts() == ["a"])
        try context.pop(module)
        #expect(try context.texts() == [])
        #expect(
            message { try context.pop(module, fileID: "Shop/Shop.swift", line: 9) } == """
                Shop/Shop.swift:9: module "a" was not pushed
                  fix: pop each pushed module once
                """)
    }

    @Test func loadingAModuleThatAForkHasTakenOver_changesNothing() throws {
        let module = Module.text("a")
        let context = try AppContext().load(.text("b"))
        try context.push(module, priority: .low)
        let fork = try context.fork()
        try fork.load(module, priority: .high)
        #expect(try fork.texts() == ["b", "a"])
    }

    @Test func loadingAPushedModule_staysAfterThePop() throws {
        let module = Module.text("a")
        let context = AppContext()
        try context.push(module)
        try context.load(module)
        context.pop()
        #expect(try context.texts() == ["a"])
    }

    @Test func pop_takesOffTheLatest_andPopOfAModule_anyPush() throws {
        let (first, second, third) = (Module.text("1"), Module.text("2"), Module.text("3"))
        let context = AppContext()
        try context.push(first)
        try context.push(second)
        try context.push(third)
        try context.pop(second)
        #expect(try context.texts() == ["3", "1"])
        context.pop()
        #expect(try context.texts() == ["1"])
    }

    @Test func unload_doesNotTakeOffAPush() throws {
        let module = Module.text("a")
        let context = AppContext()
        try context.push(module, fileID: "Shop/Shop.swift", line: 8)
        #expect(
            message { try context.unload(module, fileID: "Shop/Shop.swift", line: 9) } == """
                Shop/Shop.swift:9: module "a" is not loaded
                  it was pushed at Shop/Shop.swift:8
                  fix: pop it instead: `context.pop(module)`
                """)
        #expect(try context.texts() == ["a"])
    }

    @Test func unload_disposesOfWhatWasMade() throws {
        let log = Log()
        let module = Module("Disposing") { registry in
            registry.register(Int.self) { 1 }.onDispose { log("disposed of \($0)") }
        }
        let context = try AppContext().load(module)
        _ = try context.resolve(Int.self)
        try context.unload(module)
        #expect(log.entries == ["disposed of 1"])
        try context.load(module)
        _ = try context.resolve(Int.self)
        #expect(log.entries == ["disposed of 1"])
    }

    @Test func unloadAll_takesOffEverything_pushedToo() throws {
        let log = Log()
        let loaded = Module("Loaded", properties: ["a": 1]) { registry in
            registry.register(Int.self) { 1 }.onDispose { log("\($0)") }
        }
        let pushed = Module("Pushed") { registry in
            registry.register(Int.self, qualifier: "pushed") { 2 }.onDispose { log("\($0)") }
        }
        let context = try AppContext().load(loaded)
        try context.push(pushed)
        _ = try context.resolveAll(Int.self)
        try context.unloadAll()
        #expect(log.entries.sorted() == ["1", "2"])
        #expect(try context.resolve(Int?.self) == nil)
        #expect(try context.value("a", as: Int?.self) == nil)
        try context.load(loaded)
        #expect(try context.resolve(Int.self) == 1)
    }

    @Test func eachContext_runsTheClosure() throws {
        final class Thing: Sendable {}
        let module = Module("Things") { registry in
            let thing = Thing()
            registry.register(Thing.self) { thing }
        }
        let first = try AppContext().load(module).resolve(Thing.self)
        let second = try AppContext().load(module).resolve(Thing.self)
        #expect(first !== second)
    }
}
