import Foundation

/// A folder with files that exists for as long as this object does.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init(_ files: [String: String] = [:]) throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("locator-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, text) in files { try write(text, to: name) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    package func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path).appendingPathComponent(name))
    }

    package func text(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path).appendingPathComponent(name)), as: UTF8.self)
    }
}
