internal import Synchronization

/// Reading a value that is not settled.
extension WrapperState {
    /// The value of a wrapper that is not settled.
    ///
    /// Without a value, the program stops at the property with the full error.
    func value<Value>(_ ask: (WrapperSite, ContextCore) throws(LocatorError) -> Value) -> Value {
        do throws(LocatorError) {
            return try resolved(ask)
        } catch {
            site.location.stop(error)
        }
    }

    /// Returns the value, or throws the error that prevents it.
    func resolved<Value>(
        _ ask: (WrapperSite, ContextCore) throws(LocatorError) -> Value
    ) throws(LocatorError) -> Value {
        try resolvedBox { (site, core) throws(LocatorError) in Box(try ask(site, core)) }.value(as: Value.self)
    }

    /// Returns the box of the value, or throws the error that prevents it.
    // Everything from here on works with boxes: looking up the types of a generic function, such as that of an optional
    // value, costs more than the box.
    private func resolvedBox(
        _ ask: (WrapperSite, ContextCore) throws(LocatorError) -> AnyBox
    ) throws(LocatorError) -> AnyBox {
        if isGiven, let box = publishedBox { return box }
        let site = site
        let core = site.core.takeUnretainedValue()
        let mark = core.followedMark
        let stamp = core.stamp.now
        // If no making is recorded anywhere, none runs on this thread or in this task. Otherwise, only a thread without
        // a making may skip the request.
        let thread = ThreadRecord.current
        if BystanderWatch.isAnyRunning { site.noteRead(in: core) }
        let isOutside = (stamp.isQuiet || core.isUnrecorded(on: thread)) && thread.sees(stamp.revision, of: core)
        if isOutside {
            if let box = beginReading()?.takeBox() { return box }
            if let box = existingMemory?.confirmed(in: stamp.revision, self), core.mayAnswer(since: mark) { return box }
        }
        if let child = core.asChild, let box = try lean(site, child, on: thread) { return box }
        if isOutside, site.isPlain, makeReady(site, core), let box = beginReading()?.takeBox() { return box }
        do throws(LocatorError) {
            return try resolvedInRequest(site, core, ask)
        } catch {
            // A wrapper that was read keeps its value when its context ends.
            if case .contextGone = error.kind, core.isClosed, let box = lastKnown() {
                TestUse.current?.noteKeptValue(of: site, core)
                return box
            }
            throw error
        }
    }

    /// The answer of a lean child, if the wrapper can keep it.
    private func lean(
        _ site: WrapperSite, _ core: ChildCore, on thread: ThreadRecord
    ) throws(LocatorError) -> AnyBox? {
        let stamp = core.stamp.now
        guard let box = try site.leanBox(core, on: thread) else { return nil }
        // A child that has become full returns the answer again. One that has ended does not.
        return keepLean(box, at: stamp, core, on: thread) || core.isClosed ? box : nil
    }

    /// Keeps the answer of a child that was lean at this stamp.
    ///
    /// If a change has overtaken the read since then, the answer is only kept for when the child has ended. Returns false
    /// if the wrapper cannot keep it.
    private func keepLean(
        _ box: AnyBox, at stamp: ContextStamp.Value, _ core: ChildCore, on thread: ThreadRecord
    ) -> Bool {
        let new = WrapperMemory.Latest(box: box, reads: nil, isLasting: false, revision: stamp.revision)
        let memory = madeMemory
        var old: WrapperMemory.Latest?
        // The child's own lock, while it is lean.
        var isKept = core.leanLock.withLock {
            guard core.isLean.load(ordering: .relaxed) else { return false }
            old = memory.keep(new, publishing: false, in: self).old
            return true
        }
        // Inside a making, the instance may wait for injections, and may be dropped.
        if !isKept, thread.frames.isEmpty {
            isKept = core.locked {
                guard core.state.revision > stamp.revision else { return false }
                old = memory.keep(new, publishing: false, in: self).old
                return true
            }
        }
        // A deinitializer that runs here may use the context.
        if old != nil { ThreadRecord.current.outsideOfMakings { old = nil } }
        return isKept
    }

    /// Discards the answer, so that the next read resolves it again.
    func reset() {
        if isGiven { return }
        let core = site.core.takeUnretainedValue()
        core.locked {
            if let old = madeMemory.reset(self) { core.discard(old) }
        }
    }

