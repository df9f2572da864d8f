internal import Synchronization

/// The instances of a lean child: a child that has only made instances of the scopes that it opened.
///
/// Such a child is cheap to open, use, and end. A server opens one for each request. It has no state, cells, or slots
/// of its own: it gives the ready answers of its parent, and makes its own instances from the parent's registrations. A
/// change must know what each of its instances was made from; that follows from the registrations. The child becomes a
/// full child as soon as it has to answer any other request, or if its parent has changed after the child made
/// something. It then behaves as if it had been full from the start. Until then, it keeps the parent's state that it
/// made everything from.
///
/// Guarded by the child's own lock, so that requests in different children do not wait for each other.
struct LeanChild {
    /// An instance, or the making of one.
    struct Entry {
        /// The parent's slot.
        ///
        /// The parent may release it after a change. A request that is making an instance of it keeps it.
        let slot: Unmanaged<Slot>
        /// The registration of the slot.
        ///
        /// The state or the child's layer keeps it.
        let record: Unmanaged<RegistrationRecord>
        /// The instance, retained; nil while it is being made.
        var box: Unmanaged<AnyBox>?
        /// The thread that makes or made the instance.
        ///
        /// It may have ended after that.
        let thread: Unmanaged<ThreadRecord>
        /// The position in the order in which the child's instances were made.
        var order: UInt = 0
    }

    /// Whether the child has ended while it was lean.
    var hasEnded = false
    /// Whether a hook runs when an instance ends.
    var hasDisposals = false
    // The entries are trivial, and each making accesses them several times, so only the capacity is checked.
    private var entries: UnsafeMutablePointer<Entry>?
    private(set) var count = 0
    private var capacity = 0

    private var orderCount: UInt = 0

    /// How many instances are being made.
    var runningCount = 0
    /// How often an existing instance was given.
    private var givenCount = 0

    /// Whether there are so many instances that a linear search takes longer than finding a cell.
    var isCrowded: Bool { count >= 32 }

    /// Returns an existing instance, retained.
    ///
    /// Returns nil if the instance is being made, or if instances were given often: A full child has its answers ready
    /// and gives them without a lock.
    mutating func give(_ index: Int) -> Unmanaged<AnyBox>? {
        givenCount += 1
        guard let box = self[index].box, givenCount <= 32 else { return nil }
        retainLent(box.toOpaque())
        return box
    }

    subscript(index: Int) -> Entry {
        get {
            assert(index >= 0 && index < count)
            return entries.unsafelyUnwrapped[index]
        }
        set {
            assert(index >= 0 && index < count)
            entries.unsafelyUnwrapped[index] = newValue
        }
    }

    /// The entries in the order in which their instances were made, after those that are being made.
    var entriesInOrder: [Entry] { (0..<count).map { self[$0] }.sorted { $0.order < $1.order } }

    /// The entry of a slot of the parent.
    func index(of slot: Unmanaged<Slot>) -> Int? {
        var index = count
        while index > 0 {
            index -= 1
            if self[index].slot.toOpaque() == slot.toOpaque() { return index }
        }
        return nil
    }

    /// Stores a retained instance in its entry.
    mutating func keep(_ box: Unmanaged<AnyBox>, at index: Int) {
        orderCount += 1
        self[index].box = box
        self[index].order = orderCount
    }

    /// Adds an existing, retained instance.
    mutating func add(
        _ box: Unmanaged<AnyBox>, of slot: Unmanaged<Slot>, _ record: Unmanaged<RegistrationRecord>,
        on thread: Unmanaged<ThreadRecord>
    ) {
        append(Entry(slot: slot, record: record, box: nil, thread: thread))
        keep(box, at: count - 1)
    }

    mutating func append(_ entry: Entry) {
        if count == capacity { grow() }
        (entries.unsafelyUnwrapped + count).initialize(to: entry)
        count += 1
    }

    mutating func remove(at index: Int) {
        for next in index + 1..<count { self[next - 1] = self[next] }
        count -= 1
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: max(8, capacity * 2))
        if let entries {
            larger.moveInitialize(from: entries, count: count)
            entries.deallocate()
        }
        entries = larger
        capacity = max(8, capacity * 2)
    }

    /// Frees the memory.
    ///
    /// The caller has taken over the retained instances.
    func deallocate() { entries?.deallocate() }
}

