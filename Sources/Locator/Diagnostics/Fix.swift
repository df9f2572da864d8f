internal import LocatorProperties

/// A type that is never registered, because there is another way to get it.
protocol NeverRegistered {
    static var fix: String { get }
    /// The fix for an array of this type.
    static var fixOfArray: String { get }
}

extension NeverRegistered {
    static var fixOfArray: String { fix }
}

/// The fixes that errors and findings share.
enum Fix {
    /// Returns the fix for a missing registration, or for one whose module is off, which `turnOn` turns on.
    static func registering(_ key: Key, or turnOn: String? = nil) -> String {
        if key.type == RequestSite.self { return "take it as a parameter of the closure of a prototype or a factory" }
        if let type = key.type as? any NeverRegistered.Type { return type.fix }
        if isInferred(key.type) { return "specify the type to resolve" }
        let name = typeName(key.type)
        if isFunction(key.type), !name.contains("@Sendable ") {
            // Only a prototype may have a type that is not `Sendable`, and few functions are made anew for each request.
            let type = "(@Sendable \(name)).self"
            return "register a @Sendable function, registry.register(\(type)\(key.qualifierArgument)) { … }, "
                + "and request this type"
        }
        return (turnOn.map { "\($0), or " } ?? "")
            + "register it in a loaded module: registry.register(\(key.metatype)\(key.qualifierArgument)) { … }"
            + (mayBeSettings(key)
                ? "; if the settings contain it, make it a ConfigProperty with `static let path = \"…\"`" : "")
    }

    /// Whether the compiler has probably inferred a type by mistake, for example from the operand of `===`, or from the
    /// result of a closure.
    static func isInferred(_ type: any Any.Type) -> Bool {
        type == AnyObject.self || type == Any.self || type == Void.self
    }

    /// Whether a key may be a group of settings: an unqualified value of the program's own type that can be decoded.
    private static func mayBeSettings(_ key: Key) -> Bool {
        key.qualifier == nil && key.type is any Decodable.Type && !(key.type is AnyClass) && !isPlainValue(key.type)
    }

    /// The fix for an instance that a strict test does not get from a module of its trait.
    static let registeringInTrait = "register it in a module of the trait, or remove `strict`"

    /// The fix if no settings are loaded.
    static let loadingSettings =
        "load them before the first access: try context.loadProperties(from: \"Config\"), or pass `properties:` to a module"

    /// The fix for a request that reaches the shared context, if that has no modules.
    static func enteringAContext(isWrapper: Bool) -> String {
        "load its module before the first access, or \(entering("it", isWrapper: isWrapper))"
    }

    /// The fix for a request of a setting that reaches the shared context, if that has neither modules nor settings.
    static func enteringAContextWithSettings(isWrapper: Bool) -> String {
        "\(loadingSettings), or \(entering("them", isWrapper: isWrapper))"
    }

    private static func entering(_ missing: String, isWrapper: Bool) -> String {
        "\(isWrapper ? "create the wrapper in" : "enter") the context that has \(missing): "
            + "AppContext.withContext(context) { … }. "
            + "Detached tasks, threads, and dispatch blocks do not inherit a context"
    }

    /// The fix for a request in a fork, such as that of a test, if the original context has no modules.
    static func loadingIntoTheBase(_ key: Key) -> String {
        "load the modules of the program into the context that is forked, such as the base: of the test trait, or push one "
            + "that registers \(key)"
    }

    /// The fix for a registration that should be available as another type.
    static func aliasing(_ key: Key, to registered: Key) -> String {
        let qualifier = key.qualifier == registered.qualifier ? "" : key.qualifierArgument
        return "add .alias(\(key.metatype)\(qualifier)) { $0 } to the registration of \(registered)"
    }

    /// The fix for a protocol that a registered type may conform to.
    static func aliasingIfConforming(_ key: Key, _ candidate: String) -> String {
        "if \(candidate) conforms to \(key.shownType), add .alias(\(key.metatype)\(key.qualifierArgument)) { $0 } to its "
            + "registration; otherwise, register \(key)"
    }

    /// Returns the fix for a qualifier that is similar to an existing one, or nil if none is similar.
    ///
    /// - Parameters:
    ///   - near: The similar qualifiers under which the type is registered.
    ///   - path: The path of the setting that contains the qualifier, if there is one.
    static func correcting(to near: [String], given path: String?) -> String? {
        if near.isEmpty { return nil }
        let names = near.map(\.debugDescription).joined(separator: " or ")
        return path.map { "set \($0.debugDescription) to \(names)" } ?? "change the qualifier to \(names)"
    }

    /// The number of payloads that `given:` takes.
    ///
    /// A closure takes more as one tuple.
    private static let givenLimit = 3

