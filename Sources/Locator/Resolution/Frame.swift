/// Foreign code that runs on a thread on behalf of a context.
///
/// A frame retains nothing. Its creator keeps everything in it until the frame is removed.
struct Frame {
    /// The context; nil for a barrier.
    private var unmanagedCore: Unmanaged<ContextCore>?
    /// The outermost request of the frame.
    ///
    /// Nil for a barrier, and for a lean request until it needs a session.
    fileprivate var unmanagedSession: Unmanaged<Session>?
    private var unmanagedSlot: Unmanaged<Slot>?
    private var unmanagedMaking: Unmanaged<Making>?
    private var unmanagedRecorder: Unmanaged<Recorder>?
    /// Whether this is a closure of `.injecting`, which runs after the making.
    private(set) var isInjection = false

    init(
        session: Session, slot: Slot? = nil, making: Making? = nil, recorder: Recorder? = nil,
        isInjection: Bool = false
    ) {
        unmanagedCore = .passUnretained(session.core)
        unmanagedSession = .passUnretained(session)
        unmanagedSlot = slot.map(Unmanaged.passUnretained)
        unmanagedMaking = making.map(Unmanaged.passUnretained)
        unmanagedRecorder = recorder.map(Unmanaged.passUnretained)
        self.isInjection = isInjection
    }

    /// Creates the frame of a making in a lean request.
    @inline(__always)
    init(lean slot: Unmanaged<Slot>, of core: Unmanaged<ContextCore>) {
        unmanagedCore = core
        unmanagedSlot = slot
    }

    /// Adds a lean making to the session of its request.
    fileprivate mutating func join(_ session: Session, slot: Slot, making: Making?) {
        unmanagedSession = .passUnretained(session)
        unmanagedSlot = .passUnretained(slot)
        unmanagedMaking = making.map(Unmanaged.passUnretained)
        unmanagedRecorder = making.map { .passUnretained($0.recorder) }
    }

    private init() {}

    /// A frame that hides outer makings from hooks, observers, and deinitializers.
    ///
    /// This code may change a context, and sees the context's current state.
    static var barrier: Frame { Frame() }

    var isBarrier: Bool { unmanagedCore == nil }

    /// The slot whose instance is being made; nil for the frame of a request.
    var slot: Slot? { unmanagedSlot?.takeUnretainedValue() }
    /// The making, if the instance is shared.
    var making: Making? { unmanagedMaking?.takeUnretainedValue() }
    /// The recorder of the reads, if the instance keeps a record.
    var recorder: Recorder? { unmanagedRecorder?.takeUnretainedValue() }

    /// Whether other requests, in this session or outside of it, get this instance, so that it is not made again.
    ///
    /// If a making has failed before, it may fail each time, so it does not count.
    var isOfShared: Bool {
        guard let slot, slot.isShared || slot.record.lifetime == .graph else { return false }
        return unmanagedSession?.takeUnretainedValue().attempts[ObjectIdentifier(slot)] ?? 1 == 1
    }

    /// The context; nil for a barrier.
    var core: ContextCore? { unmanagedCore?.takeUnretainedValue() }

    /// Whether the frame belongs to this context.
    func isOf(_ core: ContextCore) -> Bool { unmanagedCore?.toOpaque() == Unmanaged.passUnretained(core).toOpaque() }

    /// Whether the frame belongs to this session.
    func isOf(_ session: Session) -> Bool {
        unmanagedSession?.toOpaque() == Unmanaged.passUnretained(session).toOpaque()
    }

    /// Whether the frame belongs to this slot.
    @inline(__always)
    func isOf(_ slot: Unmanaged<Slot>) -> Bool { unmanagedSlot?.toOpaque() == slot.toOpaque() }

    var slotIdentity: ObjectIdentifier? { unmanagedSlot.map { $0._withUnsafeGuaranteedRef { ObjectIdentifier($0) } } }

    /// Whether the frame keeps a record.
    var isRecording: Bool { unmanagedRecorder != nil }

    /// Whether the frame belongs to a lean request that has no session yet.
    var isLean: Bool { unmanagedCore != nil && unmanagedSession == nil }

    /// The outermost request, and its place in the source.
    func request(on thread: ThreadRecord) -> Request? {
        if isBarrier { return nil }
        return unmanagedSession?.takeUnretainedValue().request ?? thread.lean.request
    }

    /// The step that an error shows for the frame; nil for the decoding of a type that is not registered.
    var step: Step? {
        guard let slot, !slot.isDecoded else { return nil }
        return isInjection ? Step(key: slot.key, location: slot.record.location, role: .injection) : slot.step
    }

