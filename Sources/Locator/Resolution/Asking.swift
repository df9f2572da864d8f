internal import LocatorProperties

/// What is asked of a context, typed: the base of contexts, resolvers, parameters and wrappers.
extension ContextCore {
    /// The instance that answers for a type; `wasLookedUp` says that the caller has found no ready answer.
    func resolve<Value>(
        _ type: Value.Type, qualifier: Qualifier?, location: SourcePlace, wasLookedUp: Bool = false
    ) throws(LocatorError) -> Value {
        let thread = ThreadRecord.Unretained.current(threadKey).takeUnretainedValue()
        if !thread.frames.isEmpty, let box = try nested(type, qualifier, location, on: thread) {
            return box.value(as: type)
        }
        if !wasLookedUp, qualifier == nil, let lookup = beginLookup(type) {
            if !lookup.isRecipe { return taken(from: lookup.read) }
            if let entry = enter(lookup, type, nil, location) { return try make(entry) }
        }
        return try resolvedAnew(type, qualifier, location)
    }

    // Not inlined: what it needs to know of the type costs only who has found the answer.
    @inline(never)
    private func taken<Value>(from read: WarmRead) -> Value { read.take(as: Value.self) }

    @inline(never)
    private func resolvedAnew<Value>(
        _ type: Value.Type, _ qualifier: Qualifier?, _ location: SourcePlace
    ) throws(LocatorError) -> Value {
        let request = try request(type, qualifier, location)
        let query = Cell.Query(kind: .single, qualifier: request.key.qualifier)
        if let box = try find(type, query, request) {
            tell(.resolved(request.key, location))
            return box.value(as: type)
        }
        return try resolvedOtherwise(type, qualifier, request)
    }

    /// What a type asks for that no registration answers.
    // Not inlined: an optional of a type that is known only to the caller costs whoever has one.
    @inline(never)
    private func resolvedOtherwise<Value>(
        _ type: Value.Type, _ qualifier: Qualifier?, _ request: Request
    ) throws(LocatorError) -> Value {
        if let value = try injected(type, qualifier, request) { return value }
        throw noting(LocatorError(.missing(request.key), request, ThreadRecord.current), near: request)
    }

    /// The instance, or nil where nothing is registered.
    func resolveIfRegistered<Value>(
        _ type: Value.Type, qualifier: Qualifier?, location: SourcePlace
    ) throws(LocatorError) -> Value? {
        if let qualifier {
            if case .name(let name) = qualifier.content, let read = beginWarmRead(type, qualifier: name) {
                return read.takeIfRegistered(as: type)
            }
        } else if let read = beginWarmRead(type) {
            return read.takeIfRegistered(as: type)
        }
        let request = try request(type, qualifier, location)
        let query = Cell.Query(kind: .single, qualifier: request.key.qualifier)
        if let box = try find(type, query, request) {
            tell(.resolved(request.key, location))
            return box.value(as: type)
        }
        return try injected(type, qualifier, request)
    }

    /// The instance, or nil where nothing answers: nothing is registered, and there are no properties to decode it
    /// from.
    func resolveOptional<Value>(
        _ type: Value.Type, qualifier: Qualifier?, location: SourcePlace
    ) throws(LocatorError) -> Value? {
        if qualifier == nil, let read = beginWarmRead(type) { return read.takeIfRegistered(as: type) }
        guard let configured = type as? any ConfigProperty.Type else {
            return try resolveIfRegistered(type, qualifier: qualifier, location: location)
        }
        let request = try request(type, qualifier, location)
        return try inSession(request) { (session, thread) throws(LocatorError) in
            if hasNothingToDecode(configured, request, in: session, on: thread) { return nil }
            return try resolveIfRegistered(type, qualifier: qualifier, location: location)
        }
    }

    /// What a type that is a way to ask, such as an array or an optional, asks for; nil for any other.
    private func injected<Value>(
        _ type: Value.Type, _ qualifier: Qualifier?, _ request: Request
    ) throws(LocatorError) -> Value? {
        if type == AnyObject.self || type == Any.self {
            // Nobody means this: the compiler has inferred it, as from the operand of `===`.
            throw LocatorError(.missing(request.key), request, ThreadRecord.current)
                .noting(["the compiler inferred \(Key(type))"], betterFix: "specify the type to resolve")
        }
        guard let way = wayToAsk(type) else { return nil }
        if let payload = way.payload {
            try checkFactory(of: way.dependency.type, payload, isAwaited: way.isAwaited, request)
        }
        do {
            return try way.injected(by: self, qualifier: qualifier, location: request.location) as? Value
        } catch let error as LocatorError {
            throw error
        } catch {
            throw LocatorError(.initializationFailed(request.key, error), request, ThreadRecord.current)
        }
    }

    func resolveAll<Element>(
        _ type: Element.Type, qualifier: Qualifier?, from selection: ModuleSelection, location: SourcePlace
    ) throws(LocatorError) -> [Element] {
        var isPlain = false
        if qualifier == nil, case .all = selection.rule { isPlain = true }
        if isPlain, let read = beginWarmRead(type, isCollection: true) { return read.take(as: [Element].self) }
        let request = try request(type, qualifier, location)
        let found = try findAll(type, request.key.qualifier, selection, request)
        tell(
            .resolved(
                Key([Element].self, qualifier: request.key.qualifier, hidesQualifier: request.key.hidesQualifier),
                location))
        let elements = found.map { $0.box.value(as: type) }
        if isPlain, ThreadRecord.current.frames.isEmpty { makeReady(type, elements, found.map(\.box)) }
        return elements
    }

    func resolveMap<Element>(
        _ type: Element.Type, location: SourcePlace
    ) throws(LocatorError) -> [String: Element] {
        let request = Request(key: Key(type), location: location)
        var map: [String: Element] = [:]
        for case (let box, let qualifier?) in try findMap(type, request) { map[qualifier] = box.value(as: type) }
        return map
    }

    func resolve<Value, Payload>(
        _ type: Value.Type, with payload: Payload, qualifier: Qualifier?, location: SourcePlace
    ) throws(LocatorError) -> Value {
        if qualifier == nil, let value = try ready(type, with: payload, location) { return value }
        let request = try request(type, qualifier, location)
        let product = try produce(type, from: payload, request, isAwaited: false)
        tell(.resolved(request.key, location))
        guard case .made(let box) = product else { preconditionFailure("No thread waits for a factory") }
        return box.value(as: type)
    }

    /// The product of a factory that needs no lock; nil where there is none.
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

    @inline(never)
    func request(
        _ type: any Any.Type, _ qualifier: Qualifier?, _ location: SourcePlace
    ) throws(LocatorError) -> Request {
        switch qualifier?.content {
        case nil:
            return Request(key: Key(type), location: location)
        case .name(let name):
            return Request(key: Key(type, qualifier: name), location: location)
        case .property(let path):
            let asked = Request(key: Key(type), location: location, qualifierPath: path)
            return Request(key: try key(type, qualifier, asked), location: location, qualifierPath: path)
        }
    }
}
