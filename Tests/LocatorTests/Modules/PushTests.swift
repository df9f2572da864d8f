import Locator
import Testing

private final class Engine: Sendable {}

private struct Failure: Error, Equatable, CustomStringConvertible {
    let description: String
}

@Suite("A pop removes exactly what was pushed")
struct PushTests {
    private let context = AppContext()

    private static func failing(_ name: String) -> Module {
        Module(name) { registry in
            registry.register(String.self, scope: .always, fileID: "Shop/Shop.swift", line: 3) { "" }
                .onDispose { _ in throw Failure(description: "it is busy") }
        }
    }

    @Test func pop_takesOffItsOwn_whateverIsAbove() throws {
        let first = try context.push(.text("1"))
        let second = try context.push(.text("2"))
        first.pop()
        #expect(try context.texts() == ["2"])
        second.pop()
        #expect(try context.texts() == [])
    }

    @Test func secondPop_doesNothing() throws {
        try context.push(.text("below"))
        let module = Module.text("1")
        let push = try context.push(module)
        push.pop()
        push.pop()
        #expect(try context.texts() == ["below"])
        try context.push(module)
        push.pop()
        #expect(try context.texts() == ["1", "below"])
    }

    @Test func pushOfTheSameModuleTwice_isTwoPushes() throws {
        let module = Module.text("1")
        let first = try context.push(module)
        try context.push(.text("2"))
        let second = try context.push(module)
        first.pop()
        #expect(try context.texts() == ["1", "2"])
        second.pop()
        #expect(try context.texts() == ["2"])
    }

    @Test func popOfTheContext_countsAsThePop() throws {
        try context.push(.text("below"))
        let push = try context.push(.text("1"))
        context.pop()
        push.pop()
        #expect(try context.texts() == ["below"])
    }

    @Test func failedPush_leavesTheOthers() throws {
        let broken = Module("Broken") { $0.register(Int.self, scope: .always) { throw Failure(description: "no") } }
        func test() throws {
            let push = try context.push(.text("lost"), broken)
            defer { push.pop() }
            Issue.record("the push has not thrown")
        }
        try context.push(.text("someone else's"))
        #expect(locatorError(test)?.underlying as? Failure == Failure(description: "no"))
        #expect(try context.texts() == ["someone else's"])
    }

    @Test func severalModules_areOnePush_theFirstIsAskedFirst() throws {
        try context.push(.text("below"))
        try context.push(.text("1"), .text("2"))
        #expect(try context.texts() == ["1", "2", "below"])
        context.pop()
        #expect(try context.texts() == ["below"])
    }

    @Test func moduleOfAPush_canBePoppedAlone_andThePushTakesOffTheRest() throws {
        let (one, two) = (Module.text("1"), Module.text("2"))
        let push = try context.push(one, two)
        try context.push(.text("3"))
        try context.pop(one)
        #expect(try context.texts() == ["3", "2"])
        push.pop()
        #expect(try context.texts() == ["3"])
    }

    @Test func popOfSeveralModules_bringsTheIdenticalObjectsBack() throws {
        try context.load(Module("Shop") { $0.register(Engine.init) })
        let service = try context.resolve(Engine.self)
        let fake = Module("Fake") { $0.register(Engine.init) }
        for _ in 1...2 {
            let push = try context.push(.text("1"), fake, .text("2"))
            #expect(try context.resolve(Engine.self) !== service)
            push.pop()
            #expect(try context.resolve(Engine.self) === service)
        }
    }

    @Test func pushOfAFork_doesNotPopWhatTheForkHasTakenOver() throws {
        try context.push(.text("1"), .text("2"))
        let fork = try context.fork()
        let push = try fork.push(.text("3"))
        #expect(try fork.texts() == ["3", "1", "2"])
        push.pop()
        #expect(try fork.texts() == ["1", "2"])
        #expect(try context.texts() == ["1", "2"])
    }

