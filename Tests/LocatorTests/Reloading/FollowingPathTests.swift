import Foundation
import Locator
import TestSupport
import Testing

/// A value of any kind, as text.
private struct Tree: Decodable, Sendable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            text = "\(number)"
        } else if let array = try? container.decode([Tree].self) {
            text = "\(array.map(\.text))"
        } else {
            let object = try container.decode([String: Tree].self)
            text = "\(object.mapValues(\.text).sorted { $0.key < $1.key })"
        }
    }
}

/// Contexts above each other, to which modules with settings are pushed.
private struct Family {
    static let paths = ["a", "b", "b.c", "b.e", "list", "list[0]", "d", "x", "other.key"]
    private static let base = Module(
        "Base", properties: ["a": "${b.c}", "b": ["c": 1, "e": "${a}"], "list": [1, 2], "d": "${list[0]}", "x": 0]
    ) { _ in }
    private static let conditional = Module(
        "On", properties: ["b.c": 20, "list": [7]], when: .property("x", equals: 2)
    ) { _ in }
    static let settings: [[String: JSONValue]] = [
        ["a": 3], ["b.c": 4], ["b": ["c": 5]], ["b": ["e": 6]], ["b.e": "${x}"], ["list": [8]], ["list": [1, 9, 10]],
        ["d": "${b.c}"], ["x": 2], ["x": 1], ["other.key": 11], ["other": ["key": "${d}"]], ["unrelated": 1],
    ]

    let contexts: [AppContext]

    init() throws {
        let root = try AppContext().load(Self.base).load(Self.conditional, priority: .high)
        let child = try root.child()
        contexts = [root, child, try child.child()]
    }

    func push(_ settings: Int, on context: Int) throws -> Push {
        try contexts[context].push(Module("Pushed", properties: Self.settings[settings]) { _ in })
    }

    /// The value of each setting in each context.
    func values() throws -> [[String?]] {
        try contexts.map { context in
            try Self.paths.map { try context.value($0, as: Tree?.self)?.text }
        }
    }
}

@Suite("A waiting reader is woken by every change of its setting", .watchdog)
struct FollowingPathTests {
    private static let seed =
        ProcessInfo.processInfo.environment["LOCATOR_TEST_SEED"].flatMap { UInt64($0) }
        ?? UInt64.random(in: 0...UInt64(UInt32.max))

    @Test("In a context, a child, and its child, after pushes and pops of settings, placeholders, and conditions")
    func everyChange_isSeen() async throws {
        for number in 0..<TestScale.count(200) {
            try await run(seed: Self.seed &+ UInt64(number))
        }
    }

    private func run(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let family = try Family()
        var readers: [[Reading]] = []
        for context in family.contexts { readers.append(Family.paths.map { Reading($0, of: context) }) }
        defer { for reader in readers.joined() { reader.task.cancel() } }
        var pushed: [(settings: Int, context: Int, push: Push)] = []
        var known = try family.values()
        for (context, values) in known.enumerated() {
            for (path, value) in values.enumerated() { #expect(await readers[context][path].next() == value) }
        }
        for step in 0..<20 {
            let context = Int.random(in: 0..<3, using: &generator)
            if let last = pushed.lastIndex(where: { $0.context == context }), Bool.random(using: &generator) {
                pushed.remove(at: last).push.pop()
            } else {
                let settings = Family.settings.indices.randomElement(using: &generator) ?? 0
                pushed.append((settings, context, try family.push(settings, on: context)))
            }
            // What the same pushes give in new contexts.
            let reference = try Family()
            for entry in pushed { _ = try reference.push(entry.settings, on: entry.context) }
            let expected = try reference.values()
            for context in expected.indices {
                for (path, value) in expected[context].enumerated() where value != known[context][path] {
                    let found = await readers[context][path].next()
                    #expect(
                        found == value,
                        "LOCATOR_TEST_SEED=\(seed), step \(step): \(Family.paths[path]) of context \(context)")
                }
            }
            known = expected
        }
    }

    /// A task that follows a setting, and passes on its values.
    private final class Reading {
        let task: Task<Void, Never>
        private var values: AsyncStream<String?>.Iterator

        init(_ path: String, of context: AppContext) {
            let (stream, continuation) = AsyncStream.makeStream(of: String?.self)
            values = stream.makeAsyncIterator()
            let following = context.values(of: path, as: Tree?.self)
            task = Task {
                for await value in following {
                    continuation.yield((try? value.get())?.text)
                }
            }
        }

        func next() async -> String? { await values.next() ?? "ended" }
    }
}
