/// The priority of a module in lookup order: modules with a higher priority come first.
///
/// ```swift
/// try context.load(defaults, priority: .low)
/// try context.load(plugins, priority: 600)
/// ```
public struct Priority: Sendable, Hashable, Comparable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    /// For defaults that any other module can replace: 100.
    public static let low: Priority = 100

    /// The default of `AppContext.load`: 500.
    public static let normal: Priority = 500

    /// The priority of the profile files: 750.
    ///
    /// The settings of modules with a higher priority override the files. The settings of other modules are defaults.
    public static let profile: Priority = 750

    /// For replacements in tests, and the default of a push: 1000.
    public static let high: Priority = 1000

    /// The number.
    public let value: Int

    /// Creates a priority from a number.
    public init(_ value: Int) {
        self.value = value
    }

    /// Creates a priority from a number.
    public init(integerLiteral value: Int) {
        self.init(value)
    }

    /// Orders priorities by their numbers.
    public static func < (left: Priority, right: Priority) -> Bool {
        left.value < right.value
    }

    /// The name of a predefined priority; otherwise the number.
    public var description: String {
        switch self {
        case .low: "low"
        case .normal: "normal"
        case .profile: "profile"
        case .high: "high"
        default: String(value)
        }
    }
}
