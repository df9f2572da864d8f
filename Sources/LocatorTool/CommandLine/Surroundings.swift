package import Locator

/// What a command sees of the world around it; another one in tests.
package struct Surroundings: Sendable {
    /// The environment variables.
    package var environment: [String: String] = [:]
    /// The files.
    package var fileSystem = FileSystem.system
    /// Writes a file, or throws.
    package var writeFile: @Sendable (_ text: String, _ path: String) throws(ToolError) -> Void = { _, _ in }
    /// Reads the standard input to its end.
    package var readInput: @Sendable () -> [UInt8] = { [] }
    /// The folder that the command was started in; empty if that is not known.
    package var folder = ""
    /// Whether somebody would have to type the input.
    package var isInputTerminal = false
    /// Whether somebody looks at the output.
    package var isOutputTerminal = false
    /// Whether somebody looks at the errors.
    package var isErrorTerminal = false

    /// Surroundings with nothing in the environment and no one in front of a terminal.
    package init() {}

    /// A place in a file without the folder that the command was started in: `Sources/Shop/Shop.swift:41`.
    func shortened(_ place: String) -> String {
        guard !folder.isEmpty, place.hasPrefix(folder + "/") else { return place }
        return String(place.dropFirst(folder.count + 1))
    }
}

extension Surroundings {
    /// Colors for the standard output.
    var paint: Paint { Paint(environment, isTerminal: isOutputTerminal) }

    /// Writes a text to a file, or to the standard output if none is named.
    func outcome(of text: String, output file: String?) throws(ToolError) -> Outcome {
        guard let file else { return Outcome(output: text) }
        try writeFile(text, file)
        return Outcome()
    }
}

/// What a command leaves behind.
package struct Outcome: Sendable, Equatable {
    /// What goes to the standard output.
    package var output = ""
    /// What goes to the standard error.
    package var errors = ""
    /// The status of the process: 0 for success, 1 for something wrong, 2 for wrong arguments.
    package var status: Int32 = 0

    package init(output: String = "", errors: String = "", status: Int32 = 0) {
        self.output = output
        self.errors = errors
        self.status = status
    }
}
