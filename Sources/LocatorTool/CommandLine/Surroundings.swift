package import Locator

/// The environment of a command, which tests replace.
package struct Surroundings: Sendable {
    /// The environment variables, or nil for those of the process.
    package var environment: [String: String]? = [:]
    package var fileSystem = FileSystem.system
    /// Writes a file, or throws an error.
    package var writeFile: @Sendable (_ text: String, _ path: String) throws(ToolError) -> Void = { _, _ in }
    /// Reads the standard input to its end.
    package var readInput: @Sendable () -> [UInt8] = { [] }
    /// The folder in which the command was started, or an empty string if it is not known.
    package var folder = ""
    /// Whether the input comes from a terminal, so that somebody would have to type it.
    package var isInputTerminal = false
    package var isOutputTerminal = false
    package var isErrorTerminal = false

    /// The environment variables by name.
    var variables: [String: String] { environment ?? EnvironmentVariables.ofProcess.all }

    /// Creates surroundings without environment variables and without a terminal.
    package init() {}

    /// Returns a place in a file, relative to the folder in which the command was started:
    /// `Sources/Shop/Shop.swift:41`.
    func shortened(_ place: String) -> String {
        guard !folder.isEmpty, place.hasPrefix(folder + "/") else { return place }
        return String(place.dropFirst(folder.count + 1))
    }
}

extension Surroundings {
    /// Colors for the standard output.
    var paint: Paint { Paint(variables, isTerminal: isOutputTerminal) }

    static let outputOption = Syntax.Option(
        name: "output", placeholder: "FILE", summary: "Write a file instead of the standard output")

    /// Writes a text to a file, or to the standard output if the file is nil.
    func outcome(of text: String, output file: String?) throws(ToolError) -> Outcome {
        guard let file else { return Outcome(output: text) }
        try writeFile(text, file)
        return Outcome()
    }
}

/// The result of a command.
package struct Outcome: Sendable, Equatable {
    package var output = ""
    package var errors = ""
    /// The exit status: 0 for success, 1 for a failure, 2 for invalid arguments.
    package var status: Int32 = 0

    package init(output: String = "", errors: String = "", status: Int32 = 0) {
        self.output = output
        self.errors = errors
        self.status = status
    }
}
