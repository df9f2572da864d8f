/// A problem with an environment variable that would override a setting.
public enum EnvironmentProblem: Sendable, Hashable {
    /// The prefix is empty, so every variable of the system would become a setting.
    case emptyPrefix
    /// Two keys correspond to the same variable. Each key is listed with its place, if known.
    case collision(variable: String, first: String, second: String)
    /// A variable with the prefix names no key.
    case malformedName(variable: String)
    /// A variable names no key, because the prefix lacks the underscore that follows it in the variable.
    case prefixWithoutUnderscore(variable: String, prefix: String)
    /// The value of a variable is not UTF-8.
    case notUTF8(variable: String)
    /// A variable would add more levels of objects and arrays than a file may have.
    case tooDeep(variable: String)
    /// A variable names a part of a value that has no parts.
    case noSuchPart(variable: String, container: String, found: String)
    /// A variable has one underscore, not two, after the index of an element of an array.
    case oneUnderscoreAfterIndex(variable: String, meant: String)
    /// A variable, or a file, sets an element of an array but skips the next free index.
    case gap(variable: String, list: String, index: Int, count: Int)
    /// A variable contains one kind of JSON where another kind is expected.
    case mismatch(expected: String, found: String)
    /// The text of a variable should be a JSON array or object, but does not begin like one.
    case notJSON(variable: String, expected: String, example: String)
    /// A variable that must not be printed should contain JSON, but does not.
    case secretIsNotJSON(expected: String)

    /// Returns the name of a variable for another element, or its index alone if the name has it in another place.
    private static func name(_ variable: String, of list: String, _ index: Int, withIndex other: Int) -> String {
        let ending = "__\(index)"
        guard variable.hasSuffix(ending) else { return "\(other)" }
        let start = variable.dropLast(ending.count)
        // `HOSTS__3__3` is for the first of the two indexes, unless the list is an element itself.
        return start.last?.isNumber == true && list.last != "]" ? "\(other)" : "\(start)__\(other)"
    }

    var message: String {
        switch self {
        case .emptyPrefix:
            "environment overrides need a prefix: without one every variable would become a setting"
        case .collision(let variable, let first, let second):
            "\(variable) stands for two keys, \(first) and \(second); rename one of them"
        case .malformedName(let variable):
            "\(variable) names no setting; after the prefix, use capital letters and digits, with \"_\" between words "
                + "and \"__\" between the keys of a path"
        case .prefixWithoutUnderscore(let variable, let prefix):
            "\(variable) names no setting, because the prefix \"\(prefix)\" does not end with \"_\"; "
                + "write \"\(prefix)_\""
        case .notUTF8(let variable):
            "\(variable) has a value that is not UTF-8; set it to text in UTF-8, or to bytes in base64"
        case .tooDeep(let variable):
            "\(DiagnosticText.shortened(variable)) goes down more than \(Limits.nesting) levels of arrays and objects"
        case .noSuchPart(let variable, let container, let found):
            "\(variable) names a part of \(container), which is \(found); set \(container) as a whole"
        case .oneUnderscoreAfterIndex(let variable, let meant):
            "\(variable) names no part of an element, because \"__\" separates the keys of a path; did you mean \(meant)?"
        case .gap(let variable, let list, let index, let count):
            "\(variable) is for element \(index) of \(list), which has \(count == 0 ? "none" : "\(count)") so far; the next "
                + "one is \(Self.name(variable, of: list, index, withIndex: count))"
                + (count == 0 ? ". Where the number is a key, write \(list) as an object in a profile file" : "")
        case .mismatch(let expected, let found):
            "expected \(expected), found \(found)"
        case .notJSON(let variable, let expected, let example):
            "expected \(expected) as JSON, such as \(variable)='\(example)', found text that is not JSON"
        case .secretIsNotJSON(let expected):
            "expected \(expected) as JSON, found a secret that is not JSON"
        }
    }
}
