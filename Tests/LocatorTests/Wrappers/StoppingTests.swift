import Locator
import Testing

private struct Holder {
    @Dependency(qualifier: "file", fileID: "Shop/Shop.swift", line: 41) var number: Int
    @DependencyArray(fileID: "Shop/Shop.swift", line: 42) var texts: [String]
    @PropertyValue("server.url", fileID: "Shop/Shop.swift", line: 43) var url: String
}

private struct Refusal: Error, CustomStringConvertible {
    let description = "the disk is full"
}

/// A getter cannot throw, so the program stops with the text of the error.
@Suite("A wrapper that cannot return a value stops the program with the whole message")
struct StoppingTests {
    private func text(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func dependency() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try AppContext().load(.text("a"))
            let holder = AppContext.withContext(context) { Holder() }
            _ = holder.number
        }
        #expect(
            text(result).contains(
                """
                Shop/Shop.swift:41: Fatal error: Int "file" is not registered
                  fix: register it in a loaded module: registry.register(Int.self, qualifier: "file") { … }

                """))
    }

    @Test func dependencyArray() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let module = Module("M") { registry in
                registry.register(String.self, fileID: "Shop/Texts.swift", line: 3) { () throws -> String in
                    throw Refusal()
                }
            }
            let context = try AppContext().load(module)
            let holder = AppContext.withContext(context) { Holder() }
            _ = holder.texts
        }
        #expect(
            text(result).contains(
                """
                Fatal error: Shop/Texts.swift:3: making String failed: the disk is full
                  requested: [String] at Shop/Shop.swift:42

                """))
    }

    @Test func propertyValue() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try AppContext().load(Module("M", properties: ["server.uri": "x"]))
            let holder = AppContext.withContext(context) { Holder() }
            _ = holder.url
        }
        #expect(
            text(result).contains(
                """
                Shop/Shop.swift:43: Fatal error: server.url is missing (expected String); did you mean server.uri?
                  fix: correct the path to server.uri, or rename that setting (module "M")

                """))
    }

    @Test func lazy() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            struct Lazily: Sendable { let number: Lazy<Int> }
            let module = Module("M") { registry in
                registry.register(Lazily.self, fileID: "Shop/Lazily.swift", line: 8, Lazily.init)
            }
            let context = try AppContext().load(module)
            _ = try context.resolve(Lazily.self).number()
        }
        #expect(
            text(result).contains(
                """
                Shop/Lazily.swift:8: Fatal error: Int is not registered
                  fix: register it in a loaded module: registry.register(Int.self) { … }

                """))
    }

    @Test func unsettledWrapper_whoseContextIsGone() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let holder = AppContext.withContext(AppContext()) { Holder() }
            _ = holder.number
        }
        #expect(
            text(result).contains(
                """
                Shop/Shop.swift:41: Fatal error: Int "file" was requested, but its context has ended
                  fix: keep a reference to the context for as long as it is used

                """))
    }

    @Test func pop_withoutAPush() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try AppContext().load(.text("a"))
            context.pop(fileID: "Shop/Main.swift", line: 7)
        }
        #expect(
            text(result).contains(
                """
                Shop/Main.swift:7: Fatal error: pop() without a push: nothing is pushed in this context
                  fix: pop once for each push

                """))
    }

    @Test func pop_insideAClosure() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = AppContext()
            let module = Module("M") { registry in
                registry.register(Int.self, fileID: "Shop/Shop.swift", line: 3) {
                    AppContext.current.pop()
                    return 1
                }
            }
            try context.push(module)
            _ = try context.resolve(Int.self, fileID: "Shop/Main.swift", line: 9)
        }
        #expect(
            text(result).contains(
                """
                Fatal error: Shop/Shop.swift:3: pop was called inside a factory closure, decorator, or decoder of the same context
                  while making Int (Shop/Shop.swift:3)
                  requested: Int at Shop/Main.swift:9
                  fix: change the context before resolving, or in a hook or observer

                """))
    }

    @Test func settledWrapper_keepsItsValue_whenItsContextIsGone() throws {
        final class Thing: Sendable {}
        struct Settled {
            @Dependency var thing: Thing
            @Dependency(qualifier: "other") var unsettled: Thing?
        }
        let thing = Thing()
        var context: AppContext? = try AppContext().load(Module("M") { $0.register(instance: thing) })
        let settled = AppContext.withContext(try #require(context)) { Settled() }
        #expect(settled.thing === thing)
        context = nil
        #expect(settled.thing === thing)
        guard case .contextGone = locatorError({ try settled.$unsettled.resolved() })?.kind else {
            Issue.record("the context is not gone")
            return
        }
    }
}
