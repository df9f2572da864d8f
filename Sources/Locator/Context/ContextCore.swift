internal import LocatorProperties
internal import Synchronization

/// The inside of an ``AppContext``: what is loaded, what was made, and what each instance's making read.
///
/// The context owns its core; wrappers and resolvers keep the core, which is an empty shell once the context is gone.
/// So nothing that the context made keeps the context alive.
///
/// Rules of the lock: all `var`s are guarded by the lock of the family; no foreign code runs while it is held. Whatever
/// might be the last reference to something foreign is discarded into the family's trash and let go of after the lock
/// was given back.
final class ContextCore: @unchecked Sendable {
    // Unchecked exclusivity: whoever holds the lock accesses one field at a time.
    // Sendable: every mutable field is guarded by the lock of the family, but for `stamp`, `followed` and `isLean`, which
    // are atomic, `handle`, which the runtime guards, and what `leanLock` guards in a lean child.

    let family: ContextFamily

    /// Whether the context is a fork.
    let isFork: Bool
    /// Whether the context is a child.
    let isChild: Bool
    /// How many contexts are above this one, for a fork with those above the one it was forked from.
    let level: Int
    /// The context whose unaffected instances this one shares, for a child that has not ended.
    @exclusivity(unchecked) var parent: AppContext?
    /// The inside of the parent, for a child that has ended, too.
    let parentCore: ContextCore?
    /// The same, for those who need not retain it: this object does.
    let unmanagedParentCore: Unmanaged<ContextCore>?
    /// The scopes whose instances live here, for a child; a fork of a child has those of the child and of its parents.
    let opened: [Scope]
    /// What was handed in for the inputs of these scopes.
    @exclusivity(unchecked) var inputs: [Input]
    /// The children that have not ended, for a child: they end with it.
    @exclusivity(unchecked) var children = ChildList()
    /// The place among the children of the parent.
    @exclusivity(unchecked) var siblings = ChildList.Place()
    /// How far a child has followed the contexts above it; see ``revisionsAbove``.
    ///
    /// Changed with the lock of the family held, and in a lean child with `leanLock`, too.
    let followed = Atomic<UInt>(0)
    /// The load of the properties that a child keeps; it is set before anybody else has the child.
    @exclusivity(unchecked) var keptLoad: KeptLoad?
    /// Whether that was let go of, because the child has ended.
    @exclusivity(unchecked) var hasLetGoOfLoad = false
    /// The loads that children keep, for a context without a parent.
    @exclusivity(unchecked) var keptLoads: [KeptLoad] = []
    /// The properties from before a change that may still be taken back.
    @exclusivity(unchecked) var settledBase: (properties: Properties, revision: UInt)?
    /// Whether it followed changes above that may still be taken back.
    @exclusivity(unchecked) var hasFollowedTentatively = false
    /// How many changes of the properties may still be taken back.
    @exclusivity(unchecked) var tentativeCount = 0
    /// Whether the context is a child that has nothing of its own yet; see ``LeanChild``.
    ///
    /// Changed with `leanLock` held.
    let isLean = Atomic(false)
    /// What a lean child has.
    @exclusivity(unchecked) var lean = LeanChild()
    /// The modules that it was opened with; nil where there are none.
    @exclusivity(unchecked) var layer: ChildLayer?
    /// The types that a lean child pushes something for, and whether there are any; set before anybody else has the child.
    @exclusivity(unchecked) var pushedTypes = TypeGroups()
    @exclusivity(unchecked) var isLayered = false
    /// Guards `lean`, `layer`, and what else a lean child changes: its state, whether it has ended, and its parent.
    ///
    /// A child that is not lean, and its memory, are guarded by the lock of the family.
    let leanLock = ShortLock()
    /// Lets wrappers ask while children make something.
    let recordingHold = RecordingHold()

    let stamp: ContextStamp

    /// The context, while it lives.
    weak var handle: AppContext?
    /// What is the current context while something runs on behalf of this one: the context itself, unless it is being
    /// dropped.
    var representative: AppContext { handle ?? AppContext(standingFor: self) }

