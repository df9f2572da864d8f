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
    let decorators: [DecoratorRecord]
    /// The registrations whose instances are made when the module is loaded.
    let always: [RegistrationRecord]
    /// The registrations whose instances `start()` makes.
    let asynchronous: [RegistrationRecord]
    /// The registrations whose instances are handed in where their scope is opened.
    let inputs: [RegistrationRecord]
    /// The scopes of its own that the module names.
    let scopes: Set<Scope>
    let requirements: [PropertyRequirement]
    /// The types of which there may be no element.
    let collectionsThatMayBeEmpty: Set<ObjectIdentifier>
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

    override var modules: [LoadedModule] { [self] }
    override var only: LoadedModule? { self }
    var module: Module { run.module }
    var name: String { module.name }
    var identity: ObjectIdentifier { module.identity }
    /// Whether the module is in force only under a condition.
    var hasCondition: Bool { module.definition.condition != nil }

    /// Runs the module's closure; the caller holds no lock.
    init(_ module: Module) throws(LocatorError) {
        run = ModuleRun(module)
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
        always = registry.always
        asynchronous = registry.asynchronous
        inputs = registry.inputs
        scopes = registry.scopes
        decorators = registry.decorators
        requirements = registry.requirements
        collectionsThatMayBeEmpty = registry.collectionsThatMayBeEmpty
        (index, names, aliases) = Self.index(registry)
        treatments = Self.treatments(registry)
        typeGroups = TypeGroups(
            of: registry.registrations.lazy.map { ObjectIdentifier($0.key.type) },
            aliases.map { ObjectIdentifier($0.key.type) },
            treatments.keys)
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
        _ registry: Registry
    ) -> (types: TypeIndex, names: TypeIndex, aliases: [AliasRecord]) {
        let registrations = registry.registrations
        let count = registrations.count + registry.aliasCount
        var types = TypeIndex(keyCount: count, candidateCount: count)
        var aliases: [AliasRecord] = []
        var named: [(number: Int, key: TypeIndex.Term)] = []
        func add(_ number: Int, _ key: Key) {
            let type = ObjectIdentifier(key.type)
            types.add(number, of: .init(type))
            if let name = key.qualifier { named.append((number, .init(type, named: name))) }
        }
        let hasAliases = registry.aliasCount > 0
        for number in registrations.indices {
            add(number, registrations[number].key)
            guard hasAliases else { continue }
            for alias in registrations[number].aliases {
                add(registrations.count + aliases.count, alias.key)
                aliases.append(alias)
            }
        }
        var names = TypeIndex(keyCount: named.count, candidateCount: named.isEmpty ? 0 : count)
        for (number, key) in named { names.add(number, of: key) }
        return (types, names, aliases)
    }

    private static func treatments(_ registry: Registry) -> IdentityTable<Treatment> {
        var treatments: IdentityTable<Treatment> = [:]
        for decorator in registry.decorators {
            treatments[ObjectIdentifier(decorator.type), default: Treatment()].decorators.append(decorator)
        }
        for type in registry.replacedCollections {
            treatments[ObjectIdentifier(type), default: Treatment()].replacesCollections = true
        }
        return treatments
    }

    /// What the module has for a type.
    func entry(for type: ObjectIdentifier) -> TypeEntry? {
        guard index.has(.init(type)) || treatment(of: type) != nil else { return nil }
        return TypeEntry(module: self, type: type)
    }

    fileprivate func treatment(of type: ObjectIdentifier) -> Treatment? {
        treatments.isEmpty ? nil : treatments[type]
    }

    /// Whether the module decorates a type.
    func decorates(_ type: ObjectIdentifier) -> Bool {
        treatment(of: type)?.decorators.isEmpty == false
    }

    /// The types that the module has something for.
    var types: [ObjectIdentifier] {
        index.firsts.map { ObjectIdentifier(candidate($0).key.type) }
            + treatments.keys.filter { index.candidates(of: .init($0)) == nil }
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
