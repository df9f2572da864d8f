/// A command of the tool: `locator check`.
protocol Command: SendableMetatype {
    /// What it is called, what it takes, and what its help says.
    static var syntax: Syntax { get }

    /// Does the work.
    static func run(_ arguments: Arguments, in surroundings: Surroundings) throws(ToolError) -> Outcome
}

/// What a command line of a command may consist of.
struct Syntax: Sendable {
    /// What a shell can complete in place of an argument or of the value of an option.
    enum Completes: Sendable {
        case files
        case profiles
        case settings
    }

    /// An argument without a name.
    struct Argument: Sendable {
        /// What the help calls it.
        var name: String
        var summary: String
        var isRequired = true
        /// The values it knows; nil if it takes any.
        var choices: [String]?
        var completes = Completes.files
    }

    /// An option with a name.
    struct Option: Sendable {
        /// The name without dashes.
        var name: String
        /// What the help calls its value; nil for one that exists or not.
        var placeholder: String?
        /// The values it knows; nil if it takes any.
        var choices: [String]?
        /// Whether the command needs it.
        var isRequired = false
        /// Whether the value is the path of a setting.
        var isPath = false
        var completes = Completes.files
        var summary: String
        /// Whether it may be given several times.
        var isRepeatable = false
    }

    var name: String
    var summary: String
    var arguments: [Argument] = []
    var options: [Option] = []
    /// Paragraphs below the options.
    var notes: [String] = []

    static let help = Option(name: "help", summary: "Show this help")

    var allOptions: [Option] { options + [Self.help] }
}
