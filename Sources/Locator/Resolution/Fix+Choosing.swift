/// How to choose among several registrations that match a request.
extension Fix {
    /// The origin of the request, which decides where a qualifier can be passed.
    enum Chooser {
        /// A function of a context or a resolver.
        case request
        /// A wrapper.
        case wrapper
        /// A parameter of a factory closure or a decorator.
        case parameter(of: Slot?)
        /// A parameter of `.injecting`, which cannot have a qualifier.
        case injection
        /// An alias, which forwards to another registration.
        case alias
    }

    /// - Parameter areTogether: Whether they are keys of one registration, which are primary together.
    static func choosing(
        _ key: Key, among candidates: [Registered], areTogether: Bool = false, for chooser: Chooser
    ) -> String {
        let marking =
            areTogether
            ? [] : ["mark \(candidates.contains(where: \.isPrimary) ? "only one" : "one") of them .primary()"]
        if case .alias = chooser {
            let qualifier = key.qualifier == nil ? "a qualifier" : "another qualifier"
            return alternatives(["give all but one of them \(qualifier)"] + marking)
        }
        let payload = candidates.lazy.compactMap(\.payload).first
        let name = candidates.lazy.map(\.key).first { $0.qualifier != key.qualifier }?.shownQualifier
        let naming = naming(name?.debugDescription ?? "\"…\"", key, payload: payload, chooser)
        let qualifiers = key.qualifier == nil ? "qualifiers" : "different qualifiers"
        let choice = name == nil ? "give them \(qualifiers) and \(naming)" : naming
        // Collections do not contain what factories make.
        return alternatives([choice] + marking + (payload != nil ? [] : [collecting(key, chooser)]))
    }

    private static func alternatives(_ texts: [String]) -> String {
        let first = texts.dropLast().joined(separator: ", ")
        return first + (first.isEmpty ? "" : ", or ") + (texts.last ?? "")
    }

    /// How many of several registrations are primary: none, or too many.
    static func primaries(_ candidates: [Registered]) -> String {
        let count = candidates.count { $0.isPrimary }
        return count == 0 ? "none of them is primary" : "\(count) of them are primary"
    }

    /// Where to pass the qualifier.
    private static func naming(_ name: String, _ key: Key, payload: String?, _ chooser: Chooser) -> String {
        switch chooser {
        case .request, .alias: "request one by its qualifier"
        case .wrapper: "choose one with `@Dependency(qualifier: \(name))`"
        case .parameter(let slot):
            "choose one with `\(slot?.naming(name, for: key, payload: payload) ?? "parameterQualifiers:")` in the registration"
        case .injection: "choose one with `resolve(\(key.metatype), qualifier: \(name))` of a Resolver"
        }
    }

    /// How to get all of them.
    private static func collecting(_ key: Key, _ chooser: Chooser) -> String {
        switch chooser {
        case .request, .alias: "get all of them with resolveAll"
        case .wrapper: "get all of them with @DependencyArray"
        case .parameter, .injection: "take all of them as [\(typeName(key.type))]"
        }
    }
}

extension Slot {
    /// The argument that passes a qualifier for the parameters that request one instance of a key, or its factory with a
    /// payload; nil if there is no such parameter.
    fileprivate func naming(_ name: String, for key: Key, payload: String?) -> String? {
        let parameters = dependencies.filter { $0.phase == .making }
        func areMeant(_ isMeant: (Qualifier?) -> Bool) -> [Bool] {
            parameters.map { $0.type == key.type && $0.requests(payload: payload) && isMeant($0.qualifier) }
        }
        var isMeant = areMeant { $0?.path == nil && $0?.name == key.qualifier }
        // The content of a setting is not known here.
        if !isMeant.contains(true), key.qualifier != nil { isMeant = areMeant { $0?.path != nil } }
        guard isMeant.contains(true) else { return nil }
        return Fix.parameterQualifiers(zip(parameters, isMeant).map { $1 ? name : Fix.text(of: $0.qualifier) })
    }

