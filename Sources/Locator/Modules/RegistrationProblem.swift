/// A mistake in how something is registered, found when its module is loaded.
public struct RegistrationProblem: Sendable, Equatable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: Sendable, Equatable {
        /// Optionals, arrays, ``Lazy``, ``Provider``, ``Factory`` and the like are ways to ask and cannot be registered.
        case notRegistrable
        /// The closure returns nothing, so that there is no instance.
        case nothingMade
        /// `.weak` on a type whose instances cannot be held weakly.
        case weakValueType
        /// `parameterQualifiers:` names another number of qualifiers than there are parameters.
        case wrongParameterQualifierCount(given: Int, parameters: Int)
        /// A registration is qualified by a name, never by a property.
        case qualifiedByProperty(path: String)
        /// An input is of a scope that no child can open.
        case inputOfLastingScope(Scope)
        /// A parameter is a ``RequestSite``, of something else than a prototype or a factory.
        case requestSite(Step.Role)
    }

    /// What was registered.
    public let key: Key

    /// Where it was registered.
    public let location: SourcePlace

    /// What is wrong.
    public let kind: Kind

    init(key: Key, location: SourcePlace, kind: Kind) {
        self.key = key
        self.location = location
        self.kind = kind
    }

    init(record: RegistrationRecord, kind: Kind) {
        self.init(key: record.key, location: record.location, kind: kind)
    }

    /// The place, the mistake and its fix.
    public var description: String {
        switch kind {
        case .notRegistrable:
            """
            \(location): \(key) cannot be registered: it is a way to ask for what it wraps
              fix: register the wrapped type; the context makes the optional, the array or the factory from it
            """
        case .nothingMade:
            """
            \(location): () cannot be registered: the closure returns nothing
              fix: return the instance, and name its type where the closure has several statements
            """
        case .weakValueType:
            """
            \(location): \(key) cannot have scope .weak: it is a value type, and only an object can be held weakly
              fix: choose another scope, or register a class
            """
        case .wrongParameterQualifierCount(let given, let parameters):
            """
            \(location): `parameterQualifiers:` of \(key) names \(count(given, "qualifier")), but its maker has \(count(parameters, "parameter"))
              fix: name one qualifier for each parameter, in order, and nil where it needs none
            """
        case .qualifiedByProperty(let path):
            """
            \(location): \(key) cannot be registered with the qualifier .property("\(path)"): a registration is qualified by a name
              fix: register each choice with a name, and ask for .property("\(path)")
            """
        case .inputOfLastingScope(let scope):
            """
            \(location): \(key) cannot be an input of scope \(scope): nobody opens that scope, so nobody hands the input in
              fix: use a scope of your own, or register the instance
            """
        case .requestSite(.registration):
            """
            \(location): \(key) cannot take a RequestSite: one instance is given to all who ask, wherever they are
              fix: give it scope .prototype, or remove the parameter
            """
        case .requestSite(let role):
            """
            \(location): \(role == .injection ? ".injecting of" : "the decorator of") \(key) cannot take a RequestSite: \
            only the maker of a prototype or of a factory can
              fix: take it in the maker of a prototype, or remove the parameter
            """
        }
    }
}

/// A number with its noun: `1 parameter`, `3 parameters`.
func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
}
