/// What tells two registrations of one type apart.
///
/// A string literal is a name. Names that are used often are best kept as constants, which then work wherever a
/// qualifier is written:
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
/// A literal may have parts that are known only at run time, as in `"replica \(number)"`. A name in a variable is given as
/// ``named(_:)``.
public struct Qualifier: Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
    enum Content: Sendable, Hashable {
        case name(String)
        case property(String)
    }

    let content: Content

    /// The name, or nil where it is read from a property.
    var name: String? {
        if case .name(let name) = content { name } else { nil }
    }

    /// The path of the property that the name is read from.
    var path: String? {
        if case .property(let path) = content { path } else { nil }
    }

    /// The qualifier with this name.
    public static func named(_ name: String) -> Qualifier {
        Qualifier(content: .name(name))
    }

    /// The qualifier whose name is the text at a path of the properties, read each time it is asked for.
    ///
    /// It chooses among registrations; a registration itself is qualified by a name.
    public static func property(_ path: String) -> Qualifier {
        Qualifier(content: .property(path))
    }

    private init(content: Content) {
        self.content = content
    }

    /// The qualifier with this name.
    public init(stringLiteral name: String) {
        self.init(content: .name(name))
    }

    /// The name in quotes, or the property it is read from.
    public var description: String {
        switch content {
        case .name(let name): "\"\(name)\""
        case .property(let path): "the value of property \"\(path)\""
        }
    }
}
