/// A problem with a value that a program reads.
public enum ValueProblem: Sendable, Hashable {
    /// There is no value at the path. Similar keys are listed.
    case missing(expected: String, near: [String])
    /// A `null` removes the value of other files.
    case removed(expected: String)
    /// The value above the path has no such part, for example because it is a number.
    case noSuchPart(expected: String, container: String, found: Found)
    /// The value has another kind, or the requested type cannot represent it.
    case mismatch(expected: String, found: Found)
    /// The type does not accept the value, but accepts similar ones.
    case misspelled(expected: String, found: Found, near: [String])
    /// The value would be valid without its quotes.
    case quoted(expected: String, found: Found)
    /// The type can represent the whole number only if it is rounded.
    case rounded(expected: String, found: Found)
    /// The type's own initializer did not accept the value.
    case refused(type: String, reason: String)
    /// A text from outside a file should be JSON, but is not.
    case textIsNotJSON(expected: String, JSONSyntaxProblem, JSONPosition?)
    /// A text from outside a file should be a JSON array or object, but does not begin like one.
    case textIsNoContainer(expected: String, example: String)
    /// An array ends before the element that the type needs.
    case tooFewElements(expected: String, count: Int)
    /// The type decodes values that are nested more deeply than the limit.
    case tooDeep(limit: Int)
    /// A path in settings that are written in code names an element of an array. In code, only a whole array can be
    /// set.
    case indexInOverride
    /// The object already has this key in another Unicode form. The last value is the place of the other key.
    case otherForm(String, of: String, first: String)
    /// An override sets a part of a value that another override sets and that has no parts.
    case partOfOverride(container: String, found: String)
    /// The same overrides contain the path twice, written in two ways.
    case setTwice(by: String, and: String)

    /// What was found instead of the expected value.
    public enum Found: Sendable, Hashable {
        /// The value `null`.
        case null
        /// `true` or `false`.
        case boolean(Bool)
        /// A number, as its text.
        case number(String)
        /// A string in a file.
        case string(String)
        /// A text from outside a file.
        case text(String)
        /// An array.
        case array
        /// An array of which variables, or files of a directory, set elements.
        case arrayOfOverrides
        /// An array with fewer elements than needed. The value is their number.
        case shortArray(Int)
        /// An object.
        case object
        /// A value that is not shown except for its kind.
        case secret(kind: String)
    }

    var message: String {
        switch self {
        case .missing(let expected, let near):
            "missing (expected \(expected))\(NearNames.question(near))"
        case .removed(let expected):
            "expected \(expected), found null, which removes it"
        case .noSuchPart(let expected, "", let found):
            "missing (expected \(expected)), because the settings are \(found.words)"
        case .noSuchPart(let expected, let container, .shortArray(let count)):
            "missing (expected \(expected)), because \(container) has \(count) element\(count == 1 ? "" : "s")"
        case .noSuchPart(let expected, let container, let found):
            "missing (expected \(expected)), because \(container) has no such part: "
                + "found \(found.words)"
        case .mismatch(let expected, let found):
            "expected \(expected), found \(found.words)"
        case .misspelled(let expected, let found, let near):
            "expected \(expected), found \(found.words)\(NearNames.question(near))"
        case .quoted(let expected, let found):
            "expected \(expected), found \(found.words); drop the quotes"
        case .rounded(let expected, let found):
            "expected \(expected), found \(found.words), which the type would round; "
                + "write a decimal point (.0) if the nearest number is good enough"
        case .refused(let type, let reason):
            "\(type) refused it: \(reason)"
        case .textIsNotJSON(let expected, let problem, let position):
            "expected \(expected) as JSON, found text that is not JSON: "
                + (position.map { "\($0): " } ?? "") + problem.message
        case .textIsNoContainer(let expected, let example):
            "expected \(expected) as JSON, such as \(example), found text that is not JSON"
        case .tooFewElements(let expected, let count):
            "expected \(expected), found the end of the array after \(count) element\(count == 1 ? "" : "s")"
        case .tooDeep(let limit):
            "expected at most \(limit) levels of nested values, found another"
        case .indexInOverride:
            "expected a path of keys, found an index; an array is overridden as a whole"
        case .otherForm(let key, let other, let first):
            "\(first) has the same key in another Unicode form (\(KeyForms.difference(of: key, from: other))); "
                + "write both in the same form"
        case .partOfOverride(let container, let found):
            "expected an object at \(container), found \(found); keep one of them"
        case .setTwice(let first, let second):
            first == second
                ? "it is set twice; keep one of them"
                : "\(DiagnosticText.quoted(first)) and \(DiagnosticText.quoted(second)) both set it; keep one of them"
        }
    }
}

extension ValueProblem.Found {
    /// The value in words.
    var words: String {
        switch self {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .number(let text): "number \(DiagnosticText.shortened(text))"
        case .string(let text): "string \(DiagnosticText.quoted(text))"
        case .text(let text): "text \(DiagnosticText.quoted(text))"
        case .array: "an array"
        case .arrayOfOverrides:
            "an array; a number in the name of a variable is an index, unless a profile file has an object there"
        case .shortArray(let count): "an array of \(count) element\(count == 1 ? "" : "s")"
        case .object: "an object"
        case .secret(let kind): "a \(kind) that is not shown, because it is secret"
        }
    }
}
