internal import Synchronization

/// What a read does where the value is not settled.
extension WrapperState {
    /// The value where it is not settled.
    ///
    /// Where there is none the program stops with the full text of the error, at the property's place.
    func value<Value>(_ ask: (WrapperSite, ContextCore) throws(LocatorError) -> Value) -> Value {
        do throws(LocatorError) {
            return try resolved(ask)
        } catch {
            site.location.stop(error)
        }
    }

    /// The value, or the error why there is none.
    func resolved<Value>(
        _ ask: (WrapperSite, ContextCore) throws(LocatorError) -> Value
    ) throws(LocatorError) -> Value {
        if isGiven, let value = publishedValue(as: Value.self) { return value }
        let site = site
        let core = site.core.takeUnretainedValue()
        let stamp = core.stamp.now
        // While no making keeps a record, none can be on this thread or in this task; else only who makes nothing may skip
        // asking.
        let thread = ThreadRecord.current
        if stamp.isQuiet || core.isNotedNowhere(on: thread) {
            if let value = ready(Value.self) { return value }
            if let memory = existingMemory {
                let (isPublished, box) = memory.confirmed(in: stamp.revision, self)
                if isPublished, let value = publishedValue(as: Value.self) { return value }
                if let box { return box.value(as: Value.self) }
            }
            if site.isPlain, core.makeReady(site), let value = ready(Value.self) { return value }
        }
        do throws(LocatorError) {
            return try asked(site, core, ask)
        } catch {
            // A settled wrapper keeps its value when its context goes.
            if case .contextGone = error.kind, let value = lastKnown(Value.self) { return value }
            forgetFailed(core)
            throw error
        }
    }

    /// Lets go of the answer; the next read asks again.
    func reset() {
        if isGiven { return }
        if let memory = existingMemory { memory.forget(self) } else { settle(at: Self.unsettled) }
    }

    private func ready<Value>(_ type: Value.Type) -> Value? {
        beginReading()?.take(as: type)
    }

    /// Begins to read the answer that the context has ready; published, where it is the first that can last.
    ///
    /// An answer that cannot is given by the context each time, and not held here.
    @usableFromInline
    func beginReading() -> WarmRead? {
        // In steps that take one thing each, so that nothing is retained on the way.
        guard let cell = unmanagedSite._withUnsafeGuaranteedRef({ $0.knownCell }) else { return nil }
        // Acquiring: whatever the change that made the stamp did was done before.
        let stamp = ContextStamp.Value(raw: contextStamp.pointee.load(ordering: .acquiring))
        let key = unmanagedSite._withUnsafeGuaranteedRef { $0.core._withUnsafeGuaranteedRef { $0.threadKey } }
        let thread = ThreadRecord.Unretained.current(key)
        // While no making keeps a record, none can be on this thread or in this task; else only who makes nothing may skip
        // asking.
        guard stamp.isQuiet || isNotedNowhere(on: thread) else { return nil }
        let read = thread._withUnsafeGuaranteedRef { WarmRead(begunOn: $0) }
        let answer = cell._withUnsafeGuaranteedRef { $0.ready }
        guard let pointer = answer.box, pointer != Cell.missing else {
            read.end()
            return nil
        }
        // The cell retains the box until no reader is marked.
        // The stamp was loaded before the answer: where a change has come in between, it is no longer the context's.
        settle(on: answer, at: stamp.revision)
        return read.found(pointer)
    }

    private func isNotedNowhere(on thread: ThreadRecord.Unretained) -> Bool {
        unmanagedSite._withUnsafeGuaranteedRef { site in
            site.core._withUnsafeGuaranteedRef { core in
                thread._withUnsafeGuaranteedRef { core.isNotedNowhere(on: $0) }
            }
        }
    }

    /// Publishes a ready answer, where it is the first that can last, and notes whether it is the one that was.
    ///
    /// The caller is marked as a reader or holds the lock, so that the cell retains the box.
    @inline(__always)
    func settle(on answer: Cell.Ready, at revision: UInt) {
        guard let pointer = answer.box, pointer != Cell.missing else { return }
        // Relaxed suffices: it is only compared, and where it is the same the cell's retain makes it safe.
        var known = published.load(ordering: .relaxed)
        if known == nil, answer.isLasting {
            known = publish(Unmanaged<AnyBox>.fromOpaque(pointer)) ?? pointer
        }
        settle(at: known == pointer ? ContextStamp.Value(revision: revision).raw : Self.unsettled)
    }

