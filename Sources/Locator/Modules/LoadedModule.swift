internal import LocatorProperties

/// A module as a context took it in: what its closure registered, by type.
///
/// Constant.
final class LoadedModule: @unchecked Sendable {
    // Sendable: all fields are constant; the records are constant since `Registry.finish`.

    let run: ModuleRun
    /// The modules that stand right behind this one.
    let included: [Module]
    let registrations: [RegistrationRecord]
    let decorators: [DecoratorRecord]
    /// The registrations whose instances are made when the module is loaded.
    let always: [RegistrationRecord]
    /// The registrations whose instances `start()` makes.
    let asynchronous: [RegistrationRecord]
    let requirements: [PropertyRequirement]
    /// The module's property values, or nil where it has none.
    let properties: Properties?
    let entries: [ObjectIdentifier: TypeEntry]

    var module: Module { run.module }
    var name: String { module.name }
    var identity: ObjectIdentifier { module.identity }

    /// Runs the module's closure; the caller holds no lock.
    init(_ module: Module) throws(LocatorError) {
        run = ModuleRun(module)
        let registry = Registry(run)
        module.definition.register(registry)
        registry.finish()
        if !registry.problems.isEmpty {
            throw LocatorError(.invalidRegistrations(registry.problems))
        }
        do throws(PropertiesError) {
            properties =
                module.definition.properties.isEmpty
                ? nil : try Properties(overrides: module.definition.properties, name: module.description)
        } catch {
            throw LocatorError(.properties(error))
        }
        included = module.definition.included()
        registrations = registry.registrations
        always = registry.registrations.filter { $0.lifetime == .held(.always) && !$0.isAsynchronous }
        asynchronous = registry.registrations.filter(\.isAsynchronous)
        decorators = registry.decorators
        requirements = registry.requirements
        entries = TypeEntry.index(registry)
    }

    /// What the module has for a type.
    func entry(for type: ObjectIdentifier) -> TypeEntry? {
        entries[type]
    }

}

/// What one module has for one type.
struct TypeEntry {
    var candidates: [Candidate] = []
    var factories: [RegistrationRecord] = []
    var decorators: [DecoratorRecord] = []
    var replacesCollections = false

    /// The registrations and aliases of one qualifier, or those without one.
    func candidates(qualifier: String?) -> [Candidate] {
        if candidates.count == 1, candidates[0].key.qualifier == qualifier { return candidates }
        return candidates.filter { $0.key.qualifier == qualifier }
    }

    static func index(_ registry: Registry) -> [ObjectIdentifier: TypeEntry] {
        var entries: [ObjectIdentifier: TypeEntry] = [:]
        entries.reserveCapacity(registry.registrations.count)
        for record in registry.registrations {
            let type = ObjectIdentifier(record.key.type)
            if record.payload == nil {
                entries[type, default: TypeEntry()].candidates.append(.registration(record))
            } else {
                entries[type, default: TypeEntry()].factories.append(record)
            }
            for alias in record.aliases {
                entries[ObjectIdentifier(alias.key.type), default: TypeEntry()].candidates.append(.alias(alias))
            }
        }
        for decorator in registry.decorators {
            entries[ObjectIdentifier(decorator.type), default: TypeEntry()].decorators.append(decorator)
        }
        for type in registry.replacedCollections {
            entries[ObjectIdentifier(type), default: TypeEntry()].replacesCollections = true
        }
        return entries
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

    var location: SourceLocation {
        switch self {
        case .registration(let record): record.location
        case .alias(let alias): alias.location
        }
    }
}
