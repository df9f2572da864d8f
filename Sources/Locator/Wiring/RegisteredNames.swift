internal import LocatorProperties

/// The registrations of a lineup, by types and names.
///
/// The search for suggestions after a failed request uses them.
///
/// Constant. Each part is prepared when a failed request first needs it, so that later requests only search.
final class RegisteredNames: Sendable {
    /// The modules that are on, in lookup order.
    let modules: [LoadedModule]
    /// Whether no module is loaded, not even one that is off.
    let hasNoModules: Bool
    /// The modules that are off by their types, each with the module whose condition is false.
    let off: IdentityTable<[(module: LoadedModule, outer: LoadedModule)]>
    private let types: IdentityTable<OfType>
    private let lazyTypeNames = LazyReference<TypeNames>()

    init(of lineup: Lineup) {
        let inactive = lineup.inactive
        modules = lineup.entries.map(\.loaded)
        hasNoModules = modules.isEmpty && inactive.isEmpty
        var entries: IdentityTable<[TypeEntry]> = [:]
        for module in modules {
            module.forEachType { type in
                if let entry = module.entry(for: type) { entries[type, default: []].append(entry) }
            }
        }
        var types: IdentityTable<OfType> = [:]
        for (type, entries) in entries { types[type] = OfType(entries) }
        self.types = types
        var off: IdentityTable<[(module: LoadedModule, outer: LoadedModule)]> = [:]
        var seen: IdentitySet = []
        for outer in inactive where outer.hasCondition {
            for module in lineup.reached(from: outer)
            where seen.insert(module.identity).inserted && lineup.entry(of: module) == nil {
                module.forEachType { off[$0, default: []].append((module, outer)) }
            }
        }
        self.off = off
    }

    /// What the modules have for a type, in lookup order.
    func entries(of type: any Any.Type) -> [TypeEntry] { types[ObjectIdentifier(type)]?.entries ?? [] }

    /// The registrations of a type; nil if no module has something for it.
    func registrations(of type: any Any.Type) -> Registrations? { types[ObjectIdentifier(type)]?.registrations }

    /// The names of all registered types.
    var typeNames: TypeNames {
        lazyTypeNames.load() ?? lazyTypeNames.storeIfNil(TypeNames(in: modules))
    }

    private final class OfType: Sendable {
        let entries: [TypeEntry]
        private let lazyRegistrations = LazyReference<Registrations>()

        init(_ entries: [TypeEntry]) { self.entries = entries }

        var registrations: Registrations {
            lazyRegistrations.load() ?? lazyRegistrations.storeIfNil(Registrations(entries))
        }
    }

    /// The registrations and aliases of a type, without factories.
    final class Registrations: Sendable {
        /// In lookup order.
        let candidates: [Candidate]
        /// The qualifiers in lookup order, each once.
        let qualifiers: [String]
        private let positions: [String?: [Int]]
        private let similar: NearNames

        init(_ entries: [TypeEntry]) {
            candidates = entries.flatMap(\.candidates)
            var qualifiers: [String] = []
            var positions: [String?: [Int]] = [:]
            for (position, candidate) in candidates.enumerated() {
                let qualifier = candidate.key.qualifier
                if let qualifier, positions[qualifier] == nil { qualifiers.append(qualifier) }
                positions[qualifier, default: []].append(position)
            }
            self.qualifiers = qualifiers
            self.positions = positions
            similar = NearNames(qualifiers)
        }

        /// The registrations with a qualifier, or those without one.
        func candidates(with qualifier: String?) -> [Candidate] {
            positions[qualifier, default: []].map { candidates[$0] }
        }

        func qualifiers(near name: String) -> [String] {
            var similar = similar
            return similar.nearest(to: name)
        }
    }

    /// The first registration of each type, by the name of the type.
    final class TypeNames: Sendable {
        let sorted: [String]
        private let candidates: [String: [Candidate]]
        private let similar: NearNames

        init(in modules: [LoadedModule]) {
            var candidates: [String: [Candidate]] = [:]
            var seen: IdentitySet = []
            for module in modules {
                module.forEachType { type in
                    guard let candidate = module.entry(for: type)?.candidates.first, seen.insert(type).inserted
                    else { return }
                    candidates[typeName(candidate.key.type), default: []].append(candidate)
                }
            }
            self.candidates = candidates
            sorted = candidates.keys.sorted()
            similar = NearNames(sorted)
        }

        subscript(name: String) -> [Candidate] { candidates[name] ?? [] }

        /// The registrations of types whose names are similar.
        func candidates(near name: String) -> [Candidate] {
            var similar = similar
            return similar.nearest(to: name).flatMap { self[$0] }
        }
    }
}

extension Lineup {
    /// The registrations, for the search for suggestions after a failed request.
    var names: RegisteredNames { lazyNames.load() ?? lazyNames.storeIfNil(RegisteredNames(of: self)) }
}
