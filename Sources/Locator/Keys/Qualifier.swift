/// A name that distinguishes registrations of the same type.
///
/// A string literal is a name. Define constants for names that you use often. They work wherever a qualifier is
/// expected:
///
/// ```swift
/// extension Qualifier {
///     static let file: Qualifier = "file"
/// }
///
/// registry.register((any Logger).self, qualifier: .file) { FileLogger() }
/// try context.resolve((any Logger).self, qualifier: .file)
/// ```
///
/// A literal can contain interpolations, as in `"replica \(number)"`. For a name in a variable, use ``named(_:)``.
public struct Qualifier: Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
    enum Content: Sendable, Hashable {
        case name(String)
        case property(String)
    }

    let content: Content

    /// The name; nil if it is read from a setting.
    var name: String? {
        if case .name(let name) = content { name } else { nil }
    }

    /// The path of the setting that the name is read from.
    var path: String? {
        if case .property(let path) = content { path } else { nil }
    }

    /// Creates a qualifier with this name.
    public static func named(_ name: String) -> Qualifier {
        Qualifier(content: .name(name))
    }

    /// Returns a qualifier whose name is the value of the setting at a path.
    ///
    /// The setting is read on each request.
    ///
    /// Use it to choose among registrations. A registration itself must have a name as its qualifier.
    public static func property(_ path: String) -> Qualifier {
        Qualifier(content: .property(path))
    }

    private init(content: Content) {
        self.content = content
    }

    /// Creates a qualifier with this name.
    public init(stringLiteral name: String) {
        self.init(content: .name(name))
    }

    /// The name in quotes, or the setting that the name comes from.
    public var description: String {
        switch content {
        case .name(let name): name.debugDescription
        case .property(let path): "the value of setting \"\(path)\""
        }
    }
}
