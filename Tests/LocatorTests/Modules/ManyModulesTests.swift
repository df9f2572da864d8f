import Dispatch
import Locator
import TestSupport
import Testing

@Suite("Each of many modules comes and goes as if it were the only one")
struct ManyModulesTests {
    /// A context, and the modules that it should have in lookup order.
    private struct Subject {
        let context: AppContext
        var expected: [(module: Module, isPushed: Bool)] = []

        mutating func load(_ module: Module) throws {
            try context.load(module)
            expected.append((module, false))
        }

        mutating func push(_ module: Module) throws {
            try context.push(module)
            expected.insert((module, true), at: 0)
        }

        mutating func pop() {
            guard let latest = expected.firstIndex(where: \.isPushed) else { return }
            context.pop()
            expected.remove(at: latest)
        }

        mutating func unload(at position: Int) throws {
            try context.unload(expected[position].module)
            expected.remove(at: position)
        }

        /// A fork, in which all modules are loaded instead of pushed.
        func forked() throws -> Subject {
            Subject(context: try context.fork(), expected: expected.map { ($0.module, false) })
        }

        func check(_ location: SourceLocation = #_sourceLocation) throws {
            #expect(try context.texts() == expected.map(\.module.name), sourceLocation: location)
        }
    }

    /// A number of modules, with a text each.
    private static func texts(_ count: Int) -> [Module] { (0..<count).map { .text("\($0)") } }

    @Test func randomSequences_inForksToo() throws {
        var generator = SeededGenerator(for: "many modules")
        for _ in 1...TestScale.count(40, inDebug: 0.1) {
            var subjects = [Subject(context: AppContext())]
            for module in Self.texts(150) {
                let number = subjects.indices.randomElement(using: &generator) ?? 0
                switch Int.random(in: 0..<12, using: &generator) {
                case 0..<6: try subjects[number].load(module)
                case 6..<8: try subjects[number].push(module)
                case 8: subjects[number].pop()
                case 9, 10:
                    let loaded = subjects[number].expected.indices.filter { !subjects[number].expected[$0].isPushed }
                    guard let position = loaded.randomElement(using: &generator) else { break }
                    try subjects[number].unload(at: position)
                default: if subjects.count < 4 { subjects.append(try subjects[number].forked()) }
                }
                try subjects[number].check()
            }
            for subject in subjects { try subject.check() }
        }
    }

    @Test(arguments: [31, 32, 33, 63, 64, 65, 96])
    func unload_besideAFork_isForGood(_ count: Int) throws {
        for position in [0, count / 2, count - 1] {
            var subject = Subject(context: AppContext())
            for module in Self.texts(count) { try subject.load(module) }
            var fork = try subject.forked()
            try fork.push(.text("pushed"))
            try subject.unload(at: position)
            try subject.load(.text("loaded"))
            try subject.check()
            try fork.check()
            fork.pop()
            try fork.check()
        }
    }

    @Test(arguments: [0, 1, 31, 32, 33, 64, 69])
    func unload_letsGoOfTheModule(_ position: Int) throws {
        final class Captured: Sendable {}
        let context = AppContext()
        weak var captured: Captured?
        var modules: [Module] = Self.texts(70)
        do {
            let object = Captured()
            captured = object
            // The closure makes what the registration captures, so that only the loaded module has it.
            let made = Late<Captured>()
            made.value = object
            modules[position] = Module("\(position)") { registry in
                let own = made.value
                registry.register { [own] in "\(own == nil)" }
            }
            try context.load(modules)
            made.value = nil
        }
        #expect(captured != nil)
        try context.unload(modules[position])
        #expect(captured == nil)
        #expect(try context.texts().count == 69)
    }

    @Test func pushAfterPush_ontoTheSameModules_leavesThemAsTheyWere() throws {
        for count in [31, 32, 33, 64] {
            var subject = Subject(context: AppContext())
            for module in Self.texts(count) { try subject.load(module) }
            for number in 0..<3 {
                try subject.push(.text("pushed \(number)"))
                try subject.check()
                subject.pop()
                try subject.check()
            }
        }
    }

    @Test func forks_onSeveralThreads_changeTheirModulesAtOnce() throws {
        for count in [32, 64] {
            var subject = Subject(context: AppContext())
            for module in Self.texts(count) { try subject.load(module) }
            let forks = try (0..<4).map { _ in try subject.forked() }
            DispatchQueue.concurrentPerform(iterations: forks.count) { number in
                var fork = forks[number]
                for round in 0..<TestScale.count(100) {
                    try? fork.push(.text("\(number) \(round)"))
                    try? fork.check()
                    fork.pop()
                }
            }
            for fork in forks { try fork.check() }
            try subject.check()
        }
    }
}
