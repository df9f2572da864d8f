/// The log of the shop.
///
/// The setting `logger.storage` chooses the logger.
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

/// Represents a logger that writes to a file.
///
/// The demo leaves no files behind, so it prints the path with each line.
struct FileLogger: Logger {
    let settings: FileLoggerSettings

    var target: String { "file \(settings.path)" }

    func log(_ text: String) {
        print("    [\(settings.path)] \(text)")
    }
}