    @exclusivity(unchecked) var state: ContextState
    /// The state of a context without a parent, for those who open a child without the lock; see ``stateToLend``.
    private let lentState = Atomic<UnsafeRawPointer?>(nil)
    /// Where the context was shut down, unless it was started since.
    @exclusivity(unchecked) var shutDownPlace: SourcePlace?
    /// How the profile files were loaded, to load them again.
    @exclusivity(unchecked) var sources: [PropertiesSource] = []
    /// What was read for the properties, to find out whether it has changed.
    @exclusivity(unchecked) var fileReads = FileReads()
    @exclusivity(unchecked) var nodes = IdentityTable<TypeNode>()
    @exclusivity(unchecked) var slots = IdentityTable<Slot>()
    /// The slots that may have an instance of a scope that the program has defined, by scope.
    @exclusivity(unchecked) var scoped = [Scope: IdentityTable<Slot>]()
    /// The slots that may have an instance with an asynchronous maker.
    @exclusivity(unchecked) var prepared = IdentityTable<Slot>()
    /// The slots with a layer of each decorator or alias, to be cut off when its module goes.
    @exclusivity(unchecked) var layered = IdentityTable<IdentityTable<Slot>>()
    @exclusivity(unchecked) var stranded = StrandedSlots()
    /// What instances of the parent that may be given here depend on; forgotten with every change, and once an instance
    /// has gone, whose identity another one may get.
    @exclusivity(unchecked) var shared = IdentityTable<Reads>()
    /// How many instances had gone when the first of these were noted.
    @exclusivity(unchecked) var sharedSince: UInt = 0
    /// The table of ready answers, and its address for readers without a lock.
    @exclusivity(unchecked) var warm: WarmTable?
    let warmTable = Atomic<UnsafeRawPointer?>(nil)
    /// The cells whose answers were made ready under a push, and could be kept without it.
    @exclusivity(unchecked) var readyWhilePushed: [Cell] = []
    /// What the wrappers of each place ask for.
    @exclusivity(unchecked) var sites = [SiteKey: WrapperSite]()
    /// Where the records of threads are found.
    let threadKey = ThreadRecord.key
    /// Tells the context from all others there were and will be.
    let number = ContextCore.nextNumber.wrappingAdd(1, ordering: .relaxed).newValue
    // Relaxed suffices: only that no two get the same number matters.
    private static let nextNumber = Atomic<UInt>(0)
    /// How many outermost requests are being answered.
    @exclusivity(unchecked) var sessionCount = 0
    @exclusivity(unchecked) var properties = PropertyCells()
    @exclusivity(unchecked) var asynchronous = AsyncMakings()
    /// The revision in which each scope was last reset.
    @exclusivity(unchecked) var resets = [Scope: UInt]()
    /// Whether the context has ended: it answers no new requests.
    ///
    /// Changed with the lock held.
    var isClosed: Bool {
        // Acquiring and releasing: who finds that it has ended without the lock finds what was done before.
        get { hasEnded.load(ordering: .acquiring) }
        set { hasEnded.store(newValue, ordering: .releasing) }
    }
    private let hasEnded = Atomic(false)
    /// Whether nothing is left of it for requests that were running then.
    @exclusivity(unchecked) var isEmptied = false
    /// What notes answers from elsewhere, in a strict test; children and forks have the same.
    @exclusivity(unchecked) var watch: AnswerWatch? {
        didSet { lendState() }
    }

    init(
        state: ContextState, level: Int = 0, isFork: Bool = false, parent: AppContext? = nil, opened: [Scope] = [],
        inputs: [Input] = []
    ) {
        self.isFork = isFork
        self.level = parent.map { $0.core.level + 1 } ?? level
        self.state = state
        stamp = ContextStamp(revision: state.revision)
        self.parent = parent
        isChild = parent != nil
        parentCore = parent?.core
        unmanagedParentCore = parentCore.map(Unmanaged.passUnretained)
        self.opened = opened
        self.inputs = inputs
        family = parent?.core.family ?? ContextFamily()
        // Wrappers of a child never skip asking: their own stamp alone does not tell whether something above has changed.
        if isChild { stamp.beginRecording() } else { lendState() }
    }

    deinit {
        stamp.deallocate()
    }

