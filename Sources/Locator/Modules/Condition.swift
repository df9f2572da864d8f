public import LocatorProperties

/// A condition that turns a module on or off.
///
/// A condition reads the profile files, the environment, and the `properties:` of loaded and pushed modules that have
/// no condition. It is evaluated again whenever one of these changes. A push that changes a setting can turn a module
/// on or off, and the pop reverts this. If the path in a condition is malformed, loading the module throws an error.
///
/// ```swift
/// Module("Mail", when: .property("mail.enabled", equals: true)) { registry in … }
/// Module("Metrics", when: .profile("prod")) { registry in … }
/// ```
public struct Condition: Sendable, CustomStringConvertible {
    let holds: @Sendable (Properties) -> Bool
    /// The path of the setting that the condition reads, if any.
    let path: String?
    /// The value that the setting is compared with, if any.
    let value: JSONValue?
    /// The profile that the condition checks, if any.
    let profile: String?

    /// Whether it is true while something is not the case.
    private(set) var isNegated = false
    private let words: Words

    /// Returns a condition that is true while a profile is active.
    public static func profile(_ name: String) -> Condition {
        Condition(
            holds: { $0.isProfileActive(name) }, path: nil, value: nil, profile: name,
            words: Words(subject: "profile \"\(name)\"", verb: "is active", negatedVerb: "is not active"))
    }

    /// Returns a condition that is true while the setting at `path` has this value.
    ///
    /// Text from the environment is compared as the number or Bool that it represents. Numbers are compared exactly,
    /// however large they are.
    public static func property(_ path: String, equals value: JSONValue) -> Condition {
        let shown = Properties.markingSecrets(of: value, at: path)
        return Condition(
            holds: { (try? $0.hasValue(value, at: path)) ?? false }, path: path, value: value, profile: nil,
            words: Words(
                subject: "setting \"\(path)\"", verb: "equals", negatedVerb: "does not equal", object: " \(shown)"))
    }

    /// Returns a condition that is true while a setting exists at `path`, regardless of its value.
    public static func property(_ path: String) -> Condition {
        Condition(
            holds: { $0[path] != nil }, path: path, value: nil, profile: nil,
            words: Words(subject: "setting \"\(path)\"", verb: "exists", negatedVerb: "does not exist"))
    }

    /// Returns a condition that is true while `condition` is false.
    public static func not(_ condition: Condition) -> Condition {
        Condition(
            holds: { !condition.holds($0) }, path: condition.path, value: condition.value,
            profile: condition.profile, isNegated: !condition.isNegated, words: condition.words.negated)
    }

    /// The condition in words: `profile "prod" is active`.
    public var description: String { words.text }

    /// The condition in words, without its value if the setting is secret.
    func text(in properties: Properties) -> String { text(words, in: properties) }

    /// What the condition does to its module, in words: `is off unless profile "prod" is active`.
    func effect(in properties: Properties) -> String {
        isNegated
            ? "is on unless \(text(words.negated, in: properties))" : "is off unless \(text(words, in: properties))"
    }

    private func text(_ words: Words, in properties: Properties) -> String {
        path.map(properties.isSecret) ?? false ? words.maskedText : words.text
    }
}

extension Condition {
    /// The parts of the text, so that the text of the opposite condition is also a sentence.
    private struct Words {
        /// The subject of the condition: `profile "prod"`.
        let subject: String
        let verb: String
        let negatedVerb: String
        var object = ""

        var text: String { "\(subject) \(verb)\(object)" }
        var maskedText: String { object.isEmpty ? text : "\(subject) \(verb) \"\(Redaction.mask)\"" }
        var negated: Words { Words(subject: subject, verb: negatedVerb, negatedVerb: verb, object: object) }
    }
}

/// Operators for typical mistakes, so that the compiler says what to write instead.
extension Condition {
    /// Not available: the opposite of a condition is written `.not(…)`.
    @available(*, unavailable, message: "write .not(…)")
    public static prefix func ! (condition: Condition) -> Condition { unavailable() }

    /// Not available: a module has one condition.
    @available(
        *, unavailable,
        message: "a module has one condition: set the same setting in several profile files, and write .property(…)"
    )
    public static func || (left: Condition, right: Condition) -> Condition { unavailable() }

    /// Not available: a module has one condition.
    @available(
        *, unavailable,
        message: "a module has one condition: include the module in another one, which has the second condition"
    )
    public static func && (left: Condition, right: Condition) -> Condition { unavailable() }

    /// Not available: a condition names one profile.
    @available(
        *, unavailable,
        message: "name one profile: set the same setting in several profile files, and write .property(…)"
    )
    public static func profile(_ first: String, _ second: String, _ others: String...) -> Condition { unavailable() }
}
