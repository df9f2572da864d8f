/// What is wrong with a value that a program reads.
public enum ValueProblem: Sendable, Hashable {
    /// Nothing has the path; keys that come near are named.
    case missing(expected: String, near: [String])
    /// A `null` removes what other files say.
    case removed(expected: String)
    /// The value is of another kind, or the requested type cannot hold it.
    case mismatch(expected: String, found: Found)
    /// The value is none that the type knows, but comes near to these.
    case misspelled(expected: String, found: Found, near: [String])
    /// The value would be right without its quotes.
    case quoted(expected: String, found: Found)
    /// The type has no such whole number, only one near to it.
    case rounded(expected: String, found: Found)
    /// The type's own initializer did not accept the value.
    case refused(type: String, reason: String)
    /// A text from outside a file should be JSON, and is not.
    case textIsNotJSON(expected: String, JSONSyntaxProblem, JSONPosition?)
    /// An array ends before the element that the type needs.
    case tooFewElements(expected: String, count: Int)
    /// The type goes on into values nested more deeply than is decoded.
    case tooDeep(limit: Int)
    /// An override names the element of an array, which is replaced only as a whole.
    case indexInOverride
    /// The key is the same text as another one of the object, in another Unicode form; where that one is.
    case otherForm(String, of: String, first: String)
    /// An override is for a part of a value that another one gives, and that has no parts.
    case partOfOverride(container: String, found: Found)

    /// What was found in place of what was expected.
    public enum Found: Sendable, Hashable {
        /// The value `null`.
        case null
        /// `true` or `false`.
        case boolean(Bool)
        /// A number, by its text.
        case number(String)
        /// A string in a file.
        case string(String)
        /// A text from outside any file.
        case text(String)
        /// An array.
        case array
        /// An object.
        case object
        /// A value that is never shown; its kind is.
        case secret(kind: String)
    }

    /// The problem in words.
    var message: String {
        switch self {
        case .missing(let expected, let near):
            "missing (expected \(expected))\(NearNames.question(near))"
        case .removed(let expected):
            "expected \(expected), found null, which removes it"
        case .mismatch(let expected, let found):
            "expected \(expected), found \(found.words)"
        case .misspelled(let expected, let found, let near):
            "expected \(expected), found \(found.words)\(NearNames.question(near))"
        case .quoted(let expected, let found):
            "expected \(expected), found \(found.words); drop the quotes"
        case .rounded(let expected, let found):
            "expected \(expected), found \(found.words), which the type would round; "
                + "write a point (.0) if the nearest number will do"
        case .refused(let type, let reason):
            "\(type) refused it: \(reason)"
        case .textIsNotJSON(let expected, let problem, let position):
            "expected \(expected) as JSON, found text that is not JSON: "
                + (position.map { "\($0): " } ?? "") + problem.message
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
            "expected an object at \(container), found \(found.words); keep one of them"
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
        case .object: "an object"
        case .secret(let kind): "a \(kind) that is not shown, because it is secret"
        }
    }
}
