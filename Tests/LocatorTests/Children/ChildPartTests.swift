import Dispatch
import Locator
import Synchronization
import TestSupport
import Testing

/// The instances that a child's request uses keep their parts, even those of the parent.
@Suite struct ChildPartTests {
    private final class Ink: Sendable {}
    private final class Page: Sendable {
        init(_ ink: Ink) {}
    }
    private final class Note {
        init(_ page: Page, _ gate: Gate) { gate.pass() }
    }
    private struct Extra {}

    private static let request = Scope("request")

    /// Runs a change in a factory closure, on another thread.
    private final class Gate: Sendable {
        let change = Late<@Sendable () throws -> Void>()
        private let log: Log

        init(_ log: Log) { self.log = log }

        func pass() {
            guard let run = change.value else { return }
            change.value = nil
            do { try onThread { try run() } } catch { Issue.record(error) }
            log("note")
        }
    }

    /// A change of the parent that removes the ink.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable (_ parent: AppContext) throws -> Void
    }

    private static let changes = [
        Change(testDescription: "a pop") { $0.pop() },
        Change(testDescription: "a reset") { try $0.reset() },
    ]

    /// How the child is used before.
    struct Use: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Whether the parent has returned its ink without a lock.
        var isReady = false
        /// Whether the child needs cells of its own.
        var isFull = false
        /// Whether the child has recorded reads before, so that it records the next one without a lock.
        var isWarm = false
        /// Whether there is a child in between.
        var isGrandchild = false
        /// Whether the parent has changed since the child was opened.
        var isLate = false
    }

    private static let uses = [false, true].flatMap { isReady in
        [false, true].flatMap { isFull in
            [false, true].flatMap { isWarm in
                [false, true].flatMap { isGrandchild in
                    [false, true].map { isLate in
                        let words = [
                            isReady ? "ready" : nil, isFull ? "full" : nil, isWarm ? "warm" : nil,
                            isGrandchild ? "grandchild" : nil, isLate ? "late" : nil,
                        ]
                        return Use(
                            testDescription: words.compactMap(\.self).joined(separator: ", "), isReady: isReady,
                            isFull: isFull, isWarm: isWarm, isGrandchild: isGrandchild, isLate: isLate)
                    }
                }
            }
        }
    }

    @Test(arguments: changes, uses)
    func part_ofTheParent_endsAfterTheRequestOfTheChild(_ change: Change, _ use: Use) throws {
        let log = Log()
        let gate = Gate(log)
        let parent = try AppContext().load(
            Module("Server") { registry in
                registry.register(instance: gate)
                registry.register(scope: Self.request, Page.init)
                registry.register(scope: .prototype, Note.init)
            })
        let inks = Module("Inks") { $0.register { Ink() }.onDispose { _ in log("ink") } }
        if !use.isLate { try parent.push(inks) }
        let middle = use.isGrandchild ? try parent.child() : parent
        let child = try middle.child(opening: Self.request)
        if use.isFull { _ = child.existing(Int.self) }
        if use.isLate {
            for _ in 0..<5 {
                try parent.push(Module("Extra") { $0.register { Extra() } })
                parent.pop()
            }
            try parent.push(inks)
        }
        if use.isReady { for _ in 0..<3 { _ = try parent.resolve(Ink.self) } }
        _ = try child.resolve(Page.self)
        if use.isWarm { for _ in 0..<3 { _ = try child.resolve(Note.self) } }
        gate.change.value = { try change.run(parent) }
        _ = try child.resolve(Note.self)
        #expect(log.take() == ["note", "ink"])
        withExtendedLifetime((parent, middle, child)) {}
    }
}
