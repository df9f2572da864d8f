/// What is wrong with a placeholder such as `${server.host}`.
public enum PlaceholderProblem: Error, Sendable, Hashable {
    /// The `${` at a column of the string has no closing brace.
    case unclosed(column: Int)
    /// The `${` at a column of the string names nothing.
    case withoutName(column: Int)
    /// The path in the placeholder cannot be read.
    case malformedPath(PathProblem)
    /// The placeholder leads to a path that nothing has, and gives no default.
    case missing(placeholder: String, target: String, near: [String])
    /// The placeholder leads to an environment variable that is not set, and gives no default.
    case missingVariable(placeholder: String, name: String)
    /// The placeholder leads to a file that a declared directory does not have, and gives no default.
    case missingFile(placeholder: String, path: String)
    /// The placeholder leads to a file in a directory that the program does not declare.
    case undeclaredFile(placeholder: String, directory: String)
    /// The placeholder leads to a file by a path that goes up.
    case fileGoesUp(placeholder: String)
    /// The placeholder stands inside a text, and what it leads to has no text.
    case notText(placeholder: String, found: String)
    /// Placeholders lead back to where they started; the paths in order, the first again at the end.
    case cycle(paths: [String])
    /// Placeholders lead to placeholders beyond any sensible depth.
    case tooDeep
    /// Defaults have placeholders with defaults beyond any sensible depth.
    case tooManyDefaults
    /// The texts that placeholders build grow beyond any sensible length.
    case tooLong
    /// The objects and arrays that placeholders lead to have parts beyond any sensible number.
    case tooLarge
    /// The object or array that a placeholder leads to would be nested deeper here than a file may be.
    case nestedTooDeeply
    /// So many placeholders are wrong that the others are not looked for.
    case tooManyProblems

    /// The problem in words.
    var message: String {
        switch self {
        case .unclosed(let column):
            "the placeholder at column \(column) of the text is not closed; write $${ for a literal ${"
        case .withoutName(let column):
            "the placeholder at column \(column) of the text names nothing; write $${ for a literal ${"
        case .malformedPath(let problem):
            problem.message
        case .missing(let placeholder, let target, let near):
            "\(placeholder) needs \(target), which is missing\(NearNames.question(near))"
                + (Self.isVariable(target) ? "; the variable is ${env:\(target)}" : "")
        case .missingVariable(let placeholder, let name):
            "\(placeholder) needs the environment variable \(name), which is not set"
        case .missingFile(let placeholder, let path):
            "\(placeholder) needs the file \(path), which is not there"
        case .undeclaredFile(let placeholder, let directory):
            "\(placeholder) leads to a directory that the program does not declare; declare it where the settings are "
                + "loaded, with .directory(\"\(directory)\"), and on the command line of locator, with "
                + "--directory \"\(directory)\""
        case .fileGoesUp(let placeholder):
            "\(placeholder) goes up by \"..\"; write the path from the root"
        case .notText(let placeholder, let found):
            "\(placeholder) leads to \(found), which cannot be part of a text"
        case .cycle(let paths):
            "placeholders lead in a circle: \(DiagnosticText.chain(paths))"
        case .tooDeep:
            "placeholders lead to placeholders more than \(Limits.placeholderChain) deep"
        case .tooManyDefaults:
            "the placeholder has more than \(Limits.nestedDefaults) defaults within each other"
        case .tooLong:
            "placeholders build more than \(Limits.builtBytes) bytes of text"
        case .tooLarge:
            "placeholders copy arrays and objects of more than \(Limits.builtValues) values "
                + "or \(Limits.builtBytes) bytes of text"
        case .nestedTooDeeply:
            "placeholders build a value of more than \(Limits.nesting) levels of arrays and objects"
        case .tooManyProblems:
            "\(Limits.problems) placeholders are wrong; the others are not looked for"
        }
    }
}

extension PlaceholderProblem {
    /// Whether a path looks like the name of an environment variable: `HOME`.
    private static func isVariable(_ target: String) -> Bool {
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let first = target.utf8.first, capitals.contains(first) else { return false }
        return target.utf8.allSatisfy { capitals.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "_") }
    }

    /// The problem of a text that must not be printed: what a placeholder leads to is named, and nothing else of it.
    var redacted: PlaceholderProblem {
        switch self {
        case .malformedPath:
            .malformedPath(PathProblem(text: Redaction.mask, column: 1, expected: .hidden))
        case .missing(let placeholder, let target, let near):
            .missing(placeholder: Self.withoutDefault(placeholder), target: target, near: near)
        case .missingVariable(let placeholder, let name):
            .missingVariable(placeholder: Self.withoutDefault(placeholder), name: name)
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

    /// `${env:TOKEN:…}` for a placeholder with a default.
    private static func withoutDefault(_ placeholder: String) -> String {
        let start = ["${env:", "${file:"].first { placeholder.hasPrefix($0) }?.count ?? 2
        let target = placeholder.dropFirst(start).prefix { $0 != ":" && $0 != "}" }
        let rest = placeholder.dropFirst(start + target.count)
        return rest == "}" ? placeholder : "\(placeholder.prefix(start))\(target):…}"
    }
}
