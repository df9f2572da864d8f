internal import LocatorProperties

/// Resolves types. Contexts, resolvers, parameters, and wrappers use these functions.
extension ContextCore {
    /// Resolves a type.
    ///
    /// `isOfContext` says that the caller is the context itself, which has found no ready answer.
    func resolve<Value>(
        _ type: Value.Type, qualifier: Qualifier?, location: SourcePlace, isOfContext: Bool = false
    ) throws(LocatorError) -> Value {
        let thread = ThreadRecord.Unretained.current(threadKey)
        let isInside = thread._withUnsafeGuaranteedRef { !$0.frames.isEmpty }
        if !isInside, !isOfContext, qualifier == nil, let lookup = beginLookup(WarmKey(type)) {
            if !lookup.isRecipe { return taken(from: lookup.read) }
            if let entry = enter(lookup, type, nil, location) { return try make(entry) }
        }
        switch try asChild?.readLean(type, qualifier, location, isKept: isOfContext) {
        case .box(let box): return box.value(as: type)
        case .recipe(let slot):
            return try Self.makeLean(slot, in: .passUnretained(self), isNoted: true, on: .current)
        case .missing, nil: break
        }
        if isInside, let box = try nested(type, qualifier, location, on: thread.takeUnretainedValue()) {
            return box.value(as: type)
        }
        return try resolvedAnew(type, qualifier, location)
    }

    // Not inlined, so that only requests that found the answer have the cost of looking up type metadata.
    @inline(never)
    private func taken<Value>(from read: WarmRead) -> Value { read.take(as: Value.self) }

    @inline(never)
    private func resolvedAnew<Value>(
        _ type: Value.Type, _ qualifier: Qualifier?, _ location: SourcePlace
    ) throws(LocatorError) -> Value {
        let (request, box) = try withRequest(type, qualifier, location) { (request) throws(LocatorError) in
            (request, try find(request))
        }
        if let box {
            tellResolved(request.key, location)
            return box.value(as: type)
        }
        return try resolvedOtherwise(type, qualifier, request)
    }

    /// Resolves a type that no registration answers.
    // Not inlined, so that only requests that get here have the cost of the metadata of `Optional<Value>`.
    @inline(never)
    private func resolvedOtherwise<Value>(
        _ type: Value.Type, _ qualifier: Qualifier?, _ request: Request
    ) throws(LocatorError) -> Value {
        if let value = try injected(type, qualifier, request) { return value }
        throw LocatorError(.missing(request.key), request, ThreadRecord.current).noting(near: request, in: self)
    }

    /// Resolves a type, or returns nil if nothing is registered and there are no settings to decode it from.
    func resolveOptional<Value>(
        _ type: Value.Type, qualifier: Qualifier?, location: SourcePlace
    ) throws(LocatorError) -> Value? {
        // A qualifier that a setting names is not known yet.
        if qualifier?.path == nil, let read = beginWarmRead(WarmKey(type, named: qualifier?.name)) {
            return read.takeIfRegistered(as: type)
        }
        switch try asChild?.readLean(type, qualifier, location) {
        case .box(let box): return box.value(as: type)
        case .recipe(let slot):
            return try Self.makeLean(slot, in: .passUnretained(self), isNoted: true, on: .current)
        case .missing: return nil
        case nil: break
        }
        if let configured = type as? any ConfigProperty.Type {
            let request = try request(type, qualifier, location)
            return try inSession(request) { (session, thread) throws(LocatorError) in
                if hasNothingToDecode(configured, request, in: session, on: thread) { return nil }
                return try value(of: find(request), type, qualifier, request)
            }
        }
        let (request, box) = try withRequest(type, qualifier, location) { (request) throws(LocatorError) in
            (request, try find(request))
        }
        return try value(of: box, type, qualifier, request)
    }

    private func value<Value>(
        of box: AnyBox?, _ type: Value.Type, _ qualifier: Qualifier?, _ request: Request
    ) throws(LocatorError) -> Value? {
        guard let box else { return try injected(type, qualifier, request, isOptional: true) }
        tellResolved(request.key, request.location)
        return box.value(as: type)
    }

