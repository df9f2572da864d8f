import Foundation

/// A folder of files that is gone when the last row that uses it is.
final class TemporaryFolder {
    let path: String

    init(_ files: [String: [UInt8]]) throws {
        path = NSTemporaryDirectory() + "locator-benchmark-\(ProcessInfo.processInfo.processIdentifier)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, bytes) in files {
            try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
