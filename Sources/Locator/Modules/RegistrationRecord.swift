/// The way a registration makes its instances, which have the registered type.
enum Production {
    /// A closure that resolves its parameters and makes an instance. A factory also takes a payload.
    case synchronous(Maker)
    /// A closure that resolves its parameters and returns the asynchronous closure that makes the instance.
    case asynchronous(MakerFunction<() async throws -> AnyBox>)
    /// An existing instance.
    case instance(AnyBox)
    /// An instance that is passed when its scope is opened.
    case input
}

/// The places where the factory closure of a registration must run, and where its instance can be used.
enum Isolation {
    /// Anywhere.
    case none
    /// The factory closure on the main actor. The instance is `Sendable` and can be used anywhere.
    case making
    /// Both on the main actor, because the instance is not `Sendable`.
    case makingAndAsking
}

/// One registration of a module.
final class RegistrationRecord: @unchecked Sendable {
    // Sendable: a record is changed only while the closure of its module runs, by the registrations that the closure
    // receives. `Registry.run` ends that before any context receives the record, and nothing is written afterward
    // except the list of dependencies, which is atomic.

    // There may be ten thousand records, so fields that only some of them need are stored separately.

    let key: Key
    let lifetime: Lifetime
    var isolation: Isolation
    var isPrimary = false
    let location: SourcePlace
    let production: Production
    /// The registry that it was registered with, which knows the module; nil for a type that is resolved without a
    /// registration.
    let run: Registry?
    private var details: Details?
    private let lazyDependencies = LazyConstant<[DeclaredDependency]>()

    final class Details {
        /// The qualifiers of the parameters, by position.
        var parameterQualifiers: [Qualifier?] = []
        /// The type of a factory's payload; a tuple if there are several.
        var payload: (any Any.Type)?
        /// How many parameters, from the first, come from the payload.
        var payloadCount = 0
        /// The path that a `ConfigProperty` type is decoded from.
        var configurationPath: String?
        var aliases: [AliasRecord] = []
        /// The injections, which run after an instance was made.
        ///
        /// The instance is the subject of the call.
        var injections: [MakerFunction<Void>] = []
        var disposals: [Disposal] = []
        var shutdowns: [ShutdownHook] = []
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

    /// Returns the fields that only some registrations need, for changes.
    func detailed() -> Details {
        if let details { return details }
        let details = Details()
        self.details = details
        return details
    }

    var parameterQualifiers: [Qualifier?] { details?.parameterQualifiers ?? [] }
    var payload: (any Any.Type)? { details?.payload }
    var payloadCount: Int { details?.payloadCount ?? 0 }
    var configurationPath: String? { details?.configurationPath }
    var aliases: [AliasRecord] { details?.aliases ?? [] }
    var injections: [MakerFunction<Void>] { details?.injections ?? [] }
    var disposals: [Disposal] { details?.disposals ?? [] }
    /// Whether a dispose hook runs on the main actor.
    var needsMainActorAtEnd: Bool { disposals.contains(where: \.isOnMainActor) }
    var shutdowns: [ShutdownHook] { details?.shutdowns ?? [] }

    /// The types of the parameters, without those that come from the payload.
    var parameters: [any Any.Type] {
        let all: [any Any.Type] =
            switch production {
            case .synchronous(let maker): maker.parameters(making: key.type)
            case .asynchronous(let function): function.parameters
            case .instance, .input: []
            }
        return payload == nil ? all : Array(all.dropFirst(payloadCount))
    }

    /// The dependencies of the factory closure and of the injections.
    ///
    /// Read it only after the module's closure has returned.
    var dependencies: [DeclaredDependency] {
        lazyDependencies.value {
            .init(parameters, parameterQualifiers)
                + injections.flatMap { [DeclaredDependency]($0.parameters, phase: .injection) }
        }
    }

    var isAsynchronous: Bool {
        if case .asynchronous = production { true } else { false }
    }

    /// Whether the instance is passed when its scope is opened.
    var isInput: Bool {
        if case .input = production { true } else { false }
    }
}

extension RegistrationRecord: Equatable {
    static func == (left: RegistrationRecord, right: RegistrationRecord) -> Bool { left === right }
}

typealias ShutdownHook = @Sendable (AnyBox) async throws -> Void

/// A dispose hook.
struct Disposal {
    /// Whether the hook runs on the main actor.
    ///
    /// It runs later if the instance is disposed of off the main actor.
    let isOnMainActor: Bool
    let run: (AnyBox) throws -> Void
}

/// Another key of a registration.
///
/// It forwards to the key of the registration.
final class AliasRecord: @unchecked Sendable {
    // Sendable: all fields are constant. `convert` is a pure upcast that the compiler has checked.

    let key: Key
    /// The registration, as long as its module exists.
    unowned let registration: RegistrationRecord
    /// The key of the registration, which a request may need after the module is gone.
    let target: Key
    /// The run that registered both.
    let run: Registry?
    let location: SourcePlace
    let convert: (AnyBox) -> AnyBox

    init(
        key: Key, registration: RegistrationRecord, location: SourcePlace, convert: @escaping (AnyBox) -> AnyBox
    ) {
        self.key = key
        self.registration = registration
        target = registration.key
        run = registration.run
        self.location = location
        self.convert = convert
    }
}

/// A decorator, which wraps every registration of a key in its module and in those after it in lookup order.
final class DecoratorRecord: @unchecked Sendable {
    // Sendable: all fields are constant, except the list of dependencies, which is atomic. `decorate` is made from a
    // `@Sendable` closure of the user.

    let type: any Any.Type
    /// The qualifier of the registrations to wrap; nil wraps all registrations of the type.
    let qualifier: String?
    let location: SourcePlace
    let parameterQualifiers: [Qualifier?]
    let run: Registry
    /// Wraps the box that is the subject of the call.
    let decorate: MakerFunction<AnyBox>
    private let lazyDependencies = LazyConstant<[DeclaredDependency]>()

    var dependencies: [DeclaredDependency] {
        lazyDependencies.value { .init(decorate.parameters, parameterQualifiers) }
    }

    init(
        type: any Any.Type, qualifier: String?, location: SourcePlace, parameterQualifiers: [Qualifier?],
        run: Registry, decorate: MakerFunction<AnyBox>
    ) {
        self.type = type
        self.qualifier = qualifier
        self.location = location
        self.parameterQualifiers = parameterQualifiers
        self.run = run
        self.decorate = decorate
    }
}
