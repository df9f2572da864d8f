internal import Synchronization

/// The shared part of a context and its children: one lock, and everything that is counted and kept for all of them.
final class ContextFamily: @unchecked Sendable {
    // Sendable: `lock` guards the mutable fields. Its holder accesses one field at a time, so the exclusivity need not
    // be checked.

    let lock = Lock()
    /// The revision of the latest state of any of the contexts.
    @exclusivity(unchecked) var revision: UInt
    /// Counts the instances, for disposal in reverse order of making.
    @exclusivity(unchecked) var instanceCount: UInt = 0
    /// Counts the loads and pushes.
    @exclusivity(unchecked) var rootCount: UInt = 0
    /// Whether a module that was loaded here declares an input.
    ///
    /// Changed with the lock held.
    let hasInputs = Atomic(false)
    /// Counts the instances that have gone.
    @exclusivity(unchecked) var removalCount: UInt = 0
    /// The instances whose making read a `.where`, by the type of the collection.
    @exclusivity(unchecked) var selecting = InstanceGroups()
    /// The outermost requests that are being answered, each at its index.
    ///
    /// They keep themselves alive.
    @exclusivity(unchecked) var sessions: [Unmanaged<Session>] = []
    /// The contexts that have instances of their own.
    ///
    /// The table does not retain them. A context removes itself before its core ends.
    @exclusivity(unchecked) private var cores = IdentityTable<Unmanaged<ContextCore>>()
    /// The contexts that follow changes above them immediately; see ``ContextCore/followAtOnce(_:)``.
    ///
    /// Like `cores`, the table does not retain them.
    @exclusivity(unchecked) private(set) var promptFollowers = IdentityTable<Unmanaged<ContextCore>>()
    /// The dispose hooks that wait for the main actor; nil if there never were any.
    @exclusivity(unchecked) var mainActorHooks: MainActorHooks?
    /// The number of observers of the contexts.
    ///
    /// Changed with the lock held.
    let observerCount = Atomic(0)
    /// Whether a context is observed.
    var isObserved: Bool {
        // Relaxed suffices: an observer receives events that begin after `observe` has returned, and code that relies
        // on that is already ordered after the return.
        observerCount.load(ordering: .relaxed) != 0
    }
    /// The followers of settings of the contexts.
    @exclusivity(unchecked) var followers = Followers()
    @exclusivity(unchecked) var trash: [Any] = []
    /// Objects that readers without a lock may be reading.
    ///
    /// They are released only after these readers have finished.
    @exclusivity(unchecked) var retired: [AnyObject] = []

    /// The number of asynchronous factory closures that are running.
    ///
    /// Each one keeps a record.
    let recordCount = Atomic<UInt>(0)
    /// Collects the reads of the asynchronous factory closure that runs in this task or in one around it.
    var recorderOfTask: Recorder? {
        // Relaxed suffices: see `isUnrecorded`.
        recordCount.load(ordering: .relaxed) == 0 ? nil : AsyncStep.recorder(in: self)
    }

    /// A number that no other family has or will have.
    ///
    /// It is never zero.
    let number = ThreadRecord.nextNumber()
    /// Objects that lean requests may be using.
    @exclusivity(unchecked) var limbo = Limbo()
    /// Instances that no lean request uses any longer, to be disposed of after the lock has been released.
    @exclusivity(unchecked) var ended: [Limbo.Departed] = []

    init(revision: UInt) {
        self.revision = revision
    }

    func add(_ core: ContextCore) { cores[core.identity] = .passUnretained(core) }

    func remove(_ core: ContextCore) {
        cores[core.identity] = nil
        promptFollowers[core.identity] = nil
    }

    /// Lets a context follow changes above it immediately.
    func addPromptFollower(_ core: ContextCore) { promptFollowers[core.identity] = .passUnretained(core) }

    /// The context of a slot or a cell; nil if it has ended.
    ///
    /// The caller holds the lock.
    func core(_ owner: ObjectIdentifier) -> ContextCore? { cores[owner]?.takeUnretainedValue() }

    /// Runs `body` for each outermost request that is being answered.
    ///
    /// The caller holds the lock.
    func forEachSession(_ body: (Session) -> Void) {
        for session in sessions { session._withUnsafeGuaranteedRef(body) }
    }

    /// Disposes of instances after the lock has been released.
    func disposeLater(of instances: [Instance], in core: ContextCore) {
        if !instances.isEmpty { ended.append(.init(core: core, instances: instances, areReleased: false)) }
    }

    /// Releases an object after the lock has been released.
    func discard(_ something: Any) { trash.append(something) }

    func retire(_ object: AnyObject) {
        retired.append(object)
    }

    /// Whether anything was discarded, or has to be done after the lock has been released.
    var hasLeftovers: Bool {
        !trash.isEmpty || !retired.isEmpty || !ended.isEmpty || !followers.woken.isEmpty || limbo.undecided != nil
            || !limbo.unused.isEmpty
    }
}
