public import LocatorProperties

/// When a module is in force.
///
/// Conditions see the profile files, the environment and the properties of modules without a condition. They are
/// evaluated when the module is loaded, and again when properties are loaded or reloaded.
public struct Condition: Sendable, CustomStringConvertible {
    let holds: @Sendable (Properties) -> Bool

    /// The condition in words: `profile "prod" is active`.
    public let description: String

    /// Holds while a profile is active.
    public static func profile(_ name: String) -> Condition {
        Condition(holds: { $0.isProfileActive(name) }, description: "profile \"\(name)\" is active")
    }

    /// Holds while the property at `path` has this value.
    ///
    /// Text from the environment counts as the number or Bool that it spells.
    public static func property(_ path: String, equals value: JSONValue) -> Condition {
        Condition(
            holds: { (try? $0.hasValue(value, at: path)) ?? false },
            description: "property \"\(path)\" equals \(value)")
    }

    /// Holds while there is a property at `path`, whatever its value.
    public static func property(_ path: String) -> Condition {
        Condition(holds: { $0[path] != nil }, description: "property \"\(path)\" is set")
    }

    /// Holds while `condition` does not.
    public static func not(_ condition: Condition) -> Condition {
        Condition(holds: { !condition.holds($0) }, description: "not: \(condition.description)")
    }
}
