internal import LocatorProperties

/// The registrations of a module, added by its closure.
///
/// A registration is an initializer or a closure whose parameters are its dependencies. The context resolves each of
/// them when it makes an instance. A parameter can be any registered type `T`, `T?`, `[T]`, ``Lazy``, ``Provider``,
/// ``Factory``, ``AsyncFactory``, a `ConfigProperty` type, or the ``Resolver``. In a prototype or a factory, it can
/// also be a ``RequestSite``.
///
/// ```swift
/// let shop = Module("Shop") { registry in
///     registry.register((any Catalog).self, CatalogService.init)
///     registry.register(Basket.self, scope: .prototype) { (catalog: any Catalog) in Basket(catalog: catalog) }
///     registry.register(Database.self, async: Database.open).onShutdown { database in await database.close() }
/// }
/// ```
public final class Registry {
    // All registrations of one run of a module's closure are loaded and unloaded together. The registry represents that
    // run as long as one of its registrations exists, on any thread. After the run, it only contains its module.

    // Unchecked: only the thread that runs the closure uses these fields, one at a time.
    @exclusivity(unchecked) var registrations: [RegistrationRecord] = []
    /// The parts that only some modules have; nil if this one has none of them.
    @exclusivity(unchecked) var details: ModuleDetails?
    @exclusivity(unchecked) var problems: [RegistrationProblem] = []

    let module: Module
    /// Whether the closure is still running.
    @exclusivity(unchecked) private var isOpen = true

    init(_ module: Module) {
        self.module = module
    }

    /// Runs the module's closure.
    ///
    /// The caller takes the registrations out of the registry or drops them, because each one retains the registry.
    func run() {
        var listed: Set<ObjectIdentifier> = []
        for component in module.definition.components where !listed.insert(ObjectIdentifier(component)).inserted {
            problems.append(.init(key: Key(component), location: module.location, kind: .componentListedTwice))
        }
        for component in module.definition.components { component.register(in: self) }
        module.definition.register(self)
        isOpen = false
    }

    /// Releases the registrations of a module that cannot be loaded.
    func drop() {
        registrations = []
        details = nil
    }

    /// Stops the program if the module's closure has returned.
    func checkOpen() {
        if isOpen { return }
        let location = module.location
        fatalError(
            """
            \(module) uses its registry after its closure has returned
              fix: register inside the closure; do not keep the registry or what it returns
            """, file: location.file, line: UInt(location.line))
    }

    /// Returns the parts that only some modules have, for changes.
    func detailed() -> ModuleDetails {
        if let details { return details }
        let details = ModuleDetails()
        self.details = details
        return details
    }

    func add(_ record: RegistrationRecord) {
        func report(_ kind: RegistrationProblem.Kind) { problems.append(.init(record: record, kind: kind)) }
        checkOpen()
        if injectable(record.key.type) != nil { report(.notRegistrable) }
        if record.key.type == Void.self { report(.nothingMade) }
        if let kind = RegistrationProblem.Kind(record.parameterQualifiers, for: record.parameters) { report(kind) }
        if record.lifetime == .weak, isValueType(record.key.type) { report(.weakValueType) }
        if record.payload == Resolver.self { report(.resolverAsPayload) }
        if record.payload == RequestSite.self { report(.requestSiteAsPayload) }
        if let scope = record.lifetime.openableScope { detailed().scopes.insert(scope) }
        if record.isInput {
            if case .held(let scope) = record.lifetime, scope.isLasting { report(.inputOfLastingScope(scope)) }
            if let other = detailed().inputs.first(where: { $0.key == record.key && $0.lifetime == record.lifetime }) {
                report(.inputDeclaredTwice(first: other.location))
            }
            detailed().inputs.append(record)
        } else if record.isAsynchronous, record.payload == nil {
            detailed().asynchronous.append(record)
        } else if record.lifetime.isAlways {
            detailed().always.append(record)
        }
        registrations.append(record)
    }

    func add(_ alias: AliasRecord) {
        func report(_ kind: RegistrationProblem.Kind) {
            problems.append(.init(key: alias.key, location: alias.location, kind: kind))
        }
        if injectable(alias.key.type) != nil { report(.notRegistrable) }
        // The instance of an alias is held like that of its registration.
        if alias.registration.lifetime == .weak, isValueType(alias.key.type) { report(.weakValueType) }
        if alias.key == alias.registration.key { report(.aliasOfItself) }
        if let first = alias.registration.aliases.first(where: { $0.key == alias.key }) {
            report(.aliasDeclaredTwice(first: first.location))
        }
        alias.registration.detailed().aliases.append(alias)
        detailed().hasAliases = true
    }