    static func registeringFactory(_ key: Key, payload: String) -> String {
        let parts = PayloadText.parts(of: payload)
        let start = "register a factory for this payload: registry.factory(\(key.metatype)"
        if parts.count == 1 || parts.count > givenLimit {
            return "\(start)\(key.qualifierArgument)) { (payload: \(payload)) in … }"
        }
        let given = parts.map(metatypeText(of:)).joined(separator: ", ")
        return "\(start), given: \(given)\(key.qualifierArgument)) { … }"
    }

    /// Returns the fix for a product that no factory can make, such as an optional or an array; nil for any other type.
    static func namingProduct(insteadOf type: any Any.Type) -> String? {
        if injectable(type) == nil { return nil }
        return "name the type that the factory makes: \(typeName(DeclaredDependency(type).type)), not \(typeName(type))"
    }

    /// Returns the fix for an array that never has elements, because no element can be registered; nil if one can.
    static func ofArray(of element: any Any.Type) -> String? {
        if injectable(element) == nil { return nil }
        let type = DeclaredDependency(element).type
        if type == element { return "take one \(typeName(type)): it is never registered, so an array of it is empty" }
        return "take [\(typeName(type))], or something that resolves this array later: "
            + "a \(typeName(element)) cannot be registered, so it is never an element"
    }

    /// Returns the fix that lists the payloads to pass instead.
    static func passing(_ payloads: [String], or otherwise: String) -> String {
        if payloads.isEmpty { return otherwise }
        let choices = payloads.map { payload in
            let parts = PayloadText.parts(of: payload)
            return parts.count == 1 ? payload : "\(parts.joined(separator: " and ")) in this order"
        }
        return "pass \(choices.joined(separator: " or ")), or \(otherwise)"
    }

    /// Returns the fix for inputs that differ from the declared ones.
    static func handingIn(_ scopes: [Scope], _ problems: [InputProblem]) -> String {
        guard let scope = scopes.first else { return "open the scope that declares them: child(opening: …)" }
        let handing = "pass each declared input once, with `giving:` or `and: .input(…)`"
        guard let problem = problems.first(where: { $0.kind == .undeclared && $0.notes.isEmpty }) else {
            return handing
        }
        let key = problem.key
        return "\(handing), or declare it: registry.input(\(key.metatype)\(key.qualifierArgument), "
            + "scope: \(scope))"
    }

    static let replacingNull = "replace the null with a value, or remove it"

    /// The fix for a parameter whose type is made by factories.
    static func takingFactory(of type: any Any.Type, from payloads: [String], isAwaited: Bool) -> String {
        let factory = isAwaited ? "AsyncFactory" : "Factory"
        return "take \(isAwaited ? "an" : "a") "
            + payloads.map { "\(factory)<\($0), \(typeName(type))>" }.joined(separator: " or ")
    }

    /// The fix for a request without a payload for a type that is made by factories.
    static func passingPayload(for type: any Any.Type, from payloads: [String], isAwaited: Bool) -> String {
        "call `\(isAwaited ? "try await " : "")resolve(\(metatype(type)), with: …)`, or "
            + takingFactory(of: type, from: payloads, isAwaited: isAwaited)
    }

    static let closingCycle = "\(resolvingLazily), or pass it with .injecting"

    /// The fix for a cycle of prototypes: the injection of each would make the next one.
    static let resolvingLazily = "resolve one of them lazily (Lazy<…> or a wrapper)"

    /// The fix for a cycle with instances that `start()` makes.
    static let closingCycleOfStart =
        "\(resolvingLazily); .injecting does not help here: start() shares an instance only after its injections have run"

    /// The fix for an instance that needs one of a scope that has to be opened, which it outlives.
    static func openingWithHolder(_ key: Key, _ scope: String) -> String {
        "give \(key) the scope \(scope) as well, or pass the instance to its methods; a Provider or a Lazy does not help, "
            + "because it resolves outside the child"
    }

    /// The fix for a registration that needs its own key.
    ///
    /// A `Lazy` would resolve to the same instance, which would then call itself.
    static func wrapping(_ key: Key, otherwise: String = "remove the dependency") -> String {
        return "to wrap the other registrations of \(key), write "
            + "registry.decorate(\(key.metatype)\(key.qualifierArgument)) { base in … }; otherwise, \(otherwise)"
    }

    /// The fix for a decorator that requests its own key: a `Lazy` would resolve to the decorator, which would then call
    /// itself.
    static func usingWrapped(_ key: Key) -> String {
        "the first parameter is the wrapped instance: use it instead of requesting \(key) again"
    }

    /// The fix for a registration that takes an array with itself in it.
    static func takingParts(of key: Key) -> String {
        "give the other elements a qualifier, and take only these with `parameterQualifiers: [\"…\"]` in the "
            + "registration of \(key)"
    }

    /// The fix for a cycle of injections, each of which gets a new instance.
    static let sharingInCycle = "give one of them a shared scope, or \(resolvingLazily)"

    /// The fix for a cycle with a `Lazy` or a wrapper that is read too early.
    static let usingLater = "read it after both are made, not in the initializer or factory closure of either"

