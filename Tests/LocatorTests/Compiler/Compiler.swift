import Foundation
import TestSupport

/// The compiler that built these tests.
enum Compiler {
    private static let modules = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("Modules")

    private static let path: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "")
        .split(separator: ":").map { "\($0)/swiftc" }
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    static var isAvailable: Bool {
        path != nil
            && FileManager.default.fileExists(atPath: modules.appendingPathComponent("Locator.swiftmodule").path)
    }

    /// A compiler message with a location.
    struct Message: Hashable {
        let line: Int
        let isError: Bool
        let text: String
    }

    /// The errors and warnings about a source.
    static func messages(in source: String, languageMode: Int) throws -> [Message] {
        try errors(in: source, languageMode: languageMode).split(separator: "\n").compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 4)
            guard parts.count == 5, parts[0].hasSuffix("/Program.swift"), let number = Int(parts[1]),
                [" error", " warning"].contains(parts[3])
            else { return nil }
            return Message(line: number, isError: parts[3] == " error", text: String(parts[4].dropFirst()))
        }
    }

    /// What the compiler reports for a source, or an empty text.
    static func errors(
        in source: String, languageMode: Int = 6, infersSendable: Bool = true
    ) throws -> String {
        let folder = try TemporaryFolder(["Program.swift": source])
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path ?? "")
        process.arguments = [
            "-typecheck", "-parse-as-library", "-swift-version", "\(languageMode)",
            "-enable-upcoming-feature", "ExistentialAny", "-I", modules.path, "\(folder.path)/Program.swift",
        ]
        if languageMode < 6, infersSendable {
            process.arguments? += ["-enable-upcoming-feature", "InferSendableFromCaptures"]
        }
        // A file, not a pipe: Foundation stops the program if a signal interrupts it while it reads a pipe.
        try folder.write("", to: "errors")
        let errors = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(folder.path)/errors"))
        process.standardError = errors
        try process.run()
        process.waitUntilExit()
        try errors.close()
        let output = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/errors"))
        return String(decoding: output, as: UTF8.self)
    }
}