    /// Whether a dependency that is resolved later could not be resolved, because nothing is registered and there are no
    /// settings to decode it from.
    func isMissing(_ dependency: DeclaredDependency, at location: SourcePlace) throws(LocatorError) -> Bool {
        if dependency.isHeld || dependency.isOptional || dependency.isCollection { return false }
        if dependency.kind == .resolver || dependency.kind == .site { return false }
        let request = try request(dependency.type, dependency.qualifier, location)
        return try inSession(request) { (session, thread) throws(LocatorError) in
            var payload: ObjectIdentifier?
            if case .factory(let type) = dependency.shape { payload = ObjectIdentifier(type) }
            if case .missing = session.read(.presence(payload: payload), request, on: thread) { return true }
            guard let configured = dependency.type as? any ConfigProperty.Type else { return false }
            return hasNothingToDecode(configured, request, in: session, on: thread)
        }
    }

    /// What an injectable parameter, such as an array or an optional, resolves to; nil for any other type.
    ///
    /// If `isOptional` is true and nothing is registered, a parameter that is resolved later is immediately nil.
    private func injected<Value>(
        _ type: Value.Type, _ qualifier: Qualifier?, _ request: Request, isOptional: Bool = false
    ) throws(LocatorError) -> Value? {
        if Fix.isInferred(type) {
            throw LocatorError(.missing(request.key), request, ThreadRecord.current)
                .noting(["the compiler inferred \(Key(type))"])
        }
        guard let way = injectable(type) else { return nil }
        if isOptional {
            let later = DeclaredDependency(type, qualifier: qualifier)
            if try isMissing(later, at: request.location) { return nil }
        }
        if let payload = way.payload {
            try checkFactory(of: way.dependency.type, payload, isAwaited: way.isAwaited, request)
        }
        do {
            return try way.injected(for: .init(core: self, qualifier: qualifier, location: request.location))
                as? Value
        } catch {
            throw error as? LocatorError
                ?? LocatorError(.initializationFailed(request.key, error), request, ThreadRecord.current)
        }
    }

    func resolveAll<Element>(
        _ type: Element.Type, qualifier: Qualifier?, from selection: ModuleSelection, location: SourcePlace
    ) throws(LocatorError) -> [Element] {
        var isPlain = false
        if qualifier == nil, case .all = selection.rule { isPlain = true }
        if isPlain {
            if let read = beginWarmRead(WarmKey(type, isCollection: true)) { return read.take(as: [Element].self) }
            if let box = asChild?.readLean(all: type, on: .current) { return box.value(as: [Element].self) }
        }
        let (request, found) = try withRequest(type, qualifier, location, selection.kind) {
            (request) throws(LocatorError) in
            (request, try findAll(request, selection.kind, where: selection.predicate))
        }
        tellResolved(
            Key([Element].self, qualifier: request.key.qualifier, hidesQualifier: request.key.hidesQualifier), location)
        let elements = found.map { $0.box.value(as: type) }
        if isPlain, ThreadRecord.current.frames.isEmpty { makeCollectionReady(type) }
        return elements
    }

    func resolveMap<Element>(
        _ type: Element.Type, location: SourcePlace
    ) throws(LocatorError) -> [String: Element] {
        let request = Request(key: Key(type), location: location)
        var map: [String: Element] = [:]
        for case (let box, let qualifier?) in try findAll(request, .map) { map[qualifier] = box.value(as: type) }
        tellResolved(Key([String: Element].self), location)
        return map
    }

    func resolve<Value, Payload>(
        _ type: Value.Type, with payload: Payload, qualifier: Qualifier?, location: SourcePlace
    ) throws(LocatorError) -> Value {
        if qualifier == nil, let value = try ready(type, with: payload, location) { return value }
        let kind = Cell.Query.Kind.factory(payload: ObjectIdentifier(Payload.self))
        let (request, product) = try withRequest(type, qualifier, location, kind) { (request) throws(LocatorError) in
            (request, try produce(from: payload, request, isAwaited: false))
        }
        tellResolved(request.key, location)
        guard case .made(let box) = product else { preconditionFailure("No thread waits for a factory") }
        return box.value(as: type)
    }

