/// An invalid registration, reported when its module is loaded.
public struct RegistrationProblem: Sendable, Equatable, CustomStringConvertible {
    /// The kind of the problem.
    public enum Kind: Sendable, Equatable {
        /// Optionals, arrays, ``Lazy``, ``Provider``, ``Factory``, and similar types cannot be registered, because the
        /// context makes them.
        case notRegistrable
        /// The closure returns nothing, so there is no instance.
        case nothingMade
        /// The scope is `.weak`, but instances of the type cannot be held weakly.
        case weakValueType
        /// The number of qualifiers in `parameterQualifiers:` differs from the number of parameters.
        case wrongParameterQualifierCount(given: Int, parameters: Int)
        /// The qualifier comes from a setting. The qualifier of a registration must be a name.
        case qualifiedByProperty(path: String)
        /// The scope of the input cannot be opened by a child.
        case inputOfLastingScope(Scope)
        /// The module has declared the same input before.
        case inputDeclaredTwice(first: SourcePlace)
        /// A parameter is a ``RequestSite``, but the registration is neither a prototype nor a factory.
        case requestSite(Step.Role)
        /// An alias has the key of its own registration.
        case aliasOfItself
        /// The registration already has an alias for this key.
        case aliasDeclaredTwice(first: SourcePlace)
        /// A module lists a component twice.
        case componentListedTwice
        /// The payload of a factory is a ``Resolver``.
        case resolverAsPayload
        /// The payload of a factory is a ``RequestSite``.
        case requestSiteAsPayload
    }

    /// The registered key.
    public let key: Key

    /// The place of the registration.
    public let location: SourcePlace

    /// The kind of the problem.
    public let kind: Kind

    /// The role of a registration whose first parameter is not a dependency.
    private let role: Role?

    /// The kind of function whose first parameter is not a dependency.
    enum Role: Sendable, Equatable {
        case factory
        case decorator
    }

    init(key: Key, location: SourcePlace, kind: Kind, role: Role? = nil) {
        self.key = key
        self.location = location
        self.kind = kind
        self.role = role
    }

    init(record: RegistrationRecord, kind: Kind) {
        self.init(key: record.key, location: record.location, kind: kind, role: record.payload == nil ? nil : .factory)
    }

    /// The fix for a value in a wrapper that the context makes, after "register the type that it wraps".
    private var valueFix: String {
        DeclaredDependency(key.type).kind == .optional
            ? "; if its initializer can return nil, unwrap the result in a closure, or throw an error"
            : ", or remove the registration"
    }

    /// The place, the problem, and its fix.
    public var description: String {
        switch kind {
        case .notRegistrable where role == .factory:
            """
            \(location): \(key) cannot be the product of a factory: the context makes it
              fix: \(productFix)
            """
        case .notRegistrable:
            """
            \(location): \(key) cannot be registered: the context makes it
              fix: register the type that it wraps\(valueFix)
            """
        case .nothingMade:
            """
            \(location): () cannot be registered: the closure returns nothing
              fix: return the instance; if the closure has several statements, write its return type
            """
        case .weakValueType:
            """
            \(location): \(key) cannot have scope .weak: it is a value type, and only class instances can be held weakly
              fix: choose another scope, or register a class
            """
        case .wrongParameterQualifierCount(let given, let parameters):
            """
            \(location): `parameterQualifiers:` of \(subject) has \(count(given, "qualifier")), but \(parameterCount(parameters))
              fix: pass one qualifier for each parameter, in order, and nil for a parameter without one
            """
        case .qualifiedByProperty(let path):
            """
            \(location): \(key) cannot be registered with the qualifier .property("\(path)"): the qualifier of a registration is a name
              fix: register each choice with a name, and request .property("\(path)")
            """
        case .inputOfLastingScope(let scope):
            """
            \(location): \(key) cannot be an input of scope \(scope): that scope is never opened, so no input can be passed
              fix: use a custom scope, or register the instance
            """
        case .inputDeclaredTwice(let first):
            """
            \(location): input \(key) is declared twice: it is already declared at \(first)
              fix: declare it once, or give one of them another qualifier
            """
        case .aliasOfItself:
            """
            \(location): \(key) cannot be an alias of itself: it is already the key of the registration
              fix: remove the alias, or pass another type or qualifier
            """
        case .aliasDeclaredTwice(let first):
            """
            \(location): alias \(key) is declared twice: it is already declared at \(first)
              fix: declare it once, or give one of them another qualifier
            """
        case .componentListedTwice:
            """
            \(location): component \(key) is listed twice
              fix: list it once in `components:`
            """
        case .resolverAsPayload:
            """
            \(location): the payload of the factory of \(key) cannot be a Resolver
              fix: take the Resolver after the payload: { (payload: …, resolver: Resolver) in … }
            """
        case .requestSiteAsPayload:
            """
            \(location): the payload of the factory of \(key) cannot be a RequestSite
              fix: take the RequestSite after the payload; without a payload, register \(key) with scope: .prototype
            """
        case .requestSite(.registration):
            """
            \(location): \(key) cannot take a RequestSite: all requests share one instance
              fix: give it scope .prototype, or remove the parameter
            """
        case .requestSite(let role):
            """
            \(location): \(role == .injection ? ".injecting of" : "the decorator of") \(key) cannot take a RequestSite: \
            only the closure of a prototype or a factory can
              fix: take it in the closure of a prototype, or remove the parameter
            """
        }
    }

    /// What a factory returns instead of a type that the context makes.
    private var productFix: String {
        guard let way = injectable(key.type), case .optional = way.dependency.kind else {
            return "return a type of your own that contains it"
        }
        return "return \(typeName(way.dependency.type)), and throw an error if there is none"
    }

    private var subject: String { role == .decorator ? "the decorator of \(key)" : "\(key)" }

    private func parameterCount(_ parameters: Int) -> String {
        let text = count(parameters, "parameter")
        return switch role {
        case nil: "the factory closure has \(text)"
        case .factory: "the factory closure has \(text) besides its payload"
        case .decorator: "its closure has \(text) besides the instance that it wraps"
        }
    }
}

extension RegistrationProblem.Kind {
    /// Creates the problem with the qualifiers that were passed for parameters; nil if there is none.
    init?(_ qualifiers: [Qualifier?], for parameters: @autoclosure () -> [any Any.Type]) {
        if qualifiers.isEmpty { return nil }
        let count = parameters().count
        if qualifiers.count == count { return nil }
        self = .wrongParameterQualifierCount(given: qualifiers.count, parameters: count)
    }
}

/// A number with its noun: `1 parameter`, `3 parameters`.
package func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
}
