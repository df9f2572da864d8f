import Foundation
import TestSupport
import Testing

/// Random programs over a family of contexts, whose factory closures read any of them.
///
/// After each step, all results are compared with results that are computed from scratch.
@Suite("A family of contexts returns the same results as computing them from scratch")
struct RandomFamilyTests {
    private static let seed =
        ProcessInfo.processInfo.environment["LOCATOR_TEST_SEED"].flatMap { UInt64($0) }
        ?? UInt64.random(in: 0...UInt64(UInt32.max))

    @Test(arguments: 0..<2)
    func randomPrograms(_ part: Int) throws {
        let count = TestScale.count(10_000) / 2 + 1
        let first = Self.seed &+ UInt64(part * count)
        print("RandomFamilyTests \(part): LOCATOR_TEST_SEED=\(first), \(count) programs")
        for number in 0..<count {
            let seed = first &+ UInt64(number)
            var generator = SeededGenerator(seed: seed)
            let program = FamilyProgram(using: &generator)
            guard try FamilyRun(program).firstMistake() != nil else { continue }
            let small = try program.shrunk { try FamilyRun($0).firstMistake() != nil }
            let mistake = try FamilyRun(small).firstMistake() ?? ""
            Issue.record("LOCATOR_TEST_SEED=\(seed) replays it first\n\(small)\n\(mistake)")
            return
        }
    }
}
