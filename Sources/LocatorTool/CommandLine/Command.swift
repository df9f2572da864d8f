/// A command of the tool, such as `locator check`.
protocol Command: SendableMetatype {
    /// The name, arguments, options, and help of the command.
    static var syntax: Syntax { get }

    static func run(_ arguments: Arguments, in surroundings: Surroundings) throws(ToolError) -> Outcome
}

struct Syntax: Sendable {
    /// What a shell can complete for an argument or the value of an option.
    enum Completes: Sendable {
        case files
        case profiles
        case settings
    }

    struct Argument: Sendable {
        /// The name in the help.
        var name: String
        var summary: String
        var isRequired = true
        /// The valid values, or nil if any value is valid.
        var choices: [String]?
        var completes = Completes.files

        /// The form in the help: `bash|zsh`, `FILE`.
        var form: String { choices?.joined(separator: "|") ?? name }
    }

    struct Option: Sendable {
        /// The name without dashes.
        var name: String
        /// The name of the value in the help, or nil if the option has no value.
        var placeholder: String?
        /// The valid values, or nil if any value is valid.
        var choices: [String]?
        var isRequired = false
        /// Whether the value is the path of a setting.
        var isPath = false
        var completes = Completes.files
        var summary: String
        var isRepeatable = false

        /// The form in the help: `--format table|json`, `--strict`.
        var form: String { "--\(name)" + (formOfValue.map { " \($0)" } ?? "") }

        /// The form of the value, or nil if the option has none.
        var formOfValue: String? { choices?.joined(separator: "|") ?? placeholder }
    }

    var name: String
    var summary: String
    var arguments: [Argument] = []
    var options: [Option] = []
    /// Paragraphs after the options.
    var notes: [String] = []

    static let help = Option(name: "help", summary: "Show this help")

    var allOptions: [Option] { options + [Self.help] }
}
