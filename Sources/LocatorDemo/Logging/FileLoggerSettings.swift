import Locator

/// `logger.file` of the profile files, decoded as one value.
///
/// A type that needs it takes it as a parameter.
struct FileLoggerSettings: ConfigProperty {
    static let path = "logger.file"
    let path: String
    let maxSize: Int
}
