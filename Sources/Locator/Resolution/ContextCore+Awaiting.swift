/// The product of a factory, or a call of an asynchronous factory that is still to run.
enum Product {
    case made(AnyBox)
    case begun(AwaitedProduct)
}

/// A call of an asynchronous factory whose parameters are resolved.
final class AwaitedProduct: @unchecked Sendable {
    // Sendable: all fields are constant. `make` is a user's `@Sendable` function with a `Sendable` payload. Its other
    // parameters are shared, or were resolved for it alone.

    /// The requested slot: the factory with its aliases and decorators.
    let slot: Slot
    /// The factory itself.
    let factory: Slot
    /// The state of the request.
    let state: ContextState
    let request: Request
    /// The request that has resolved the parameters.
    private let prolonged: ProlongedRequest
    /// What is being made, outermost first, for errors.
    let chain: [Step]
    let make: () async throws -> AnyBox

    init(
        _ slot: Slot, _ factory: Slot, _ session: Session, _ request: Request, chain: [Step],
        make: @escaping () async throws -> AnyBox
    ) {
        self.slot = slot
        self.factory = factory
        state = session.state
        self.request = request
        prolonged = ProlongedRequest(session)
        self.chain = chain
        self.make = make
    }
}

/// Requests for factories in asynchronous code.
///
/// An asynchronous factory is called in three steps, each of which may run on another thread. First, a request resolves
/// its parameters. Then its function runs. Then a second request, which sees the state of the first, runs the
/// injections and decorators.
extension ContextCore {
    /// Creates the product of a factory.
    ///
    /// If an injected function makes the request, `holder` is the type that the function was injected into.
    func resolve<Value, Payload>(
        _ type: Value.Type, with payload: Payload, qualifier: Qualifier?, location: SourcePlace,
        holder: (any Any.Type)?? = nil, isolation: isolated (any Actor)? = #isolation
    ) async throws(LocatorError) -> Value {
        if qualifier == nil, let value: Value = try ready(type, with: payload, location) { return value }
        let request = try request(type, qualifier, location)
        let product: Product
        if let holder {
            product = try ThreadRecord.current.requesting(for: holder, at: location) { () throws(LocatorError) in
                try produce(type, from: payload, request, isAwaited: true)
            }
        } else {
            product = try produce(type, from: payload, request, isAwaited: true)
        }
        let box: AnyBox
        switch product {
        case .made(let made): box = made
        case .begun(let awaited):
            defer { withExtendedLifetime(awaited) {} }
            box = try finish(awaited, try await run(awaited))
        }
        tell(.resolved(request.key, location))
        return box.value(as: type)
    }

    /// Resolves the parameters of an asynchronous factory.
    func begin(
        _ slot: Slot, payload: UnsafeRawPointer, _ request: Request, in session: Session, on thread: ThreadRecord
    ) throws(LocatorError) -> AwaitedProduct {
        // Every layer is entered, as for a synchronous factory.
        func begin(_ layer: Slot) throws(LocatorError) -> AwaitedProduct {
            let recorder = try self.recorder(noting: layer, request, on: thread)
            try self.begin(layer, isFactory: true, request, in: session, on: thread, nil, recorder)
            defer { end(recorder, on: thread) }
            if let inner = layer.inner { return try begin(inner) }
            guard case .asynchronous(let function) = layer.record.production else {
                preconditionFailure("A factory is waited for that is not asynchronous")
            }
            if layer.record.isolation != .none { try checkActor(of: layer, request, thread) }
            let make = try foreign(layer, request, thread) {
                var call = MakerCall(.passUnretained(self), thread, of: .passUnretained(layer), payload: payload)
                return try function.run(&call)
            }
            return AwaitedProduct(slot, layer, session, request, chain: thread.steps, make: make)
        }
        return try begin(slot)
    }

    /// Runs the function of an asynchronous factory in this context.
    private func run(
        _ product: AwaitedProduct, isolation: isolated (any Actor)? = #isolation
    ) async throws(LocatorError) -> AnyBox {
        let start = ContinuousClock.now
        do {
            let box = try await binding { try await product.make() }
            let duration = ContinuousClock.now - start
            tellMade(product.factory, duration, own: duration)
            return box
        } catch let error as LocatorError {
            throw error
        } catch {
            throw LocatorError(
                .initializationFailed(product.factory.key, error), request: product.request, chain: product.chain)
        }
    }

    /// Runs the injections of what an asynchronous factory has made, and its decorators and aliases.
    private func finish(_ product: AwaitedProduct, _ box: AnyBox) throws(LocatorError) -> AnyBox {
        let (slot, request) = (product.slot, product.request)
        if slot.inner == nil, slot.record.injections.isEmpty { return box }
        return try inSession(request, in: product.state) { (session, thread) throws(LocatorError) in
            func finish(_ layer: Slot) throws(LocatorError) -> AnyBox {
                let base = try layer.inner.map { (inner) throws(LocatorError) in try finish(inner) } ?? box
                let recorder = thread.recorder(of: self)
                try begin(layer, isFactory: true, request, in: session, on: thread, nil, recorder)
                defer { end(recorder, on: thread) }
                if layer.inner != nil { return try makeLayer(of: layer, around: base, request, on: thread) }
                if layer.record.isolation != .none { try checkActor(of: layer, request, thread) }
                try noteMade(base, of: layer, request, in: session, on: thread, recorder)
                return base
            }
            return try finish(slot)
        }
    }
}
