/// A value that is not printed: for what is secret in a type that is decoded from settings.
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
/// Errors and explanations mask a setting if its key, or a list of secrets, says that it is secret.
public struct Secret<Value> {
    /// The value itself.
    public let value: Value

    /// Hides a value.
    public init(_ value: Value) {
        self.value = value
    }
}

extension Secret: Sendable where Value: Sendable {}
extension Secret: Equatable where Value: Equatable {}
extension Secret: Hashable where Value: Hashable {}

extension Secret: Decodable where Value: Decodable {
    /// Decodes what the value itself is decoded from.
    ///
    /// - Throws: The error of decoding `Value`.
    public init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(Value.self)
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The same text whatever the value is.
    public var description: String { Redaction.mask }

    /// The same text whatever the value is.
    public var debugDescription: String { Redaction.mask }

    /// What `dump` and other reflection see: nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
