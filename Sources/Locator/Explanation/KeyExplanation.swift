/// An explanation of what a request resolves to, and why.
///
/// ```swift
/// print(context.explain((any Catalog).self))
/// ```
public struct KeyExplanation: Sendable, Hashable, CustomStringConvertible {
    /// A registration that the request resolves to, with its decorators and aliases.
    public struct Answer: Sendable, Hashable {
        /// The registration's key and place; nil for a type that is decoded from settings without a registration.
        public var registered: Registered?
        /// The name of its module.
        public var module: String?
        /// The priority of its module.
        public var priority: Priority?
        /// The scope as it is written in code: `.singleton`.
        public var scope: String
        /// The decorators and aliases around it, outermost first.
        public var layers: [Step]
        /// Whether it is an input, which is passed when its scope is opened.
        public var isInput: Bool
        /// Whether the instance exists.
        public var isMade: Bool
        /// The dependencies that the instance was made from.
        ///
        /// If it does not exist yet, these are the parameters of its factory closure.
        public var parts: [String]
    }

    /// A registration that a request does not reach, because another one comes first.
    public struct Hidden: Sendable, Hashable {
        /// The registration's key and place.
        public var registered: Registered
        /// The name of its module.
        public var module: String
        /// The priority of its module.
        public var priority: Priority
    }

    /// The requested key.
    public var key: Key
    /// The registrations that the request resolves to: one, one for each element of a collection, or none.
    public var answers: [Answer] = []
    /// The registrations that the answer hides.
    public var hidden: [Hidden] = []
    /// Why the request does not resolve to anything.
    ///
    /// This is not always an error: an optional is nil, or an array is empty. If `problem` is nil, making the instance
    /// may still fail. ``AppContext/validate(profiles:)`` reports whether it would.
    public var problem: String?

    /// The explanation as text.
    ///
    /// ```text
    /// any Catalog
    ///   resolves to any Catalog (Shop/Shop.swift:17) in module "Shop" (priority normal), .singleton, made
    ///     wrapped by decorator of any Catalog (Shop/Cache.swift:4)
    ///     made from any Logger "file" (Shop/Shop.swift:12)
    ///     made from setting "server.url" (application-prod.json:4:12)
    ///   hides any Catalog (Base/Base.swift:3) in module "Base" (priority low)
    /// ```
    public var description: String {
        var lines = ["\(key)"]
        if let problem {
            lines += problem.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }
        }
        for answer in answers { lines += answer.lines }
        lines += hidden.map { "  hides \($0.registered) in module \"\($0.module)\" (priority \($0.priority))" }
        return lines.map { $0.escapingHidden() }.joined(separator: "\n")
    }
}

extension KeyExplanation.Answer {
    fileprivate var lines: [String] {
        var head =
            registered.map { "  resolves to \($0)" } ?? "  decoded from the settings, because it is not registered"
        if let module, let priority { head += " in module \"\(module)\" (priority \(priority))" }
        if registered != nil { head += ", \(scope)" }
        if isInput { head += ", input" }
        if isMade { head += isInput ? ", passed in" : ", made" }
        return [head]
            + layers.map { step in
                if case .alias = step.role { "    through \(step)" } else { "    wrapped by \(step)" }
            }
            + parts.map { "    \(isMade ? "made from" : "needs") \($0)" }
    }
}