    /// Creates the product of a factory, which may be asynchronous.
    ///
    /// If an injected function makes the request, `holder` is the type that the function was injected into.
    func resolve<Value, Payload>(
        _ type: Value.Type, with payload: Payload, qualifier: Qualifier?, location: SourcePlace,
        holder: (any Any.Type)?? = nil, isolation: isolated (any Actor)? = #isolation
    ) async throws(LocatorError) -> Value {
        if qualifier == nil, let value: Value = try ready(type, with: payload, location) { return value }
        let kind = Cell.Query.Kind.factory(payload: ObjectIdentifier(Payload.self))
        let (request, product) = try withRequest(type, qualifier, location, kind) { (request) throws(LocatorError) in
            guard let holder else { return (request, try produce(from: payload, request, isAwaited: true)) }
            return try ThreadRecord.current.requesting(for: holder, at: location) { () throws(LocatorError) in
                (request, try produce(from: payload, request, isAwaited: true))
            }
        }
        let box: AnyBox
        switch product {
        case .made(let made): box = made
        case .begun(let awaited): box = try await awaited.finished()
        }
        tellResolved(request.key, location)
        return box.value(as: type)
    }

    /// Creates the product of a factory without a lock, or returns nil if this is not possible.
    func ready<Value, Payload>(
        _ type: Value.Type, with payload: Payload, _ location: SourcePlace
    ) throws(LocatorError) -> Value? {
        guard let entry = enter(type, payloadType: ObjectIdentifier(Payload.self), location) else { return nil }
        return try withPointer(to: payload) { (payload) throws(LocatorError) -> Value in
            try make(entry, payload: payload)
        }
    }

    func withPointer<Value, Result>(
        to value: Value, _ body: (UnsafeRawPointer) throws(LocatorError) -> Result
    ) throws(LocatorError) -> Result {
        try withUnsafePointer(to: value) { (pointer) throws(LocatorError) in try body(UnsafeRawPointer(pointer)) }
    }

    /// Runs `body` with a request.
    ///
    /// If a setting names the qualifier, it is read in the state in which the request is answered.
    // Inlined, because factory closures nest, and few requests have such a qualifier.
    @inline(__always)
    func withRequest<Result>(
        _ type: any Any.Type, _ qualifier: Qualifier?, _ location: SourcePlace, _ kind: Cell.Query.Kind = .single,
        _ body: (Request) throws(LocatorError) -> Result
    ) throws(LocatorError) -> Result {
        if let path = qualifier?.path { return try withNamedRequest(type, qualifier, path, location, kind, body) }
        return try body(request(type, qualifier, location))
    }

    @inline(never)
    private func withNamedRequest<Result>(
        _ type: any Any.Type, _ qualifier: Qualifier?, _ path: String, _ location: SourcePlace,
        _ kind: Cell.Query.Kind, _ body: (Request) throws(LocatorError) -> Result
    ) throws(LocatorError) -> Result {
        let unnamed = Request(key: Key(type), location: location, qualifierPath: path)
        return try inSession(
            unnamed,
            orGive: {
                // A strict test notes a request from outside before it begins and makes this context the current one.
                if let watch, watch.isForeign, let name = state.properties.lookup(path).text {
                    let request = Request(key: Key(type, qualifier: name), location: location, qualifierPath: path)
                    watch.note(answer(of: cell(kind, of: request.key), in: state), to: request)
                }
                return nil
            },
            { (session, _) throws(LocatorError) in
                let request = try request(type, qualifier, location)
                // Errors show the outermost request.
                if session.request === unnamed { session.request = request }
                return try body(request)
            })
    }

    @inline(never)
    func request(
        _ type: any Any.Type, _ qualifier: Qualifier?, _ location: SourcePlace
    ) throws(LocatorError) -> Request {
        guard let path = qualifier?.path else {
            return Request(key: Key(type, qualifier: qualifier?.name), location: location)
        }
        let asked = Request(key: Key(type), location: location, qualifierPath: path)
        return Request(key: try key(type, qualifier, asked), location: location, qualifierPath: path)
    }

    /// Whether something is registered for a request.
    func isRegistered(_ type: any Any.Type, _ qualifier: Qualifier?) -> Bool {
        let type = DeclaredDependency(type).type
        // If the setting of the qualifier cannot be read, there is no registration.
        guard let key = try? key(type, qualifier, Request(key: Key(type), location: .properties)) else { return false }
        return locked {
            switch answer(of: cell(.single, of: key), in: state) {
            case .missing: break
            case .slot(let slot): if !slot.isDecoded { return true }
            case .undecided, .elements, .offers: return true
            }
            return state.lineup.holders(of: ObjectIdentifier(type)).contains { holder in
                !holder.entry.factories(qualifier: key.qualifier).isEmpty
            }
        }
    }
}
