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
    /// The profile that the condition checks, if any.
    private(set) var profile: String?
    /// The path of the setting that the condition reads, if any.
    private(set) var path: String?
    /// The value that the setting is compared with, if any.
    private(set) var value: JSONValue?
    /// Whether it is true while something is not the case.
    private(set) var isNegated = false

    /// Returns a condition that is true while a profile is active.
    public static func profile(_ name: String) -> Condition { Condition(profile: name) }

    /// Returns a condition that is true while the setting at `path` has this value.
    ///
    /// Text from the environment is compared as the number or Bool that it represents. Numbers are compared exactly,
    /// however large they are.
    public static func property(_ path: String, equals value: JSONValue) -> Condition {
        Condition(path: path, value: value)
    }

    /// Returns a condition that is true while a setting exists at `path`, regardless of its value.
    public static func property(_ path: String) -> Condition { Condition(path: path) }

    /// Returns a condition that is true while `condition` is false.
    public static func not(_ condition: Condition) -> Condition {
        var opposite = condition
        opposite.isNegated.toggle()
        return opposite
    }

    func holds(_ properties: Properties) -> Bool {
        var isMet = false
        if let profile {
            isMet = properties.isProfileActive(profile)
        } else if let path {
            isMet = value.map { (try? properties.hasValue($0, at: path)) ?? false } ?? (properties[path] != nil)
        }
        return isMet != isNegated
    }

    /// The condition in words: `profile "prod" is active`.
    public var description: String { words(isNegated: isNegated) }

    /// The condition in words, without its value if the setting is secret.
    func text(in properties: Properties) -> String { words(isNegated: isNegated, maskedIn: properties) }

    /// What the condition does to its module, in words: `is off unless profile "prod" is active`.
    func effect(in properties: Properties) -> String {
        "is \(isNegated ? "on" : "off") unless \(words(isNegated: false, maskedIn: properties))"
    }

    private func words(isNegated: Bool, maskedIn properties: Properties? = nil) -> String {
        guard let path else { return "profile \"\(profile ?? "")\" \(isNegated ? "is not" : "is") active" }
        guard let value else { return "setting \"\(path)\" \(isNegated ? "does not exist" : "exists")" }
        let isMasked = properties?.isSecret(path) ?? false
        let shown = isMasked ? "\"\(Redaction.mask)\"" : Properties.markingSecrets(of: value, at: path).description
        return "setting \"\(path)\" \(isNegated ? "does not equal" : "equals") \(shown)"
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
