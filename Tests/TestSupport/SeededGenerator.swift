import Foundation

/// Random numbers that can be repeated.
///
/// The seed is printed, and `LOCATOR_TEST_SEED=123` replays it.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    /// A generator for a test, whose name is printed with the seed.
    package init(for test: String) {
        let chosen = ProcessInfo.processInfo.environment["LOCATOR_TEST_SEED"].flatMap { UInt64($0) }
        let seed = chosen ?? UInt64.random(in: 0...UInt64(UInt32.max))
        print("\(test): LOCATOR_TEST_SEED=\(seed)")
        state = seed
    }

    /// The next number of the SplitMix64 sequence.
    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
