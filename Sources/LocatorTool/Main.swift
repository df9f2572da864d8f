#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Locator

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(Darwin)
    import Darwin
#endif

/// The `locator` command, which inspects the settings and the wiring of a program.
@main
struct Main {
    static func main() {
        // The parent process may ignore the signal. If the reader goes away, the command ends silently.
        signal(SIGPIPE, SIG_DFL)
        let outcome = Tool.run(Array(CommandLine.arguments.dropFirst()), in: .process)
        do throws(SystemFailure) {
            try send(outcome.output, to: STDOUT_FILENO)
            try send(outcome.errors, to: STDERR_FILENO)
            exit(outcome.status)
        } catch {
            try? send("error: the output cannot be written: \(error.reason)\n", to: STDERR_FILENO)
            exit(1)
        }
    }

    fileprivate static func save(_ text: String, toFile path: String) throws(SystemFailure) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw SystemFailure() }
        defer { close(file) }
        try send(text, to: file)
    }

    private static func send(_ text: String, to descriptor: Int32) throws(SystemFailure) {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { throw SystemFailure() }
            written += max(0, count)
        }
    }
}

/// An error of the system, with the system's message.
private struct SystemFailure: Error {
    let reason = String(cString: strerror(errno))
}

extension Surroundings {
    fileprivate static var process: Surroundings {
        var surroundings = Surroundings()
        surroundings.environment = nil
        surroundings.folder = FileManager.default.currentDirectoryPath
        surroundings.writeFile = { (text, path) throws(ToolError) in
            do throws(SystemFailure) {
                try Main.save(text, toFile: path)
            } catch {
                throw .writing(file: path, reason: error.reason)
            }
        }
        surroundings.readInput = { (try? FileSystem.system.readStream("/dev/stdin")) ?? [] }
        surroundings.isInputTerminal = isatty(STDIN_FILENO) == 1
        surroundings.isOutputTerminal = isatty(STDOUT_FILENO) == 1
        surroundings.isErrorTerminal = isatty(STDERR_FILENO) == 1
        return surroundings
    }
}
