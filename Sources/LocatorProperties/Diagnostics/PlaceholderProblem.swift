/// A problem with a placeholder such as `${server.host}`.
public enum PlaceholderProblem: Error, Sendable, Hashable {
    /// The `${` at a column of the string has no closing brace.
    case unclosed(column: Int)
    /// The `${` at a column of the string has no name after it.
    case withoutName(column: Int)
    /// The path in the placeholder is malformed.
    case malformedPath(PathProblem)
    /// The placeholder refers to a path without a value, and has no default.
    case missing(placeholder: String, target: String, near: [String])
    /// The placeholder refers to an environment variable that is not set, and has no default.
    case missingVariable(placeholder: String, name: String)
    /// The placeholder refers to an environment variable whose value is not UTF-8.
    case variableIsNotUTF8(placeholder: String, name: String)
    /// The placeholder refers to a file that is missing in a declared directory, and has no default.
    case missingFile(placeholder: String, path: String)
    /// The placeholder refers to a file in a directory that the program does not declare.
    case undeclaredFile(placeholder: String, directory: String)
    /// The path of the file contains `..`.
    case fileGoesUp(placeholder: String)
    /// The placeholder is part of a text, but its target has no text.
    case notText(placeholder: String, found: String)
    /// Placeholders form a cycle. The paths are in order, and the first is repeated at the end.
    case cycle(paths: [String])
    /// The chain of placeholders that lead to placeholders is too long.
    case tooDeep
    /// Defaults that contain placeholders with defaults are nested too deeply.
    case tooManyDefaults
    /// The texts that placeholders build are too long.
    case tooLong
    /// The objects and arrays that placeholders refer to have too many parts.
    case tooLarge
    /// The object or array that a placeholder refers to would be nested too deeply here.
    case nestedTooDeeply
    /// Too many placeholders are wrong. The others are not checked.
    case tooManyProblems

    var message: String {
        switch self {
        case .unclosed(let column):
            "the placeholder at column \(column) of the text is not closed; write $${ for a literal ${"
        case .withoutName(let column):
            "the placeholder at column \(column) of the text names nothing; write $${ for a literal ${"
        case .malformedPath(let problem):
            problem.message
        case .missing(let placeholder, let target, let near):
            "\(placeholder) needs \(target), which is missing\(NearNames.question(near))\(NearNames.hint(near, for: target))"
                + (Self.variable(meantBy: target).map { name in
                    "\(near.isEmpty ? ";" : "") the variable is ${env:\(name)}"
                } ?? "")
        case .missingVariable(let placeholder, let name):
            "\(placeholder) needs the environment variable \(name), which is not set"
        case .variableIsNotUTF8(let placeholder, let name):
            "\(placeholder) needs the environment variable \(name), whose value is not UTF-8; set it to text in UTF-8, or to "
                + "bytes in base64"
        case .missingFile(let placeholder, let path):
            "\(placeholder) needs the file \(path), which is not there"
        case .undeclaredFile(let placeholder, let directory):
            "\(placeholder) is in a directory that is not declared; in the program, add .directory(\"\(directory)\"), "
                + "and for the locator command, --directory \"\(directory)\""
        case .fileGoesUp(let placeholder):
            "\(placeholder) goes up by \"..\"; write the path from the root"
        case .notText(let placeholder, let found):
            "\(placeholder) leads to \(found), which cannot be part of a text"
        case .cycle(let paths):
            "placeholders form a cycle: \(DiagnosticText.chain(paths))"
        case .tooDeep:
            "placeholders lead to placeholders more than \(Limits.placeholderChain) deep"
        case .tooManyDefaults:
            "the placeholder has more than \(Limits.nestedDefaults) nested defaults"
        case .tooLong:
            "placeholders build more than \(Limits.builtBytes) bytes of text"
        case .tooLarge:
            "placeholders copy arrays and objects of more than \(Limits.builtValues) values "
                + "or \(Limits.builtBytes) bytes of text"
        case .nestedTooDeeply:
            "placeholders build a value of more than \(Limits.nesting) levels of arrays and objects"
        case .tooManyProblems:
            "\(Limits.problems) placeholders are wrong; the others are not checked"
        }
    }
}

extension PlaceholderProblem {
    /// Returns the environment variable that a path probably means: `HOME` for `HOME` and `env.HOME`.
    static func variable(meantBy target: String) -> String? {
        let name = target.hasPrefix("env.") ? target.dropFirst("env.".count) : target[...]
        guard name.utf8.first?.isCapital == true,
            name.utf8.allSatisfy({ $0.isCapital || $0.isDigit || $0 == UInt8(ascii: "_") })
        else { return nil }
        return String(name)
    }

    /// The same problem for a text that must not be printed.
    ///
    /// It names the target of the placeholder and nothing else.
    var redacted: PlaceholderProblem {
        switch self {
        case .malformedPath:
            .malformedPath(PathProblem(text: Redaction.mask, column: 1, expected: .hidden))
        case .missing(let placeholder, let target, let near):
            .missing(placeholder: Self.withoutDefault(placeholder), target: target, near: near)
        case .missingVariable(let placeholder, let name):
            .missingVariable(placeholder: Self.withoutDefault(placeholder), name: name)
        case .variableIsNotUTF8(let placeholder, let name):
            .variableIsNotUTF8(placeholder: Self.withoutDefault(placeholder), name: name)
        case .missingFile(let placeholder, let path):
            .missingFile(placeholder: Self.withoutDefault(placeholder), path: path)
        case .undeclaredFile(let placeholder, let directory):
            .undeclaredFile(placeholder: Self.withoutDefault(placeholder), directory: directory)
        case .fileGoesUp(let placeholder):
            .fileGoesUp(placeholder: Self.withoutDefault(placeholder))
        case .notText(let placeholder, let found):
            .notText(placeholder: Self.withoutDefault(placeholder), found: found)
        case .unclosed, .withoutName, .cycle, .tooDeep, .tooManyDefaults, .tooLong, .tooLarge, .nestedTooDeeply,
            .tooManyProblems:
            self
        }
    }

    /// Returns the placeholder with its default replaced by "…": `${env:TOKEN:…}`.
    private static func withoutDefault(_ placeholder: String) -> String {
        let start = ["${env:", "${file:"].first { placeholder.hasPrefix($0) }?.count ?? 2
        // By scalars, because a colon and a mark at the beginning of the default are one character.
        let text = placeholder.unicodeScalars
        let end = text.dropFirst(start).prefix { $0 != ":" && $0 != "}" }.count + start
        return text.dropFirst(end).elementsEqual("}".unicodeScalars)
            ? placeholder : "\(String(text.prefix(end))):…}"
    }
}
