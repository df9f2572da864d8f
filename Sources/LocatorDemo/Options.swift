/// The options on the command line.
struct Options {
    /// The folder of the profile files.
    private(set) var config = "Config"
    /// The file that the graph of the wiring is written to.
    private(set) var graph: String?
    /// Whether to print only the usage.
    private(set) var wantsHelp = false

    static let usage = """
        usage: LocatorDemo [CONFIG] [--graph FILE]

          CONFIG        the folder of the profile files, "Config" unless given
          --graph FILE  write the graph of the wiring as JSON, for `locator graph FILE`

        LOCATOR_PROFILE=prod chooses the profile, SHOP_SERVER__PORT=9090 overrides server.port.
        """

    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var arguments = arguments.makeIterator()
        while let argument = arguments.next() {
            switch argument {
            case "--graph":
                guard let file = arguments.next() else { throw UsageError(text: "--graph needs a file") }
                graph = file
            case "--help", "-h":
                wantsHelp = true
            case _ where argument.hasPrefix("-"):
                throw UsageError(text: "unknown option \(argument)")
            default:
                config = argument
            }
        }
    }
}

/// A command line that the demo does not understand.
struct UsageError: Error, CustomStringConvertible {
    let text: String

    var description: String { "error: \(text)\n\(Options.usage)" }
}