    /// Runs `body` with the lock held, then lets go of what it has thrown away.
    ///
    /// A child follows what has changed above it first, and a lean one becomes full.
    func locked<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        family.lock.lock()
        if isChild {
            becomeFull()
            followAbove()
        }
        defer { unlock() }
        return try body()
    }

    /// Gives the lock back, and lets go of what was thrown away while it was held.
    // Not inlined: `locked` is in many functions, and mostly nothing was thrown away.
    @inline(never)
    private func unlock() {
        guard family.hasLeftovers else { return family.lock.unlock() }
        let undecided = family.limbo.undecided
        let (reads, requests) =
            undecided != nil || family.hasRetired ? Readers.all.users(of: family.number) : ([], [])
        // Mostly nobody reads, and it is known at once what is still being used.
        if let undecided, reads.isEmpty { family.decideLimbo(upTo: undecided, requests) }
        let trash = family.takeTrash()
        let retired = family.takeRetired()
        let unused = family.limbo.takeUnused()
        let ended = family.takeEnded()
        let woken = family.followers.takeWoken()
        family.lock.unlock()
        for continuation in woken { continuation.resume() }
        for read in reads { read.waitForEnd() }
        if !trash.isEmpty || !retired.isEmpty || !unused.isEmpty { letGo(of: trash, retired, unused) }
        if let undecided, !reads.isEmpty {
            // The marks of requests first: what ends while they are looked at is found by the second look at them.
            let requests = Readers.all.requests(of: family.number)
            locked { family.decideLimbo(upTo: undecided, requests) }
        }
        // Then it is known what is still being used.
        for departed in ended { departed.dispose() }
    }

    /// Lets go of something once the lock has been given back.
    ///
    /// The caller holds the lock.
    func discard(_ something: Any) { family.discard(something) }

    /// Ends whatever is referenced here alone; its deinits may use the context.
    private func letGo(
        of trash: consuming [Any], _ retired: consuming [AnyObject], _ unused: consuming [Limbo.Entry]
    ) {
        // The record lives as long as its thread.
        ThreadRecord.Unretained.current(threadKey)._withUnsafeGuaranteedRef { thread in
            thread.outsideOfMakings {
                trash = []
                retired = []
                unused = []
            }
        }
    }

    /// The node of a type, made where there was none.
    ///
    /// The caller holds the lock.
    func node(of type: any Any.Type) -> TypeNode {
        let identity = ObjectIdentifier(type)
        if let node = nodes[identity] { return node }
        let node = TypeNode(type, owner: self)
        nodes[identity] = node
        return node
    }

    /// Lets the wrappers of this context, and of those above it, ask while something is made that keeps a record.
    ///
    /// Those of the contexts below always ask.
    func beginRecording() {
        stamp.beginRecording()
        beginRecordingAbove()
    }

    func endRecording() {
        stamp.endRecording()
        endRecordingAbove()
    }

    func beginRecordingAbove() { forEachStampAbove { $0.beginRecording() } }

    func endRecordingAbove() { forEachStampAbove { $0.endRecording() } }

    private func forEachStampAbove(_ body: (ContextStamp) -> Void) {
        var next = unmanagedParentCore
        while let core = next {
            next = core._withUnsafeGuaranteedRef {
                body($0.stamp)
                return $0.unmanagedParentCore
            }
        }
    }

    /// Whether nothing is being made here that keeps a record: on the thread, or in the task.
    @inline(__always)
    func isNotedNowhere(on thread: ThreadRecord) -> Bool {
        // Relaxed suffices: whatever runs in a task of a maker is ordered behind the beginning of its record.
        thread.frames.isEmpty
            && (_fastPath(family.recordCount.load(ordering: .relaxed) == 0) || family.recorderOfTask == nil)
    }

    /// Takes over a new state.
    ///
    /// The caller holds the lock.
    func publish(_ newState: consuming ContextState) {
        swap(&state, &newState)
        family.keepInLimbo(newState, of: self)
        lendState()
    }

    /// Lets children be opened at the state without the lock, where nothing speaks against it.
    ///
    /// The caller holds the lock. A state that was lent ends only after readers have been waited for.
    func lendState() {
        let isLent = !isChild && !isClosed && watch == nil
        let pointer = isLent ? UnsafeRawPointer(Unmanaged.passUnretained(state).toOpaque()) : nil
        // Sequentially consistent: see `ThreadRecord.beginReading`.
        lentState.store(pointer, ordering: .sequentiallyConsistent)
    }

    /// The state that a child can be opened at without the lock; nil where it needs the lock.
    var stateToLend: ContextState? {
        let read = WarmRead(begunOn: ThreadRecord.current)
        defer { read.end() }
        guard let pointer = lentState.load(ordering: .sequentiallyConsistent) else { return nil }
        retainState(pointer)
        return Unmanaged<ContextState>.fromOpaque(pointer).takeRetainedValue()
    }

    /// Lets readers without the lock see that the state has changed: after every ready answer that it touches was
    /// taken back, so that whoever sees the new stamp finds none of the old answers.
    ///
    /// The caller holds the lock.
    func endChange() {
        noteUnpushed()
        stamp.advance()
        family.tidyLimbo()
    }
}

/// Retains a state that a marked reader has found; see ``Readers``.
// Never inlined, and it returns nothing: when it returns, the state is retained.
@inline(never)
private func retainState(_ pointer: UnsafeRawPointer) {
    _ = Unmanaged<ContextState>.fromOpaque(pointer).retain()
}

/// What a context and its children have in common: one lock, and what is counted and kept for all of them.
final class ContextFamily: @unchecked Sendable {
    // Sendable: the mutable fields are guarded by `lock`, whose holder accesses one field at a time: hence the
    // unchecked exclusivity.

