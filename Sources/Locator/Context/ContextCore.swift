internal import LocatorProperties
internal import Synchronization

/// The internal part of an ``AppContext``: what is loaded, what was made, and what each instance's making read.
///
/// The context owns its core. Wrappers and resolvers keep only the core, which is empty once the context has ended. So
/// nothing that the context made keeps the context alive.
///
/// No foreign code runs while the lock of the family is held. A reference that may be the last one to a foreign object
/// is discarded into the family's trash, and released after the lock has been released.
class ContextCore: @unchecked Sendable {
    // Unchecked exclusivity: the holder of the lock accesses one field at a time.
    // Sendable: the lock of the family guards every mutable field. Exceptions are atomic fields, `handle`, which the
    // runtime guards, and the fields that a lean child guards itself; see `ChildCore`.

    let family: ContextFamily

    /// Whether the context is a fork.
    let isFork: Bool
    /// Whether the context is a child.
    var isChild: Bool { unmanagedParentCore != nil }
    /// This core as a ``ChildCore``; nil if the context is not a child.
    // Unsafe: a core has a parent only if it is a `ChildCore`.
    @inline(__always)
    var asChild: ChildCore? { isChild ? unsafeDowncast(self, to: ChildCore.self) : nil }
    /// The same without a retain, for code whose caller keeps this object.
    @inline(__always)
    var asUnmanagedChild: Unmanaged<ChildCore>? {
        isChild ? .passUnretained(unsafeDowncast(self, to: ChildCore.self)) : nil
    }
    /// The number of contexts above this one.
    ///
    /// For a fork, it includes the contexts above the one that it was forked from.
    let level: Int
    /// The context whose unaffected instances this one shares; nil unless this is a child that has not ended.
    @exclusivity(unchecked) var parent: AppContext?
    /// The core of the parent, even after the child has ended.
    let parentCore: ContextCore?
    /// The same without a retain, because this object keeps the parent's core alive.
    let unmanagedParentCore: Unmanaged<ContextCore>?
    /// The scopes whose instances live in this child.
    ///
    /// A fork of a child has the scopes of the child and of its parents.
    let opened: [Scope]
    /// The instances that were passed for the inputs of these scopes.
    @exclusivity(unchecked) var inputs: [Input]
    /// The children of a child that have not ended.
    ///
    /// They end with it.
    @exclusivity(unchecked) var children = ChildList()
    /// The place among the children of the parent.
    @exclusivity(unchecked) var siblings = ChildList.Place()
    /// How far a child has followed the contexts above it; see ``revisionsAbove``.
    ///
    /// Changed with the lock of the family held, and in a lean child also with its own lock held.
    let followed: Atomic<UInt>
    /// The load of the settings that a child keeps.
    ///
    /// It is set before anything else can use the child.
    @exclusivity(unchecked) var keptLoad: KeptLoad?
    /// Whether that load was released because the child has ended.
    @exclusivity(unchecked) var hasLetGoOfLoad = false
    /// The loads that children keep, for a context without a parent.
    @exclusivity(unchecked) var keptLoads: [KeptLoad] = []
    /// The loads of the settings since the first one that may still be undone; empty if there is none.
    @exclusivity(unchecked) var tentativeLoads: [TentativeLoad] = []
    /// Whether the context has followed changes above it that may still be undone.
    @exclusivity(unchecked) var hasFollowedTentatively = false
    /// Makes wrappers use the slow path while children make something.
    let recordingHold = RecordingHold()

    private let stampWord: Atomic<UInt>
    var stamp: ContextStamp { ContextStamp(in: stampWord) }

    /// The context, while it exists.
    weak var handle: AppContext?
    /// The current context for code that runs on behalf of this one: the context itself, unless it is being dropped.
    var representative: AppContext { handle ?? AppContext(standingFor: self) }

    /// The name of the context in notes.
    var nameInNotes: String {
        // A request that reaches the shared context by mistake was usually made outside of `withContext`.
        self === AppContext.shared.core
            ? "AppContext.shared. It is the current context unless another one is entered" : "this context"
    }

