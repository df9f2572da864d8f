import Locator

/// `locator completions`: writes a script that lets a shell complete command lines.
enum CompletionsCommand: Command {
    static let syntax = Syntax(
        name: "completions", summary: "Write a script that lets a shell complete this command",
        arguments: [.init(name: "SHELL", summary: "The shell that reads the script", choices: ["bash", "zsh"])],
        notes: [
            """
            bash: add to ~/.bashrc: source <(locator completions bash)
            zsh: add to ~/.zshrc, after compinit: source <(locator completions zsh)
            """,
            """
            It completes commands, options, profiles, and the paths of settings, which it reads from the profile files.
            """,
        ])

    static func run(_ arguments: Arguments, in surroundings: Surroundings) throws(ToolError) -> Outcome {
        Outcome(output: arguments.positional[0] == "bash" ? bash : zsh)
    }

    /// Words are quoted, because bash inserts them unchanged.
    ///
    /// Words that need no quotes stay readable.
    private static let bash = #"""
        # Completions of locator for bash: source <(locator completions bash)
        _locator() {
            local word
            COMPREPLY=()
            while IFS= read -r word; do
                case $word in
                    *[!A-Za-z0-9_./,=+@%-]*) word=$(printf '%q' "$word") ;;
                esac
                COMPREPLY+=("$word")
            done < <("$1" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
        }
        complete -o default -F _locator locator

        """#

    private static let zsh = #"""
        #compdef locator
        # Completions of locator for zsh: source <(locator completions zsh)
        _locator() {
            local -a found
            found=("${(@f)$("${(Q)words[1]}" __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
            if [[ -n ${found[1]-} ]]; then
                compadd -- "${found[@]}"
            else
                _files
            fi
        }
        if [[ ${funcstack[1]-} == _locator ]]; then
            _locator "$@"
        else
            compdef _locator locator
        fi

        """#
}
