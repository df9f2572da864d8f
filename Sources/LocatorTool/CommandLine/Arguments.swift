import Locator

/// The arguments and options of a command line.
struct Arguments: Sendable {
    /// The positional arguments, in order.
    private(set) var positional: [String] = []
    /// The options with values, in order.
    private(set) var given: [(name: String, value: String)] = []
    private var flags: Set<String> = []

    /// Parses the words after the name of a command.
    init(_ words: some Sequence<String>, syntax: Syntax) throws(ToolError) {
        do {
            try read(Array(words), syntax)
        } catch {
            throw .usage(error, command: syntax.name)
        }
    }

    /// Parses an incomplete command line, as far as possible.
    init(asFarAsGiven words: some Sequence<String>, syntax: Syntax) {
        try? read(Array(words), syntax)
    }

    /// The value of an option, or nil if it is missing.
    subscript(option: String) -> String? { given.first { $0.name == option }?.value }

    /// The values of an option that are separated by commas, or nil if it is missing.
    func list(_ option: String) -> [String]? { self[option]?.split(separator: ",").map(String.init) }

    /// Whether an option without a value is present.
    func has(_ flag: String) -> Bool { flags.contains(flag) }

    private mutating func read(_ words: [String], _ syntax: Syntax) throws(UsageProblem) {
        var words = words[...]
        var takesOptions = true
        while let word = words.popFirst() {
            if takesOptions, word == "--" {
                takesOptions = false
            } else if takesOptions, word == "-h" {
                flags.insert("help")
            } else if takesOptions, word.hasPrefix("-"), word != "-" {
                try readOption(word, &words, syntax)
            } else {
                positional.append(word)
            }
        }
        if has("help") { return }
        if positional.count > syntax.arguments.count {
            throw .surplusArgument(positional[syntax.arguments.count])
        }
        for (argument, value) in zip(syntax.arguments, positional) {
            if argument.completes == .settings { try checkPath(value, of: "argument \(argument.name)") }
            guard let choices = argument.choices, !choices.contains(value) else { continue }
            let near = NearNames.nearest(to: value, among: choices)
            throw .unknownArgument(argument.name, value: value, choices: choices, near: near)
        }
        let missing = syntax.arguments.dropFirst(positional.count).first { $0.isRequired }
        if let missing { throw .missingArgument(missing.form) }
        let option = syntax.options.first { $0.isRequired && self[$0.name] == nil }
        if let option { throw .missingOption("--\(option.name)", placeholder: option.placeholder ?? "") }
    }

    private mutating func readOption(
        _ word: String, _ words: inout ArraySlice<String>, _ syntax: Syntax
    ) throws(UsageProblem) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let options = syntax.allOptions
        guard let option = options.first(where: { "--\($0.name)" == parts[0] }) else {
            let near = NearNames.nearest(to: parts[0], among: options.map { "--\($0.name)" })
            throw .unknownOption(parts[0], near: near)
        }
        let name = "--\(option.name)"
        guard let form = option.formOfValue else {
            if parts.count > 1 { throw .needlessValue(option: name) }
            flags.insert(option.name)
            return
        }
        guard let value = parts.count > 1 ? parts[1] : words.popFirst(), !value.isEmpty else {
            throw .missingValue(option: name, placeholder: form)
        }
        if let choices = option.choices, !choices.contains(value) {
            let near = NearNames.nearest(to: value, among: choices)
            throw .unknownChoice(option: name, value: value, choices: choices, near: near)
        }
        if option.isPath { try checkPath(value, of: "option \(name)") }
        if !option.isRepeatable, self[option.name] != nil { throw .optionTwice(name) }
        given.append((option.name, value))
    }

    private func checkPath(_ value: String, of word: String) throws(UsageProblem) {
        do throws(PathProblem) {
            _ = try PropertyPath(parsing: value)
        } catch {
            throw .malformedPath(of: word, error)
        }
    }
}
