/// A problem or note that ``AppContext/validate(profiles:)`` reports.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// The severity of a finding.
    public enum Severity: String, Sendable, Hashable, Codable, CaseIterable {
        /// A problem that causes a failure or wrong behavior when it is used.
        case error
        /// A probable mistake.
        case warning
        /// Information: what was not checked, and what is shared.
        case note
    }

    /// The kinds of findings.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// A registration needs a key that is not registered.
        case missing
        /// Several registrations match a dependency, and not exactly one of them is primary.
        case ambiguous
        /// Registrations depend on each other.
        case circularDependency
        /// A shared instance holds a dependency with a shorter lifetime.
        case captiveDependency
        /// An instance depends on one whose scope must be opened, but lives where the scope is not open.
        case unopened
        /// One registration requires a scope to be opened, and another one does not.
        case scopeConflict
        /// A registration needs a type that only factories make, or a factory that takes a payload of another type.
        case payload
        /// A decorator wraps nothing.
        case decoratorWithoutTarget
        /// An asynchronous factory closure takes an instance that belongs to the main actor, so `start()` will fail.
        case wrongActor
        /// `parameterQualifiers:` contains a qualifier for a parameter that cannot have one.
        case parameterQualifiers
        /// An instance that is made when its module is loaded needs one that only `start()` makes.
        case alwaysNeedsStart
        /// A required setting is missing or has the wrong type, or its files cannot be read.
        case property
        /// A condition probably never has the intended result: its profile or setting does not exist, its setting has
        /// another type, or only a module with a condition sets it.
        case condition
        /// A registration gets an empty array, because the element type is not registered, or `replaceAll` leaves it out.
        case emptyCollection
        /// The name of a scope is similar to that of another one.
        case misspelledScope
        /// A registration is hidden by another module.
        case shadowed
        /// A registration cannot be reached by any request, or a module replaces no element of a collection.
        case neverUsed
        /// Two modules have the same name.
        case sameModuleName
        /// An optional is nil, or a pushed registration replaces nothing, although something similar is registered.
        case similarName
        /// A variable, a file, or a listed path probably does not have the intended effect.
        case environment
        /// Neither modules nor settings are loaded, so nothing was checked.
        case nothingLoaded
        /// A registration takes a ``Resolver``, so some of its dependencies are unknown.
        case notChecked
        /// An instance is shared with the context that this one was forked from.
        case shared

        /// The severity of most findings of this kind.
        public var severity: Severity {
            switch self {
            case .missing, .ambiguous, .circularDependency, .captiveDependency, .unopened, .scopeConflict, .payload,
                .decoratorWithoutTarget, .wrongActor, .parameterQualifiers, .alwaysNeedsStart, .property:
                .error
            case .condition, .emptyCollection, .misspelledScope, .shadowed, .neverUsed, .sameModuleName, .similarName,
                .environment, .nothingLoaded:
                .warning
            case .notChecked, .shared: .note
            }
        }
    }

    /// A line below a finding, about another relevant place.
    public struct Note: Sendable, Hashable, CustomStringConvertible {
        /// The place, if there is one.
        public var location: SourcePlace?

        /// The text.
        public var text: String

        /// The note in the format of a compiler: `Shop/Shop.swift:60: note: any Orders needs any Catalog`.
        public var description: String { (location.map { "\($0): " } ?? "") + "note: \(text)" }
    }

    /// The kind of the finding.
    public var kind: Kind

    /// The severity of its kind.
    ///
    /// It is lower if no request leads to the problem, or if the code may be correct. It is higher for an array of a
    /// type that cannot be registered.
    public var severity: Severity

    /// The place to look at first, if there is one.
    public var location: SourcePlace?

    /// The place in a profile file, such as `application-prod.json:4:12`, if the file itself is invalid.
    public var file: String?

    /// The problem in one line.
    public var message: String

    /// The affected keys.
    ///
    /// The first one is the cause.
    public var keys: [Key]

    /// Other relevant places.
    public var notes: [Note]

    /// A suggested fix.
    public var suggestion: String?

    /// The profiles in which the problem was found, if profiles were checked.
    public var profiles: [String] = []

    @inline(never)
    init(
        kind: Kind, location: SourcePlace? = nil, file: String? = nil, message: String, keys: [Key] = [],
        notes: [Note] = [], suggestion: String? = nil
    ) {
        self.kind = kind
        severity = kind.severity
        self.location = location
        self.file = file
        self.message = message
        self.keys = keys
        self.notes = notes
        self.suggestion = suggestion
    }

    /// The finding in the format of a compiler.
    ///
    /// ```text
    /// Shop/Shop.swift:41: error: any Catalog needs any PriceList, which is not registered [prod]
    /// Shop/Shop.swift:60: note: any Orders needs any Catalog
    ///   fix: register it in a loaded module: registry.register((any PriceList).self) { … }
    /// ```
    public var description: String {
        let place = (location?.description ?? file).map { "\($0): " } ?? ""
        let suffix = profiles.isEmpty ? "" : " [\(profiles.joined(separator: ", "))]"
        var lines = ["\(place)\(severity.rawValue): \(message)\(suffix)".escapingHidden()]
        lines += notes.map { $0.description.escapingHidden() }
        if let suggestion { lines.append("  fix: \(suggestion.escapingHidden())") }
        return lines.joined(separator: "\n")
    }
}
