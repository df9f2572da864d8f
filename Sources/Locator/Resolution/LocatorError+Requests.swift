/// Errors about the makings on a thread.
extension LocatorError {
    /// Creates an error about the makings on the thread, or about a slot that has no frame yet.
    @inline(never)
    init(_ kind: Kind, _ request: Request, _ thread: ThreadRecord, reaching slot: Slot? = nil) {
        let steps = slot.map { [$0.step] } ?? []
        self.init(kind, request: thread.outermostRequest ?? request, chain: thread.steps + steps)
    }

    /// Creates the error for an instance whose asynchronous factory closure has not run.
    init(notStarted slot: Slot, _ request: Request, _ thread: ThreadRecord) {
        self.init(
            .notStarted(slot.key), request: thread.outermostRequest ?? request, chain: thread.steps,
            unprepared: ObjectIdentifier(slot))
    }

    /// Creates the error for a slot that cannot be resolved off the main actor.
    @inline(never)
    init(offMainActor slot: Slot, _ request: Request, _ thread: ThreadRecord, reaching reached: Slot? = nil) {
        let kind: Kind =
            switch slot.record.lifetime {
            case .held, .weak: .wrongActor(slot.key, isSendable: slot.record.isolation == .making)
            case .graph, .prototype: .madeOnMainActor(slot.key)
            }
        self.init(
            kind, request: thread.outermostRequest ?? request, chain: thread.steps + (reached.map { [$0.step] } ?? []),
            leftToMainActor: thread.sharedPart.map { PartOfMainActor(slot: $0) })
    }

    /// The error with a fix for asynchronous factory closures if one of them needs what only the main actor can use.
    var inAsynchronousClosure: LocatorError {
        let key: Key
        var otherFix = ""
        switch kind {
        case .wrongActor(let needed, let isSendable):
            key = needed
            if !isSendable { otherFix = ", or make the type Sendable" }
        case .madeOnMainActor(let needed): key = needed
        default: return self
        }
        return noting(
            ["an asynchronous factory closure runs off the main actor"],
            betterFix: "pass \(key) to its methods on the main actor\(otherFix)")
    }

    /// Creates the error for a making that has too little room on the thread's stack.
    ///
    /// Not inlined, because it is rare, and its callers nest.
    @inline(never)
    init(tooDeep slot: Slot, _ request: Request, _ thread: ThreadRecord) {
        self.init(.tooDeep(slot.key, levels: thread.steps.count + 1), request, thread)
    }

    /// Returns the error for an instance that `start()` has not made, with the fix for the context and for the code that
    /// requests it.
    @inline(never)
    func sayingHowToStart(_ key: Key, in core: ContextCore) -> LocatorError {
        if AsyncStep.isInClosure(of: core) {
            if let step = AsyncStep.ofTask?.outer, step.makes(unprepared), chain.allSatisfy({ $0.key == key }) {
                return closingCycle(of: step)
            }
            return noting(
                [
                    "an asynchronous factory closure requests it while start() runs, and start() makes both at the same time"
                ],
                betterFix: "take \(key) as a parameter of that factory closure: then start() makes it first")
        }
        if ThreadRecord.current.reachable.contains(where: { $0.core?.isBelow(core) ?? false }) {
            return noting(
                ["it belongs to a parent of the child that requests it, and the start of a child does not make it"],
                betterFix: "call `try await parent.start()` first")
        }
        if core.isChild { return noting([], betterFix: "call `try await child.start()` first") }
        if core.isFork {
            return noting(
                ["a fork makes its own instances"], betterFix: "call `try await fork.start()` first")
        }
        let isStarting = core.locked { !core.tables.asynchronous.members.isEmpty }
        return isStarting || core.preparedSlots().isEmpty ? self : noting([], betterFix: Fix.startingOnce)
    }

    /// Creates the error of a closure that a test passed instead of a dependency that is resolved later.
    init(making type: any Any.Type, failed error: any Error) {
        self = error as? LocatorError ?? LocatorError(.initializationFailed(Key(type), error))
    }

    init(_ kind: Kind, thread: ThreadRecord) {
        self.init(kind, request: thread.outermostRequest, chain: thread.steps)
    }
}

extension ThreadRecord {
    /// The outermost shared instance that is being made, within the parts of an asynchronous one if there is one.
    ///
    /// No instance that only the main actor can use is made elsewhere, so any actor can use this one.
    fileprivate var sharedPart: Slot? {
        var part: Slot?
        for frame in reachable {
            guard let slot = frame.slot, slot.isShared else { continue }
            if slot.record.isAsynchronous, !slot.isLayer { break }
            part = slot
        }
        return part
    }

    /// The request that led to the code that runs on this thread, since the last barrier.
    fileprivate var outermostRequest: Request? {
        var request: Request?
        for frame in reachable { request = frame.request(on: self) ?? request }
        return request
    }
}