extension ContextCore {
    /// Ends a lean child, unless it has ended before.
    ///
    /// Runs its dispose hooks in reverse order of creation, and then releases its instances.
    ///
    /// Returns false if there is more to do. Errors of the hooks that have run are added to `errors`. If the context is
    /// not dropped, other threads may still use it.
    func closeLean(isDropped: Bool, _ errors: inout [HookFailure]) -> Bool {
        // The table keeps the registrations, so that none gets the identity of an earlier one.
        var disposed: IdentityTable<RegistrationRecord> = [:]
        var rounds = 0
        // What a hook creates is disposed of in the next round. Unless hooks form a circle, each round has a
        // registration that no earlier round had.
        while var taken = takeLean(isLast: rounds > disposed.count, isDropped: isDropped) {
            defer { taken.end() }
            guard let entries = taken.entriesToDisposeOf else { return true }
            for entry in entries {
                let record = entry.record.takeUnretainedValue()
                disposed[ObjectIdentifier(record)] = record
            }
            errors += dispose(of: entries)
            rounds += 1
        }
        return false
    }

    /// What a lean child has made, and the objects that keep it alive.
    private struct TakenLean: ~Copyable {
        let lean: LeanChild
        /// Whether the child has ended.
        var isClosed = true
        /// These two keep the registrations of what is disposed of.
        var state: ContextState?
        var layer: ChildLayer?
        var parent: AppContext?
        var inputs: [Input] = []

        /// The instances to dispose of, latest first; nil if the child has ended.
        var entriesToDisposeOf: [LeanChild.Entry]? {
            if isClosed { return nil }
            return lean.entriesInOrder.reversed()
        }

        /// Releases everything.
        ///
        /// No lock is held.
        mutating func end() {
            // The record lives as long as its thread.
            ThreadRecord.Unretained.current(ThreadRecord.key)._withUnsafeGuaranteedRef { thread in
                thread.outsideOfMakings {
                    var index = lean.count
                    while index > 0 {
                        index -= 1
                        lean[index].box?.release()
                    }
                    inputs = []
                    layer = nil
                    state = nil
                    parent = nil
                }
            }
            lean.deallocate()
        }
    }

    /// Takes out what a lean child has made, and ends the child if nothing has to be disposed of.
    ///
    /// Returns nil if the child is not lean, or has more to do.
    private func takeLean(isLast: Bool, isDropped: Bool) -> TakenLean? {
        leanLock.withLock {
            if lean.hasEnded { return TakenLean(lean: LeanChild()) }
            guard isLean.load(ordering: .relaxed), lean.runningCount == 0, !isObserved else { return nil }
            if !isDropped, lean.hasDisposals, isInUse { return nil }
            var taken = TakenLean(lean: lean)
            lean = LeanChild()
            if !isLast, taken.lean.hasDisposals {
                taken.isClosed = false
                (taken.state, taken.layer) = (state, layer)
                return taken
            }
            lean.hasEnded = true
            isClosed = true
            isEmptied = true
            taken.state = state
            state = .nothing
            swap(&taken.layer, &layer)
            swap(&taken.parent, &parent)
            swap(&taken.inputs, &inputs)
            // Releasing: a thread that holds the family's lock and finds that the child is no longer lean sees all of
            // this.
            isLean.store(false, ordering: .releasing)
            return taken
        }
    }

    /// Whether another thread may be making an instance that is not shared from those of a lean child.
    ///
    /// The caller holds the child's own lock, with which the other thread has taken them.
    private var isInUse: Bool {
        // Relaxed suffices: a thread stores it before it takes an instance with the lock held.
        guard hasLentRecipes.load(ordering: .relaxed) else { return false }
        let thread = ThreadRecord.current
        return Readers.all.users(of: family.number).requests.contains { $0.thread !== thread }
    }

    /// Runs the dispose hooks of what a lean child has made, and returns their errors.
    private func dispose(of entries: [LeanChild.Entry]) -> [HookFailure] {
        var errors: [HookFailure] = []
        ThreadRecord.current.outsideOfMakings {
            bound {
                for entry in entries {
                    guard let box = entry.box?.takeUnretainedValue() else { continue }
                    let record = entry.record.takeUnretainedValue()
                    errors += dispose(of: box, record, tellingAs: record.key)
                }
            }
        }
        return errors
    }
}