    @exclusivity(unchecked) var state: ContextState
    /// The state of a context without a parent, for children and forks that take no lock; see ``lent(_:)``.
    private let lentState = Atomic<UnsafeRawPointer?>(nil)
    /// Where the context was shut down, unless it has been started since then.
    @exclusivity(unchecked) var shutDownPlace: SourcePlace?
    /// Its cells and slots, and everything that belongs to them; nil in a lean child, and in a context that was never
    /// used.
    // Unsafe: the core frees this memory when it is released, and nothing else has the pointer for longer than an access.
    // A class would be retained and released with each access.
    @exclusivity(unchecked) var knownTables: UnsafeMutablePointer<ContextTables>?
    /// The table of ready answers, and its address for readers without a lock.
    @exclusivity(unchecked) var warm: WarmTable?
    let warmTable = Atomic<UnsafeRawPointer?>(nil)
    /// The key for the records of threads.
    let threadKey = ThreadRecord.key
    /// A number that no other context has or will have.
    let number = ThreadRecord.nextNumber()
    /// The same number as the key of a table.
    ///
    /// Slots and cells may outlive their context. Another context may then get its address, but not its number.
    var identity: ObjectIdentifier {
        // Unsafe: an identifier is a word that is never dereferenced, and the number is not zero.
        unsafeBitCast(number, to: ObjectIdentifier.self)
    }
    /// The number of the context itself, or of the context above it that is a child of the outermost one.
    ///
    /// For the outermost context, it is its own number.
    ///
    /// A request without a session uses no instances of another branch, except those of the outermost context.
    let branch: UInt
    /// The number of outermost requests that are being answered.
    @exclusivity(unchecked) var sessionCount = 0
    /// Whether the context has ended: it answers no new requests.
    ///
    /// Changed with the lock held.
    var isClosed: Bool {
        // Acquiring and releasing: if a thread finds without the lock that the context has ended, it sees everything
        // that was done before.
        get { hasEnded.load(ordering: .acquiring) }
        set { hasEnded.store(newValue, ordering: .releasing) }
    }
    private let hasEnded = Atomic(false)
    /// Whether this context itself is observed.
    ///
    /// Changed with the lock held.
    let hasObservers = Atomic(false)
    /// Whether the last reference to the context has been released.
    @exclusivity(unchecked) var isDropped = false
    /// Whether `within` has ended the context, or is about to.
    let isOfWithin = Atomic(false)
    /// The number of threads that dispose of instances that the context, or an ended session of it, has kept.
    @exclusivity(unchecked) var disposingCount = 0
    /// Whether the context no longer keeps anything for requests that were running when it ended.
    @exclusivity(unchecked) var isEmptied = false
    /// Records answers that come from outside in a strict test.
    ///
    /// Children and forks have the same watch.
    @exclusivity(unchecked) var watch: AnswerWatch? {
        didSet { lendState() }
    }

    /// Creates the core of a context without a parent.
    init(state: ContextState, level: Int, isFork: Bool, opened: [Scope], inputs: [Input]) {
        stampWord = ContextStamp.word(revision: state.revision)
        self.state = state
        self.isFork = isFork
        self.level = level
        branch = number
        followed = Atomic(0)
        parentCore = nil
        unmanagedParentCore = nil
        family = ContextFamily(revision: state.revision)
        self.opened = opened
        self.inputs = inputs
        lendState()
    }

    /// Creates the core of a child that has followed its parent up to a state.
    ///
    /// Only ``ChildCore`` calls this.
    init(childOf parent: borrowing AppContext, state: consuming ContextState, opened: [Scope], inputs: [Input]) {
        let parentCore = Unmanaged.passUnretained(parent.core)
        unmanagedParentCore = parentCore
        // If the parent has parents of its own, this reads them with the lock held, so that nothing changes above it.
        followed = Atomic(state.revision &+ parentCore._withUnsafeGuaranteedRef { $0.revisionsAbove })
        family = parentCore._withUnsafeGuaranteedRef { $0.family }
        level = parentCore._withUnsafeGuaranteedRef { $0.level } + 1
        branch = parentCore._withUnsafeGuaranteedRef { $0.isChild ? $0.branch : nil } ?? number
        self.parentCore = parent.core
        self.parent = copy parent
        stampWord = ContextStamp.word(revision: state.revision)
        self.state = state
        isFork = false
        self.opened = opened
        self.inputs = inputs
        // Wrappers of a child always use the slow path: their own stamp does not tell whether a context above has
        // changed.
        stamp.beginRecording()
    }

    deinit {
        knownTables?.deinitialize(count: 1)
        knownTables?.deallocate()
    }

