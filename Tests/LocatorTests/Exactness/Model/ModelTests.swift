import Foundation
import TestSupport
import Testing

/// Compares trees of contexts with the reference model, in random graphs and random sequences of changes.
@Suite struct ModelTests {
    private static let seed =
        ProcessInfo.processInfo.environment["LOCATOR_TEST_SEED"].flatMap { UInt64($0) }
        ?? UInt64.random(in: 0...UInt64(UInt32.max))

    /// `LOCATOR_TEST_FEATURES` sets other features, as the sum of their raw values.
    private static let features =
        ProcessInfo.processInfo.environment["LOCATOR_TEST_FEATURES"].flatMap { Int($0) }
        .map(ModelFeatures.init) ?? .working

    @Test(arguments: 0..<4)
    func contexts_doWhatTheReferenceDoes_inRandomSequences(_ part: Int) async {
        let count = TestScale.count(20_000) / 4 + 1
        let first = Self.seed &+ UInt64(part * count)
        print("ModelTests \(part): LOCATOR_TEST_SEED=\(first), \(count) sequences")
        for number in 0..<count {
            let seed = first &+ UInt64(number)
            var generator = ModelGenerator(seed: seed, features: Self.features)
            let program = generator.program()
            guard let original = await Self.mismatch(program) else { continue }
            let small = await program.shrunk { await Self.mismatch($0) != nil }
            let found = await Self.mismatch(small).map { "step \($0.step): \($0)" } ?? ""
            Issue.record(
                """
                LOCATOR_TEST_SEED=\(seed) replays it first; before shrinking, step \(original.step): \(original)
                \(small)
                \(found)
                """)
            return
        }
    }

    private static func mismatch(_ program: ModelProgram) async -> ModelMismatch? {
        do throws(ModelMismatch) {
            try await ModelRun(program).run()
            return nil
        } catch {
            return error
        }
    }
}