    /// The fix for asynchronous factory closures of two contexts that start each other's context.
    static let startingFromOutside = "start one of the contexts first, outside of asynchronous factory closures"

    /// The fix for an element of a collection that a start has left out.
    static let startingForElement =
        "call `try await context.start()` again, which makes it after this request, or take the array in a registration"

    /// The fix for a request of something that a shutdown has ended.
    static let startingAgain = "resolve it before the shutdown, or call `try await context.start()` again"

    /// The fix for a request of something that was registered after the start.
    static let startingOnce =
        "call `try await context.start()` again; for a push, use `try await context.pushing`, which starts what it adds"

    /// The fixes for a request of something that a change, such as a reload, has ended.
    static let startingAfterChange = "call `try await context.start()` again, or reload with `reloadAndStart`"
    static func startingAgain(_ context: String) -> String {
        "call `try await \(context).start()` again, or open the child with `keepsSettings: true` if settings are reloaded"
    }

    /// The fix for a request of an observer or a hook that would have to wait for the request that has called it.
    static let requestingAfterInjections = "resolve it once the outer request has returned"

    /// The fix for an input without a value.
    static let passingInput = "pass it when the scope is opened: child(opening: …, giving: …)"

    /// The fix for a request of a scope that is not open.
    static func opening(_ scope: Scope, hasInputs: Bool) -> String {
        let (child, within) =
            hasInputs
            ? ("child(opening: \(scope), giving: …)", "within(\(scope), giving: …)")
            : ("child(opening: \(scope))", "within(\(scope))")
        return "resolve it in a child that opens the scope: \(child) or \(within)"
    }

    /// The fix for a request of a context whose last reference was released.
    static let keepingContext = "keep a reference to the context for as long as it is used"

    /// The fix for a request of a child that `within` has ended.
    static func openingWithoutWithin(_ scopes: [Scope]) -> String {
        let list = scopes.map(\.description).joined(separator: ", ")
        return "open "
            + (scopes.isEmpty ? "a child with `child(pushing: …)`" : "the scope with `child(opening: \(list))`")
            + ", and keep that child for as long as it is used"
    }

    /// The fix for a wrapper whose context has not opened the scope.
    static func beingOpened(_ scope: Scope) -> String {
        "create the wrapper in a child that opens the scope: give its owner the scope \(scope), or pass the instance "
            + "to its methods"
    }

    /// The fix for the path of a setting that was passed as the name of a qualifier.
    static func namingTheSetting(_ path: String) -> String {
        let path = path.debugDescription
        return "\(path) is a setting: write qualifierBy: \(path), or .property(\(path))"
    }

    /// The fix for the path of a setting that was passed as a qualifier of a plain value.
    static func readingTheSetting(_ path: String, as key: Key) -> String {
        let path = path.debugDescription
        return "\(path) is a setting: read it with @PropertyValue(\(path)), or with value(\(path), as: \(key.metatype))"
    }

    /// The fix for the name of a qualifier that was passed as the path of a setting.
    static func namingTheQualifier(_ name: String) -> String {
        let name = name.debugDescription
        return "\(name) is a qualifier: write qualifier: \(name); qualifierBy: takes the path of a setting"
    }

    /// The fix for an instance that is made at load, but depends on an asynchronous factory closure.
    static let makingAtLoad = "give it the scope .singleton, take a Lazy, or register it with `async:` as well"

    /// The fix for an instance that is made at load, but depends on what is missing then.
    static func loadingFirst(_ key: Key) -> String {
        "\(registering(key)); if another module registers it, load that module first, or both in one call"
    }

    /// A type as it is written as an argument: `Int.self`, `(any Logger).self`.
    static func metatype(_ type: any Any.Type) -> String { Key(type).metatype }

    /// The fix for a parameter that is a plain value, if it is not one of several with qualifiers: few programs register
    /// such a type.
    static func passingPlainValue(_ key: Key, payload: (any Any.Type)?) -> String? {
        if key.qualifier != nil || isFunction(key.type) { return nil }
        if payload == nil {
            return "pass a value in the factory closure (.init ignores default arguments), take it from a "
                + "ConfigProperty, or, if the caller passes it, register a factory"
        }
        return plainValue(key.type, payload: payload)
            + "; otherwise, pass a value in the factory closure, or take it from a ConfigProperty"
    }

    /// A hint for a parameter that is a plain value, which is resolved like any other: it has a default value, or the
    /// caller of a factory was meant to pass it.
    static func plainValue(_ type: any Any.Type, payload: (any Any.Type)?) -> String {
        guard let payload else { return ".init ignores default arguments; use a closure" }
        let given = PayloadText.parts(of: typeName(payload)) + [typeName(type)]
        if given.count > givenLimit {
            return "if the caller passes it, declare a payload with all that it passes: "
                + "{ (payload: (\(given.joined(separator: ", ")))) in … }"
        }
        return "if the caller passes it, declare all that it passes: given: "
            + given.map(metatypeText(of:)).joined(separator: ", ")
    }
}