    /// The name of a registration's qualifier.
    ///
    /// A qualifier from a setting is recorded as a problem.
    func name(of qualifier: Qualifier?, type: any Any.Type, location: SourcePlace) -> String? {
        if let path = qualifier?.path {
            problems.append(.init(key: Key(type), location: location, kind: .qualifiedByProperty(path: path)))
        }
        return qualifier?.name
    }

    /// Replaces the collections of a type, so that modules later in lookup order do not add elements to them.
    ///
    /// You can pass the type of the elements or the type of the array.
    ///
    /// Use it in a test to replace a whole collection.
    public func replaceAll<Value>(_ type: Value.Type) {
        checkOpen()
        detailed().replacedCollections.append(DeclaredDependency(type).type)
    }

    /// Declares that the collections of a type may be empty, so ``AppContext/validate(profiles:)`` does not report an
    /// empty one.
    ///
    /// You can pass the type of the elements or the type of the array.
    ///
    /// Call it once, in the module that defines the extension point:
    ///
    /// ```swift
    /// registry.mayBeEmpty((any Plugin).self)
    /// registry.register(Editor.init)  // has a parameter of type [any Plugin]
    /// ```
    public func mayBeEmpty<Value>(_ type: Value.Type) {
        checkOpen()
        detailed().collectionsThatMayBeEmpty.append(DeclaredDependency(type).type)
    }

    /// Declares that a setting is required, so ``AppContext/validate(profiles:)`` reports it if it is missing.
    public func requires<Value: Decodable & SendableMetatype>(
        _ path: String, as type: Value.Type, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        checkOpen()
        detailed().requirements.append(
            PropertyRequirement(
                path: path, type: type, location: SourcePlace(fileID: fileID, line: line),
                check: { properties throws(PropertiesError) in _ = try properties.value(path, as: Value.self) }))
    }
}

/// The parts that only some modules have.
///
/// Immutable once its module is loaded.
final class ModuleDetails {
    /// The registrations whose instances are made when the module is loaded.
    var always: [RegistrationRecord] = []
    /// The registrations whose instances `start()` makes.
    var asynchronous: [RegistrationRecord] = []
    /// The registrations of inputs, which are passed when their scope is opened.
    var inputs: [RegistrationRecord] = []
    var scopes: Set<Scope> = []
    var hasAliases = false
    var decorators: [DecoratorRecord] = []
    var replacedCollections: [any Any.Type] = []
    var requirements: [PropertyRequirement] = []
    /// The types whose collections may be empty.
    var collectionsThatMayBeEmpty: [any Any.Type] = []

    /// The aliases of all registrations, in the order of the registrations.
    private(set) var aliases: [AliasRecord] = []
    /// The changes that the module makes to each type, apart from registering it.
    private(set) var treatments: IdentityTable<Treatment> = [:]

    /// The changes that a module makes to a type, apart from registering it.
    struct Treatment {
        fileprivate(set) var decorators: [DecoratorRecord] = []
        fileprivate(set) var replacesCollections = false
    }

    /// The settings of the module; nil if it has none.
    var properties: Properties? { didSet { settingPaths = properties?.affectedPaths ?? [] } }
    private(set) var settingPaths: [String] = []
    /// The path of the setting that the condition reads, in its canonical form; nil if there is none.
    var conditionPath: String?

    /// Collects the aliases of the module's registrations, and its changes to each type, once the closure has returned.
    func collect(from registrations: [RegistrationRecord]) {
        if hasAliases { aliases = registrations.flatMap(\.aliases) }
        for decorator in decorators {
            treatments[ObjectIdentifier(decorator.type), default: Treatment()].decorators.append(decorator)
        }
        for type in replacedCollections {
            treatments[ObjectIdentifier(type), default: Treatment()].replacesCollections = true
        }
    }
}

struct PropertyRequirement: Sendable {
    let path: String
    let type: any (Decodable & SendableMetatype).Type
    let location: SourcePlace
    let check: @Sendable (Properties) throws(PropertiesError) -> Void
}

/// Whether a type can never be a class instance: neither a class nor an existential.
private func isValueType(_ type: any Any.Type) -> Bool {
    if type is AnyClass { return false }
    return !TypeName.isExistential(type) && !typeName(type).hasPrefix("any ")
}
