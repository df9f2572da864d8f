import Locator

/// `logger.file` of the profile files, decoded as one value; whoever needs it asks for it by its type.
struct FileLoggerSettings: ConfigProperty {
    static let path = "logger.file"
    let path: String
    let maxSize: Int
}
