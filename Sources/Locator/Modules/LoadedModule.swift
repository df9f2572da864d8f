internal import LocatorProperties

/// A module in a context, with everything that its closure registered, by type.
///
/// Immutable.
final class LoadedModule: @unchecked Sendable {
    // Sendable: all fields are constant or atomic. The records have been constant since `Registry.run` returned.

    /// The registry that was passed to the closure.
    let run: Registry
    /// The included modules, which come directly after this one.
    let included: [Module]
    let registrations: [RegistrationRecord]
    private let details: ModuleDetails?
    /// The registrations and aliases of each type, and of each type and name, as numbers: positions in `registrations`,
    /// and beyond these, positions in the aliases.
    private let index: TypeIndex
    private let lazyTakenCollections = LazyConstant<IdentitySet>()
    /// The groups of the types that the module registers or changes.
    let typeGroups: TypeGroups

    // See `ModuleDetails`.
    var decorators: [DecoratorRecord] { details?.decorators ?? [] }
    var replacedCollections: [any Any.Type] { details?.replacedCollections ?? [] }
    /// The identities of its aliases and decorators.
    var layers: [ObjectIdentifier] {
        details.map { $0.aliases.map { ObjectIdentifier($0) } + $0.decorators.map { ObjectIdentifier($0) } } ?? []
    }
    var always: [RegistrationRecord] { details?.always ?? [] }
    var asynchronous: [RegistrationRecord] { details?.asynchronous ?? [] }
    var inputs: [RegistrationRecord] { details?.inputs ?? [] }
    var scopes: Set<Scope> { details?.scopes ?? [] }
    /// The scopes for which it declares inputs.
    var scopesWithInputs: Set<Scope> { Set(inputs.lazy.compactMap(\.lifetime.openableScope)) }
    var requirements: [PropertyRequirement] { details?.requirements ?? [] }
    var collectionsThatMayBeEmpty: [any Any.Type] { details?.collectionsThatMayBeEmpty ?? [] }
    var properties: Properties? { details?.properties }
    var settingPaths: [String] { details?.settingPaths ?? [] }
    var conditionPath: String? { details?.conditionPath }
    var module: Module { run.module }
    var name: String { module.name }
    let identity: ObjectIdentifier
    let hasCondition: Bool

    /// Creates a module from everything that its closure registered, if there are no problems.
    init(_ registry: Registry) throws(PropertiesError) {
        let module = registry.module
        identity = module.identity
        hasCondition = module.definition.condition != nil
        let registrations = registry.registrations.takeAll()
        if let path = try Self.conditionPath(of: module) { registry.detailed().conditionPath = path }
        if !module.definition.properties.isEmpty {
            registry.detailed().properties = try Self.locating(module.description, of: module) {
                () throws(PropertiesError) in
                try Properties(overrides: module.definition.properties, name: module.description)
            }
        }
        details = registry.details.take()
        included = module.definition.included()
        details?.collect(from: registrations)
        var groups = TypeGroups()
        index = Self.index(registrations, details, &groups)
        typeGroups = groups
        self.registrations = registrations
        run = consume registry
    }

    /// Returns the path of the setting that the condition reads.
    ///
    /// Throws an error if the path is malformed.
    private static func conditionPath(of module: Module) throws(PropertiesError) -> String? {
        guard let path = module.definition.condition?.path else { return nil }
        return try locating("the condition of \(module)", of: module) { () throws(PropertiesError) in
            try Properties.canonicalPath(path)
        }
    }

    /// Runs `body`, and adds the place of the module to the problems of a part of it.
    private static func locating<Result>(
        _ part: String, of module: Module, _ body: () throws(PropertiesError) -> Result
    ) throws(PropertiesError) -> Result {
        do throws(PropertiesError) {
            return try body()
        } catch {
            let problems = error.problems.map { problem in
                var problem = problem
                problem.file = "\(module.location): \(part)"
                return problem
            }
            throw PropertiesError(problems) ?? error
        }
    }

    /// Returns the index of the registrations and their aliases, and adds the groups of all types that the module
    /// registers or changes.
    private static func index(
        _ registrations: [RegistrationRecord], _ details: ModuleDetails?, _ groups: inout TypeGroups
    ) -> TypeIndex {
        let aliases = details?.aliases ?? []
        var index = TypeIndex(candidateCount: registrations.count + aliases.count)
        var alias = 0
        for number in registrations.indices {
            index.add(number, registrations[number].key, &groups)
            // The aliases come in the order of the registrations.
            while alias < aliases.count, aliases[alias].registration === registrations[number] {
                index.add(registrations.count + alias, aliases[alias].key, &groups)
                alias += 1
            }
        }
        if let details {
            for type in details.treatments.keys { groups.insert(type) }
        }
        return index
    }

    /// Whether the module has one registration for each of its types, and does not change any type.
    var isNothingButRegistrations: Bool {
        index.isUnique && details.map { $0.treatments.isEmpty && $0.aliases.isEmpty } ?? true
    }

    /// Whether a type has several registrations or aliases.
    var hasSeveralOfOneType: Bool { !index.isUnique }

