internal import LocatorProperties

/// A module as a context took it in: what its closure registered, by type.
///
/// Constant.
final class LoadedModule: ModuleList, @unchecked Sendable {
    // Sendable: all fields are constant; the records are constant since `Registry.run` has returned.

    /// What the closure has registered with.
    let run: Registry
    /// The modules that stand right behind this one.
    let included: [Module]
    let registrations: [RegistrationRecord]
    /// What few modules have.
    private let details: ModuleDetails?
    /// The module's property values, or nil where it has none.
    let properties: Properties?
    /// The registrations and aliases of each type, and of each type and name: their places in `registrations`, and behind
    /// those in the aliases.
    private let index: TypeIndex
    /// The groups of the types that the module has something for.
    let typeGroups: TypeGroups

    override var first: LoadedModule { self }
    var decorators: [DecoratorRecord] { details?.decorators ?? [] }
    /// The registrations whose instances are made when the module is loaded.
    var always: [RegistrationRecord] { details?.always ?? [] }
    /// The registrations whose instances `start()` makes.
    var asynchronous: [RegistrationRecord] { details?.asynchronous ?? [] }
    /// The registrations whose instances are handed in where their scope is opened.
    var inputs: [RegistrationRecord] { details?.inputs ?? [] }
    /// The scopes of its own that the module names.
    var scopes: Set<Scope> { details?.scopes ?? [] }
    var requirements: [PropertyRequirement] { details?.requirements ?? [] }
    /// The types of which there may be no element.
    var collectionsThatMayBeEmpty: Set<ObjectIdentifier> { details?.collectionsThatMayBeEmpty ?? [] }
    var module: Module { run.module }
    var name: String { module.name }
    let identity: ObjectIdentifier
    /// Whether the module is in force only under a condition.
    let hasCondition: Bool

    /// Runs the module's closure; the caller holds no lock.
    init(_ module: Module) throws(LocatorError) {
        run = Registry(module)
        identity = module.identity
        hasCondition = module.definition.condition != nil
        run.run()
        registrations = run.takeRegistrations()
        details = run.takeDetails()
        let problems = run.takeProblems()
        if !problems.isEmpty { throw LocatorError(.invalidRegistrations(problems)) }
        do throws(PropertiesError) {
            if let path = module.definition.condition?.path { try Self.checkCondition(path, of: module) }
            properties =
                module.definition.properties.isEmpty
                ? nil : try Properties(overrides: module.definition.properties, name: module.description)
        } catch {
            throw LocatorError(.properties(error))
        }
        included = module.definition.included()
        details?.collect(from: registrations)
        var groups = TypeGroups()
        index = Self.index(registrations, details, &groups)
        typeGroups = groups
        super.init(after: nil)
    }

    /// Throws where a condition's path is malformed.
    private static func checkCondition(_ path: String, of module: Module) throws(PropertiesError) {
        do throws(PropertiesError) {
            _ = try Properties.canonicalPath(path)
        } catch {
            let problems = error.problems.map { problem in
                var problem = problem
                problem.file = "\(module.location): the condition of \(module)"
                return problem
            }
            throw PropertiesError(problems) ?? error
        }
    }

    /// The index of the registrations and their aliases; adds the groups of all types that the module has something for.
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

    /// Whether the module has something for a type.
    func has(_ type: ObjectIdentifier) -> Bool { index.has(.init(type)) || treatment(of: type) != nil }

    /// What the module has for a type.
    func entry(for type: ObjectIdentifier) -> TypeEntry? { has(type) ? TypeEntry(module: self, type: type) : nil }

    fileprivate func treatment(of type: ObjectIdentifier) -> ModuleDetails.Treatment? { details?.treatments[type] }

    /// Whether the module decorates a type.
    func decorates(_ type: ObjectIdentifier) -> Bool {
        treatment(of: type)?.decorators.isEmpty == false
    }

    /// Runs `body` for each type that the module has something for.
    func forEachType(_ body: (ObjectIdentifier) -> Void) {
        index.forEachType(body)
        guard let details else { return }
        for type in details.treatments.keys where !index.has(.init(type)) { body(type) }
    }

    /// The wanted candidates of a type, or of a type and a name and maybe some others.
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

/// What one module has for one type.
struct TypeEntry {
    // Whatever else it tells it looks up: it is copied more often than asked.
    private let module: LoadedModule
    private let type: ObjectIdentifier

    fileprivate init(module: LoadedModule, type: ObjectIdentifier) {
        self.module = module
        self.type = type
    }

    var decorators: [DecoratorRecord] { module.treatment(of: type)?.decorators ?? [] }
    var replacesCollections: Bool { module.treatment(of: type)?.replacesCollections ?? false }

    /// The registrations and aliases, in the order in which they were written.
    var candidates: [Candidate] { candidates { $0.record.payload == nil } }

    /// The registrations and aliases of one qualifier, or those without one.
    func candidates(qualifier: String?) -> [Candidate] {
        guard let qualifier else { return candidates { $0.key.qualifier == nil && $0.record.payload == nil } }
        return module.candidates(of: .init(type, named: qualifier)) {
            ObjectIdentifier($0.key.type) == type && $0.key.qualifier == qualifier && $0.record.payload == nil
        }
    }

    /// What makes the type from a payload.
    var factories: [Candidate] { candidates { $0.record.payload != nil } }

    /// What makes the type from a payload of this type.
    func factories(of payload: ObjectIdentifier) -> [Candidate] {
        candidates { $0.record.payload.map(ObjectIdentifier.init) == payload }
    }

    private func candidates(where isWanted: (Candidate) -> Bool) -> [Candidate] {
        module.candidates(of: .init(type), where: isWanted)
    }
}

/// Something that may answer a request: a registration, or an alias of one.
enum Candidate {
    case registration(RegistrationRecord)
    case alias(AliasRecord)

    /// The registration itself, or the one the alias was written for.
    var record: RegistrationRecord {
        switch self {
        case .registration(let record): record
        case .alias(let alias): alias.registration
        }
    }

    var key: Key {
        switch self {
        case .registration(let record): record.key
        case .alias(let alias): alias.key
        }
    }

    var location: SourcePlace {
        switch self {
        case .registration(let record): record.location
        case .alias(let alias): alias.location
        }
    }
}

extension [Candidate] {
    /// The types of the payloads of factories.
    var payloadTypes: [any Any.Type] {
        var types: [any Any.Type] = []
        for candidate in self {
            guard let payload = candidate.record.payload, !types.contains(where: { $0 == payload }) else { continue }
            types.append(payload)
        }
        return types
    }

    /// Their names.
    var payloads: [String] { distinctNames(of: payloadTypes) }
}
