import Foundation
import TestSupport

/// Another program, run to its end.
enum Subprocess {
    struct Result: Equatable {
        var output: String
        var errors: String
        var status: Int32
    }

    static func run(
        _ path: String, _ arguments: [String], input: String? = nil, environment: [String: String]? = nil
    ) throws -> Result {
        // Files, not pipes, so that neither process waits for the other, no matter how much is written.
        let folder = try TemporaryFolder(["input": input ?? "", "output": "", "errors": ""])
        func handle(_ name: String, _ make: (URL) throws -> FileHandle) throws -> FileHandle {
            try make(URL(fileURLWithPath: folder.path).appendingPathComponent(name))
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        if let environment { process.environment = environment }
        process.standardInput = try handle("input") { try FileHandle(forReadingFrom: $0) }
        process.standardOutput = try handle("output") { try FileHandle(forWritingTo: $0) }
        process.standardError = try handle("errors") { try FileHandle(forWritingTo: $0) }
        try process.run()
        process.waitUntilExit()
        return Result(
            output: try folder.text(of: "output"), errors: try folder.text(of: "errors"),
            status: process.terminationStatus)
    }
}
