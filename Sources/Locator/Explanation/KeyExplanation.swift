/// What a context answers to a request, and why.
///
/// ```swift
/// print(context.explain((any Catalog).self))
/// ```
public struct KeyExplanation: Sendable, Hashable, CustomStringConvertible {
    /// A registration that answers, with what stands around it.
    public struct Answer: Sendable, Hashable {
        /// The registration's key and place; nil for a type that is decoded without being registered.
        public var registered: Registered?
        /// The name of its module.
        public var module: String?
        /// The priority of its module.
        public var priority: Priority?
        /// The scope as it is written: `.singleton`.
        public var scope: String
        /// The decorators and aliases around it, outermost first.
        public var layers: [Step]
        /// Whether it is handed in where its scope is opened.
        public var isInput: Bool
        /// Whether there is an instance.
        public var isMade: Bool
        /// What the instance was made from; what its maker's parameters ask for, where there is none.
        public var parts: [String]
    }

    /// A registration that would answer if others did not.
    public struct Hidden: Sendable, Hashable {
        /// The registration's key and place.
        public var registered: Registered
        /// The name of its module.
        public var module: String
        /// The priority of its module.
        public var priority: Priority
    }

    /// What was asked for.
    public var key: Key
    /// What answers: one registration, all elements of a collection, or nothing.
    public var answers: [Answer]
    /// What the answer hides.
    public var hidden: [Hidden]
    /// Why nothing answers.
    public var problem: String?

    /// The explanation for a terminal.
    ///
    /// ```text
    /// any Catalog
    ///   answered by any Catalog (Shop/Shop.swift:17) in module "Shop" (priority normal), .singleton, made
    ///     decorated by decorator of any Catalog (Shop/Cache.swift:4)
    ///     made from any Logger "file" (Shop/Shop.swift:12)
    ///     made from property "server.url" (application-prod.json:4:12)
    ///   hides any Catalog (Base/Base.swift:3) in module "Base" (priority low)
    /// ```
    public var description: String {
        var lines = ["\(key)"]
        if let problem {
            lines += problem.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }
        }
        for answer in answers { lines += answer.lines }
        lines += hidden.map {
            "  hides \($0.registered) in module \"\($0.module)\" (priority \($0.priority))"
        }
        return lines.joined(separator: "\n")
    }
}

extension KeyExplanation.Answer {
    fileprivate var lines: [String] {
        var head = registered.map { "  answered by \($0)" } ?? "  decoded from the properties, as nothing registers it"
        if let module, let priority { head += " in module \"\(module)\" (priority \(priority))" }
        if registered != nil { head += ", \(scope)" }
        if isInput { head += ", input" }
        if isMade { head += isInput ? ", handed in" : ", made" }
        return [head]
            + layers.map { step in
                if case .alias = step.role { "    through \(step)" } else { "    wrapped by \(step)" }
            }
            + parts.map { "    \(isMade ? "made from" : "needs") \($0)" }
    }
}
