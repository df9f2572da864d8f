import LocatorTool
import Testing

@Suite("The command line")
struct CommandLineTests {
    @Test func help_listsTheCommands() {
        #expect(
            locator("--help")
                == Outcome(
                    output: """
                        usage: locator COMMAND [OPTIONS]

                        Inspects the settings and the wiring of a program.

                          properties   List all settings with their values and where they come from
                          explain      Show where a setting comes from, and what it hides
                          diff         Compare the settings of two profiles, or of one with the base file
                          check        Check every file, every profile and group, and compare them
                          env          List the environment variables that override settings
                          wiring       Check that every profile has what the wrappers in the sources need
                          graph        Draw the JSON of context.graph(): what is registered, and what needs what
                          schema       Write a JSON Schema of the profile files, for editors
                          reference    Write a Markdown table of all settings, for people
                          completions  Write a script that lets a shell complete this command

                        Help for one command: locator COMMAND --help
                        The version: locator --version

                        """))
        #expect(locator("help") == locator("--help"))
        // Without a command, the same text is an error.
        #expect(locator() == Outcome(errors: locator("--help").output, status: 2))
    }

    @Test(arguments: [
        "properties", "explain", "diff", "check", "env", "wiring", "graph", "schema", "reference", "completions",
    ])
    func help_isThereForEachCommand(
        name: String
    ) {
        let help = locator(name, "--help")
        #expect(help.output.hasPrefix("usage: locator \(name) ") && help.status == 0)
        #expect(locator("help", name) == help)
        #expect(locator(name, "-h") == help)
        // Whatever else is wrong with the call.
        #expect(locator(name, "a", "b", "c", "d", "--help") == help)
    }

    @Test func help_namesArgumentsAndOptions() {
        #expect(
            locator("explain", "--help")
                == Outcome(
                    output: """
                        usage: locator explain KEY [--config DIR] [--profile NAMES] [--prefix PREFIX] [--directory DIR]
                                               [--files DIR] [--secret PATH]

                        Show where a setting comes from, and what it hides.

                          KEY              The path of the setting, or of an object: server.url
                          --config DIR     The folder of application.json, or several separated by colons; LOCATOR_CONFIG or Config by default
                          --profile NAMES  The profiles, separated by commas; LOCATOR_PROFILE or none by default
                          --prefix PREFIX  Let variables with this prefix override settings, like .environment(prefix:) in the program
                          --directory DIR  Let the files of a directory override settings, like .directory(…) in the program; the last option wins
                          --files DIR      Let ${file:…} read files of a directory that are not settings, like .directory(…, settings: false)
                          --secret PATH    Mask the value at a path and below it, like secrets: in the program
                          --help           Show this help

                        """))
        #expect(
            locator("properties", "--help")
                == Outcome(
                    output: """
                        usage: locator properties [--config DIR] [--profile NAMES] [--prefix PREFIX] [--directory DIR]
                                                  [--files DIR] [--secret PATH] [--format table|json]

                        List all settings with their values and where they come from.

                          --config DIR         The folder of application.json, or several separated by colons; LOCATOR_CONFIG or Config by default
                          --profile NAMES      The profiles, separated by commas; LOCATOR_PROFILE or none by default
                          --prefix PREFIX      Let variables with this prefix override settings, like .environment(prefix:) in the program
                          --directory DIR      Let the files of a directory override settings, like .directory(…) in the program; the last option wins
                          --files DIR          Let ${file:…} read files of a directory that are not settings, like .directory(…, settings: false)
                          --secret PATH        Mask the value at a path and below it, like secrets: in the program
                          --format table|json  The format of the list; default: table
                          --help               Show this help

                        Secrets are masked in every format.

                        """))
        #expect(
            locator("diff", "--help")
                == Outcome(
                    output: """
                        usage: locator diff FIRST [SECOND] [--config DIR] [--prefix PREFIX] [--directory DIR] [--files DIR]
                                            [--secret PATH]

                        Compare the settings of two profiles, or of one with the base file.

                          FIRST            A profile, a group, or several separated by commas
                          SECOND           Another profile or group; default: the base file alone
                          --config DIR     The folder of application.json, or several separated by colons; LOCATOR_CONFIG or Config by default
                          --prefix PREFIX  Let variables with this prefix override settings, like .environment(prefix:) in the program
                          --directory DIR  Let the files of a directory override settings, like .directory(…) in the program; the last option wins
                          --files DIR      Let ${file:…} read files of a directory that are not settings, like .directory(…, settings: false)
                          --secret PATH    Mask the value at a path and below it, like secrets: in the program
                          --help           Show this help

                        A line begins with ~ if the values differ, with ! if the types differ, with - if only the first has the key, and
                        with + if only the second has it. The exit status is also 0 if the profiles differ.

                        """))
        #expect(
            locator("check", "--help")
                == Outcome(
                    output: """
                        usage: locator check [--config DIR] [--prefix PREFIX] [--directory DIR] [--files DIR]
                                             [--secret PATH] [--strict]

                        Check every file, every profile and group, and compare them.

                          --config DIR     The folder of application.json, or several separated by colons; LOCATOR_CONFIG or Config by default
                          --prefix PREFIX  Let variables with this prefix override settings, like .environment(prefix:) in the program
                          --directory DIR  Let the files of a directory override settings, like .directory(…) in the program; the last option wins
                          --files DIR      Let ${file:…} read files of a directory that are not settings, like .directory(…, settings: false)
                          --secret PATH    Mask the value at a path and below it, like secrets: in the program
                          --strict         Treat warnings as errors
                          --help           Show this help

                        Errors are problems that make loading fail, placeholders without a value, and settings that have one type in one
                        profile and another type in another. Warnings are keys that one profile has and another lacks without removing
                        them, variables whose names are similar to those of settings, variables whose texts are not numbers or Booleans
                        as in the files, placeholders with a default whose path is similar to a setting, unknown keys below "locator",
                        entries of locator.secrets that name no setting, and files that no profile reads, such as application.prod.json.
                        A single profile is compared with the base file. The exit status is 1 if there are errors.

                        """))
        #expect(
            locator("graph", "--help")
                == Outcome(
                    output: """
                        usage: locator graph [FILE] [--format text|mermaid|dot|html|svg] [--output FILE]

                        Draw the JSON of context.graph(): what is registered, and what needs what.

                          FILE                                The JSON of the graph; - or no argument reads the standard input
                          --format text|mermaid|dot|html|svg  What to draw; default: the format of the output's extension, or else text
                          --output FILE                       Write a file instead of the standard output
                          --help                              Show this help

                        --format html writes a page that needs no network: search, select, and zoom.

                        --format svg writes a picture, for example for a README.

                        Graphviz draws other kinds: locator graph wiring.json --format dot | dot -Tpng > wiring.png

                        """))
    }

    @Test(arguments: [
        (["chek"], "there is no command \"chek\"; did you mean check?", nil as String?),
        (["nonsense"], "there is no command \"nonsense\"", nil),
        (["--verbose"], "there is no option \"--verbose\"", nil),
        (["check", "--strct"], "there is no option \"--strct\"; did you mean --strict?", "check"),
        (["check", "--strict=yes"], "the option --strict takes no value", "check"),
        (
            ["properties", "--format", "jsn"],
            "the option --format takes table, json, not \"jsn\"; did you mean json?", "properties"
        ),
        (["properties", "--format"], "the option --format needs a value: --format table|json", "properties"),
        (["properties", "--profile=dev", "--profile=prod"], "the option --profile is passed twice", "properties"),
        (["explain"], "the argument KEY is missing", "explain"),
        (["diff", "a", "b", "c"], "the argument \"c\" is one too many", "diff"),
    ])
    func mistakes_comeWithAdvice(words: [String], message: String, command: String?) {
        let hint = "Try: locator \(command.map { "\($0) " } ?? "")--help"
        #expect(locator(words: words) == Outcome(errors: "error: \(message)\n\(hint)\n", status: 2))
    }

    @Test func errors_areRedOnATerminal() {
        #expect(locator("chek") { $0.isErrorTerminal = true }.errors.hasPrefix("\u{1B}[31merror:\u{1B}[0m there is"))
    }
}
