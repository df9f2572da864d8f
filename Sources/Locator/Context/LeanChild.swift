internal import Synchronization

/// What a child has that nothing was asked of but instances of the scopes it opened: these instances alone.
///
/// Such a child is cheap to open, to use and to end, as a server does it for every request. It has no state, no cells
/// and no slots of its own: what is ready in its parent is given here too, and what it makes itself is made from the
/// parent's registrations. What an instance of it was made from, which a change must know, follows from these. As soon
/// as anything else is asked of it, and where its parent has changed since it made anything, it becomes a full child, as if
/// it had been one from the start. Until then it keeps the parent's state from which it has made everything.
///
/// Guarded by the child's own lock, so that requests of several children do not wait for each other.
struct LeanChild {
    /// An instance, or the making of one.
    struct Entry {
        /// The parent's slot.
        ///
        /// The parent may let go of it once it has changed. It is kept for a request that is making an instance of it.
        let slot: Unmanaged<Slot>
        /// What the slot is of, which the state or the child's layer keeps.
        let record: Unmanaged<RegistrationRecord>
        /// The instance, retained; nil while it is being made.
        var box: Unmanaged<AnyBox>?
        /// The thread that makes it, or made it; it may have ended after that.
        let thread: Unmanaged<ThreadRecord>
        /// Counts the instances of the child.
        var order: UInt = 0
    }

    /// Whether the child has ended while it was lean.
    var hasEnded = false
    /// Whether a hook runs when an instance ends.
    var hasDisposals = false
    // Trivial, and used several times for each making: no checks but for room.
    private var entries: UnsafeMutablePointer<Entry>?
    private(set) var count = 0
    private var capacity = 0

    private var orderCount: UInt = 0

    /// How many instances are being made.
    var runningCount = 0
    /// How often an instance was given that was made before.
    private var givenCount = 0

    /// Whether there are so many instances that looking through them takes longer than finding a cell.
    var isCrowded: Bool { count >= 32 }

    /// Gives an instance that was made before, retained; nil where it is being made, or was given often.
    ///
    /// A full child has its answers ready, and gives them without a lock.
    mutating func give(_ index: Int) -> Unmanaged<AnyBox>? {
        givenCount += 1
        guard let box = self[index].box, givenCount <= 32 else { return nil }
        retain(box)
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

    /// The entry of a slot of the parent.
    func index(of slot: Unmanaged<Slot>) -> Int? {
        var index = count
        while index > 0 {
            index -= 1
            if self[index].slot.toOpaque() == slot.toOpaque() { return index }
        }
        return nil
    }

    /// Notes the instance, which is retained, of an entry.
    mutating func keep(_ box: Unmanaged<AnyBox>, at index: Int) {
        orderCount += 1
        self[index].box = box
        self[index].order = orderCount
    }

    /// Adds an instance that was made before, which is retained.
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

    /// Ends the memory; what it retains has been taken over.
    func deallocate() { entries?.deallocate() }
}

/// Retains a box while a ``ShortLock`` is held.
// Never inlined, and it returns nothing: when it returns, the box is retained.
@inline(never)
private func retain(_ box: Unmanaged<AnyBox>) {
    _ = box.retain()
}

extension ContextCore {
    /// Ends a lean child, unless that was done before.
    ///
    /// Its dispose hooks run, in reverse order of making. Then it lets go of its instances.
    ///
    /// Gives false where it has more to do; what hooks threw until then is added to `errors`.
    func closeLean(_ errors: inout [HookFailure]) -> Bool {
        var disposed: IdentitySet = []
        var rounds = 0
        // What a hook makes is disposed of in the next round. Unless hooks go in a circle, each round has a registration
        // that no round before it had.
        while var taken = takeLean(isLast: rounds > disposed.count) {
            defer { taken.end() }
            guard let entries = taken.entriesToDisposeOf else { return true }
            for entry in entries { disposed.insert(ObjectIdentifier(entry.record.takeUnretainedValue())) }
            errors += dispose(of: entries)
            rounds += 1
        }
        return false
    }

    /// What a lean child has made, and what kept it.
    private struct TakenLean {
        let lean: LeanChild
        /// Whether the child has ended.
        let isClosed: Bool
        let state: ContextState
        let parent: AppContext?
        let inputs: [Input]
        /// Keeps the registrations of what is disposed of.
        var layer: ChildLayer?

        /// What has yet to be disposed of, latest first; nil where the child has ended.
        var entriesToDisposeOf: [LeanChild.Entry]? {
            if isClosed { return nil }
            return (0..<lean.count).map { lean[$0] }.sorted { $0.order > $1.order }
        }

        /// Lets go of everything; no lock is held.
        mutating func end() {
            ThreadRecord.current.outsideOfMakings {
                var index = lean.count
                while index > 0 {
                    index -= 1
                    lean[index].box?.release()
                }
                layer = nil
                withExtendedLifetime((parent, state, inputs)) {}
            }
            lean.deallocate()
        }
    }

    /// Takes out what a lean child has made, and ends the child where nothing has to be disposed of; nil where it is not
    /// lean, or has more to do.
    private func takeLean(isLast: Bool) -> TakenLean? {
        leanLock.withLock {
            if lean.hasEnded {
                return TakenLean(lean: LeanChild(), isClosed: true, state: state, parent: nil, inputs: [])
            }
            guard isLean.load(ordering: .relaxed), lean.runningCount == 0, !isObserved else { return nil }
            let isClosed = isLast || !lean.hasDisposals
            let taken = TakenLean(
                lean: lean, isClosed: isClosed, state: state, parent: parent, inputs: inputs, layer: layer)
            lean = LeanChild()
            if isClosed {
                lean.hasEnded = true
                self.isClosed = true
                isEmptied = true
                inputs = []
                layer = nil
                state = .nothing
                parent = nil
                // Releasing: who finds that it is not lean any more, with the lock of the family held, finds all this.
                isLean.store(false, ordering: .releasing)
            }
            return taken
        }
    }

    /// Runs the dispose hooks of what a lean child has made; gives what they threw.
    private func dispose(of entries: [LeanChild.Entry]) -> [HookFailure] {
        var errors: [HookFailure] = []
        ThreadRecord.current.outsideOfMakings {
            bound {
                for entry in entries {
                    guard let box = entry.box?.takeUnretainedValue() else { continue }
                    errors += dispose(of: box, entry.record.takeUnretainedValue())
                }
            }
        }
        return errors
    }
}
