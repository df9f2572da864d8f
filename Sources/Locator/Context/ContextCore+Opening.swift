internal import LocatorProperties
internal import Synchronization

extension Scope {
    /// Notes about the scopes with similar names, or about all scopes if there are none.
    fileprivate func notes(among scopes: some Sequence<Scope>) -> [String] {
        let names = scopes.map(\.name).sorted()
        let near = NearNames.nearest(to: name, among: names)
        return near.isEmpty ? names.map { "loaded: \(Scope($0))" } : near.map { "near: \(Scope($0))" }
    }
}

/// Opening scopes. The caller holds the lock everywhere.
extension ContextCore {
    /// What was opened in the current state.
    @discardableResult
    func findOpenings() -> Openings { state.openings.load() ?? state.openings.storeIfNil(Openings()) }

    /// The inputs to pass for a scope, found once for each state; nil if no loaded module names the scope.
    func opening(of scope: Scope) -> Unmanaged<Openings.Opening>? {
        let openings = findOpenings()
        if let known = openings[scope] { return known }
        if state.lineup.known(scope) == nil { return nil }
        let inputs = state.lineup.inputs(of: scope).map { input in
            Openings.DeclaredInput(
                record: input.record, slot: slot(of: input.record),
                isHidden: !isFirst(input.module, with: input.record.key, in: state))
        }
        openings.add(Openings.Opening(scope, inputs))
        return openings[scope]
    }

    /// Takes over what could be opened in an earlier state, unless the modules that have come, gone, or moved since
    /// then change it.
    ///
    /// The change has ended: see `AppContext.newChild`.
    func takeOpenings(from earlier: ContextState, changed: [LoadedModule] = []) {
        guard let openings = earlier.openings.load(),
            changed.allSatisfy({ !openings.depend(on: $0) })
        else { return }
        _ = state.openings.storeIfNil(openings)
    }

    /// Throws if a scope cannot be opened, or if the passed inputs do not match the declared ones.
    func checkOpening(_ scopes: [Scope], _ inputs: [Input], _ location: SourcePlace) throws(LocatorError) {
        if scopes.isEmpty, inputs.isEmpty { return }
        let request = Request.opening(at: location)
        var opened: [Scope] = []
        var wanted: [Openings.DeclaredInput] = []
        for scope in scopes where !opened.contains(scope) {
            opened.append(scope)
            guard let opening = opening(of: scope)?.takeUnretainedValue() else {
                throw LocatorError(.scopeUnknown(scope), request: request)
                    .noting(scope.notes(among: state.lineup.scopes))
            }
            wanted += opening.inputs
        }
        let problems = InputComparison(inputs, wanted, in: state.lineup).problems
        if problems.isEmpty { return }
        throw LocatorError(.wrongInputs(opened, problems), request: request)
    }

    /// Throws if a scope has no instances in this context and the contexts above it.
    ///
    /// This is the case if the scope requires opening and no context has opened it. It is also the case if no loaded
    /// module names it, not even one whose condition is false, and no context has opened it.
    func checkKnown(_ scope: Scope, at location: SourcePlace) throws(LocatorError) {
        if scope.isLasting || isClosed { return }
        if lineage.contains(where: { $0.opened.contains(scope) }) { return }
        if let known = lineage.lazy.compactMap({ $0.state.lineup.known(scope) }).first {
            guard scope.requiresOpening || known.requiresOpening else { return }
            throw LocatorError(.notOpenToReset(scope), at: location)
        }
        let known = lineage.reduce(into: Set()) { $0.formUnion($1.state.lineup.scopes) }
        throw LocatorError(.nothingToReset(scope), at: location).noting(scope.notes(among: known))
    }