    /// Begins to read the ready answer of the context, if the wrapper keeps the same one.
    ///
    /// Publishes it, if it is the first that can last. For an answer that cannot last, each read asks the context. The
    /// wrapper keeps the answer for when the context has ended. See ``makeReady(_:in:_:)``.
    @usableFromInline
    func beginReading() -> WarmRead? {
        // Each step reads only one value, so that nothing is retained in between.
        guard let cell = unmanagedSite._withUnsafeGuaranteedRef({ $0.knownCell }) else { return nil }
        let mark = unmanagedCore._withUnsafeGuaranteedRef { $0.followedMark }
        // Acquiring: everything that the change did happened before it made the stamp.
        let stamp = ContextStamp.Value(raw: contextStamp.pointee.load(ordering: .acquiring))
        let key = unmanagedCore._withUnsafeGuaranteedRef { $0.threadKey }
        let thread = ThreadRecord.Unretained.current(key)
        // If no making is recorded anywhere, none runs on this thread or in this task. Otherwise, only a thread without
        // a making may skip the request.
        if !stamp.isQuiet {
            guard isUnrecorded(on: thread) else { return nil }
            noteSlowRead(on: thread)
        }
        // A change may have overtaken the request that the thread is in.
        guard sees(stamp.revision, on: thread) else { return nil }
        let read = thread._withUnsafeGuaranteedRef { WarmRead(begunOn: $0) }
        let answer = cell._withUnsafeGuaranteedRef { $0.ready }
        // The cell retains the box until no reader is marked. The stamp was loaded before the answer. If a change has
        // happened in between, it is no longer the stamp of the context.
        guard let pointer = answer.box, pointer != Cell.missing, mayAnswerReady(since: mark),
            keeps(answer, pointer, at: stamp.revision)
        else {
            read.end()
            return nil
        }
        return read.found(pointer)
    }

    /// Records that a read would have been fast if no child were making an instance.
    private func noteSlowRead(on thread: ThreadRecord.Unretained) {
        let isMany = thread._withUnsafeGuaranteedRef { thread in
            thread.slowReads &+= 1
            return thread.slowReads & 1023 == 0
        }
        guard isMany else { return }
        unmanagedCore._withUnsafeGuaranteedRef { $0.recordingHold.release($0.stamp, of: $0.family.number) }
    }

    private func mayAnswerReady(since mark: UInt) -> Bool {
        unmanagedCore._withUnsafeGuaranteedRef { $0.mayAnswerReady(since: mark) }
    }

    @inline(__always)
    private func sees(_ revision: UInt, on thread: ThreadRecord.Unretained) -> Bool {
        thread._withUnsafeGuaranteedRef { thread in
            thread.frames.isEmpty || unmanagedCore._withUnsafeGuaranteedRef { thread.sees(revision, of: $0) }
        }
    }

    private func isUnrecorded(on thread: ThreadRecord.Unretained) -> Bool {
        unmanagedCore._withUnsafeGuaranteedRef { core in
            thread._withUnsafeGuaranteedRef { core.isUnrecorded(on: $0) }
        }
    }

    /// Whether a ready answer is the only answer that the wrapper keeps.
    ///
    /// Publishes it, if it is the first that can last. The caller is marked as a reader or holds the lock, so the cell
    /// retains the box.
    @inline(__always)
    private func keeps(_ answer: Cell.Ready, _ pointer: UnsafeRawPointer, at revision: UInt) -> Bool {
        guard settle(on: answer, pointer, at: revision) else {
            return unmanagedMemory?._withUnsafeGuaranteedRef { $0.isKeeping(pointer) } ?? false
        }
        // Checked after the wrapper was settled. See `WrapperMemory.keep`.
        return !(unmanagedMemory?._withUnsafeGuaranteedRef { $0.isKeeping } ?? false)
    }

    /// Settles the wrapper on a ready answer, if it is published or the first that can last.
    @inline(__always)
    private func settle(on answer: Cell.Ready, _ pointer: UnsafeRawPointer, at revision: UInt) -> Bool {
        // Relaxed suffices: it is only compared, and if it is the same, the cell retains it.
        var known = published.load(ordering: .relaxed)
        if known == nil, answer.isLasting {
            known = publish(Unmanaged<AnyBox>.fromOpaque(pointer)) ?? pointer
        }
        guard known == pointer else { return false }
        // Sequentially consistent: see `WrapperMemory.keep`.
        settledStamp.store(ContextStamp.Value(revision: revision).raw, ordering: .sequentiallyConsistent)
        return true
    }

