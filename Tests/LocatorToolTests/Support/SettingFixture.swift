import Foundation

/// What commands write about the settings of ``ShopProgram``, in files.
enum SettingFixture {
    static func text(_ name: String) throws -> String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: folder.appendingPathComponent("Fixtures/Settings/\(name)"), encoding: .utf8)
    }
}

/// The last file that a command has written.
final class Written: @unchecked Sendable {
    // Sendable: commands run on the thread of their test.
    private(set) var text = ""

    func set(_ text: String) { self.text = text }
}
