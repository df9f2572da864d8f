/// A type that is decoded from the settings at a fixed path.
///
/// ```swift
/// struct ServerConfig: ConfigProperty {
///     static let path = "server"
///     let host: String
///     let port: Int
/// }
/// let server = try properties.decode(ServerConfig.self)
/// ```
public protocol ConfigProperty: Decodable, Sendable {
    /// The path of the object with the type's properties.
    static var path: String { get }
}
