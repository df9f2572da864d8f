/// Where a value was written: `application-prod.json:4:12`, `environment variable SHOP_SERVER__PORT`, `module Fakes`.
public struct PropertyOrigin: Sendable, Hashable, CustomStringConvertible {
    /// The file, variable, or code in which the value was written.
    public enum Source: Sendable, Hashable {
        /// A file, by name.
        case file(String)
        /// An environment variable, by name.
        case environment(String)
        /// A part of the program, by name: a module or a tree of settings.
        case code(String)
    }

    /// The file, variable, or code in which the value was written.
    public var source: Source
    /// The position in the source, if it has lines.
    public var position: JSONPosition?

    /// Creates an origin.
    public init(_ source: Source, position: JSONPosition? = nil) {
        self.source = source
        self.position = position
    }

    /// The name of the source in words.
    public var name: String {
        switch source {
        case .file(let name), .code(let name): name
        case .environment(let name): "environment variable \(name)"
        }
    }

    /// The origin in words.
    public var description: String {
        (position.map { "\(name):\($0)" } ?? name).escapingHidden()
    }
}

extension PropertyOrigin.Source {
    /// The name without a description.
    var label: String {
        switch self {
        case .file(let name), .environment(let name), .code(let name): name
        }
    }
}
