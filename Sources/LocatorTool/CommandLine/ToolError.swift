package import Locator

/// What ends a command before its work is done.
package enum ToolError: Error, Sendable, Equatable {
    /// The command line cannot be understood; the name is that of the command, where one was found.
    case usage(UsageProblem, command: String?)
    /// A file cannot be read, or properties cannot be loaded.
    case properties(PropertiesError)
    /// A file is JSON, but holds no graph that this command can draw.
    case graph(GraphProblem, file: String)
    /// A folder holds no build that can be checked.
    case wiring(WiringProblem, folder: String)
    /// There is no setting of that name.
    case noSetting(Explanation)
    /// A file cannot be written; the system's own words.
    case writing(file: String, reason: String)

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

    /// The status that the process ends with.
    var status: Int32 {
        switch self {
        case .usage: 2
        case .properties, .graph, .wiring, .noSetting, .writing: 1
        }
    }
}

/// Why a command line cannot be understood.
package enum UsageProblem: Error, Sendable, Equatable {
    /// There is no such command.
    case unknownCommand(String, near: [String])
    /// The command has no such option.
    case unknownOption(String, near: [String])
    /// The option needs a value and has none.
    case missingValue(option: String, placeholder: String)
    /// The option takes no value and has one.
    case needlessValue(option: String)
    /// The option takes only certain values, and this is not one of them.
    case unknownChoice(option: String, value: String, choices: [String], near: [String])
    /// The option takes the path of a setting, and this is not one.
    case malformedPath(option: String, PathProblem)
    /// The option stands there twice.
    case optionTwice(String)
    /// An argument is missing.
    case missingArgument(String)
    /// The argument takes only certain values, and this is not one of them.
    case unknownArgument(String, value: String, choices: [String], near: [String])
    /// An option that the command needs is missing.
    case missingOption(String, placeholder: String)
    /// An argument is one too many.
    case surplusArgument(String)
    /// Nothing is given to the command, and it would wait for somebody to type.
    case nothingToRead(hint: String)

    /// The problem in words.
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
        case .malformedPath(let option, let problem):
            "the option \(option) takes the path of a setting: \(problem.message)"
        case .optionTwice(let option):
            "the option \(option) is given twice"
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

    /// `; did you mean check?`, empty if nothing is near.
    static func question(_ names: [String]) -> String {
        names.isEmpty ? "" : "; did you mean \(names.joined(separator: " or "))?"
    }
}

/// Why a JSON file is no graph that can be drawn.
package enum GraphProblem: Sendable, Equatable {
    /// It is something else.
    case noGraph
    /// A newer library has written it.
    case newerVersion(Int)
    /// It is not as the format says.
    case otherForm([PropertiesProblem])
    /// Two nodes have one number.
    case nodeTwice(Int)
    /// A number belongs to no node.
    case noNode(Int)

    /// The problem in words.
    var message: String {
        switch self {
        case .noGraph:
            "this is no graph; write one with: try context.graph().json()"
        case .newerVersion(let version):
            "the graph has version \(version) of the format, and this command reads up to "
                + "\(ContextGraph.currentVersion); use the command of the library that wrote it"
        case .otherForm(let problems):
            "the graph is not as the format says: \(problems[0])"
                + (problems.count > 1 ? ", and \(problems.count - 1) more" : "")
        case .nodeTwice(let number):
            "two nodes of the graph have the number \(number)"
        case .noNode(let number):
            "the graph names a node \(number), and has none of that number"
        }
    }
}

/// Why a folder holds no build that can be checked.
package enum WiringProblem: Sendable, Equatable {
    /// Nothing was built there.
    case noTargets
    /// There is no target of that name.
    case noTarget(String, near: [String])
    /// The compiler did not describe a source.
    case noConstants(source: String)

    /// The problem in words.
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
