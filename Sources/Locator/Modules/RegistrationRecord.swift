/// How a registration makes its instances, which are of the registered type.
enum Production {
    /// Makes an instance, from a payload where it is a factory's, asking for its parameters.
    case synchronous(Maker)
    /// Asks for the parameters, and gives what then makes the instance.
    case asynchronous(MakerFunction<() async throws -> AnyBox>)
    /// An instance that existed before.
    case instance(AnyBox)
    /// An instance that is handed in where its scope is opened.
    case input
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

/// One registration as its module wrote it.
final class RegistrationRecord: @unchecked Sendable {
    // Sendable: a record is changed only while the closure of its module runs, by the builders that the closure gets;
    // `Registry.run` ends that before the record is handed to any context, and nothing is written afterwards.

    // There may be ten thousand of them: what only some have is apart.

    let key: Key
    let lifetime: Lifetime
    var isolation: Isolation
    var isPrimary = false
    let location: SourcePlace
    let production: Production
    /// What it was registered with, which tells its module; nil for what answers without being registered.
    let run: Registry?
    private var details: Details?

    /// What few registrations have.
    final class Details {
        /// The qualifiers of the maker's parameters, by position.
        var parameterQualifiers: [Qualifier?] = []
        /// The type of a factory's payload: a tuple where there are several.
        var payload: (any Any.Type)?
        /// How many of the maker's parameters, the first, are handed over from the payload.
        var payloadCount = 0
        /// The path a `ConfigProperty` type is decoded from.
        var configurationPath: String?
        var aliases: [AliasRecord] = []
        /// What runs after an instance was made, to close a circle on purpose; the instance is the call's subject.
        var injections: [MakerFunction<Void>] = []
        var disposals: [Disposal] = []
        var shutdowns: [(AnyBox) async throws -> Void] = []
    }

    init(
        key: Key, lifetime: Lifetime, location: SourcePlace, production: Production, isolation: Isolation = .none,
        run: Registry?
    ) {
        self.run = run
        self.key = key
        self.lifetime = lifetime
        self.location = location
        self.production = production
        self.isolation = isolation
    }

    /// What few registrations have, to be changed.
    func detailed() -> Details {
        if let details { return details }
        let details = Details()
        self.details = details
        return details
    }

    var hasDetails: Bool { details != nil }
    var parameterQualifiers: [Qualifier?] { details?.parameterQualifiers ?? [] }
    var payload: (any Any.Type)? { details?.payload }
    var payloadCount: Int { details?.payloadCount ?? 0 }
    var configurationPath: String? { details?.configurationPath }
    var aliases: [AliasRecord] { details?.aliases ?? [] }
    var injections: [MakerFunction<Void>] { details?.injections ?? [] }
    var disposals: [Disposal] { details?.disposals ?? [] }
    var shutdowns: [(AnyBox) async throws -> Void] { details?.shutdowns ?? [] }

    /// What the maker's parameters are, without those that a factory's payload is handed over to.
    var parameters: [any Any.Type] {
        let all: [any Any.Type] =
            switch production {
            case .synchronous(let maker): maker.parameters(making: key.type)
            case .asynchronous(let function): function.parameters
            case .instance, .input: []
            }
        return payload == nil ? all : Array(all.dropFirst(payloadCount))
    }

    var isAsynchronous: Bool {
        if case .asynchronous = production { true } else { false }
    }

    /// Whether the instance is handed in where its scope is opened.
    var isInput: Bool {
        if case .input = production { true } else { false }
    }
}

/// What runs when an instance ends.
struct Disposal {
    /// Whether it runs on the main actor, later where the instance ends elsewhere.
    let isOnMainActor: Bool
    let run: (AnyBox) throws -> Void
}

/// A further key of a registration.
///
/// It forwards to the registration's key.
final class AliasRecord: @unchecked Sendable {
    // Sendable: all fields are constant; `convert` is a pure upcast that the compiler checked.

    let key: Key
    unowned let registration: RegistrationRecord
    let location: SourcePlace
    let convert: (AnyBox) -> AnyBox

    init(
        key: Key, registration: RegistrationRecord, location: SourcePlace,
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
    let location: SourcePlace
    let parameterQualifiers: [Qualifier?]
    let run: Registry
    /// Wraps the box that is the call's subject.
    let decorate: MakerFunction<AnyBox>

    init(
        type: any Any.Type, qualifier: String?, location: SourcePlace, parameterQualifiers: [Qualifier?],
        run: Registry,
        decorate: MakerFunction<AnyBox>
    ) {
        self.type = type
        self.qualifier = qualifier
        self.location = location
        self.parameterQualifiers = parameterQualifiers
        self.run = run
        self.decorate = decorate
    }
}
