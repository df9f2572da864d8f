/// A wrapper that hides a value when it is printed, for secrets in types that are decoded from settings.
///
/// ```swift
/// struct DatabaseConfig: ConfigProperty {
///     static let path = "database"
///     let host: String
///     let password: Secret<String>
/// }
/// let database = try properties.decode(DatabaseConfig.self)
/// print(database)                                 // DatabaseConfig(host: "db.local", password: <secret>)
/// connect(database.host, database.password.value)
/// ```
///
/// Errors and explanations mask a setting only if its key, or a list of secrets, marks it as secret.
public struct Secret<Value> {
    /// The value.
    public let value: Value

    /// Creates a wrapper that hides a value.
    public init(_ value: Value) {
        self.value = value
    }
}

extension Secret: Sendable where Value: Sendable {}
extension Secret: Equatable where Value: Equatable {}
extension Secret: Hashable where Value: Hashable {}

extension Secret: Decodable where Value: Decodable {
    /// Decodes the value itself.
    ///
    /// - Throws: The error of decoding `Value`.
    public init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(Value.self)
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A mask that is the same for all values.
    public var description: String { Redaction.mask }

    /// A mask that is the same for all values.
    public var debugDescription: String { Redaction.mask }

    /// An empty mirror, so that `dump` and other reflection cannot show the value.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
