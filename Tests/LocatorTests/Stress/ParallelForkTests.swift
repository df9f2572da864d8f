import Locator
import TestSupport
import Testing

@Suite("A fork copies one state of its context, no matter what other threads do")
struct ParallelForkTests {
    private final class Left: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    private final class Right: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    private final class Captured: Sendable {
        private let ended: Counter
        init(_ ended: Counter) { self.ended = ended }
        deinit { ended.next() }
    }

    private static func module(_ number: Int, _ captured: Captured? = nil) -> Module {
        Module("Module \(number)") { registry in
            registry.register { withExtendedLifetime(captured) { Left(number) } }
            registry.register { Right(number) }
        }
    }

    private static func settings(_ number: Int) -> String { #"{"first": \#(number), "second": \#(number)}"# }

    @Test("Modules and settings of a fork belong to one state")
    func forks_besideChanges_areConsistent() throws {
        let files = MemoryFiles(Self.settings(0))
        let context = try AppContext().loadProperties(files.source).load(Self.module(0))
        let rounds = TestScale.count(4000)
        try Crowd.run("forks beside changes", threads: 4) { member in
            for round in 1...rounds {
                member.step()
                if member.number == 0 {
                    try context.push(Self.module(round))
                    if round % 8 == 0 {
                        files.content = Self.settings(round)
                        try context.reloadProperties()
                    }
                    context.pop()
                } else {
                    let fork = try context.fork()
                    let first = try fork.value("first", as: Int.self)
                    #expect(try fork.value("second", as: Int.self) == first)
                    let left = try fork.resolve(Left.self).number
                    #expect(try fork.resolve(Right.self).number == left)
                    // Another fork, which is never used.
                    _ = try context.fork()
                }
            }
        }
        let last = try context.fork()
        #expect(try last.resolve(Left.self).number == 0)
        #expect(try last.value("first", as: Int.self) == rounds / 8 * 8)
    }

    @Test("Forks of forks that end on other threads release what their modules captured")
    func endedForks_releaseTheirModules() throws {
        let ended = Counter()
        let rounds = TestScale.count(2000)
        try Crowd.run("forks that end", threads: 3) { member in
            for round in 1...rounds {
                member.step()
                let fork = try AppContext().load(Self.module(round, Captured(ended))).fork()
                let used = try fork.fork()
                #expect(try used.resolve(Left.self).number == round)
                _ = try used.child()
            }
        }
        #expect(ended.value == rounds * 3)
    }

    @Test("A fork of a child that keeps its settings reads the files of these settings again")
    func fork_ofChildThatKeepsItsSettings() throws {
        let files = MemoryFiles(Self.settings(1))
        let context = try AppContext().loadProperties(files.source)
        let child = try context.child(keepsSettings: true)
        try context.loadProperties(MemoryFiles(#"{"first": 7}"#).source)
        let fork = try child.fork()
        #expect(try fork.value("first", as: Int.self) == 1)
        files.content = Self.settings(2)
        try fork.reloadProperties()
        #expect(try fork.value("first", as: Int.self) == 2)
        #expect(try context.fork().value("first", as: Int.self) == 7)
    }
}
