/// How a registration makes its instances.
///
/// Each result is of the registered type: in a ``Box``, or where the call wants it.
enum Maker {
    /// Makes an instance, from a payload where it is a factory's, asking for its parameters.
    case synchronous((MakerCall) throws -> AnyBox?)
    /// Asks the resolver for the parameters, and gives what then makes the instance.
    case asynchronous((Resolver) throws -> () async throws -> AnyBox)
    /// An instance that existed before.
    case instance(AnyBox)
}

/// Where a registration's maker must run, and who may have the instance.
enum Isolation {
    /// Anywhere.
    case none
    /// The maker on the main actor; the instance, being `Sendable`, anywhere.
    case making
    /// Both on the main actor: the instance is not `Sendable`.
    case makingAndAsking
}

/// One run of a module's closure: what was registered by one belongs together, comes and goes together.
final class ModuleRun: Sendable {
    let module: Module

    init(_ module: Module) {
        self.module = module
    }
}

/// One registration as its module wrote it.
final class RegistrationRecord: @unchecked Sendable {
    // Sendable: a record is changed only while the closure of its module runs, by the builders that the closure gets;
    // `Registry.finish` ends that before the record is handed to any context, and nothing is written afterwards.

    let key: Key
    let lifetime: Lifetime
    let location: SourceLocation
    let maker: Maker
    /// The maker, where it is synchronous; it is called without taking ``maker`` apart.
    let makeNow: (MakerCall) throws -> AnyBox?
    let isolation: Isolation
    /// The qualifiers of the maker's parameters, by position.
    let taking: [Qualifier?]
    /// What the maker's parameters are.
    let parameters: @Sendable () -> [any Any.Type]
    /// The type of a factory's payload.
    let payload: (any Any.Type)?
    /// What registered it; nil for what answers without being registered.
    let run: ModuleRun?

    /// The path a `ConfigProperty` type is decoded from.
    var configurationPath: String?
    var isPrimary = false
    var aliases: [AliasRecord] = []
    var injections: [Injection] = []
    var disposals: [(AnyBox) throws -> Void] = []
    var shutdowns: [(AnyBox) async throws -> Void] = []

    init(
        key: Key, lifetime: Lifetime, location: SourceLocation, maker: Maker, isolation: Isolation = .none,
        taking: [Qualifier?] = [], payload: (any Any.Type)? = nil, run: ModuleRun?,
        parameters: @escaping @Sendable () -> [any Any.Type] = { [] }
    ) {
        self.run = run
        self.key = key
        self.lifetime = lifetime
        self.location = location
        self.maker = maker
        if case .synchronous(let make) = maker { makeNow = make } else { makeNow = { _ in nil } }
        self.isolation = isolation
        self.taking = taking
        self.payload = payload
        self.parameters = parameters
    }

    /// Whether something runs when an instance ends.
    var hasHooks: Bool { !disposals.isEmpty || !shutdowns.isEmpty }

    var isAsynchronous: Bool {
        if case .asynchronous = maker { true } else { false }
    }
}

/// What runs after an instance was made, to close a circle on purpose.
struct Injection {
    let run: (Resolver, AnyBox) throws -> Void
    let parameters: @Sendable () -> [any Any.Type]
}

/// A further key of a registration.
///
/// It forwards to the registration's key.
final class AliasRecord: @unchecked Sendable {
    // Sendable: all fields are constant; `convert` is a pure upcast that the compiler checked.

    let key: Key
    unowned let registration: RegistrationRecord
    let location: SourceLocation
    let convert: (AnyBox) -> AnyBox

    init(
        key: Key, registration: RegistrationRecord, location: SourceLocation,
        convert: @escaping (AnyBox) -> AnyBox
    ) {
        self.key = key
        self.registration = registration
        self.location = location
        self.convert = convert
    }
}

/// What wraps every registration of a key in its module and behind it.
final class DecoratorRecord: @unchecked Sendable {
    // Sendable: all fields are constant; `decorate` is made from a `@Sendable` closure of the user.

    let type: any Any.Type
    /// The qualifier of the registrations that are wrapped; nil wraps all of the type.
    let qualifier: String?
    let location: SourceLocation
    let taking: [Qualifier?]
    let run: ModuleRun
    let parameters: @Sendable () -> [any Any.Type]
    let decorate: (Resolver, AnyBox) throws -> AnyBox

    init(
        type: any Any.Type, qualifier: String?, location: SourceLocation, taking: [Qualifier?],
        run: ModuleRun, parameters: @escaping @Sendable () -> [any Any.Type],
        decorate: @escaping (Resolver, AnyBox) throws -> AnyBox
    ) {
        self.type = type
        self.qualifier = qualifier
        self.location = location
        self.taking = taking
        self.run = run
        self.parameters = parameters
        self.decorate = decorate
    }
}