    /// Keeps a ready answer, and no other.
    ///
    /// The caller holds the lock of the context, whose state has this revision.
    func keep(_ answer: Cell.Ready, at revision: UInt, _ core: ContextCore) {
        guard let pointer = answer.box, pointer != Cell.missing, !keeps(answer, pointer, at: revision) else { return }
        let old: WrapperMemory.Latest?
        if settle(on: answer, pointer, at: revision) {
            old = madeMemory.settle(self, at: revision)
        } else {
            let box = Unmanaged<AnyBox>.fromOpaque(pointer).takeUnretainedValue()
            let new = WrapperMemory.Latest(box: box, reads: nil, isLasting: false, revision: revision)
            old = madeMemory.keep(new, publishing: false, in: self).old
        }
        if let old { core.discard(old) }
    }

    /// Keeps a complete answer, or returns false if a later one is known.
    ///
    /// The caller holds the lock of the context.
    func keep(_ answer: WrapperAnswer, _ memory: WrapperMemory) -> Bool {
        let (core, state, recorder) = (answer.session.core, answer.session.state, answer.recorder)
        // The context returns a shared instance again.
        if site.isPlain, recorder.isHeld, makesReady(site, in: state, core) { return true }
        core.followAtOnce(recorder.reads)
        let new = WrapperMemory.Latest(
            box: answer.box, reads: recorder.reads, isLasting: recorder.isLasting, revision: state.revision)
        return keep(new, memory, in: state, core)
    }

    private func keep(
        _ new: WrapperMemory.Latest, _ memory: WrapperMemory, in state: ContextState, _ core: ContextCore
    ) -> Bool {
        let canBePublished = new.isLasting && state.lineup.isUnpushed && state === core.state
        var new = new
        new.reads?.replaceOutlived(in: core)
        let (isKept, old) = memory.keep(new, publishing: canBePublished, in: self)
        if let old { core.discard(old) }
        return isKept
    }

    /// Resolves from the context, in the current request of this thread or in a new one.
    private func resolvedInRequest(
        _ site: WrapperSite, _ core: ContextCore, _ ask: (WrapperSite, ContextCore) throws(LocatorError) -> AnyBox
    ) throws(LocatorError) -> AnyBox {
        let request = Request(key: site.key, location: site.location)
        let isInside = ThreadRecord.current.session(of: core) != nil
        typealias Given = (AnyBox, WrapperAnswer?)
        let (box, answer) = try core.inSession(request) { (session, thread) throws(LocatorError) -> Given in
            let outer = thread.recorder(of: core)
            var (known, resets, earlier) = known(in: session, noting: outer)
            if let known { return (known, nil) }
            // The new answer may contain weak instances that only the earlier one holds.
            defer { if earlier != nil { thread.outsideOfMakings { earlier = nil } } }
            let recorder = Recorder(core: core, outer: outer)
            let box = try recorded(ask, by: recorder, in: session, on: thread)
            // The context returns a shared instance again. The next read finds it ready.
            if site.isPlain, recorder.isHeld, makeReady(site, in: session.state, core) { return (box, nil) }
            let answer = WrapperAnswer(box, of: self, recorder, in: session, on: thread, resets: resets)
            answer.settle(isInside: isInside)
            return (box, answer)
        }
        // An answer is decided when the request has ended.
        return answer?.box ?? box
    }

    /// Resolves from the context, and records what is read for it.
    private func recorded(
        _ ask: (WrapperSite, ContextCore) throws(LocatorError) -> AnyBox, by recorder: Recorder, in session: Session,
        on thread: ThreadRecord
    ) throws(LocatorError) -> AnyBox {
        let core = session.core
        thread.frames.append(Frame(session: session, recorder: recorder))
        core.beginRecording()
        defer {
            core.endRecording()
            thread.frames.removeLast()
            // The reads of a failed request also count, because the caller may catch the error and succeed.
            recorder.passReadsOn()
        }
        do throws(LocatorError) {
            return try ask(site, core)
        } catch {
            core.locked { forget(in: session.state, core) }
            throw error
        }
    }

