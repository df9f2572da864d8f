import Locator
import TestSupport
import Testing

@Suite("Readers that follow settings survive changes, ends, and cancellations", .watchdog)
struct FollowingStressTests {
    private static let last = 1_000_000

    private static func module(_ limit: Int) -> Module {
        Module("Limit", properties: ["limit": .number(JSONNumber(limit))]) { _ in }
    }

    /// Reads until the last value, and returns how many values came twice in a row.
    private static func readAll(_ context: AppContext) async throws -> Int {
        var previous: Int?
        var repeated = 0
        for await limit in context.values(of: "limit", as: Int.self) {
            let limit = try limit.get()
            if limit == previous { repeated += 1 }
            previous = limit
            if limit == last { break }
        }
        return repeated
    }

    @Test("Every reader of a context and its children gets the last value while others end or are canceled")
    func readers_getTheLastValue() async throws {
        let files = MemoryFiles(#"{ "limit": 0 }"#)
        let context = try AppContext().loadProperties(files.source)
        let rounds = TestScale.count(4_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask {
                    let own = number.isMultiple(of: 3) ? context : try context.child()
                    let reader = number % 3 == 2 ? try own.child() : own
                    #expect(try await Self.readAll(reader) == 0)
                }
            }
            group.addTask {
                for round in 0..<rounds {
                    let task = Task {
                        let child = round.isMultiple(of: 2) ? try context.child() : context
                        var values = child.values(of: "limit", as: Int.self).makeAsyncIterator()
                        while let value = await values.next() { _ = try value.get() }
                    }
                    if round.isMultiple(of: 5) { await Task.yield() }
                    task.cancel()
                    if round.isMultiple(of: 7) { try await task.value }
                }
            }
            group.addTask {
                for _ in 0..<rounds / 4 {
                    // Its reader is waiting when the child ends.
                    let task = try await context.within { child in
                        var values = child.values(of: "limit", as: Int.self).makeAsyncIterator()
                        _ = await values.next()
                        let sequence = child.values(of: "limit", as: Int.self)
                        return Task { for await _ in sequence {} }
                    }
                    await task.value
                }
            }
            for writer in 0..<2 {
                group.addTask {
                    for round in 0..<rounds {
                        let module = Self.module(writer * rounds + round)
                        try context.push(module)
                        try context.pop(module)
                        if round.isMultiple(of: 50) { await Task.yield() }
                    }
                }
            }
            group.addTask {
                for round in 0..<rounds / 4 {
                    files.content = #"{ "limit": \#(-round) }"#
                    try context.reloadProperties()
                }
                // With the highest priority, so that the pushes do not hide it.
                try context.load(Self.module(Self.last), priority: Priority(5000))
            }
            try await group.waitForAll()
        }
    }
}
