import Foundation
import TestSupport

/// How many random cases a test runs, and from which seed: `LOCATOR_TEST_SEED` replays a run.
enum RandomRun {
    static let seed =
        ProcessInfo.processInfo.environment["LOCATOR_TEST_SEED"].flatMap { UInt64($0) }
        ?? UInt64.random(in: 0...UInt64.max)

    static func count(_ count: Int) -> Int { TestScale.count(count) }
}
