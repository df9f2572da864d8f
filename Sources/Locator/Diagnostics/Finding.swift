/// One thing that ``AppContext/validate(profiles:)`` has found.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// How bad a finding is.
    public enum Severity: String, Sendable, Hashable, Codable, CaseIterable {
        /// Something that fails, or is wrong, once it is used.
        case error
        /// Something that is likely not meant.
        case warning
        /// Something to know: what was not checked, and what is shared.
        case note
    }

    /// What a finding is about.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// A registration needs what nothing registers.
        case missing
        /// A registration needs one of several, none of which is primary.
        case ambiguous
        /// Registrations need each other to be made.
        case circularDependency
        /// A shared instance holds a dependency with a shorter lifetime.
        case captiveDependency
        /// An instance needs one whose scope has to be opened, and lives where nobody has opened it.
        case unopened
        /// A scope has to be opened according to one registration, and need not be according to another.
        case scopeConflict
        /// A registration needs, without a payload, what only factories make, or has a payload that no factory takes.
        case payload
        /// A decorator wraps nothing.
        case decoratorWithoutTarget
        /// An asynchronous maker takes what only the main actor may have, so that `start()` fails.
        case wrongActor
        /// `parameterQualifiers:` names a qualifier for a parameter that has none.
        case parameterQualifiers
        /// An instance that is made at load needs one that only `start()` makes.
        case alwaysNeedsStart
        /// A property that is needed is missing, or of another type, or its files cannot be read.
        case property
        /// A condition never holds, or always: no profile or setting has the name in it.
        case condition
        /// A registration gets an empty array, because nothing registers an element.
        case emptyCollection
        /// A scope has nearly the name of another one.
        case misspelledScope
        /// Another module answers the key instead.
        case shadowed
        /// Nothing can ever ask for a registration.
        case neverUsed
        /// Two modules have one name.
        case sameModuleName
        /// An optional that nothing answers, while something near it exists.
        case similarName
        /// A variable of the environment whose key is close to one that exists.
        case environment
        /// A registration takes the ``Resolver``, so that not all it needs is known.
        case notChecked
        /// An instance that the context shares with the one it was forked from.
        case shared

        /// How bad a finding of the kind is.
        public var severity: Severity {
            switch self {
            case .missing, .ambiguous, .circularDependency, .captiveDependency, .unopened, .scopeConflict, .payload,
                .decoratorWithoutTarget,
                .wrongActor, .parameterQualifiers, .alwaysNeedsStart, .property:
                .error
            case .condition, .emptyCollection, .misspelledScope, .shadowed, .neverUsed, .sameModuleName, .similarName,
                .environment:
                .warning
            case .notChecked, .shared: .note
            }
        }
    }

    /// A line below a finding: another place that has to do with it.
    public struct Note: Sendable, Hashable, CustomStringConvertible {
        /// The place, where there is one.
        public var location: SourcePlace?

        /// What is there.
        public var text: String

        /// The note as a compiler writes it: `Shop/Shop.swift:60: note: any Orders asks for any Catalog`.
        public var description: String { (location.map { "\($0): " } ?? "") + "note: \(text)" }
    }

    /// What it is about.
    public var kind: Kind

    /// How bad it is: what the kind says, or less where no request leads to it.
    public var severity: Severity

    /// The place to look at first, where there is one.
    public var location: SourcePlace?

    /// The place in a profile file, as `application-prod.json:4:12`, where the file itself is at fault.
    public var file: String?

    /// What is wrong, in one line.
    public var message: String

    /// The keys that have to do with it; the one that is at fault first.
    public var keys: [Key]

    /// Other places that have to do with it.
    public var notes: [Note]

    /// How to fix it.
    public var suggestion: String?

    /// The profiles it was found in, where profiles were asked for.
    public var profiles: [String] = []

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

    /// The finding as a compiler writes it.
    ///
    /// ```text
    /// Shop/Shop.swift:41: error: any Catalog needs any PriceList, which nothing registers [prod]
    /// Shop/Shop.swift:60: note: any Orders asks for any Catalog
    ///   fix: register it in a module that is loaded: registry.register((any PriceList).self) { … }
    /// ```
    public var description: String {
        let place = (location?.description ?? file).map { "\($0): " } ?? ""
        let suffix = profiles.isEmpty ? "" : " [\(profiles.joined(separator: ", "))]"
        var lines = ["\(place)\(severity.rawValue): \(message)\(suffix)"]
        lines += notes.map(\.description)
        if let suggestion { lines.append("  fix: \(suggestion)") }
        return lines.joined(separator: "\n").escapingHidden(exceptLineBreaks: true)
    }
}