    /// Gives a new, lean child the passed instances for the inputs that are declared here.
    ///
    /// Inputs that the child's own modules declare are found when they are requested.
    ///
    /// `find` finds the inputs that are declared for a scope. Returns false if the scopes or inputs may be wrong.
    func handIn(_ inputs: [Input], to child: ChildCore, _ find: (Scope) -> Unmanaged<Openings.Opening>?) -> Bool {
        let opened = child.opened
        if opened.isEmpty { return inputs.isEmpty }
        let keeps = !isObserved
        let thread = ThreadRecord.Unretained.current(threadKey)
        // One bit for each passed input that is declared. If two inputs have the same key, the second one is not found.
        // There is no bit for the 65th one and later ones, so these are compared when the child is opened.
        var declared: UInt64 = 0
        var isComplete = true
        for (index, scope) in opened.enumerated() where !opened[..<index].contains(scope) {
            guard let opening = find(scope) else { return false }
            for input in opening._withUnsafeGuaranteedRef({ $0.inputs }) {
                guard let position = inputs.firstIndex(where: { $0.answers(input.record.key) }) else {
                    if !input.isHidden { isComplete = false }
                    continue
                }
                declared |= 1 << UInt64(position)
                guard keeps else { continue }
                child.lean.append(
                    .init(
                        slot: .passUnretained(input.slot), record: .passUnretained(input.record),
                        box: .passRetained(inputs[position].box), thread: thread))
            }
        }
        return isComplete && declared.nonzeroBitCount == inputs.count
    }

    /// The instance that was passed for an input, in the nearest context that has opened its scope.
    func handedIn(_ record: RegistrationRecord) -> AnyBox? {
        guard let scope = record.lifetime.openableScope else { return nil }
        return opener(of: scope)?.inputs.first { $0.answers(record.key) && $0.isPassed(for: scope) }?.box
    }

    /// The nearest context that has opened a scope: this one or one above it.
    private func opener(of scope: Scope) -> ContextCore? { lineage.first { $0.opened.contains(scope) } }

    /// The scope that has to be opened for an instance of the slot; nil if it is open or does not have to be opened.
    ///
    /// An alias has no scope of its own. Its target is checked when the alias requests it, unless the instance exists.
    func unopenedScope(of slot: Slot, in state: ContextState) -> Scope? {
        if slot.isAlias { return nil }
        guard let scope = slot.record.lifetime.openableScope, opener(of: scope) == nil else { return nil }
        return scope.requiresOpening || input(of: scope, in: state) != nil ? scope : nil
    }

    /// Records that no instance of the slot could be made because this scope is not open.
    ///
    /// If the scope has to be opened only because it has inputs, the failure depends on the first of them.
    func note(_ scope: Scope, isNotOpenFor slot: Slot, in state: ContextState, _ reads: inout Reads) {
        reads.addFailure(of: slot)
        guard !scope.requiresOpening, let input = input(of: scope, in: state) else { return }
        let cell = cell(.collection, of: Key(input.key.type))
        reads.add(cell, answer(of: cell, in: state))
    }

    /// Adds the opened scopes with similar names to an error about a scope that is not opened.
    ///
    /// A parent may make an instance for its child, so this searches the contexts of everything that runs on the
    /// thread.
    func noting(
        _ error: LocatorError, near scope: Scope, _ request: Request, on thread: ThreadRecord
    ) -> LocatorError {
        var names: [String] = []
        for core in [self] + thread.reachable.compactMap(\.core) {
            for core in core.lineage { names += core.opened.map(\.name).filter { !names.contains($0) } }
        }
        let near = NearNames.nearest(to: scope.name, among: names)
        if let first = near.first {
            return error.noting(
                near.map { "near: \(Scope($0)), which is opened here" },
                betterFix: "correct the scope of the registration: \(Scope(first))")
        }
        // A wrapper resolves in the context in which it was created, no matter which code reads it.
        if let requester = thread.requester, requester.location == request.location, requester.isWrapper {
            return error.noting([], betterFix: Fix.beingOpened(scope))
        }
        let hasInputs = input(of: scope, in: state) != nil
        return hasInputs ? error.noting([], betterFix: Fix.opening(scope, hasInputs: true)) : error
    }

    /// The first input of a scope, in lookup order.
    private func input(of scope: Scope, in state: ContextState) -> RegistrationRecord? {
        // Relaxed suffices: it is changed with the lock held.
        if !family.hasInputs.load(ordering: .relaxed) { return nil }
        return state.lineup.inputs(of: scope).first?.record
    }

    /// The scopes that are opened here or above, and the inputs that were passed for them.
    ///
    /// The nearest come first. Each input notes the scopes that were opened with it.
    var everythingOpened: (scopes: [Scope], inputs: [Input]) {
        var scopes: [Scope] = []
        var inputs: [Input] = []
        for core in lineage {
            let further = core.opened.filter { !scopes.contains($0) }
            scopes += further
            inputs += core.inputs.map { input in
                var input = input
                input.scopes = further.filter(input.isPassed)
                return input
            }
        }
        return (scopes, inputs)
    }