    /// The registrations and aliases of each key, and the factories of each key and payload, in source order.
    var candidatesOfOneKey: [[Candidate]] {
        var groups: [[Candidate]] = []
        var positions: [Candidate.FullKey: Int] = [:]
        for number in 0..<registrations.count + (details?.aliases.count ?? 0) {
            let candidate = candidate(number)
            let position = positions[candidate.fullKey, default: groups.count]
            if position == groups.count { groups.append([]) }
            positions[candidate.fullKey] = position
            groups[position].append(candidate)
        }
        return groups
    }

    /// Whether the module's condition holds; true if it has none.
    func conditionHolds(in properties: Properties) -> Bool {
        module.definition.condition?.holds(properties) ?? true
    }

    /// The paths to which placeholders in the setting that the condition reads lead, directly or not.
    func pathsConsultedByCondition(in properties: Properties) -> [String] {
        guard let conditionPath, properties.hasPlaceholders else { return [] }
        return properties.lookup(conditionPath).consulted
    }

    /// The types whose collections the registrations and decorators take.
    var takenCollections: IdentitySet {
        lazyTakenCollections.value {
            let dependencies = (registrations.lazy.map(\.dependencies) + decorators.lazy.map(\.dependencies)).joined()
            return IdentitySet(dependencies.lazy.filter(\.isCollection).map { ObjectIdentifier($0.type) })
        }
    }

    func firstRegistration(of type: ObjectIdentifier) -> RegistrationRecord? {
        index.first(of: .init(type)).flatMap { $0 < registrations.count ? registrations[$0] : nil }
    }

    /// Whether the module registers or changes a type.
    func has(_ type: ObjectIdentifier) -> Bool { index.has(.init(type)) || treatment(of: type) != nil }

    /// The entry of a type; nil if the module neither registers nor changes it.
    func entry(for type: ObjectIdentifier) -> TypeEntry? { has(type) ? TypeEntry(module: self, type: type) : nil }

    fileprivate func treatment(of type: ObjectIdentifier) -> ModuleDetails.Treatment? { details?.treatments[type] }

    /// Runs `body` for each type that the module registers or changes.
    func forEachType(_ body: (ObjectIdentifier) -> Void) {
        index.forEachType(body)
        guard let details else { return }
        for type in details.treatments.keys where !index.has(.init(type)) { body(type) }
    }

    /// Returns the wanted candidates of a type, or of a type and a name.
    ///
    /// The result for a name may contain other candidates, because two names can have the same key.
    @inline(never)
    fileprivate func candidates(of key: TypeIndex.Term, where isWanted: (Candidate) -> Bool) -> [Candidate] {
        var candidates: [Candidate] = []
        index.forEachCandidate(of: key) { number in
            let candidate = candidate(number)
            if isWanted(candidate) { candidates.append(candidate) }
        }
        return candidates
    }

    private func candidate(_ number: Int) -> Candidate {
        if number < registrations.count { return .registration(registrations[number]) }
        guard let details else { preconditionFailure("Only registrations and aliases are numbered") }
        return .alias(details.aliases[number - registrations.count])
    }
}

/// Everything that one module registers for one type, and how it changes the type.
struct TypeEntry {
    // Everything else is looked up, because an entry is copied more often than it is used.
    fileprivate let module: LoadedModule
    fileprivate let type: ObjectIdentifier

    var decorators: [DecoratorRecord] { module.treatment(of: type)?.decorators ?? [] }
    var replacesCollections: Bool { module.treatment(of: type)?.replacesCollections ?? false }

    /// The registrations and aliases, in source order.
    var candidates: [Candidate] { candidates { $0.record.payload == nil } }

    /// The registrations and aliases of one qualifier, or those without one.
    func candidates(qualifier: String?) -> [Candidate] {
        candidates(qualifier: qualifier) { $0.record.payload == nil }
    }

    var factories: [Candidate] { candidates { $0.record.payload != nil } }

    /// The factories of the type, or those with one qualifier.
    func factories(qualifier: String?) -> [Candidate] {
        qualifier == nil ? factories : candidates(qualifier: qualifier) { $0.record.payload != nil }
    }

    /// The factories of the type that take a payload of this type.
    func factories(of payload: ObjectIdentifier) -> [Candidate] {
        candidates { $0.record.payload.map(ObjectIdentifier.init) == payload }
    }

    /// The factories of the type that take a payload of this type, with one qualifier or without one.
    func factories(of payload: ObjectIdentifier, qualifier: String?) -> [Candidate] {
        candidates(qualifier: qualifier) { $0.record.payload.map(ObjectIdentifier.init) == payload }
    }

    private func candidates(qualifier: String?, where isWanted: (Candidate) -> Bool) -> [Candidate] {
        guard let qualifier else { return candidates { $0.key.qualifier == nil && isWanted($0) } }
        return module.candidates(of: .init(type, named: qualifier)) {
            ObjectIdentifier($0.key.type) == type && $0.key.qualifier == qualifier && isWanted($0)
        }
    }

    private func candidates(where isWanted: (Candidate) -> Bool) -> [Candidate] {
        module.candidates(of: .init(type), where: isWanted)
    }
}