    /// The fix for `parameterQualifiers:` that have another order than the parameters; nil if their order is not the
    /// cause.
    ///
    /// `key` is the missing key, and `isRegistered` says whether a type is registered with a qualifier.
    func reordering(for key: Key, _ isRegistered: (any Any.Type, String) -> Bool) -> String? {
        let parameters = dependencies.filter { $0.phase == .making }
        let given = parameters.map(\.qualifier?.name)
        var ordered: [String?] = parameters.map { _ in nil }
        for name in given {
            guard let name else { continue }
            let fitting = parameters.indices.first { ordered[$0] == nil && isRegistered(parameters[$0].type, name) }
            guard let fitting else { return nil }
            ordered[fitting] = name
        }
        // A setting names a qualifier that is not known here.
        if ordered == given || parameters.contains(where: { $0.qualifier?.path != nil }) { return nil }
        let argument = Fix.parameterQualifiers(ordered.map { Fix.text(of: $0.map(Qualifier.named)) })
        return "pass the qualifiers in the order of the parameters, `\(argument)`, or "
            + Fix.registering(key)
    }
}

extension DeclaredDependency {
    /// Whether it requests one instance, or a factory that takes a payload of this name.
    fileprivate func requests(payload: String?) -> Bool {
        switch shape {
        case .single: payload == nil
        case .collection: false
        case .factory(let type): payload == typeName(type) || payload == qualifiedTypeName(type)
        }
    }
}

extension Fix {
    fileprivate static func parameterQualifiers(_ texts: [String]) -> String {
        "parameterQualifiers: [\(texts.joined(separator: ", "))]"
    }

    /// A qualifier as in source code.
    fileprivate static func text(of qualifier: Qualifier?) -> String {
        guard let qualifier else { return "nil" }
        return qualifier.path.map { ".property(\($0.debugDescription))" } ?? "\(qualifier)"
    }
}

extension LocatorError {
    /// Creates the error for a request that several registrations match, none of them primary.
    init(
        ambiguous key: Key, _ candidates: [Candidate], _ request: Request, in lineup: Lineup, _ thread: ThreadRecord
    ) {
        self = .ambiguous(key, candidates, for: thread.chooser(of: request, in: lineup)) {
            LocatorError($0, request, thread)
        }
    }

    /// Creates the error about several registrations, of which the request or an alias has to choose one.
    static func ambiguous(
        _ key: Key, _ candidates: [Candidate], for chooser: Fix.Chooser, _ error: (Kind) -> LocatorError
    ) -> LocatorError {
        let registered = candidates.map(Registered.init)
        // An alias forwards to another type.
        guard let target = registered.first?.key, target.type != key.type else {
            let fix = Fix.choosing(key, among: registered, areTogether: candidates.areTogether, for: chooser)
            return error(.ambiguous(key, registered)).noting([], betterFix: fix)
        }
        return error(.ambiguous(target, registered))
            .noting(["\(key) is an alias of it"], betterFix: Fix.choosing(target, among: registered, for: .alias))
    }

    /// Creates the error about a request without a payload for what only factories make.
    static func payloadNeeded(_ key: Key, by factories: [Candidate], _ error: (Kind) -> LocatorError) -> LocatorError {
        let payloads = factories.payloads
        let isAwaited = factories.allSatisfy(\.record.isAsynchronous)
        return error(.payloadNeeded(key, payloads: payloads))
            .noting([], betterFix: Fix.passingPayload(for: key.type, from: payloads, isAwaited: isAwaited))
    }
}

extension ThreadRecord {
    /// The slot whose registration has the parameter that a request is for; nil if the request is not for a parameter.
    func slotWithParameter(of request: Request, in lineup: Lineup) -> Slot? {
        if case .parameter(let slot) = chooser(of: request, in: lineup) { slot } else { nil }
    }

    /// The origin of a request that several registrations match.
    fileprivate func chooser(of request: Request, in lineup: Lineup) -> Fix.Chooser {
        let requester = requester?.location == request.location ? requester : nil
        if requester?.isWrapper ?? false { return .wrapper }
        guard let frame = frames.last(where: { $0.slot != nil || $0.isBarrier }), let slot = frame.slot,
            slot.step.location == request.location
        else {
            // A closure may also have requested the `Lazy` or `Provider` with its resolver, somewhere else.
            let isParameter = requester?.type.map { lineup.registers($0, at: request.location) } ?? false
            return isParameter ? .parameter(of: nil) : .request
        }
        if slot.isAlias { return .alias }
        return frame.isInjection ? .injection : .parameter(of: slot)
    }
}

extension Lineup {
    /// Whether a registration, a decorator, or a factory of a type is at a place.
    fileprivate func registers(_ type: any Any.Type, at location: SourcePlace) -> Bool {
        holders(of: ObjectIdentifier(type)).contains { holder in
            let entry = holder.entry
            return (entry.candidates + entry.factories).contains { $0.record.location == location }
                || entry.decorators.contains { $0.location == location }
        }
    }
}