    /// Runs `body` with the lock held, and then releases what it discarded.
    ///
    /// A child first follows what has changed above it. A lean child becomes full.
    func locked<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        family.lock.lock()
        if isChild { catchUp() }
        defer { unlock() }
        return try body()
    }

    /// Makes a lean child full, and follows the changes above.
    // It is not inlined, like `unlock`, because many functions use `locked`.
    @inline(never)
    private func catchUp() {
        asChild?.becomeFull()
        followAbove()
    }

    /// Releases the lock, and then everything that was discarded while the lock was held.
    // It is not inlined, because many functions use `locked`, and usually nothing was discarded.
    @inline(never)
    func unlock() {
        guard family.hasLeftovers else { return family.lock.unlock() }
        let undecided = family.limbo.undecided
        let (reads, requests) =
            undecided != nil || !family.retired.isEmpty ? Readers.all.users(of: family.number) : ([], [])
        // Usually no thread is reading, and it is immediately clear what is still in use.
        if let undecided, reads.isEmpty { family.decideLimbo(upTo: undecided, requests) }
        let trash = family.trash.takeAll()
        let retired = family.retired.takeAll()
        let unused = family.limbo.unused.takeAll()
        let ended = family.ended.takeAll()
        let woken = family.followers.woken.takeAll()
        family.lock.unlock()
        if !woken.isEmpty { Followers.resume(woken) }
        for read in reads { read.waitForEnd() }
        if !trash.isEmpty || !retired.isEmpty || !unused.isEmpty {
            // Consumed, because a debug build would otherwise keep copies and release them later.
            letGo(of: consume trash, consume retired, consume unused)
        }
        if let undecided, !reads.isEmpty {
            // The marks of requests are read first. Requests that end during this are found when the marks are read
            // again.
            let requests = Readers.all.requests(of: family.number)
            locked { family.decideLimbo(upTo: undecided, requests) }
        }
        // Now it is clear what is still in use.
        for departed in ended { departed.dispose() }
    }

    /// Releases an object after the lock has been released.
    ///
    /// The caller holds the lock.
    @inline(never)
    func discard(_ something: Any) { family.discard(something) }

    /// Releases the discarded objects.
    ///
    /// Deinitializers that run here may use the context.
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

    /// The tables, created if there are none.
    ///
    /// The caller holds the lock of the family.
    // Accessed in place: the compiler does not always inline a coroutine, and one that is called allocates a frame.
    var tables: ContextTables {
        unsafeAddress { UnsafePointer(usedTables) }
        unsafeMutableAddress { usedTables }
    }

    private var usedTables: UnsafeMutablePointer<ContextTables> {
        if let knownTables { return knownTables }
        let tables = UnsafeMutablePointer<ContextTables>.allocate(capacity: 1)
        tables.initialize(to: ContextTables())
        knownTables = tables
        return tables
    }

    /// The node of a type, created if there is none.
    ///
    /// The caller holds the lock.
    func node(of type: any Any.Type) -> TypeNode {
        let identity = ObjectIdentifier(type)
        if let node = tables.nodes[identity] { return node }
        let node = TypeNode(type, owner: self)
        tables.nodes[identity] = node
        return node
    }

    /// The cell of a request of this kind.
    ///
    /// The caller holds the lock.
    func cell(_ kind: Cell.Query.Kind, of key: Key) -> Cell {
        node(of: key.type).cell(Cell.Query(kind: kind, qualifier: key.qualifier))
    }

    /// Makes the wrappers of this context and of those above it use the slow path while a making keeps a record.
    ///
    /// Wrappers of the contexts below always use it.
    func beginRecording() { forEachStamp { $0.beginRecording() } }

    func endRecording() { forEachStamp { $0.endRecording() } }

    private func forEachStamp(_ body: (ContextStamp) -> Void) {
        body(stamp)
        forEachAbove { body($0.stamp) }
    }

    /// Whether neither the thread nor the task makes anything that keeps a record.
    @inline(__always)
    func isUnrecorded(on thread: ThreadRecord) -> Bool {
        // Relaxed suffices: everything that runs in a task of a factory closure is ordered after the beginning of its
        // record.
        thread.frames.isEmpty
            && (_fastPath(family.recordCount.load(ordering: .relaxed) == 0) || family.recorderOfTask == nil)
    }

    /// Takes over a new state.
    ///
    /// The caller holds the lock.
    func publish(_ newState: consuming ContextState) {
        swap(&state, &newState)
        state.takeHolders(from: newState)
        family.keepInLimbo(consume newState, of: self)
        lendState()
    }

    /// Lets children and forks take this state without the lock, if nothing prevents it.
    ///
    /// The caller holds the lock. A state that was lent ends only after its readers have been waited for.
    func lendState() {
        let isLent = !isChild && !isClosed && watch == nil
        let pointer = isLent ? UnsafeRawPointer(Unmanaged.passUnretained(state).toOpaque()) : nil
        // Sequentially consistent: see `ThreadRecord.beginReading`.
        lentState.store(pointer, ordering: .sequentiallyConsistent)
    }

    /// A part of the state, or the state itself, without the lock; nil if the lock is needed.
    ///
    /// `find` finds something that the state keeps.
    @inline(__always)
    func lent<Part: AnyObject>(_ find: (ContextState) -> Unmanaged<Part>?) -> Part? {
        let read = ThreadRecord.Unretained.current(threadKey)._withUnsafeGuaranteedRef { WarmRead(begunOn: $0) }
        defer { read.end() }
        // Sequentially consistent: see `ThreadRecord.beginReading`.
        guard let state = lentState.load(ordering: .sequentiallyConsistent).map(Unmanaged<ContextState>.fromOpaque),
            let part = state._withUnsafeGuaranteedRef(find)
        else { return nil }
        retainLent(part.toOpaque())
        return part.takeRetainedValue()
    }

    /// Lets readers without the lock see that the state has changed.
    ///
    /// Before this, the change has invalidated every ready answer that it touches. So a reader that sees the new stamp
    /// does not find an old answer.
    ///
    /// The caller holds the lock.
    func endChange() {
        noteUnpushed()
        stamp.advance(to: state.revision)
    }
}
