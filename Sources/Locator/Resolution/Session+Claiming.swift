/// Makes a shared instance once: finds it, waits for it, or makes it.
extension Session {
    enum Claimed {
        /// The shared instance.
        case given(AnyBox)
        /// A making that has begun, for the caller to run.
        case made(Making)
    }

    /// Finds the shared instance, waits for it, or claims its making.
    @inline(never)
    func claim(
        _ slot: Slot, _ request: Request, on thread: ThreadRecord, noting recorder: Recorder?
    ) throws(LocatorError) -> Claimed {
        let (inherited, differing) = try core.obtainFromParent(slot, request, in: self, on: thread)
        if let inherited { return .given(inherited) }
        var passedOver: [Making] = []
        while true {
            var awaited: Making?
            let claimed = try core.locked { () throws(LocatorError) -> Claimed? in
                if let instance = given(slot), let box = instance.box {
                    recorder?.reads.add(instance)
                    return .given(box)
                }
                let running = slot.makings.filter { making in
                    // If a hook on this thread has changed the context, its requests in the new state ignore the
                    // makings of older states on this thread.
                    let isOlder = making.thread === thread && making.session.state !== state
                    // An instance that waits for injections may be held weakly, and end.
                    let hasEnded = making.instance?.hasEnded ?? false
                    return !isOlder && !hasEnded && !passedOver.contains { $0 === making }
                }
                if let making = running.first(where: { $0.session.state === state }) ?? running.first {
                    guard making.thread === thread else {
                        awaited = making
                        return nil
                    }
                    if let instance = making.instance, let box = instance.box {
                        use(instance, of: slot)
                        recorder?.reads.add(instance)
                        return .given(box)
                    }
                    throw thread.cycleError(to: slot, request)
                }
                if let scope = core.unopenedScope(of: slot, in: state) {
                    if let recorder { core.note(scope, isNotOpenFor: slot, in: state, &recorder.reads) }
                    throw core.noting(
                        LocatorError(.scopeNotOpened(slot.key, scope), request, thread, reaching: slot), near: scope,
                        request, on: thread)
                }
                let making = Making(slot: slot, session: self, thread: thread)
                if !differing.isEmpty { making.recorder.reads.differences = [differing] }
                slot.makings.append(making)
                return .made(making)
            }
            if let claimed { return claimed }
            guard let awaited else { continue }
            let box = try wait(for: awaited, passingOver: &passedOver, request, on: thread, noting: recorder)
            if let box { return .given(box) }
        }
    }

    /// Waits for a making on another thread.
    ///
    /// Returns the instance if it is the one that this request needs, or nil if the caller must look again.
    private func wait(
        for making: Making, passingOver passedOver: inout [Making], _ request: Request,
        on thread: ThreadRecord, noting recorder: Recorder?
    ) throws(LocatorError) -> AnyBox? {
        let cycle = WaitGraph.wait(for: making, on: thread)
        guard making.session.state === state else {
            // The other making belongs to another state, so this is not a real cycle.
            if cycle != nil { passedOver.append(making) }
            return nil
        }
        let (instance, failure) = core.locked { (making.instance, making.failure) }
        if let cycle {
            // An instance that waits for its injections may be used to close the cycle for which the injections exist.
            if instance == nil { throw LocatorError(.circularDependency(thread.cycle(over: cycle)), request, thread) }
        } else if let failure {
            // A cycle or a wrong actor concerns only the other request. An instance that it was missing may have been
            // started since then. This request may succeed by itself.
            if failure.dependsOnAsker { return nil }
            core.locked {
                recorder?.reads.add(making.recorder.reads)
                recorder?.reads.addFailure(of: making.slot)
            }
            throw failure
        }
        guard let instance, let box = instance.boxWithoutLock else { return nil }
        return core.locked {
            // It is not in the context, and the thread that made it has disposed of it.
            if instance.hasLeft, instance.userCount == 0 { return nil }
            // Both requests are overtaken, and the other one may have been given other instances.
            guard core.agrees(instance, with: self) else {
                passedOver.append(making)
                return nil
            }
            use(instance, of: making.slot)
            if instance.making != nil { taken.append(making) }
            recorder?.reads.add(instance)
            return box
        }
    }
}
