import Foundation

/// How much of a long test runs: all of it in release builds, a twentieth in debug builds.
///
/// `LOCATOR_TEST_SCALE=0.5` sets the factor by hand.
enum TestScale {
    static let factor: Double = {
        if let text = ProcessInfo.processInfo.environment["LOCATOR_TEST_SCALE"], let factor = Double(text) {
            return factor
        }
        #if DEBUG
            return 0.05
        #else
            return 1
        #endif
    }()

    /// The part of a full count that is to run; never nothing.
    static func count(_ full: Int) -> Int {
        max(1, Int(Double(full) * factor))
    }
}
