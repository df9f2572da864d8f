import Dispatch
import Locator
import TestSupport
import Testing

/// A change of a context, and what `server.limit` is after it; it was 1.
private struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let limit: Int
    let run: @Sendable (AppContext, MemoryFiles) throws -> Void

    private static let fakes = Module("Fakes", properties: ["server.limit": 7]) { _ in }
    private static let defaults = Module("Defaults", properties: ["server.limit": 1]) { _ in }

    static let all = [
        Change(testDescription: "reloadProperties", limit: 2) { context, files in
            files.content = #"{ "server": { "limit": 2 } }"#
            try context.reloadProperties()
        },
        Change(testDescription: "loadProperties", limit: 3) { context, _ in
            try context.loadProperties(MemoryFiles(#"{ "server": { "limit": 3 } }"#).source)
        },
        Change(testDescription: "push", limit: 7) { context, _ in try context.push(fakes) },
        Change(testDescription: "load", limit: 7) { context, _ in try context.load(fakes, priority: .high) },
    ]
}

extension Result {
    /// The value, or the text of the error.
    fileprivate var text: String {
        switch self {
        case .success(let value): "\(value)"
        case .failure(let error): "\(error)"
        }
    }
}

@Suite("A follower of a setting gets the current value, and each later one", .watchdog)
struct FollowingValuesTests {
    private let context = AppContext()
    private let files = MemoryFiles(#"{ "server": { "limit": 1 }, "other": 1 }"#)

    init() throws {
        try context.loadProperties(files.source)
    }

    private func reload(_ text: String) throws {
        files.content = text
        try context.reloadProperties()
    }

    private func push(_ limit: JSONValue) throws {
        try context.push(Module("Fakes", properties: ["server.limit": limit]) { _ in })
    }

    @Test("The current value comes first, and the next one after the change", arguments: Change.all)
    private func change_isSeen(change: Change) async throws {
        var values = context.values(of: "server.limit", as: Int.self).makeAsyncIterator()
        #expect(await values.next() == .success(1))
        try change.run(context, files)
        #expect(await values.next() == .success(change.limit))
    }

    @Test("A waiting reader is woken", arguments: Change.all)
    private func change_wakes(change: Change) async throws {
        let isReading = Signal()
        let context = context
        let reading = Task {
            var found: [Int] = []
            for await limit in context.values(of: "server.limit", as: Int.self) {
                found.append(try limit.get())
                isReading.send()
                if found.count == 2 { break }
            }
            return found
        }
        await isReading.wait()
        try change.run(context, files)
        #expect(try await reading.value == [1, change.limit])
    }

    @Test("A pop and an unload restore the earlier value")
    func undoing_isSeen() async throws {
        var values = context.values(of: "server.limit", as: Int.self).makeAsyncIterator()
        #expect(await values.next() == .success(1))
        try push(7)
        #expect(await values.next() == .success(7))
        context.pop()
        #expect(await values.next() == .success(1))
        let module = Module("Loaded", properties: ["server.limit": 8]) { _ in }
        try context.load(module, priority: .high)
        #expect(await values.next() == .success(8))
        try context.unload(module)
        #expect(await values.next() == .success(1))
    }

    @Test("The same value never comes twice in a row, no matter what else changes")
    func sameValue_isNotRepeated() async throws {
        var values = context.values(of: "server.limit", as: Int.self).makeAsyncIterator()
        #expect(await values.next() == .success(1))
        try context.reloadProperties()
        try reload(#"{ "other": 2, "server": {"limit":1} }"#)
        try context.push(Module("Other", properties: ["other": 3]) { _ in })
        try context.load(.text("text"))
        try push(1)
        context.pop()
        try push(2)
        #expect(await values.next() == .success(2))
    }

    @Test("A slow reader gets the newest value, or none if it already has it")
    func slowReader_getsNewest() async throws {
        var values = context.values(of: "server.limit", as: Int.self).makeAsyncIterator()
        #expect(await values.next() == .success(1))
        for limit in 2...9 { try push(JSONValue.number(JSONNumber(limit))) }
        #expect(await values.next() == .success(9))
        try push(3)
        try push(9)
        try push(10)
        #expect(await values.next() == .success(10))
    }

    @Test("A load that fails has no effect, not even while it runs", .serialized, arguments: [false, true])
    func failingLoad_isNotSeen(isInChild: Bool) async throws {
        struct Refusal: Error {}
        let reader = isInChild ? try context.child() : context
        let read = Late<Task<Result<Int, PropertiesError>?, Never>>()
        try context.load(
            Module("Broken", when: .property("isBroken", equals: true)) { registry in
                registry.register(String.self, scope: .always) { () throws -> String in
                    let hasRead = DispatchSemaphore(value: 0)
                    read.value = Task.detached {
                        defer { hasRead.signal() }
                        return await reader.values(of: "server.limit").first { _ in true }
                    }
                    // It reads only after the load has failed, unless it is wrong.
                    _ = hasRead.wait(timeout: .now() + 0.05)
                    throw Refusal()
                }
            })
        #expect(message { try reload(#"{ "server": { "limit": 2 }, "isBroken": true }"#) } != nil)
        #expect(await read.value?.value == .success(1))
    }

    @Test("The first value is the one at the first read, not at the call")
    func firstValue_isThatOfTheFirstRead() async throws {
        let sequence = context.values(of: "server.limit", as: Int.self)
        var values = sequence.makeAsyncIterator()
        try push(2)
        #expect(await values.next() == .success(2))
        var others = sequence.makeAsyncIterator()
        #expect(await others.next() == .success(2))
    }

    @Test("Targets of placeholders and parts of an object count as changes")
    func dependencies_areFollowed() async throws {
        try reload(#"{ "server": { "limit": "${base}", "host": "a" }, "base": 1 }"#)
        var limits = context.values(of: "server.limit", as: Int.self).makeAsyncIterator()
        var servers = context.values(of: "server", as: [String: JSONValue].self).makeAsyncIterator()
        #expect(await limits.next() == .success(1))
        #expect(try await servers.next()?.get().count == 2)
        try context.push(Module("Base", properties: ["base": 5, "server.port": 80]) { _ in })
        #expect(await limits.next() == .success(5))
        #expect(try await servers.next()?.get().count == 3)
    }

    @Test("A child follows the conditions of its own modules, also through placeholders")
    func conditions_areFollowedInAChild() async throws {
        try context.load(Module("Mode", properties: ["mode": "${chosen}", "chosen": "a"]))
        let child = try context.child()
        try child.load(
            Module("Strict", properties: ["server.limit": 5], when: .property("mode", equals: "b")), priority: .high)
        var values = child.values(of: "server.limit", as: Int.self).makeAsyncIterator()
        #expect(await values.next() == .success(1))
        try context.push(Module("Chosen", properties: ["chosen": "b"]))
        #expect(await values.next() == .success(5))
        context.pop()
        #expect(await values.next() == .success(1))
    }

    @Test("An error is delivered once as a value, and the next value follows")
    func errors_areValues() async throws {
        var values = context.values(of: "server.limit", as: Int.self).makeAsyncIterator()
        _ = await values.next()
        try reload(#"{ "server": { "limit": "many" } }"#)
        let wrong = await values.next()?.text
        #expect(wrong == "server.limit: expected Int, found string \"many\" (application.json:1:24)")
        try reload(#"{ "server": { "limit": "many" }, "other": 7 }"#)
        try reload(#"{ "server": {} }"#)
        let missing = await values.next()?.text
        #expect(missing == "server.limit is missing (expected Int)")
        try reload(#"{ "server": { "limit": 4 } }"#)
        #expect(await values.next() == .success(4))
    }

    @Test("A malformed path is an error, once")
    func malformedPath_isAnError() async throws {
        var values = context.values(of: "server..limit", as: Int.self).makeAsyncIterator()
        guard case .failure = await values.next() else {
            Issue.record("the path was accepted")
            return
        }
        let context = context
        let waiting = Task {
            var values = context.values(of: "server..limit", as: Int.self).makeAsyncIterator()
            return (await values.next(), await values.next() == nil)
        }
        waiting.cancel()
        #expect(await waiting.value.1)
    }

    @Test("If the setting is missing, the default is used, and optional types are nil")
    func missing_isADefaultOrNil() async throws {
        var defaults = context.values(of: "server.depth", as: Int.self, default: 3).makeAsyncIterator()
        var optionals = context.values(of: "server.depth", as: Int?.self).makeAsyncIterator()
        #expect(await defaults.next() == .success(3))
        #expect(await optionals.next() == .success(nil))
        try reload(#"{ "server": { "depth": 5 } }"#)
        #expect(await defaults.next() == .success(5))
        #expect(await optionals.next() == .success(5))
        try reload("{}")
        #expect(await defaults.next() == .success(3))
        #expect(await optionals.next() == .success(nil))
    }

    @Test("Many readers run at the same time, and each gets every value it waits for")
    func manyReaders_eachFollow() async throws {
        let context = context
        try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<1000 {
                group.addTask {
                    var found: [Int] = []
                    for await limit in context.values(of: "server.limit", as: Int.self) {
                        found.append(try limit.get())
                        if found.last == 100 { break }
                    }
                    return found
                }
            }
            for limit in 2...100 {
                try context.push(Module("M", properties: ["server.limit": .number(JSONNumber(limit))]) { _ in })
            }
            for try await found in group { #expect(found == found.sorted() && found.last == 100) }
        }
    }

    @Test("A reader in an asynchronous factory closure counts as a read of the setting")
    func readInAClosure_counts() async throws {
        let context = context
        try context.load(
            Module("Async") { registry in
                registry.register(
                    Int.self,
                    async: {
                        var values = AppContext.current.values(of: "server.limit", as: Int.self).makeAsyncIterator()
                        return try await values.next()?.get() ?? 0
                    })
            })
        try await context.start()
        #expect(try context.resolve(Int.self) == 1)
        try push(2)
        try await context.start()
        #expect(try context.resolve(Int.self) == 2)
        context.pop()
        #expect(try context.resolve(Int.self) == 1)
    }

    @Test("A decoder may resolve from the context, which is current, but not change it")
    func decoder_runsInARequest() async throws {
        struct Asking: Decodable, Sendable {
            let other: Int
            let change: String?

            init(from decoder: any Decoder) throws {
                let context = AppContext.current
                other = try context.value("other")
                change = message { try context.reset() }
            }
        }
        var values = context.values(of: "server", as: Asking.self).makeAsyncIterator()
        let found = try await values.next()?.get()
        #expect(found?.other == 1)
        #expect(found?.change?.contains("reset was called inside a factory closure, decorator, or decoder") == true)
    }

    @Test("A missing setting is reported to an observer once, with the place of the call")
    func missing_isReported() async throws {
        let log = Log()
        let observation = context.observe { if case .propertyMissing = $0 { log("\($0)") } }
        let line = #line + 1
        var values = context.values(of: "server.depth", as: Int?.self).makeAsyncIterator()
        _ = await values.next()
        try context.push(Module("Other", properties: ["server.depth": 3]) { _ in })
        _ = await values.next()
        observation.end()
        #expect(
            log.take() == ["setting \"server.depth\" is missing at LocatorTests/FollowingValuesTests.swift:\(line)"])
    }

    @Test("A child follows a module of its parent whose condition holds only in the child")
    func moduleThatIsOffInTheParent() async throws {
        let child = try context.child(pushing: Module("Flag", properties: ["flag": true]) { _ in })
        var values = child.values(of: "server.limit", as: Int.self).makeAsyncIterator()
        #expect(await values.next() == .success(1))
        let special = Module(
            "Special", properties: ["server.limit": 2], when: .property("flag", equals: true)
        ) { _ in }
        try context.push(special)
        #expect(await values.next() == .success(2))
        context.pop()
        #expect(await values.next() == .success(1))
        try context.load(special, priority: .high)
        #expect(await values.next() == .success(2))
        try context.unload(special)
        #expect(await values.next() == .success(1))
    }
}
