/// The product of a factory, or a call of an asynchronous factory that has not run yet.
enum Product {
    case made(AnyBox)
    case begun(AwaitedProduct)
}

/// A call of an asynchronous factory whose parameters have been resolved.
///
/// Such a call has three steps, each of which may run on another thread. First, a request resolves the parameters. Then
/// the function runs. Then a second request, which sees the state of the first, runs the injections and decorators.
final class AwaitedProduct: @unchecked Sendable {
    // Sendable: all fields are constant. `make` is a user's `@Sendable` function with a `Sendable` payload. Its other
    // parameters are shared, or were resolved only for it.

    private let core: ContextCore
    /// The requested slot: the factory with its aliases and decorators.
    private let slot: Slot
    /// The state of the request.
    private let state: ContextState
    private let request: Request
    /// The request that has resolved the parameters.
    private let prolonged: ProlongedRequest
    /// What is being made, outermost first, for errors.
    private let chain: [Step]
    private let make: () async throws -> AnyBox

    private init(
        _ slot: Slot, _ session: Session, _ request: Request, chain: [Step],
        make: @escaping () async throws -> AnyBox
    ) {
        core = session.core
        self.slot = slot
        state = session.state
        self.request = request
        prolonged = ProlongedRequest(session)
        self.chain = chain
        self.make = make
    }

    /// Resolves the parameters of an asynchronous factory.
    static func begin(
        _ slot: Slot, payload: UnsafeRawPointer, _ request: Request, in session: Session, on thread: ThreadRecord
    ) throws(LocatorError) -> AwaitedProduct {
        let core = session.core
        // Every layer is entered, as for a synchronous factory.
        func begin(_ layer: Slot) throws(LocatorError) -> AwaitedProduct {
            let recorder = try session.recorder(noting: layer, request, on: thread)
            try session.enterFrame(of: layer, isFactory: true, request, on: thread, nil, recorder)
            defer { session.leaveFrame(recorder, on: thread) }
            if let inner = layer.inner { return try begin(inner) }
            guard case .asynchronous(let function) = layer.record.production else {
                preconditionFailure("A factory is waited for that is not asynchronous")
            }
            if layer.record.isolation != .none { try session.checkActor(of: layer, request, thread) }
            try checkParameters(of: layer, request, in: session, on: thread)
            let make = try session.foreign(layer, request, thread) {
                var call = MakerCall(.passUnretained(core), thread, of: .passUnretained(layer), payload: payload)
                return try function.run(&call)
            }
            return AwaitedProduct(slot, session, request, chain: thread.steps, make: make)
        }
        return try begin(slot)
    }

    /// Throws if the function, which runs off the main actor, takes an instance that others use on the main actor.
    private static func checkParameters(
        of layer: Slot, _ request: Request, in session: Session, on thread: ThreadRecord
    ) throws(LocatorError) {
        let state = session.state
        let slots = session.core.locked {
            layer.record.dependencies.filter(\.isNeededWhileMaking).flatMap { dependency -> [Slot] in
                let path = dependency.qualifier?.path
                let name = path.map { state.properties.lookup($0).text } ?? dependency.qualifier?.name
                if path != nil, name == nil { return [] }
                switch session.core.answer(of: dependency, named: name, in: state) {
                case .slot(let slot): return [slot]
                case .elements(let elements): return elements.map(\.slot)
                case .missing, .undecided, .offers: return []
                }
            }
        }
        // A prototype is made only for the function.
        let isUsedThere = { (slot: Slot) in
            slot.record.isolation == .makingAndAsking && slot.record.lifetime != .prototype
        }
        guard let slot = slots.first(where: isUsedThere) else { return }
        throw LocatorError(offMainActor: slot, request, thread, reaching: slot).noting(
            ["an asynchronous factory closure runs off the main actor"],
            betterFix: "pass \(slot.key) to its methods on the main actor")
    }

    /// Runs the function, with its context as the current one, and then the injections, decorators, and aliases.
    func finished(isolation: isolated (any Actor)? = #isolation) async throws(LocatorError) -> AnyBox {
        defer { withExtendedLifetime(self) {} }
        return try finish(try await run())
    }

    private func run(isolation: isolated (any Actor)? = #isolation) async throws(LocatorError) -> AnyBox {
        let start = ContinuousClock.now
        do {
            let box = try await core.binding { try await make() }
            let duration = ContinuousClock.now - start
            core.tellMade(slot.base, duration, own: duration)
            return box
        } catch {
            if let error = error as? LocatorError, !error.isOfHooks { throw error.needed(by: chain) }
            throw LocatorError(.initializationFailed(slot.record.key, error), request: request, chain: chain)
        }
    }

    private func finish(_ box: AnyBox) throws(LocatorError) -> AnyBox {
        if slot.inner == nil, slot.record.injections.isEmpty { return box }
        return try core.inSession(request, in: state) { (session, thread) throws(LocatorError) in
            session.continueGraph(of: prolonged.request)
            func finish(_ layer: Slot) throws(LocatorError) -> AnyBox {
                let base = try layer.inner.map { (inner) throws(LocatorError) in try finish(inner) } ?? box
                let recorder = thread.recorder(of: core)
                try session.enterFrame(of: layer, isFactory: true, request, on: thread, nil, recorder)
                defer { session.leaveFrame(recorder, on: thread) }
                if layer.inner != nil { return try session.makeLayer(of: layer, around: base, request, on: thread) }
                if layer.record.isolation != .none { try session.checkActor(of: layer, request, thread) }
                try session.noteMade(base, of: layer, request, on: thread, recorder)
                return base
            }
            return try finish(slot)
        }
    }
}
