/// Where a value was written: `application-prod.json:4:12`, `environment variable SHOP_SERVER__PORT`, `module Fakes`.
public struct PropertyOrigin: Sendable, Hashable, CustomStringConvertible {
    /// What the value was written in.
    public enum Source: Sendable, Hashable {
        /// A file, by its name.
        case file(String)
        /// An environment variable, by its name.
        case environment(String)
        /// Something in the program, by its name: a module, or a tree of settings.
        case code(String)
    }

    /// What the value was written in.
    public var source: Source
    /// Where in it, as far as it has lines.
    public var position: JSONPosition?

    /// Creates an origin.
    public init(_ source: Source, position: JSONPosition? = nil) {
        self.source = source
        self.position = position
    }

    /// What the value was written in, in words.
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
    /// The name alone.
    var label: String {
        switch self {
        case .file(let name), .environment(let name), .code(let name): name
        }
    }
}
