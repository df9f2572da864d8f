/// How long an instance that the context holds lives.
///
/// Instances of these scopes are shared, so their types must be `Sendable`. ``UnretainedScope`` and ``PrototypeScope`` are
/// types of their own, so that the compiler can tell what each allows.
///
/// ```swift
/// extension Scope {
///     static let session = Scope("session")
///     static let request = Scope("request", requiresOpening: true)
/// }
///
/// registry.register(Basket.self, scope: .session, Basket.init)
/// ```
public struct Scope: Sendable, Hashable, CustomStringConvertible {
    /// One instance for as long as the context lives, made when first asked for.
    public static let singleton = Scope("singleton")

    /// One instance for as long as the context lives, made when its module is loaded; errors surface there.
    public static let always = Scope("always")

    /// The scope's name.
    public let name: String

    /// Whether its instances exist only in a context that has opened the scope, and in the children of that context.
    ///
    /// It is not part of the scope's identity: two scopes with the same name are equal.
    public let requiresOpening: Bool

    /// Whether its instances live for as long as their context; stored because it is asked for each registration.
    let isLasting: Bool

    /// Creates a scope of your own; `context.reset(scope)` drops its instances.
    ///
    /// ```swift
    /// extension Scope {
    ///     static let session = Scope("session")
    ///     static let request = Scope("request", requiresOpening: true)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name, which identifies the scope.
    ///   - requiresOpening: Whether asking for an instance is an error where no context has opened the scope with
    ///     `AppContext.child`. Otherwise such an instance lives in the
    ///     outermost context.
    public init(_ name: String, requiresOpening: Bool = false) {
        self.name = name
        self.requiresOpening = requiresOpening
        isLasting = name == "singleton" || name == "always"
    }

    /// Tells whether two scopes have the same name.
    public static func == (left: Scope, right: Scope) -> Bool { left.name == right.name }

    /// Feeds the name to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The scope as it is written where something is registered.
    public var description: String { ".\(name)" }
}

/// The scopes whose instances are shared, but not retained by the context.
public enum UnretainedScope: Sendable, Hashable {
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

    init(_ scope: UnretainedScope) {
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
    var isLasting: Bool {
        if case .held(let scope) = self { scope.isLasting } else { false }
    }

    /// The scope that a child may open, or nil where the instances are of another life.
    var openableScope: Scope? {
        if case .held(let scope) = self, !scope.isLasting { scope } else { nil }
    }

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
