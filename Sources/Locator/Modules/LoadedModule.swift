internal import LocatorProperties

/// A module as a context took it in: what its closure registered, by type.
///
/// Constant.
final class LoadedModule: ModuleList, @unchecked Sendable {
    // Sendable: all fields are constant; the records are constant since `ModuleRun.register` has returned.

    let run: ModuleRun
    /// The modules that stand right behind this one.
    let included: [Module]
    let registrations: [RegistrationRecord]
    /// What few modules have.
    private let details: ModuleDetails?
    /// The module's property values, or nil where it has none.
    let properties: Properties?
    /// The aliases of all registrations, in the order of these.
    private let aliases: [AliasRecord]
    /// The registrations and aliases of each type: their places in `registrations`, and behind those in `aliases`.
    private let index: TypeIndex
    /// The same of each type and name.
    private let names: TypeIndex
    /// The groups of the types that the module has something for.
    let typeGroups: TypeGroups
    /// What else the module does to types.
    private let treatments: IdentityTable<Treatment>

    /// What a module does to a type besides registering it.
    fileprivate struct Treatment {
        var decorators: [DecoratorRecord] = []
        var replacesCollections = false
    }

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
        run = ModuleRun(module)
        identity = module.identity
        hasCondition = module.definition.condition != nil
        let registry = run.register()
        if !registry.problems.isEmpty {
            throw LocatorError(.invalidRegistrations(registry.problems))
        }
        do throws(PropertiesError) {
            if let path = module.definition.condition?.path { try Self.checkCondition(path, of: module) }
            properties =
                module.definition.properties.isEmpty
                ? nil : try Properties(overrides: module.definition.properties, name: module.description)
        } catch {
            throw LocatorError(.properties(error))
        }
        included = module.definition.included()
        registrations = registry.registrations
        details = registry.details
        (index, names, aliases) = Self.index(registrations, aliasCount: details?.aliasCount ?? 0)
        treatments = details.map(Self.treatments) ?? IdentityTable()
        var groups = TypeGroups()
        for registration in registrations { groups.insert(ObjectIdentifier(registration.key.type)) }
        for alias in aliases { groups.insert(ObjectIdentifier(alias.key.type)) }
        for type in treatments.keys { groups.insert(type) }
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

    private static func index(
        _ registrations: [RegistrationRecord], aliasCount: Int
    ) -> (types: TypeIndex, names: TypeIndex, aliases: [AliasRecord]) {
        let count = registrations.count + aliasCount
        var types = TypeIndex(keyCount: count, candidateCount: count)
        var aliases: [AliasRecord] = []
        var named: [(number: Int, key: TypeIndex.Term)] = []
        func add(_ number: Int, _ key: Key) {
            let type = ObjectIdentifier(key.type)
            types.add(number, of: .init(type))
            if let name = key.qualifier { named.append((number, .init(type, named: name))) }
        }
        for number in registrations.indices {
            add(number, registrations[number].key)
            if aliasCount == 0 { continue }
            for alias in registrations[number].aliases {
                add(registrations.count + aliases.count, alias.key)
                aliases.append(alias)
            }
        }
        var names = TypeIndex(keyCount: named.count, candidateCount: count)
        for (number, key) in named { names.add(number, of: key) }
        return (types, names, aliases)
    }

    private static func treatments(_ details: ModuleDetails) -> IdentityTable<Treatment> {
        var treatments: IdentityTable<Treatment> = [:]
        for decorator in details.decorators {
            treatments[ObjectIdentifier(decorator.type), default: Treatment()].decorators.append(decorator)
        }
        for type in details.replacedCollections {
            treatments[ObjectIdentifier(type), default: Treatment()].replacesCollections = true
        }
        return treatments
    }

    /// Whether the module has one registration for each of its types, and does nothing else to types.
    var isNothingButRegistrations: Bool { treatments.isEmpty && aliases.isEmpty && index.isUnique }

    /// The first registration of a type.
    func firstRegistration(of type: ObjectIdentifier) -> RegistrationRecord? {
        candidates(of: type).flatMap { numbers in
            var numbers = numbers
            return numbers.next().flatMap { $0 < registrations.count ? registrations[$0] : nil }
        }
    }

    /// Whether the module has something for a type.
    func has(_ type: ObjectIdentifier) -> Bool { index.has(.init(type)) || treatment(of: type) != nil }

    /// What the module has for a type.
    func entry(for type: ObjectIdentifier) -> TypeEntry? { has(type) ? TypeEntry(module: self, type: type) : nil }

    fileprivate func treatment(of type: ObjectIdentifier) -> Treatment? {
        treatments.isEmpty ? nil : treatments[type]
    }

    /// Whether the module decorates a type.
    func decorates(_ type: ObjectIdentifier) -> Bool {
        treatment(of: type)?.decorators.isEmpty == false
    }

    /// Runs `body` for each type that the module has something for.
    func forEachType(_ body: (ObjectIdentifier) -> Void) {
        for number in index.firsts { body(ObjectIdentifier(candidate(number).key.type)) }
        if treatments.isEmpty { return }
        for type in treatments.keys where !index.has(.init(type)) { body(type) }
    }

    /// The candidates of a type.
    fileprivate func candidates(of type: ObjectIdentifier) -> TypeIndex.Numbers? {
        index.candidates(of: .init(type))
    }

    /// The candidates of a type and a name, and maybe some others.
    fileprivate func candidates(of type: ObjectIdentifier, named name: String) -> TypeIndex.Numbers? {
        names.candidates(of: .init(type, named: name))
    }

    fileprivate func candidate(_ number: Int) -> Candidate {
        number < registrations.count
            ? .registration(registrations[number]) : .alias(aliases[number - registrations.count])
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
    private var numbers: TypeIndex.Numbers? { module.candidates(of: type) }

    /// The registrations and aliases, in the order in which they were written.
    var candidates: [Candidate] { candidates(numbers) { $0.record.payload == nil } }

    /// The registrations and aliases of one qualifier, or those without one.
    func candidates(qualifier: String?) -> [Candidate] {
        guard let qualifier else { return candidates(numbers) { $0.key.qualifier == nil && $0.record.payload == nil } }
        return candidates(module.candidates(of: type, named: qualifier)) {
            ObjectIdentifier($0.key.type) == type && $0.key.qualifier == qualifier && $0.record.payload == nil
        }
    }

    /// What makes the type from a payload.
    var factories: [Candidate] { candidates(numbers) { $0.record.payload != nil } }

    /// What makes the type from a payload of this type.
    func factories(of payload: ObjectIdentifier) -> [Candidate] {
        candidates(numbers) { $0.record.payload.map(ObjectIdentifier.init) == payload }
    }

    private func candidates(_ numbers: TypeIndex.Numbers?, where isWanted: (Candidate) -> Bool) -> [Candidate] {
        guard let numbers else { return [] }
        return numbers.lazy.map(module.candidate).filter(isWanted)
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
