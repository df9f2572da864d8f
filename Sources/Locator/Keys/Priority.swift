/// How early a module is asked: modules of a higher priority answer first.
///
/// ```swift
/// try context.load(defaults, priority: .low)
/// try context.load(plugins, priority: 600)
/// ```
public struct Priority: Sendable, Hashable, Comparable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    /// For defaults that any other module may replace: 100.
    public static let low: Priority = 100

    /// What `AppContext.load` uses unless told otherwise: 500.
    public static let normal: Priority = 500

    /// Where the properties of profile files stand: modules above replace their values, modules below supply defaults:
    /// 750.
    public static let profile: Priority = 750

    /// For replacements in tests, and what a push uses unless told otherwise: 1000.
    public static let high: Priority = 1000

    /// The number that is compared.
    public let value: Int

    /// Creates a priority of any number.
    public init(_ value: Int) {
        self.value = value
    }

    /// Creates a priority of any number.
    public init(integerLiteral value: Int) {
        self.init(value)
    }

    /// Orders priorities by their numbers.
    public static func < (left: Priority, right: Priority) -> Bool {
        left.value < right.value
    }

    /// The name of a named priority, else its number.
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
