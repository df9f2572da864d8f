/// The instances of a lean child: a child that has only made instances of the scopes that it opened.
///
/// Such a child is cheap to open, use, and end. A server opens one for each request. It has no state, cells, or slots
/// of its own: it gives the ready answers of its parent, and makes its own instances from the parent's registrations. A
/// change must know what each of its instances was made from. This follows from the registrations. The child becomes a
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
        /// The parent may release it after a change, unless it is a layer, which the child keeps. A request that is
        /// making an instance for it keeps it.
        let slot: Unmanaged<Slot>
        /// The registration of the slot.
        ///
        /// The state or the child's layer keeps it.
        let record: Unmanaged<RegistrationRecord>
        /// Whether the slot is that of a decorator or an alias.
        var isLayer = false
        /// The instance, retained; nil while it is being made.
        var box: Unmanaged<AnyBox>?
        /// The thread that makes or made the instance.
        ///
        /// It may have ended after that.
        let thread: Unmanaged<ThreadRecord>

        /// Whether a hook runs when the instance ends.
        ///
        /// Decorators and aliases have no hooks of their own.
        var hasDisposals: Bool {
            !isLayer && box != nil && record._withUnsafeGuaranteedRef { !$0.disposals.isEmpty }
        }
    }

    /// Something that a factory closure has read at run time, besides its parameters.
    enum Read: Equatable {
        /// The answer of a cell of the parent.
        case cell(Cell)
        /// The setting at a path.
        case setting(String)
        /// The parameters of a making that has failed. All parameters before the position were given, and the one at
        /// the position could not be provided; nil if there are none.
        case failure(RegistrationRecord, position: Int?)
    }

    private struct Note {
        let read: Read
        /// The slot of the instance that was made from it; nil if its making has failed.
        var slot: Unmanaged<Slot>?
        /// How often it was read, not counting requests for a prototype that have failed.
        var count = 1

        func isFor(_ slot: Unmanaged<Slot>) -> Bool { self.slot?.toOpaque() == slot.toOpaque() }
    }

    /// Whether the child has ended while it was lean.
    var hasEnded = false
    /// The instances in the order in which they were made, with those that are being made in between.
    private(set) var entries: [Entry] = []
    private var notes: [Note] = []
    /// The slots that the child retains.
    private var kept: [Slot] = []

    var count: Int { entries.count }

    /// How often an existing instance was given.
    private var givenCount = 0

    /// Whether an instance is being made.
    var isMaking: Bool { entries.contains { $0.box == nil } }

    /// Whether a linear search through the instances takes longer than finding a cell.
    var isCrowded: Bool { count >= 32 }

    /// Returns an existing instance, retained.
    ///
    /// Returns nil if the instance is being made, or if instances were given often. A full child has its answers ready
    /// and gives them without a lock.
    mutating func give(_ index: Int) -> Unmanaged<AnyBox>? {
        givenCount += 1
        guard let box = entries[index].box, givenCount <= 32 else { return nil }
        retainLent(box.toOpaque())
        return box
    }

    /// The entries whose instances have dispose hooks, latest first.
    var entriesToDisposeOf: [Entry] { entries.reversed().filter(\.hasDisposals) }

    /// The entry of a slot of the parent.
    func index(of slot: Unmanaged<Slot>) -> Int? {
        entries.lastIndex { $0.slot.toOpaque() == slot.toOpaque() }
    }

    /// Stores a retained instance in its entry, which comes last from now on.
    mutating func keep(_ box: Unmanaged<AnyBox>, at index: Int) {
        var entry = entries.remove(at: index)
        entry.box = box
        entries.append(entry)
    }

    mutating func append(_ entry: Entry) {
        if entries.isEmpty { entries.reserveCapacity(8) }
        entries.append(entry)
    }

    /// Retains a slot until the child has ended or is full.
    mutating func keep(_ slot: Slot) {
        if !kept.contains(where: { $0 === slot }) { kept.append(slot) }
    }

    /// Removes a making that has failed.
    ///
    /// The factory closure that requested the instance may catch the error, so the notes of the making count for the
    /// instance that this closure makes.
    mutating func remove(at index: Int, requestedFor outer: Unmanaged<Slot>?) {
        let slot = entries[index].slot
        for position in notes.indices where notes[position].isFor(slot) { notes[position].slot = outer }
        entries.remove(at: index)
    }

    /// Notes what the factory closure of a slot has read.
    ///
    /// Returns false if there are too many notes to search them one by one.
    mutating func note(_ read: Read, for slot: Unmanaged<Slot>) -> Bool {
        if let index = notes.firstIndex(where: { $0.isFor(slot) && $0.read == read }) {
            notes[index].count += 1
            return true
        }
        if notes.count >= 64 { return false }
        notes.append(Note(read: read, slot: slot))
        return true
    }

    /// Notes that a request for a prototype has failed.
    ///
    /// The factory closure of another slot made the request at run time.
    mutating func noteFailure(of prototype: Unmanaged<Slot>, for slot: Unmanaged<Slot>) {
        let index = notes.firstIndex { note in
            guard note.isFor(slot), note.count > 0, case .cell(let cell) = note.read else { return false }
            return cell.ready.isRecipe(of: prototype)
        }
        if let index { notes[index].count -= 1 }
    }

    /// The reads of a slot's factory closure at run time, and whether each request succeeded.
    func noted(for slot: Unmanaged<Slot>) -> [(read: Read, isGiven: Bool)] {
        notes.filter { $0.isFor(slot) }.map { ($0.read, $0.count > 0) }
    }
}
