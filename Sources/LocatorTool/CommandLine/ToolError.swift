package import Locator

/// An error that ends a command early.
package enum ToolError: Error, Sendable, Equatable {
    /// The command line is invalid. The name is that of the command, if it was recognized.
    case usage(UsageProblem, command: String?)
    /// A file cannot be read, or settings cannot be loaded.
    case properties(PropertiesError)
    /// A file is JSON, but not a graph that this command can draw.
    case graph(GraphProblem, file: String)
    /// A folder contains no build that can be checked.
    case wiring(WiringProblem, folder: String)
    /// The setting does not exist.
    case noSetting(Explanation)
    /// A file cannot be written. The reason is the system's message.
    case writing(file: String, reason: String)

    /// The error for a file that cannot be read.
    static func file(_ problem: FileProblem, _ file: String) -> ToolError {
        .properties(PropertiesError(.file(problem), file: file))
    }

    /// Runs code whose error ends the command.
    static func wrapping<Result>(_ body: () throws(PropertiesError) -> Result) throws(ToolError) -> Result {
        do throws(PropertiesError) {
            return try body()
        } catch {
            throw .properties(error)
        }
    }

    /// The text for the terminal.
    var message: String {
        switch self {
        case .usage(let problem, let command):
            "\(problem.message)\nTry: locator \(command.map { "\($0) " } ?? "")--help"
        case .properties(let error): error.description
        case .graph(let problem, let file): "\(file): \(problem.message)"
        case .wiring(let problem, let folder): "\(folder): \(problem.message)"
        case .noSetting(let explanation): explanation.description
        case .writing(let file, let reason): "\(file): cannot be written: \(reason)"
        }
    }

    var status: Int32 {
        switch self {
        case .usage: 2
        case .properties(let error): error.problems.allSatisfy(\.kind.isMalformedArgument) ? 2 : 1
        case .graph, .wiring, .noSetting, .writing: 1
        }
    }
}

extension PropertiesProblem.Kind {
    /// Whether a list of profiles on the command line is malformed.
    fileprivate var isMalformedArgument: Bool {
        switch self {
        case .profile(.empty(.argument)), .profile(.emptyItem(_, .argument)), .profile(.malformedName(_, .argument)),
            .profile(.repeated(_, .argument)):
            true
        default: false
        }
    }
}

/// The reason why a command line is invalid.
package enum UsageProblem: Error, Sendable, Equatable {
    /// The command does not exist.
    case unknownCommand(String, near: [String])
    /// The command does not have the option.
    case unknownOption(String, near: [String])
    /// The option's value is missing.
    case missingValue(option: String, placeholder: String)
    /// The option has a value but takes none.
    case needlessValue(option: String)
    /// The option has only certain values, and this is not one of them.
    case unknownChoice(option: String, value: String, choices: [String], near: [String])
    /// The option or argument takes the path of a setting, and this is not one.
    case malformedPath(of: String, PathProblem)
    /// The option is repeated.
    case optionTwice(String)
    /// An argument is missing.
    case missingArgument(String)
    /// The argument has only certain values, and this is not one of them.
    case unknownArgument(String, value: String, choices: [String], near: [String])
    /// A required option is missing.
    case missingOption(String, placeholder: String)
    /// There is an extra argument.
    case surplusArgument(String)
    /// The command has no input, and would wait for somebody to type.
    case nothingToRead(hint: String)

    var message: String {
        switch self {
        case .unknownCommand(let name, let near):
            "there is no command \"\(name)\"\(Self.question(near))"
        case .unknownOption(let name, let near):
            "there is no option \"\(name)\"\(Self.question(near))"
        case .missingValue(let option, let placeholder):
            "the option \(option) needs a value: \(option) \(placeholder)"
        case .needlessValue(let option):
            "the option \(option) takes no value"
        case .unknownChoice(let option, let value, let choices, let near):
            "the option \(option) takes \(choices.joined(separator: ", ")), not \"\(value)\"\(Self.question(near))"
        case .malformedPath(let word, let problem):
            "the \(word) takes the path of a setting: \(problem.message)"
        case .optionTwice(let option):
            "the option \(option) is passed twice"
        case .missingArgument(let name):
            "the argument \(name) is missing"
        case .unknownArgument(let name, let value, let choices, let near):
            "the argument \(name) is one of \(choices.joined(separator: ", ")), not \"\(value)\"\(Self.question(near))"
        case .missingOption(let option, let placeholder):
            "the option \(option) is missing: \(option) \(placeholder)"
        case .surplusArgument(let argument):
            "the argument \"\(argument)\" is one too many"
        case .nothingToRead(let hint):
            "there is nothing to read: \(hint)"
        }
    }

    /// Returns `; did you mean check?`, or an empty string without names.
    static func question(_ names: [String]) -> String {
        names.isEmpty ? "" : "; did you mean \(names.joined(separator: " or "))?"
    }
}

/// The reason why a JSON file is not a graph that can be drawn.
package enum GraphProblem: Sendable, Equatable {
    /// The file is not a graph.
    case noGraph
    /// A newer version of the library wrote the file.
    case newerVersion(Int)
    /// The file does not follow the format.
    case otherForm([PropertiesProblem])
    /// Two nodes have the same number.
    case nodeTwice(Int)
    /// No node has the number.
    case noNode(Int)

    var message: String {
        switch self {
        case .noGraph:
            "this is not a graph; write one with: try context.graph().json()"
        case .newerVersion(let version):
            "the graph has version \(version) of the format, and this command reads up to "
                + "\(ContextGraph.currentVersion); use the command of the library that wrote it"
        case .otherForm(let problems):
            "the graph does not follow the format: \(problems[0])"
                + (problems.count > 1 ? ", and \(problems.count - 1) more" : "")
        case .nodeTwice(let number):
            "two nodes of the graph have the number \(number)"
        case .noNode(let number):
            "the graph names a node \(number), but has no node with that number"
        }
    }
}

/// The reason why a folder contains no build that can be checked.
package enum WiringProblem: Sendable, Equatable {
    /// The folder contains no build.
    case noTargets
    /// The target does not exist.
    case noTarget(String, near: [String])
    /// The compiler did not describe a source.
    case noConstants(source: String)

    var message: String {
        switch self {
        case .noTargets:
            "there is no build of a Swift target"
        case .noTarget(let name, let near):
            "there is no build of a target \"\(name)\"\(UsageProblem.question(near))"
        case .noConstants(let source):
            "the compiler has not described \(source); build with: swift package check-wiring"
        }
    }
}
