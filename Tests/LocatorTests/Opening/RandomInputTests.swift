import Foundation
import Locator
import TestSupport
import Testing

/// Random changes of a server, a child with inputs, and a child of that.
///
/// After each step, all contexts resolve the inputs and what is made from them.
@Suite("Inputs stay, no matter what else is pushed, reset, and requested")
struct RandomInputTests {
    struct Info: Sendable, Equatable { let number: Int }
    final class Trail: Sendable {
        let info: Info
        init(info: Info) { self.info = info }
    }
    final class Page: Sendable {
        let trail: Trail
        let info: Info?
        init(trail: Trail, info: Info?) { (self.trail, self.info) = (trail, info) }
    }
    struct Line { let page: Page; let info: Info }

    private static let request = Scope("request", requiresOpening: true)
    private static let seed =
        ProcessInfo.processInfo.environment["LOCATOR_TEST_SEED"].flatMap { UInt64($0) }
        ?? UInt64.random(in: 0...UInt64(UInt32.max))

    /// One run: the contexts, each a child of the one before, and what they have pushed.
    private struct Run {
        let contexts: [AppContext]
        let wrappers: [Dependency<Trail>?]
        var pushed: [[(module: Module, number: Int?)]] = [[], [], []]
        var steps: [String] = []

        init(_ generator: inout SeededGenerator) throws {
            let server = try AppContext().load(
                Module("Server") { registry in
                    registry.input(Info.self, scope: request)
                    registry.register(scope: request, Trail.init)
                    registry.register(scope: request, Page.init)
                    registry.register(Line.self, scope: .prototype) { Line(page: $0, info: $1) }
                })
            let child = try server.child(opening: request, giving: Info(number: 0))
            contexts = [server, child, try child.child()]
            let reads = Bool.random(using: &generator)
            wrappers = contexts.map { context in
                reads ? AppContext.withContext(context) { Dependency<Trail>() } : nil
            }
        }

        /// The input in a context: its latest replacement, or that of the context above, or
        /// the passed value.
        func expected(_ number: Int) -> Int? {
            for member in (0...number).reversed() {
                if let replaced = pushed[member].last(where: { $0.number != nil }) { return replaced.number }
            }
            return number == 0 ? nil : 0
        }

        mutating func step(_ generator: inout SeededGenerator) throws {
            let member = Int.random(in: 0...2, using: &generator)
            let context = contexts[member]
            let choice = Int.random(in: 0..<12, using: &generator)
            steps.append("\(choice) of \(member)")
            switch choice {
            case 0, 1:
                let number = Int.random(in: 1...9, using: &generator)
                let module = Module("Fake \(number)") { $0.register(Info.self) { Info(number: number) } }
                try context.push(module)
                pushed[member].append((module, number))
            case 2:
                let module = Module.text("unrelated")
                try context.push(module)
                pushed[member].append((module, nil))
            case 3, 4:
                if pushed[member].popLast() != nil { context.pop() }
            case 5:
                guard !pushed[member].isEmpty else { return }
                let place = Int.random(in: pushed[member].indices, using: &generator)
                try context.pop(pushed[member].remove(at: place).module)
            // The server has not opened it.
            case 6: if member > 0 { try context.reset(request) }
            case 7: try context.reset()
            case 8: _ = context.dump()
            default: try check(member)
            }
        }

        /// Requests everything from a context, and returns the differences.
        func check(_ number: Int) throws {
            let context = contexts[number]
            let (given, made) = (expected(number).map(Info.init), number > 0)
            let text = "\(steps)"
            #expect((try? context.resolve(Info.self)) == given, "\(text)")
            guard let given, made else {
                #expect(throws: LocatorError.self, "\(text)") { try context.resolve(Trail.self) }
                return
            }
            let page = try context.resolve(Page.self)
            #expect(page.info == given, "\(text)")
            #expect(page.trail.info == given, "\(text)")
            #expect(try context.resolve(Trail.self) === page.trail, "\(text)")
            #expect(try context.resolveAll(Info.self).contains(given), "\(text)")
            let line = try context.resolve(Line.self)
            #expect(line.page === page, "\(text)")
            #expect(line.info == given, "\(text)")
            if let wrapper = wrappers[number] { #expect(wrapper() === page.trail, "\(text)") }
        }
    }

    @Test func randomSequences() throws {
        let count = TestScale.count(10_000)
        print("RandomInputTests: LOCATOR_TEST_SEED=\(Self.seed), \(count) runs")
        for number in 0..<count {
            var generator = SeededGenerator(seed: Self.seed &+ UInt64(number))
            var run = try Run(&generator)
            for _ in 0..<Int.random(in: 1...25, using: &generator) { try run.step(&generator) }
            for member in 0...2 { try run.check(member) }
        }
    }
}
