import Foundation

/// The part of a long test that runs: all of it in release builds, a small part in debug builds.
///
/// `LOCATOR_TEST_SCALE=0.5` sets the part.
package enum TestScale {
    private static let chosen = ProcessInfo.processInfo.environment["LOCATOR_TEST_SCALE"].flatMap(Double.init)

    #if DEBUG
        private static let isDebug = true
    #else
        private static let isDebug = false
    #endif

    /// The part of a full count that runs, by default a twentieth in debug builds, and at least one.
    package static func count(_ full: Int, inDebug part: Double = 0.05) -> Int {
        max(1, Int(Double(full) * (chosen ?? (isDebug ? part : 1))))
    }
}
