import Foundation

/// A folder with files that exists until the program ends.
///
/// It outlives this object, which may end before the last use of its path in a release build.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// The folder of all temporary folders, which is removed at the end.
    private static let parent: String = {
        let name = "locator-\(UUID().uuidString.prefix(8))"
        atexit { try? FileManager.default.removeItem(atPath: TemporaryFolder.parent) }
        return FileManager.default.temporaryDirectory.appendingPathComponent(name).path
    }()

    package init(_ files: [String: String] = [:]) throws {
        path = "\(Self.parent)/\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, text) in files { try write(text, to: name) }
    }

    package func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path).appendingPathComponent(name))
    }

    package func text(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path).appendingPathComponent(name)), as: UTF8.self)
    }
}
