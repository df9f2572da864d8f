public import LocatorProperties

/// When a module is in force.
///
/// Conditions see the profile files, the environment and the properties of modules without a condition, pushed ones too.
/// They are evaluated again whenever one of these changes: a push that sets a property may turn a module on or off, and
/// the pop turns it back. A malformed path in a condition is an error when the module is loaded.
///
/// ```swift
/// Module("Mail", when: .property("mail.enabled", equals: true)) { registry in … }
/// Module("Metrics", when: .profile("prod")) { registry in … }
/// ```
public struct Condition: Sendable, CustomStringConvertible {
    let holds: @Sendable (Properties) -> Bool
    /// The path that is read; nil where the condition reads none.
    let path: String?
    /// The value that the setting is compared with; nil where the condition compares none.
    let value: JSONValue?
    /// The profile that is asked for; nil where the condition asks for none.
    let profile: String?

    private let words: Words

    /// Holds while a profile is active.
    public static func profile(_ name: String) -> Condition {
        Condition(
            holds: { $0.isProfileActive(name) }, path: nil, profile: name,
            words: Words(subject: "profile \"\(name)\"", verb: "is active", negatedVerb: "is not active"))
    }

    /// Holds while the property at `path` has this value.
    ///
    /// Text from the environment counts as the number or Bool that it spells.
    public static func property(_ path: String, equals value: JSONValue) -> Condition {
        let shown = Properties.markingSecrets(of: value, at: path)
        return Condition(
            holds: { (try? $0.hasValue(value, at: path)) ?? false }, path: path, value: value,
            words: Words(
                subject: "setting \"\(path)\"", verb: "equals", negatedVerb: "does not equal", object: " \(shown)",
                maskedObject: " \"\(Redaction.mask)\""))
    }

    /// Holds while there is a property at `path`, whatever its value.
    public static func property(_ path: String) -> Condition {
        Condition(
            holds: { $0[path] != nil }, path: path,
            words: Words(subject: "setting \"\(path)\"", verb: "exists", negatedVerb: "does not exist"))
    }

    /// Holds while `condition` does not.
    public static func not(_ condition: Condition) -> Condition {
        Condition(
            holds: { !condition.holds($0) }, path: condition.path, value: condition.value,
            profile: condition.profile, words: condition.words.negated)
    }

    private init(
        holds: @escaping @Sendable (Properties) -> Bool, path: String?, value: JSONValue? = nil,
        profile: String? = nil, words: Words
    ) {
        self.holds = holds
        self.path = path
        self.value = value
        self.profile = profile
        self.words = words
    }

    /// The condition in words: `profile "prod" is active`.
    public var description: String { words.text }

    /// The condition in words, without its value where properties say that it is secret.
    func text(in properties: Properties) -> String {
        path.map(properties.isSecret) ?? false ? words.maskedText : words.text
    }
}

extension Condition {
    /// The parts of the text, so that the opposite condition reads as a sentence, too.
    private struct Words {
        /// What the condition is about: `profile "prod"`.
        let subject: String
        let verb: String
        let negatedVerb: String
        /// The value that a setting is compared with.
        var object = ""
        /// What is shown instead of a secret value.
        var maskedObject = ""

        var text: String { "\(subject) \(verb)\(object)" }
        var maskedText: String { "\(subject) \(verb)\(maskedObject)" }

        var negated: Words {
            Words(
                subject: subject, verb: negatedVerb, negatedVerb: verb, object: object, maskedObject: maskedObject)
        }
    }
}