    /// Returns the answer of this request or an earlier one, if it is still valid, and the number of resets of the
    /// wrapper.
    ///
    /// Otherwise, also returns the answer of an earlier request, which is not valid anymore.
    private func known(
        in session: Session, noting recorder: Recorder?
    ) -> (box: AnyBox?, resets: Int, earlier: WrapperMemory.Latest?) {
        guard let memory = existingMemory else { return (nil, 0, nil) }
        let core = session.core
        if let answer = session.answers[ObjectIdentifier(self)] as? WrapperAnswer,
            core.locked({ memory.resets }) == answer.resets
        {
            answer.settle(isInside: true)
            if let recorder { answer.recorder.count(for: recorder) }
            return (answer.box, answer.resets, nil)
        }
        core.askSelections(in: session.state) { [memory.publishedReads, memory.latest?.reads].compactMap(\.self) }
        return core.locked {
            let earlier = memory.latest
            let box = known(memory, in: session, core, noting: recorder)
            return (box, memory.resets, box == nil ? earlier : nil)
        }
    }

    /// The kept answer, if it is the answer of the state of a request.
    ///
    /// Discards it if it is not the answer of the current state. The caller holds the lock of the context.
    func known(
        _ memory: WrapperMemory, in session: Session, _ core: ContextCore, noting recorder: Recorder?
    ) -> AnyBox? {
        let state = session.state
        let isNow = state === core.state
        func give(_ reads: Reads) {
            recorder?.reads.add(reads)
            session.use(reads.instances)
        }
        if let reads = memory.publishedReads, core.isAnswer(reads, in: state), let box = publishedBox {
            if isNow, let old = memory.settle(self, at: state.revision) { core.discard(old) }
            give(reads)
            return box
        }
        guard let latest = memory.latest, let reads = latest.reads else { return nil }
        if core.isAnswer(reads, in: state) {
            if isNow {
                var confirmed = latest
                confirmed.revision = state.revision
                _ = keep(confirmed, memory, in: state, core)
            }
            give(reads)
            return latest.box
        }
        if isNow { forget(in: state, core) }
        return nil
    }

    /// Discards the answer of an earlier state, if it is not the answer of this one.
    ///
    /// Does nothing while a module is pushed: the pop may make it the answer again, unless a read returns another one
    /// before. The caller holds the lock of the context.
    private func forget(in state: ContextState, _ core: ContextCore) {
        guard let memory = existingMemory, !core.isClosed, state.lineup.isUnpushed else { return }
        if let old = memory.forget(before: state.revision) { core.discard(old) }
    }

    /// The last value that was read before the context ended.
    private func lastKnown() -> AnyBox? {
        // Relaxed suffices: whether it was settled no longer changes.
        let settled = settledStamp.load(ordering: .relaxed)
        let core = site.core.takeUnretainedValue()
        if let memory = existingMemory, let latest = core.locked({ memory.latest }),
            settled == Self.unsettled || ContextStamp.Value(raw: settled).revision <= latest.revision
        {
            return latest.box
        }
        return settled == Self.unsettled ? nil : publishedBox
    }
}

extension WrapperState {
    /// The context, which must still exist.
    var context: AppContext {
        let core = site.core.takeUnretainedValue()
        if let handle = core.handle { return handle }
        // A context that is being released can still be used while its hooks run.
        if core.isClosed { site.location.stop(core.goneError()) }
        return AppContext(standingFor: core)
    }

    func explain(from modules: ModuleSelection = .all) -> KeyExplanation {
        let site = site
        if isGiven {
            return KeyExplanation(key: site.key, problem: "the value was passed in, and no context is used")
        }
        return Explainer(core: site.core.takeUnretainedValue())
            .explain(site.type, site.qualifier, from: modules, location: site.location)
    }

    /// Makes the answer of the wrapper's plain request ready, if the instance exists and the context itself retains it.
    ///
    /// The wrapper keeps it. Returns false if the state has been replaced.
    private func makeReady(_ site: WrapperSite, in state: ContextState? = nil, _ core: ContextCore) -> Bool {
        core.locked { makesReady(site, in: state ?? core.state, core) }
    }

    /// Does the same for a caller that holds the lock.
    private func makesReady(_ site: WrapperSite, in state: ContextState, _ core: ContextCore) -> Bool {
        if core.isClosed || state !== core.state { return false }
        let cell = core.node(of: site.type).cell(Cell.Query(kind: .single, qualifier: site.qualifier?.name))
        site.remember(cell)
        guard case .slot(let slot) = core.answer(of: cell, in: state), let instance = core.given(slot), !core.isObserved
        else { return false }
        core.makeReady(cell, instance, for: slot)
        keep(cell.ready, at: state.revision, core)
        return cell.ready.box != nil
    }
}
