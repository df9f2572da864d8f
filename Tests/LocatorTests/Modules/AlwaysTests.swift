import Locator
import TestSupport
import Testing

@Suite("Instances of scope .always are made at load, and their errors surface there")
struct AlwaysTests {
    private struct Refusal: Error, CustomStringConvertible {
        let description = "the disk is full"
    }

    private let log = Log()
    private let context = AppContext()

    private func module(_ name: String, fails: Bool = false) -> Module {
        Module(name) { [log] registry in
            registry.register(
                String.self, qualifier: .named(name), scope: .always, fileID: "Shop/Shop.swift", line: 7
            ) {
                log("make \(name)")
                if fails { throw Refusal() }
                return name
            }
            .onDispose { log("dispose of \($0)") }
        }
    }

    @Test func instances_areMadeAtLoad_inOrder() throws {
        try context.load(module("a"), module("b"))
        #expect(log.take() == ["make a", "make b"])
        #expect(try context.texts() == ["a", "b"])
        #expect(log.take() == [])
    }

    @Test func instances_ofIncludedModules_areMade() throws {
        let inner = module("inner")
        try context.load(Module("Outer", including: [inner]))
        #expect(log.take() == ["make inner"])
    }

    @Test func failingClosure_leavesTheContextWithoutTheModules() throws {
        try context.load(module("before"))
        _ = log.take()
        let error = message {
            try context.load(
                module("a"), module("b", fails: true), module("c"), fileID: "Shop/Main.swift", line: 3)
        }
        #expect(
            error == """
                Shop/Shop.swift:7: making String "b" failed: the disk is full
                  requested: String "b" at Shop/Main.swift:3
                """)
        #expect(log.entries == ["make a", "make b", "dispose of a"])
        #expect(try context.texts() == ["before"])
    }

    @Test func failingClosure_leavesTheContextWithoutThePush() throws {
        try context.load(module("before"))
        #expect(message { try context.push(module("b", fails: true)) } != nil)
        #expect(try context.texts() == ["before"])
        #expect(message { try context.pop(module("b")) } != nil)
    }

    @Test func failingClosure_leavesInstancesOfOthersAlone() throws {
        final class Thing: Sendable {}
        try context.load(Module("Thing") { $0.register(Thing.init) })
        let thing = try context.resolve(Thing.self)
        #expect(message { try context.push(module("b", fails: true)) } != nil)
        #expect(try context.resolve(Thing.self) === thing)
        #expect(context.existing(Thing.self) === thing)
    }

    @Test func moduleThatFailed_canBeLoadedLater() throws {
        let isBroken = Late(true)
        let module = Module("Shop") { registry in
            registry.register(String.self, scope: .always) {
                if isBroken.value == true { throw Refusal() }
                return "whole"
            }
        }
        #expect(message { try context.load(module) } != nil)
        isBroken.value = false
        try context.load(module)
        #expect(try context.texts() == ["whole"])
    }

    @Test func closure_seesItsModule_andThoseLoadedWithIt() throws {
        let first = Module("First") { registry in
            registry.register(String.self, scope: .always) { (number: Int) in "number \(number)" }
        }
        let second = Module("Second") { $0.register(Int.self) { 2 } }
        try context.load(first, second)
        #expect(try context.texts() == ["number 2"])
    }

    @Test func instance_isShared_asASingletonIs() throws {
        final class Thing: Sendable {}
        try context.load(Module("Thing") { $0.register(scope: .always, Thing.init) })
        #expect(try context.resolve(Thing.self) === context.existing(Thing.self))
    }

    @Test func instance_isMadeOnDemand_afterAReset() throws {
        try context.load(module("a"))
        try context.reset()
        #expect(log.take() == ["make a", "dispose of a"])
        #expect(try context.texts() == ["a"])
        #expect(log.take() == ["make a"])
    }
}