    /// The fix for using a context that has ended.
    // Relaxed suffices: see `close`.
    var goneFix: String {
        isOfWithin.load(ordering: .relaxed) ? Fix.openingWithoutWithin(opened) : Fix.keepingContext
    }

    /// The error for using a context that has ended.
    func goneError(_ request: Request? = nil, at location: SourcePlace? = nil) -> LocatorError {
        let error = LocatorError(.contextGone, request: request, at: location)
        if isOfWithin.load(ordering: .relaxed) {
            return error.noting(
                ["`within` has returned, and has ended its child, even if a response body is written later"],
                betterFix: goneFix)
        }
        if opened.isEmpty || !isChild { return error }
        return error.noting([
            "its last reference was released; for a response body that is written later, keep the child until the last byte "
                + "is written"
        ])
    }
}

extension Request {
    /// The request that errors about opening scopes name.
    static func opening(at location: SourcePlace) -> Request { Request(key: Key(Scope.self), location: location) }
}

/// The differences between the passed inputs and the declared ones.
private struct InputComparison {
    private(set) var problems: [InputProblem] = []

    /// `wanted` has the inputs that are declared for the opened scopes.
    init(_ inputs: [Input], _ wanted: [Openings.DeclaredInput], in lineup: Lineup) {
        var missing: [Openings.DeclaredInput] = []
        for declared in wanted where !declared.isHidden {
            if inputs.contains(where: { $0.answers(declared.record.key) }) { continue }
            missing.append(declared)
        }
        problems = missing.map { InputProblem(.missing, $0.record.key, location: $0.record.location) }
        for (position, input) in inputs.enumerated() {
            let found = wanted.first { input.answers($0.record.key) }
            if found == nil {
                problems.append(
                    InputProblem(.undeclared, input.key, notes: Self.notes(on: input, wanted, missing, in: lineup)))
            } else if inputs[..<position].contains(where: { $0.answers(input.key) }) {
                problems.append(InputProblem(.doubled, input.key, location: found?.record.location))
            }
        }
    }

    private static func notes(
        on input: Input, _ wanted: [Openings.DeclaredInput], _ missing: [Openings.DeclaredInput], in lineup: Lineup
    ) -> [String] {
        switch injectable(input.type)?.dependency.kind {
        case nil: break
        case .optional:
            return ["it is optional, and an input always has a value: unwrap it first, with `if let` or `guard let`"]
        case .collection: return ["an array cannot be an input: declare and pass a type that holds it"]
        default: return ["the context makes it: declare and pass the type that it wraps"]
        }
        if input.isQualifiedByProperty { return ["its qualifier is a setting; the qualifier of an input is a name"] }
        let elsewhere = lineup.inputs.filter { input.answers($0.record.key) }
        if !elsewhere.isEmpty {
            return elsewhere.map { "it is an input of scope \($0.scope), which is not opened: \($0.registered)" }
        }
        let ofType = wanted.filter { $0.record.key.type == input.type }
        if !ofType.isEmpty { return ofType.map { "near: \($0.registered)" } }
        let upcasts = missing.filter { input.isInstance(of: $0.record.key.type) }
        if !upcasts.isEmpty {
            return upcasts.map { declared in
                let key = declared.record.key
                return "it is an instance of \(declared.registered): pass it with "
                    + "`and: .input(…, as: \(key.metatype)\(key.qualifierArgument))`"
            }
        }
        let names = NearNames.nearest(to: typeName(input.type), among: wanted.map { typeName($0.record.key.type) })
        return wanted.filter { names.contains(typeName($0.record.key.type)) }.map { "near: \($0.registered)" }
    }
}

extension Input {
    /// Whether the instance also has another type.
    fileprivate func isInstance(of other: any Any.Type) -> Bool {
        func isInstance<Value, Other>(_: Value.Type, _: Other.Type) -> Bool {
            box.value(as: Value.self) as Any is Other
        }
        func open<Value>(_ value: Value.Type) -> Bool {
            func open<Other>(_ other: Other.Type) -> Bool { isInstance(value, other) }
            return _openExistential(other, do: open)
        }
        return _openExistential(type, do: open)
    }
}
