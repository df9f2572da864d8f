import Foundation

/// The build results of the package's products.
enum Built {
    /// The command, which is next to the tests.
    static let locator: String = {
        #if os(Linux)
            let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        #else
            let tests = Bundle.allBundles.map(\.bundlePath).first { $0.hasSuffix(".xctest") } ?? ""
        #endif
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("locator").path
    }()
}