    @Test func fork_doesNotPopAModuleThatItHasTakenOver_evenUnderAPushOfItsOwn() throws {
        let first = Module.text("1")
        try context.push(first, fileID: "Shop/Main.swift", line: 4)
        let fork = try context.fork()
        try fork.push(.text("2"))
        #expect(
            message { try fork.pop(first, fileID: "Shop/Main.swift", line: 9) } == """
                Shop/Main.swift:9: module "1" was not pushed
                  it was loaded at Shop/Main.swift:4
                  fix: unload it instead: `context.unload(module)`
                """)
        #expect(try fork.texts() == ["2", "1"])
    }

    @Test func forkThatUnloadsAModuleThatItHasTakenOver_doesNotPopTheOthers() throws {
        let (first, second) = (Module.text("1"), Module.text("2"))
        try context.push(first, fileID: "Shop/Main.swift", line: 4)
        try context.push(second)
        let fork = try context.fork()
        try fork.unload(second)
        #expect(
            message { try fork.pop(first, fileID: "Shop/Main.swift", line: 9) } == """
                Shop/Main.swift:9: module "1" was not pushed
                  it was loaded at Shop/Main.swift:4
                  fix: unload it instead: `context.unload(module)`
                """)
        #expect(try fork.texts() == ["1"])
    }

    @Test func pushIntoAChild_staysInTheChild() throws {
        try context.push(.text("1"))
        let child = try context.child()
        let push = try child.push(.text("2"), .text("3"))
        try context.push(.text("0"))
        #expect(try child.texts() == ["2", "3", "0", "1"])
        push.pop()
        #expect(try child.texts() == ["0", "1"])
    }

    @Test func pushOfNothing_popsNothing() throws {
        try context.push(.text("1"))
        try context.push([]).pop()
        #expect(try context.texts() == ["1"])
    }

    @Test func pop_givesWhatHooksThrow() throws {
        let push = try context.push(Self.failing("Failing"))
        let error = push.pop(fileID: "Shop/Main.swift", line: 9)
        #expect(
            error?.description == """
                Shop/Main.swift:9: 1 hook failed:
                    disposing of String (Shop/Shop.swift:3): it is busy
                """)
        #expect(error?.underlying as? Failure == Failure(description: "it is busy"))
        #expect(push.pop() == nil)
    }

    @Test func popOfAnEndedContext_doesNothing() throws {
        var kept: Push?
        try context.within { child in kept = try child.push(.text("1")) }
        #expect(kept?.pop() == nil)
    }

    @Test func notPushed_namesAnotherOfTheName() throws {
        func fakes() -> Module { Module("Fakes", fileID: "Shop/Fakes.swift", line: 2) }
        try context.push(fakes(), fileID: "Shop/Main.swift", line: 4)
        #expect(
            message { try context.pop(fakes(), fileID: "Shop/Main.swift", line: 9) } == """
                Shop/Main.swift:9: module "Fakes" was not pushed
                  near: another module with this name (Shop/Fakes.swift:2) was pushed at Shop/Main.swift:4
                  fix: keep the module in a constant (static let): each call of Module(…) makes a different module
                """)
        try context.load(fakes(), fileID: "Shop/Main.swift", line: 5)
        #expect(
            message { try context.unload(fakes(), fileID: "Shop/Main.swift", line: 9) } == """
                Shop/Main.swift:9: module "Fakes" is not loaded
                  near: another module with this name (Shop/Fakes.swift:2) was loaded at Shop/Main.swift:5
                  fix: keep the module in a constant (static let): each call of Module(…) makes a different module
                """)
    }
}

@Suite("Modules are passed one by one or as an array")
struct ModuleArrayTests {
    private let modules = [Module.text("1"), Module.text("2")]

    @Test func arrays_areTakenEverywhere() throws {
        #expect(try AppContext().load(modules).texts() == ["1", "2"])
        let context = AppContext()
        let push = try context.push(modules)
        #expect(try context.texts() == ["1", "2"])
        push.pop()
        #expect(try context.fork(pushing: modules).texts() == ["1", "2"])
        #expect(try context.child(pushing: modules).texts() == ["1", "2"])
    }
}

@Suite("Modules can be pushed while a closure runs")
struct PushingTests {
    private let context = AppContext()

    @Test func synchronousForm_popsInEveryCase() throws {
        #expect(try context.pushing(.text("1"), .text("2")) { try context.texts() } == ["1", "2"])
        #expect(try context.texts() == [])
        #expect(message { try context.pushing(.text("1")) { throw Failure(description: "body") } } == "body")
        #expect(try context.texts() == [])
    }

    @Test func asynchronousForm_takesSeveralModules() async throws {
        let texts = try await context.pushing(.text("1"), .text("2")) {
            await Task.yield()
            return try context.texts()
        }
        #expect(texts == ["1", "2"])
        #expect(try context.texts() == [])
    }

    @Test func bodyThatPops_losesNothingElse() throws {
        try context.push(.text("below"))
        let module = Module.text("1")
        try context.push(module)
        try context.pushing(module) { try context.pop(module) }
        #expect(try context.texts() == ["1", "below"])
    }

    @Test func errorOfTheBody_isThrownBeforeThatOfHooks() throws {
        let module = Module("M") { registry in
            registry.register(String.self, scope: .always, fileID: "Shop/Shop.swift", line: 3) { "" }
                .onDispose { _ in throw Failure(description: "it is busy") }
        }
        #expect(message { try context.pushing(module) { throw Failure(description: "body") } } == "body")
        #expect(
            message { try context.pushing(module, fileID: "Shop/Main.swift", line: 9) {} } == """
                Shop/Main.swift:9: 1 hook failed:
                    disposing of String (Shop/Shop.swift:3): it is busy
                """)
    }
}