    let lock = Lock()
    /// Counts the instances, for disposal in reverse order of making.
    @exclusivity(unchecked) var instanceCount: UInt = 0
    /// Counts the loads and pushes.
    @exclusivity(unchecked) var rootCount: UInt = 0
    /// Whether a module that was loaded here declares an input.
    @exclusivity(unchecked) var hasInputs = false
    /// Counts the instances that have gone.
    @exclusivity(unchecked) var removalCount: UInt = 0
    /// The instances whose making read a `.where`.
    @exclusivity(unchecked) var selecting = SelectingInstances()
    /// The outermost requests that are being answered, each at its place; they keep themselves.
    @exclusivity(unchecked) var sessions: [Unmanaged<Session>] = []
    /// The contexts that have instances of their own.
    ///
    /// It retains none: a context takes itself out before its core ends.
    @exclusivity(unchecked) private var cores = IdentityTable<Unmanaged<ContextCore>>()
    /// The contexts that follow changes above them at once; see ``ContextCore/followAtOnce(_:)``.
    ///
    /// It retains none, as `cores`.
    @exclusivity(unchecked) private(set) var promptFollowers = IdentityTable<Unmanaged<ContextCore>>()
    /// The dispose hooks that wait for the main actor, once there were any.
    @exclusivity(unchecked) var mainActorHooks: MainActorHooks?
    /// Who observes one of the contexts.
    @exclusivity(unchecked) var observers = Observers()
    /// Whether anyone does; read without the lock.
    let isObserved = Atomic(false)
    /// Who follows settings of one of the contexts.
    @exclusivity(unchecked) var followers = Followers()
    @exclusivity(unchecked) fileprivate(set) var trash: [Any] = []
    /// What readers without a lock may be reading; they are waited for before it ends.
    @exclusivity(unchecked) private var retired: [AnyObject] = []

    /// How many asynchronous makers are running, each of which keeps a record.
    let recordCount = Atomic<UInt>(0)
    /// What collects the reads of the asynchronous maker that runs in this task, or in one around it.
    var recorderOfTask: Recorder? {
        guard recordCount.load(ordering: .relaxed) != 0, let recorder = Recorder.ofTask, recorder.core.family === self
        else { return nil }
        return recorder
    }

    /// Tells the family from all others there were and will be; never zero.
    let number = ContextFamily.nextNumber.wrappingAdd(1, ordering: .relaxed).newValue
    // Relaxed suffices: only that no two get the same number matters.
    private static let nextNumber = Atomic<UInt>(0)
    /// What lean requests may be using, and whether there is anything.
    @exclusivity(unchecked) var limbo = Limbo()
    let hasLimbo = Atomic<Bool>(false)
    /// What no lean request uses any more, to be disposed of once the lock has been given back.
    @exclusivity(unchecked) var ended: [Limbo.Departed] = []

    /// Lets go of something once the lock has been given back.
    ///
    /// The caller holds the lock.
    func discard(_ something: Any) {
        trash.append(something)
    }

    func add(_ core: ContextCore) { cores[ObjectIdentifier(core)] = .passUnretained(core) }

    func remove(_ core: ContextCore) {
        cores[ObjectIdentifier(core)] = nil
        promptFollowers[ObjectIdentifier(core)] = nil
    }

    /// Lets a context follow changes above it at once.
    func addPromptFollower(_ core: ContextCore) { promptFollowers[ObjectIdentifier(core)] = .passUnretained(core) }

    /// The context of a slot or a cell; nil where it has ended.
    ///
    /// The caller holds the lock.
    func core(_ owner: ObjectIdentifier) -> ContextCore? { cores[owner]?.takeUnretainedValue() }

    /// Disposes of instances once the lock has been given back.
    func disposeLater(of instances: [Instance], in core: ContextCore) {
        if !instances.isEmpty { ended.append(.init(core: core, instances: instances)) }
    }

    func retire(_ object: AnyObject) {
        retired.append(object)
    }

    fileprivate var hasRetired: Bool { !retired.isEmpty }

    /// Whether anything was thrown away, or has to be done once the lock has been given back.
    fileprivate var hasLeftovers: Bool {
        !trash.isEmpty || !retired.isEmpty || !ended.isEmpty || followers.hasWoken || limbo.undecided != nil
            || !limbo.unused.isEmpty
    }

    fileprivate func takeRetired() -> [AnyObject] {
        if retired.isEmpty { return [] }
        defer { retired = [] }
        return retired
    }

    fileprivate func takeEnded() -> [Limbo.Departed] {
        if ended.isEmpty { return [] }
        defer { ended = [] }
        return ended
    }

    fileprivate func takeTrash() -> [Any] {
        if trash.isEmpty { return [] }
        let taken = trash
        trash = []
        return taken
    }
}
