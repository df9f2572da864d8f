import Foundation
import Testing

/// The context against the reference, on random graphs and random sequences of everything that changes a context.
@Suite struct ModelTests {
    private static let seed =
        ProcessInfo.processInfo.environment["LOCATOR_TEST_SEED"].flatMap { UInt64($0) }
        ?? UInt64.random(in: 0...UInt64(UInt32.max))

    @Test(arguments: 0..<4)
    func context_doesWhatTheReferenceDoes_inRandomSequences(_ part: Int) {
        let count = TestScale.count(20_000) / 4 + 1
        let first = Self.seed &+ UInt64(part * count)
        print("ModelTests \(part): LOCATOR_TEST_SEED=\(first), \(count) sequences")
        for number in 0..<count {
            let seed = first &+ UInt64(number)
            var generator = ModelGenerator(seed: seed)
            let program = generator.program()
            guard Self.mismatch(program) != nil else { continue }
            let small = program.shrunk { Self.mismatch($0) != nil }
            let found = Self.mismatch(small).map { "step \($0.step): \($0)" } ?? ""
            Issue.record("LOCATOR_TEST_SEED=\(seed) replays it first\n\(small)\n\(found)")
            return
        }
    }

    private static func mismatch(_ program: ModelProgram) -> ModelMismatch? {
        do throws(ModelMismatch) {
            try ModelRun(program).run()
            return nil
        } catch {
            return error
        }
    }
}