    /// Lets go of an answer whose injection has failed after it was kept.
    private func forgetFailed(_ core: ContextCore) {
        guard let recorder = existingMemory?.known.latest?.recorder else { return }
        if core.locked({ recorder.injectionFailure != nil }) { reset() }
    }

    /// Asks the context, in the request that this thread is answering or one of its own.
    private func asked<Value>(
        _ site: WrapperSite, _ core: ContextCore, _ ask: (WrapperSite, ContextCore) throws(LocatorError) -> Value
    ) throws(LocatorError) -> Value {
        let request = Request(key: site.key, location: site.location)
        return try core.inSession(request) { (session, thread) throws(LocatorError) in
            let outer = thread.recorder(of: core)
            if let memory = existingMemory,
                let value = known(Value.self, memory, core, in: session.state, noting: outer)
            {
                return value
            }
            let recorder = Recorder(core: core, outer: outer)
            thread.frames.append(Frame(session: session, recorder: recorder))
            core.beginRecording()
            defer {
                core.endRecording()
                thread.frames.removeLast()
                // What a failed request read counts too: its asker may catch the error and be made all the same.
                recorder.passReadsOn()
            }
            let value = try ask(site, core)
            // What the context shares it gives again: the next read finds it ready.
            if site.isPlain, recorder.isHeld, core.makeReady(site, for: self, in: session.state) { return value }
            keep(
                Box(value), recorder, core, isLasting: recorder.isLasting && session.state.isUnpushed,
                revision: session.state.revision)
            return value
        }
    }

    private func keep(_ box: AnyBox, _ recorder: Recorder, _ core: ContextCore, isLasting: Bool, revision: UInt) {
        let reads = core.locked { recorder.reads }
        madeMemory.keep(box, recorder, reads, self, isLasting: isLasting, revision: revision)
    }

    /// The answer that was given before, where it is still the answer of `state`.
    private func known<Value>(
        _ type: Value.Type, _ memory: WrapperMemory, _ core: ContextCore, in state: ContextState,
        noting recorder: Recorder?
    ) -> Value? {
        let (published, latest) = memory.known
        let (isPublished, isLatest) = core.locked {
            (
                published.map { core.isCurrent($0, in: state) } ?? false,
                latest.map { core.isCurrent($0.recorder.reads, in: state) } ?? false
            )
        }
        if isPublished, let published {
            memory.settle(self, at: state.revision)
            core.locked { recorder?.reads.add(published) }
            return publishedValue(as: type)
        }
        guard isLatest, let latest else { return nil }
        keep(
            latest.box, latest.recorder, core, isLasting: latest.recorder.isLasting && state.isUnpushed,
            revision: state.revision)
        if let recorder { latest.recorder.count(for: recorder) }
        return latest.box.value(as: type)
    }

    /// What was settled when the context went.
    private func lastKnown<Value>(_ type: Value.Type) -> Value? {
        if let box = existingMemory?.known.latest?.box { return box.value(as: type) }
        // Relaxed suffices: whether it was settled does not change any more.
        return settledStamp.load(ordering: .relaxed) == Self.unsettled ? nil : publishedValue(as: type)
    }
}

extension WrapperState {
    /// The context, which must still exist.
    var context: AppContext {
        let core = site.core.takeUnretainedValue()
        if let handle = core.handle { return handle }
        // While its hooks run, a context that is being dropped still answers.
        if core.isGone { site.location.stop(LocatorError(.contextGone)) }
        return AppContext(standingFor: core)
    }
}

extension ContextCore {
    /// Makes ready what answers a wrapper's plain request, where it is made and the context itself holds it.
    ///
    /// Settles the wrapper that has got the answer from `state`, where that is the current one.
    func makeReady(_ site: WrapperSite, for wrapper: WrapperState? = nil, in state: ContextState? = nil) -> Bool {
        var name: String?
        if case .name(let text) = site.qualifier?.content { name = text }
        return locked {
            if isClosed { return false }
            let cell = node(of: site.type).cell(Cell.Query(kind: .single, qualifier: name))
            site.remember(cell)
            guard case .slot(let slot) = answer(of: cell, in: self.state), let instance = slot.live,
                let box = instance.box
            else { return false }
            makeReady(cell, box, from: [slot])
            if state === self.state { wrapper?.settle(on: cell.ready, at: self.state.revision) }
            return cell.ready.box != nil
        }
    }
}
