import Locator
import TestSupport
import Testing

/// The value of a sequence if the setting is missing.
///
/// It records when it is released.
private final class Fallback: Decodable, Sendable {
    let limit: Int
    init(_ limit: Int) { self.limit = limit }
}

/// Holds a context until a test releases it.
private typealias Holder = Late<AppContext>

@Suite("Following a setting ends with the context or the task, and keeps nothing alive", .watchdog)
struct FollowingEndTests {
    private let files = MemoryFiles(#"{ "server": { "limit": 1 } }"#)

    private func newContext() throws -> AppContext {
        try AppContext().loadProperties(files.source)
    }

    private static let fakes = Module("Fakes", properties: ["server.limit": 7]) { _ in }

    /// Reads in a task, to the end or until a value arrives, and returns the task after the first value.
    private func reading(_ sequence: PropertyValues<Int>, upTo last: Int? = nil) async -> Task<[Int?], Never> {
        let isReading = Signal()
        let task = Task {
            var found: [Int?] = []
            for await limit in sequence {
                found.append(try? limit.get())
                isReading.send()
                if found.last == last { break }
            }
            isReading.send()
            return found
        }
        await isReading.wait()
        return task
    }

    @Test("A sequence and a waiting reader do not keep the context alive, and end with it")
    func droppedContext_ends() async throws {
        let holder = Holder(try newContext())
        weak let context = holder.value
        let sequence = try #require(holder.value).values(of: "server.limit", as: Int.self)
        var iterator = sequence.makeAsyncIterator()
        #expect(await iterator.next() == .success(1))
        let task = await reading(sequence)
        holder.value = nil
        #expect(context == nil)
        #expect(await task.value == [1])
        #expect(await iterator.next() == nil)
        #expect(await iterator.next() == nil)
        var late = sequence.makeAsyncIterator()
        #expect(await late.next() == nil)
    }

    @Test("A decoder that uses another context, which has ended, does not end the sequence")
    func decoderOfEndedContext_isAnError() async throws {
        struct Limit: Decodable {
            init(from decoder: any Decoder) throws { _ = try AppContext.current.resolve(Int.self) }
        }
        let ended = try AppContext().within { child in child }
        let module = Module("M") { registry in
            registry.register(Int.self) { 1 }
                .injecting { _ in _ = try ended.resolve(String.self, fileID: "Shop/Main.swift", line: 7) }
        }
        let context = try newContext().load(module)
        var values = context.values(of: "server.limit", as: Limit.self).makeAsyncIterator()
        guard case .failure(let error)? = await values.next() else {
            Issue.record("the sequence has ended")
            return
        }
        #expect(
            "\(error)" == #"""
                server.limit: Limit refused it: Shop/Main.swift:7: String was requested, but its context has ended\n  \#
                `within` has returned, and has ended its child, even if a response body is written later\n  \#
                fix: open a child with `child(pushing: …)`, and keep that child for as long as it is used
                """#)
    }

    @Test("A child's reader sees the changes of its parents, and its own")
    func child_followsParents() async throws {
        let context = try newContext()
        let child = try context.child()
        let grandchild = try child.child()
        var values = child.values(of: "server.limit", as: Int.self).makeAsyncIterator()
        var below = grandchild.values(of: "server.limit", as: Int.self).makeAsyncIterator()
        #expect(await values.next() == .success(1))
        #expect(await below.next() == .success(1))
        files.content = #"{ "server": { "limit": 2 } }"#
        try context.reloadProperties()
        #expect(await values.next() == .success(2))
        #expect(await below.next() == .success(2))
        try child.push(Self.fakes)
        #expect(await values.next() == .success(7))
        #expect(await below.next() == .success(7))
        try grandchild.push(Module("Own", properties: ["server.limit": 9]) { _ in })
        files.content = #"{ "server": { "limit": 3 } }"#
        try context.reloadProperties()
        #expect(await below.next() == .success(9))
        child.pop()
        #expect(await values.next() == .success(3))
        grandchild.pop()
        #expect(await below.next() == .success(3))
    }

    @Test("A change of the outermost context wakes a child's waiting reader")
    func waitingChild_isWoken() async throws {
        let context = try newContext()
        let grandchild = try context.child().child()
        let task = await reading(grandchild.values(of: "server.limit", as: Int.self), upTo: 7)
        try context.push(Self.fakes)
        #expect(await task.value == [1, 7])
    }

    @Test("A parent's reader does not see what a child pushes")
    func childChange_staysInTheChild() async throws {
        let context = try newContext()
        var values = context.values(of: "server.limit", as: Int.self).makeAsyncIterator()
        #expect(await values.next() == .success(1))
        let child = try context.child()
        try child.push(Self.fakes)
        try context.push(Module("Own", properties: ["server.limit": 2]) { _ in })
        #expect(await values.next() == .success(2))
    }

    @Test("A child's reader ends with the child, while the parent continues")
    func endedChild_ends() async throws {
        let context = try newContext()
        let holder = Holder(try context.child())
        let sequence = try #require(holder.value).values(of: "server.limit", as: Int.self)
        let task = await reading(sequence)
        holder.value = nil
        #expect(await task.value == [1])
        let within = try await context.within { child in await self.reading(child.values(of: "server.limit")) }
        #expect(await within.value == [1])
        let after = try context.within { child in child.values(of: "server.limit", as: Int.self) }
        var values = after.makeAsyncIterator()
        #expect(await values.next() == nil)
        var own = context.values(of: "server.limit", as: Int.self).makeAsyncIterator()
        #expect(await own.next() == .success(1))
    }

    @Test("A reader of a child of `within` ends with the child, even if the program keeps it")
    func endedWithin_endsWaitingReader() async throws {
        let context = try newContext()
        let kept = Holder()
        let task = try await context.within { child in
            kept.value = child
            return await self.reading(child.values(of: "server.limit"))
        }
        #expect(await task.value == [1])
    }

    @Test("A fork follows only its own changes")
    func fork_followsItself() async throws {
        let context = try newContext()
        let fork = try context.fork()
        var values = fork.values(of: "server.limit", as: Int.self).makeAsyncIterator()
        #expect(await values.next() == .success(1))
        try context.push(Self.fakes)
        files.content = #"{ "server": { "limit": 2 } }"#
        try fork.reloadProperties()
        #expect(await values.next() == .success(2))
    }

    @Test("Canceling the task ends a waiting reader and releases everything")
    func cancellation_frees() async throws {
        let context = try newContext()
        let holder = Late(Fallback(3))
        weak let fallback = holder.value
        let isReading = Signal()
        let task = Task {
            guard let fallback = holder.value else { return 0 }
            holder.value = nil
            var count = 0
            for await value in context.values(of: "server.fallback", default: fallback) {
                if case .success = value { count += 1 }
                isReading.send()
            }
            return count
        }
        await isReading.wait()
        #expect(fallback != nil)
        task.cancel()
        #expect(await task.value == 1)
        #expect(fallback == nil)
    }

    @Test("A task that is already canceled gets no value")
    func cancelledBefore_getsNothing() async throws {
        let context = try newContext()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var values = context.values(of: "server.limit", as: Int.self).makeAsyncIterator()
            return await values.next() == nil
        }
        #expect(await task.value)
    }

    @Test("Leaving the loop releases everything")
    func leaving_frees() async throws {
        let context = try newContext()
        let holder = Late(Fallback(3))
        weak let fallback = holder.value
        func readOnce() async throws {
            let fallback = try #require(holder.value)
            holder.value = nil
            for await _ in context.values(of: "server.fallback", default: fallback) { break }
        }
        try await readOnce()
        #expect(fallback == nil)
        try context.push(Self.fakes)
    }

    @Test("Values of a failed reload are never seen")
    func failingReload_isNotSeen() async throws {
        struct Refusal: Error {}
        let context = try newContext()
        let begun = Signal()
        let late = Late<Task<[Int?], Never>>()
        let failing = Module("Failing", when: .property("server.limit", equals: 2)) { registry in
            registry.register(Int.self, scope: .always) { () throws -> Int in
                // One reader begins and another waits, while the settings may still be undone.
                late.value = Task {
                    begun.send()
                    var found: [Int?] = []
                    for await limit in context.values(of: "server.limit", as: Int.self) {
                        found.append(try? limit.get())
                        if found.last == 3 { break }
                    }
                    return found
                }
                throw Refusal()
            }
        }
        try context.load(failing)
        let waiting = await reading(context.values(of: "server.limit", as: Int.self), upTo: 3)
        files.content = #"{ "server": { "limit": 2 } }"#
        #expect(message { try context.reloadProperties() } != nil)
        await begun.wait()
        files.content = #"{ "server": { "limit": 3 } }"#
        try context.reloadProperties()
        let beginning = try #require(late.value)
        #expect([[1, 3], [3]].contains(await beginning.value))
        #expect(await waiting.value == [1, 3])
    }

    @Test("An observer may reload, and followers see it")
    func reloadFromObserver_isSeen() async throws {
        let context = try newContext()
        let files = files
        let observation = context.observe { [weak context] event in
            guard case .pushed = event else { return }
            files.content = #"{ "server": { "limit": 5 } }"#
            try? context?.reloadProperties()
        }
        defer { observation.end() }
        var values = context.values(of: "server.limit", as: Int.self).makeAsyncIterator()
        #expect(await values.next() == .success(1))
        try context.push(.text("text"))
        #expect(await values.next() == .success(5))
    }
}
