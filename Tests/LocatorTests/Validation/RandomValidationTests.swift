import Locator
import TestSupport
import Testing

@Suite("Validation finds what resolving would find, and nothing else")
struct RandomValidationTests {
    @Test func wiringWithoutFindings_canBeMade_andOneWithFindingsCannot() throws {
        var generator = SeededGenerator(for: "validation")
        var sound = 0
        var unsound = 0
        let count = TestScale.count(20_000)
        for round in 0..<count {
            let wiring = RandomWiring(using: &generator)
            let context = AppContext()
            for (module, priority) in wiring.modules { try context.load(module, priority: priority) }
            let report = context.validate()
            let found = report.errors.filter { [.missing, .ambiguous, .circularDependency].contains($0.kind) }
            let failures = wiring.asked.values.compactMap { asked in failure(of: asked, in: context) }
            if failures.isEmpty { sound += 1 } else { unsound += 1 }
            guard found.isEmpty != failures.isEmpty else { continue }
            Issue.record(
                """
                round \(round)
                \(wiring.text)
                validation: \(report)
                resolving: \(failures)
                """)
            return
        }
        #expect(count < 100 || min(sound, unsound) > count / 10, "\(sound) sound, \(unsound) unsound")
    }

    /// The error of resolving a key in a new fork and using everything that it received.
    private func failure(of asked: RandomWiring.Asked, in context: AppContext) -> String? {
        do {
            let fork = try context.fork()
            var open = try asked.ask(fork)
            var seen: Set<[Int]> = []
            while let part = open.popLast() {
                guard seen.insert(origin(of: part)).inserted else { continue }
                for given in part.given { open += try given.parts() }
            }
            return nil
        } catch {
            return "\(asked.key): \(error)"
        }
    }

    /// What made a part, and what made its first dependency.
    ///
    /// One decorator wraps several registrations.
    private func origin(of part: any Part) -> [Int] {
        [part.id] + ((part.given.first as? any Part).map(origin) ?? [])
    }
}
