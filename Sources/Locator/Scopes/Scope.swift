/// How long an instance that the context holds lives.
///
/// Instances of these scopes are shared, so their types must be `Sendable`. ``UnheldScope`` and ``PrototypeScope`` are
/// types of their own, so that the compiler can tell what each allows.
public struct Scope: Sendable, Hashable, CustomStringConvertible {
    /// One instance for as long as the context lives, made when first asked for.
    public static let singleton = Scope("singleton")

    /// One instance for as long as the context lives, made when its module is loaded; errors surface there.
    public static let always = Scope("always")

    /// The scope's name.
    public let name: String

    /// Creates a scope of your own; `context.reset(scope)` drops its instances.
    ///
    /// ```swift
    /// extension Scope {
    ///     static let session = Scope("session")
    /// }
    /// ```
    public init(_ name: String) {
        self.name = name
    }

    /// The scope as it is written where something is registered.
    public var description: String { ".\(name)" }
}

/// The scopes whose instances are shared but not held by the context.
public enum UnheldScope: Sendable, Hashable {
    /// One instance for as long as somebody else holds it; for classes only.
    case weak

    /// One instance within an outermost resolve.
    case graph
}

/// The scope that shares nothing.
public enum PrototypeScope: Sendable, Hashable {
    /// A new instance each time; any type, `Sendable` or not.
    case prototype
}

/// How long an instance lives: all scopes as one value.
enum Lifetime: Sendable, Hashable, CustomStringConvertible {
    case held(Scope)
    case weak
    case graph
    case prototype

    init(_ scope: UnheldScope) {
        switch scope {
        case .weak: self = .weak
        case .graph: self = .graph
        }
    }

    /// Whether the context keeps a record of the instance, so that it is made once.
    var isShared: Bool {
        switch self {
        case .held, .weak: true
        case .graph, .prototype: false
        }
    }

    /// Whether the instance is made when its module is loaded.
    var isAlways: Bool { self == .held(.always) }

    /// Whether the instance lives for as long as its context does.
    var isLasting: Bool { self == .held(.singleton) || self == .held(.always) }

    /// The scope, where it is one that the program has defined: its instances may end before their context.
    var customScope: Scope? {
        guard case .held(let scope) = self, !isLasting else { return nil }
        return scope
    }

    var description: String {
        switch self {
        case .held(let scope): scope.description
        case .weak: ".weak"
        case .graph: ".graph"
        case .prototype: ".prototype"
        }
    }
}
