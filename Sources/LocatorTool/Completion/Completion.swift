import Locator

/// Completes the last word of a command line, for the scripts of the shells.
///
/// There are no errors. If no completion is known, the shell completes file names.
struct Completion {
    let commands: [Syntax]
    let surroundings: Surroundings

    /// The name of the command that the scripts run, which the help does not list.
    static let command = "__complete"

    /// Returns the words that begin with the last word of a command line, one per line.
    func outcome(_ words: [String]) -> Outcome {
        // A key with a line break would become two words, and a terminal would interpret other characters.
        let found = candidates(words).filter { $0 == $0.escapingHidden() }
        return Outcome(output: found.map { $0 + "\n" }.joined())
    }

    /// Joins words that a shell has split at colons: `Config`, `:`, `/etc/shop`.
    private static func joiningFolders(_ words: [String]) -> [String] {
        var joined: [String] = []
        var isOpen = false
        for word in words {
            let isColon = !word.isEmpty && word.allSatisfy { $0 == ":" }
            if isColon || isOpen, let start = joined.popLast() {
                joined.append(start + word)
            } else {
                joined.append(word)
            }
            isOpen = isColon
        }
        return joined
    }

    private func candidates(_ words: [String]) -> [String] {
        var words = words
        var last = words.popLast() ?? ""
        words = Self.joiningFolders(words)
        // Words that a shell has split stay split: `--format`, `=`, `json`.
        if last == "=" { last = "" } else if words.last == "=" { words.removeLast() }
        guard let name = words.first else {
            return matching(last, commands.map(\.name) + ["help", "--help", "--version"])
        }
        if name == "help" { return words.count == 1 ? matching(last, commands.map(\.name)) : [] }
        guard let syntax = commands.first(where: { $0.name == name }) else { return [] }
        let arguments = Arguments(asFarAsGiven: words.dropFirst(), syntax: syntax)
        if let option = option(words.last, of: syntax) {
            return values(option.completes, option.choices, last, arguments)
        }
        if let equals = last.firstIndex(of: "="), let option = option(String(last[..<equals]), of: syntax) {
            let value = String(last[last.index(after: equals)...])
            return values(option.completes, option.choices, value, arguments).map { last[...equals] + $0 }
        }
        if last.hasPrefix("-") {
            let given = { (option: Syntax.Option) in
                !option.isRepeatable && (arguments.has(option.name) || arguments[option.name] != nil)
            }
            return matching(last, syntax.allOptions.filter { !given($0) }.map { "--\($0.name)" })
        }
        guard syntax.arguments.indices.contains(arguments.positional.count) else { return [] }
        let argument = syntax.arguments[arguments.positional.count]
        return values(argument.completes, argument.choices, last, arguments)
    }

    /// Returns the option with this name, if it takes a value.
    private func option(_ word: String?, of syntax: Syntax) -> Syntax.Option? {
        syntax.options.first { "--\($0.name)" == word && $0.placeholder != nil }
    }

    private func values(
        _ kind: Syntax.Completes, _ choices: [String]?, _ text: String, _ arguments: Arguments
    ) -> [String] {
        if let choices { return matching(text, choices) }
        let configuration = Configuration(arguments, in: surroundings)
        switch kind {
        case .files: return []
        case .profiles:
            // Completes the last of several names, each of which may appear only once.
            let comma = text.lastIndex(of: ",").map { text.index(after: $0) } ?? text.startIndex
            let given = text[..<comma].split(separator: ",").map(String.init)
            let names = ((try? configuration.profileNames()) ?? []).filter { !given.contains($0) }
            return matching(String(text[comma...]), names).map { text[..<comma] + $0 }
        case .settings:
            return matching(text, paths(configuration))
        }
    }

    /// Returns the paths of all settings.
    ///
    /// Without a profile, those of all profiles, because none is chosen yet.
    private func paths(_ configuration: Configuration) -> [String] {
        if let profiles = configuration.profiles { return configuration.settingPaths(profiles) }
        let profiles: [ProfileList] = ((try? configuration.profileNames()) ?? []).map { [$0] }
        return ([nil] + profiles).flatMap(configuration.settingPaths).withoutRepetitions
    }

    private func matching(_ text: String, _ words: [String]) -> [String] { words.filter { $0.hasPrefix(text) } }
}