    /// The steps that an error shows for the frame, innermost first.
    ///
    /// An injection runs at the end of the request, but on behalf of the steps that needed its instance.
    var steps: [Step] {
        guard let step else { return [] }
        return isInjection ? [step] + (unmanagedSession?.takeUnretainedValue().usersOfRunningInjection ?? []) : [step]
    }
}

extension ThreadRecord {
    /// The frames since the last barrier, innermost first.
    var reachable: some Sequence<Frame> {
        frames.reversed().lazy.prefix { !$0.isBarrier }
    }

    /// The session of `core` that is running on this thread.
    func session(of core: ContextCore) -> Session? {
        var index = frames.count
        while index > 0 {
            index -= 1
            let frame = frames[index]
            if frame.isBarrier { return nil }
            if frame.isOf(core) { return frame.unmanagedSession?.takeUnretainedValue() ?? leanSession(of: core) }
        }
        return nil
    }

    /// Whether the code that runs here in a context, if there is any, sees the context's state of this revision.
    func sees(_ revision: UInt, of core: ContextCore) -> Bool {
        if frames.isEmpty { return true }
        guard let frame = reachable.first(where: { $0.isOf(core) }) else { return true }
        return (frame.unmanagedSession?._withUnsafeGuaranteedRef { $0.state.revision } ?? lean.revision) == revision
    }

    /// The innermost session of a family on this thread.
    func session(in family: ContextFamily) -> Session? {
        for frame in reachable {
            if let session = frame.unmanagedSession?.takeUnretainedValue(), session.core.family === family {
                return session
            }
        }
        return nil
    }

    /// Creates the session of the lean request, which is a request like any other from now on.
    private func leanSession(of core: ContextCore) -> Session {
        let open = frames.indices.filter { frames[$0].isLean && frames[$0].isOf(core) }
        let slots = open.compactMap { frames[$0].slot }
        let joined = join(slots, of: core)
        // An inner making that runs without a lock belongs to the same request.
        let session = lean.session ?? joined.compactMap(\.making).first?.session ?? core.session(of: lean)
        if lean.session == nil, let request = lean.request { session.request = request }
        lean.session = session
        var next = joined.makeIterator()
        frames.change(at: open) { frame in
            guard let (slot, making) = next.next() else { return }
            frame.join(session, slot: slot, making: making)
            lean.kept.append(slot)
            if let making { lean.kept.append(making) }
        }
        return session
    }

    /// The context's own slots for the slots of a lean request, and the makings of them on this thread.
    private func join(_ slots: [Slot], of core: ContextCore) -> [(slot: Slot, making: Making?)] {
        if !core.isChild { return slots.map { ($0, nil) } }
        return core.locked {
            slots.map { lent in
                let slot = lent.owner == core.identity ? lent : core.slot(like: lent)
                return (slot, slot.isShared ? slot.makings.first { $0.thread === self } : nil)
            }
        }
    }

    /// The innermost making of `core` that keeps a record.
    func recorder(of core: ContextCore) -> Recorder? {
        var end = frames.count
        while let index = frames.lastRecording(before: end) {
            if let recorder = frames[index].recorder, recorder.core === core { return recorder }
            end = index
        }
        return nil
    }

    /// The recorder of the reads for a making of the family: the one on this thread, or otherwise the one in this task.
    func recorder(in family: ContextFamily) -> Recorder? {
        var index = frames.count
        while index > 0 {
            index -= 1
            if frames[index].isBarrier { return nil }
            guard let core = frames[index].core, core.family === family else { continue }
            // A shared instance keeps a record from now on. Its request gets a session for this.
            if frames[index].isLean, frames[index].slot?.isShared == true { _ = session(of: core) }
            if let recorder = frames[index].recorder { return recorder }
        }
        return family.recorderOfTask
    }

    /// Whether a factory closure, decorator, or decoder of `core` runs on this thread.
    func isMaking(in core: ContextCore) -> Bool {
        reachable.contains { $0.isOf(core) }
    }

    /// The place of the innermost registration that is being made on this thread, since the last barrier.
    var innermostLocation: SourcePlace {
        @inline(never) get {
            // This does not use `reachable`, because its lazy sequences take longer than this loop.
            var index = frames.count
            while index > 0, !frames[index - 1].isBarrier {
                index -= 1
                if let step = frames[index].step { return step.location }
            }
            return SourcePlace()
        }
    }

    /// The makings on this thread since the last barrier, outermost first.
    var steps: [Step] {
        reachable.flatMap(\.steps).reversed()
    }
}
