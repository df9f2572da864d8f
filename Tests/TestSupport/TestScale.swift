import Foundation

/// How much of a long test runs: all of it in release builds, a small part in debug builds.
///
/// `LOCATOR_TEST_SCALE=0.5` sets the part by hand.
package enum TestScale {
    private static let chosen = ProcessInfo.processInfo.environment["LOCATOR_TEST_SCALE"].flatMap(Double.init)

    #if DEBUG
        private static let isDebug = true
    #else
        private static let isDebug = false
    #endif

    /// The part of a full count that is to run, a twentieth in debug builds unless said otherwise; never nothing.
    package static func count(_ full: Int, inDebug part: Double = 0.05) -> Int {
        max(1, Int(Double(full) * (chosen ?? (isDebug ? part : 1))))
    }
}
