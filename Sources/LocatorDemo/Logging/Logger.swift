/// Where the shop writes what happens; the setting `logger.storage` chooses the logger.
protocol Logger: Sendable {
    var target: String { get }
    func log(_ text: String)
}

/// Writes to the terminal.
struct ConsoleLogger: Logger {
    let target = "console"

    func log(_ text: String) {
        print("    [console] \(text)")
    }
}

/// Would write to a file; a demo leaves no files behind, so it says where the line belongs.
struct FileLogger: Logger {
    let settings: FileLoggerSettings

    var target: String { "file \(settings.path)" }

    func log(_ text: String) {
        print("    [\(settings.path)] \(text)")
    }
}
