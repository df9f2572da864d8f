internal import LocatorProperties

/// The lifetime of an instance that the context retains.
///
/// Instances of these scopes are shared, so their types must be `Sendable`. ``UnretainedScope`` and ``PrototypeScope``
/// are separate types, so the compiler can check what each allows.
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
    /// One instance for the lifetime of the context, made on the first request.
    public static let singleton = Scope("singleton")

    /// One instance for the lifetime of the context, made when its module is loaded.
    ///
    /// If the instance cannot be made, the load throws the error.
    public static let always = Scope("always")

    /// The name of the scope.
    public let name: String

    /// Whether instances exist only in a context that has opened the scope, and in the children of that context.
    ///
    /// This value is not part of the scope's identity: two scopes with the same name are equal.
    public let requiresOpening: Bool

    /// Whether instances live as long as their context.
    ///
    /// Stored, because it is read for each registration.
    let isLasting: Bool

    /// Creates a custom scope.
    ///
    /// `context.reset(scope)` disposes of its instances.
    ///
    /// ```swift
    /// extension Scope {
    ///     static let session = Scope("session")
    ///     static let request = Scope("request", requiresOpening: true)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name that identifies the scope.
    ///   - requiresOpening: Whether requesting an instance is an error if no context has opened the scope with
    ///     `AppContext.child`. If false, such an instance lives in the outermost context.
    public init(_ name: String, requiresOpening: Bool = false) {
        self.name = name
        self.requiresOpening = requiresOpening
        isLasting = name == "singleton" || name == "always"
    }

    /// Returns whether two scopes have the same name.
    public static func == (left: Scope, right: Scope) -> Bool { left.name == right.name }

    /// Feeds the name to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// Not available: the scope has this name in other libraries.
    @available(*, unavailable, renamed: "singleton")
    public static var single: Scope { .singleton }

    /// Not available: the scope has this name in other libraries.
    @available(*, unavailable, renamed: "singleton")
    public static var container: Scope { .singleton }

    /// Not available: the scope has this name in other libraries.
    @available(*, unavailable, renamed: "singleton")
    public static var cached: Scope { .singleton }

    /// Not available: the scope has this name in other libraries.
    @available(*, unavailable, renamed: "singleton")
    public static var application: Scope { .singleton }

    /// The scope as written in a registration.
    public var description: String { isMember ? ".\(name)" : initializer() }

    /// Whether a constant of this type can have the name of the scope, and be written after a dot.
    private var isMember: Bool {
        name.first?.isNumber == false && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
            && !["init", "self", "Self", "Type", "_"].contains(name)
    }

    /// The declaration of the scope as a constant.
    var declaration: String {
        let words = Words.lowerCamelCase(Words.split(name))
        let isName = isMember || words.first?.isLetter ?? false
        let constant = isName ? SwiftKeywords.escaped(isMember ? name : words) : "…"
        return "static let \(constant) = \(initializer(requiresOpening ? ", requiresOpening: true" : ""))"
    }

    private func initializer(_ further: String = "") -> String { "Scope(\(name.debugDescription)\(further))" }
}

/// The scopes whose instances are shared, but not retained by the context.
public enum UnretainedScope: Sendable, Hashable {
    /// One instance for as long as other code retains it. Only for classes.
    case weak

    /// One instance per outermost request.
    case graph

    /// Not available: the scope has this name in other libraries.
    @available(*, unavailable, renamed: "weak")
    public static var shared: UnretainedScope { .weak }
}

/// The scope of instances that are not shared.
public enum PrototypeScope: Sendable, Hashable {
    /// A new instance for each request. The type does not have to be `Sendable`.
    case prototype

    /// Not available: the scope has this name in other libraries.
    @available(*, unavailable, renamed: "prototype")
    public static var transient: PrototypeScope { .prototype }

    /// Not available: the scope has this name in other libraries.
    @available(*, unavailable, renamed: "prototype")
    public static var unique: PrototypeScope { .prototype }
}

/// The lifetime of an instance: any scope as one type.
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

    /// Whether the context keeps track of the instance, so that it is made only once.
    var isShared: Bool {
        switch self {
        case .held, .weak: true
        case .graph, .prototype: false
        }
    }

    /// Whether the instance is made when its module is loaded.
    var isAlways: Bool { self == .held(.always) }

    /// Whether the instance lives as long as its context.
    var isLasting: Bool {
        if case .held(let scope) = self { scope.isLasting } else { false }
    }

    /// The scope if a child can open it; otherwise nil.
    ///
    /// Its instances may be disposed of before their context ends.
    var openableScope: Scope? {
        if case .held(let scope) = self, !scope.isLasting { scope } else { nil }
    }

    /// The scope whose instances a context lists, so that a reset of the scope looks at no others.
    ///
    /// It is nil for `.singleton`, because most instances are singletons.
    var listedScope: Scope? {
        if case .held(let scope) = self, scope != .singleton { scope } else { nil }
    }

    /// The name of the scope, such as `singleton`.
    var name: String {
        switch self {
        case .held(let scope): scope.name
        case .weak: "weak"
        case .graph: "graph"
        case .prototype: "prototype"
        }
    }

    /// The scope as written in code, such as `.singleton`.
    var description: String { "\(Scope(name))" }
}
