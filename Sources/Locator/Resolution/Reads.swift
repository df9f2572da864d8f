internal import LocatorProperties

/// Everything that a making read: what must come out the same for its instance to be reused.
struct Reads {
    struct CellRead {
        let cell: Cell
        let answer: Answer
        /// Which modules' elements were taken; nil for all.
        var selected: SelectedModules?

        /// Whether the making would have got the same from another answer of the cell.
        func isSame(in other: Answer) -> Bool {
            guard let left = taken(of: answer), let right = taken(of: other) else { return false }
            return left.isSame(as: right)
        }

        /// What the making takes of an answer of the cell; nil where that is not known.
        func taken(of other: Answer) -> Answer? {
            guard let selected, case .offers(let offers) = other else { return other }
            return selected.collection(from: offers)
        }
    }

    struct PropertyRead {
        let cell: PropertyCell
        let lookup: PropertyLookup
    }

    /// A scope that a making depends on: in a child that opens the scope it comes out otherwise.
    struct ScopeRead: Equatable {
        /// The context that was asked.
        let owner: ObjectIdentifier
        let scope: Scope
    }

    /// Nil where nothing was read, as for many makings; shared by copies until one of them changes.
    private var content: Content?

    var cells: [CellRead] { content?.cells ?? [] }
    var properties: [PropertyRead] { content?.properties ?? [] }
    var instances: [Instance] { content?.instances ?? [] }
    /// The scopes of what could not be made, and of what the parts that a context above has given were made from.
    var scopes: [ScopeRead] { content?.scopes ?? [] }
    /// Whether requests of their own have read some of it, which other contexts of the family may have answered.
    private(set) var isJoined: Bool {
        get { content?.isJoined ?? false }
        set { if newValue { own().isJoined = true } }
    }
    /// Whether a request has read another answer than one before it: such reads come out the same in no state.
    private(set) var isMixed: Bool {
        get { content?.isMixed ?? false }
        set { if newValue { own().isMixed = true } }
    }

    private final class Content {
        // Unchecked exclusivity: whoever changes it is its only owner.
        @exclusivity(unchecked) var cells: [CellRead] = []
        @exclusivity(unchecked) var properties: [PropertyRead] = []
        @exclusivity(unchecked) var instances: [Instance] = []
        @exclusivity(unchecked) var scopes: [ScopeRead] = []
        @exclusivity(unchecked) var seen = IdentitySet()
        @exclusivity(unchecked) var isJoined = false
        @exclusivity(unchecked) var isMixed = false

        init() {}

        init(copying other: Content) {
            cells = other.cells
            properties = other.properties
            instances = other.instances
            scopes = other.scopes
            seen = other.seen
            isJoined = other.isJoined
            isMixed = other.isMixed
        }
    }

    /// The content, which nobody else has.
    private mutating func own() -> Content {
        if isKnownUniquelyReferenced(&content), let content { return content }
        let own = content.map(Content.init(copying:)) ?? Content()
        content = own
        return own
    }

    private func hasSeen(_ identity: ObjectIdentifier) -> Bool { content?.seen.contains(identity) ?? false }

    /// The content, to which something is to be added, unless that is there.
    private mutating func content(adding identity: ObjectIdentifier) -> Content? {
        if hasSeen(identity) { return nil }
        let own = own()
        own.seen.insert(identity)
        return own
    }

    mutating func add(_ cell: Cell, _ answer: Answer, _ selected: SelectedModules? = nil) {
        let identity = selected.map { ObjectIdentifier($0) } ?? ObjectIdentifier(cell)
        content(adding: identity)?.cells.append(CellRead(cell: cell, answer: answer, selected: selected))
    }

    mutating func add(_ cell: PropertyCell, _ lookup: PropertyLookup) {
        content(adding: ObjectIdentifier(cell))?.properties.append(PropertyRead(cell: cell, lookup: lookup))
    }

    mutating func add(_ instance: Instance) {
        content(adding: ObjectIdentifier(instance))?.instances.append(instance)
    }

    /// Notes that no instance of a slot could be made.
    mutating func addFailure(of slot: Slot) {
        if let scope = slot.record.lifetime.openableScope { add(ScopeRead(owner: slot.owner, scope: scope)) }
    }

    mutating func add(_ scope: ScopeRead) {
        if !scopes.contains(scope) { own().scopes.append(scope) }
    }

    /// Counts what weak parts of a context have read, too: they may end before what was made from them.
    ///
    /// What a child has of a weak part of its parent is noted when the part is given.
    mutating func addReadsOfWeakParts(in owner: ContextCore) {
        var index = 0
        while index < instances.count {
            let part = instances[index]
            if part.slot.record.lifetime == .weak, part.slot.owner == ObjectIdentifier(owner) { add(part.reads) }
            index += 1
        }
    }

    /// The contexts that have answered.
    var owners: IdentitySet {
        IdentitySet(cells.map(\.cell.owner) + properties.map(\.cell.owner) + instances.map(\.slot.owner))
    }

    mutating func add(_ other: Reads) {
        if content == nil {
            content = other.content
            return
        }
        if other.isJoined { isJoined = true }
        if other.isMixed { isMixed = true }
        for read in other.cells { add(read.cell, read.answer, read.selected) }
        for read in other.properties { add(read.cell, read.lookup) }
        for instance in other.instances { add(instance) }
        for scope in other.scopes { add(scope) }
    }

    /// Adds what a request of its own has read, which has ended.
    ///
    /// An instance that it has not completed, or that has ended since, counts by what it was made from. The caller holds
    /// the lock.
    mutating func join(_ other: Reads) {
        isJoined = true
        if other.isMixed || contradicts(other) { isMixed = true }
        for read in other.cells { add(read.cell, read.answer, read.selected) }
        for read in other.properties { add(read.cell, read.lookup) }
        for instance in other.instances {
            if instance.status != .pending, instance.failure == nil, !instance.hasEnded {
                add(instance)
                // It may end before what was made from it.
                if instance.slot.record.lifetime == .weak { add(instance.reads) }
            } else if content(adding: ObjectIdentifier(instance)) != nil {
                if instance.failure != nil { addFailure(of: instance.slot) }
                join(instance.reads)
            }
        }
        for scope in other.scopes { add(scope) }
    }

    private func contradicts(_ other: Reads) -> Bool {
        // Each selection of modules is a read of its own, and kept.
        other.cells.contains { read in
            read.selected == nil && hasSeen(ObjectIdentifier(read.cell))
                && !cells.contains {
                    $0.cell === read.cell && $0.selected == nil && $0.answer.isSame(as: read.answer)
                }
        }
            || other.properties.contains { read in
                hasSeen(ObjectIdentifier(read.cell))
                    && !properties.contains { $0.cell === read.cell && $0.lookup.hasSameAnswer(as: read.lookup) }
            }
    }
}

/// Collects the reads of a making while it runs.
///
/// Changed only by the thread that runs the making, or with the lock of the context held.
final class Recorder: @unchecked Sendable {
    // Sendable: that of an asynchronous maker is found by all its tasks, which touch `reads` and `isClosed` alone, with
    // the lock of the context held. Any other stays on its thread.
    // Unchecked exclusivity: one thread, one field at a time.

    /// That of the asynchronous maker which runs in this task, or in one around it.
    @TaskLocal static var ofTask: Recorder?

    let core: ContextCore
    /// The state that is being prepared, which an asynchronous maker and its tasks see.
    let prepared: ContextState?
    /// Where the reads go as well: what an unshared instance reads counts for whoever it is made for or given to.
    @exclusivity(unchecked) private var outers: [Recorder] = []
    /// What was read.
    ///
    /// Changed with the lock of the context held, because a wrapper may keep a record to which injections still add.
    @exclusivity(unchecked) var reads = Reads()
    /// Whether the making has ended, so that nothing more counts.
    @exclusivity(unchecked) private var isClosed = false
    /// Whether injections will follow that belong to this making.
    @exclusivity(unchecked) private(set) var waitsForInjections = false
    /// Whether everything that was given may be kept for as long as its reader lives: nothing but singletons.
    @exclusivity(unchecked) var isLasting = true
    /// Whether everything that was given is held by the context, so that it would be given again.
    @exclusivity(unchecked) var isHeld = true
    /// The error of one of these injections.
    @exclusivity(unchecked) private(set) var injectionFailure: LocatorError?

    init(core: ContextCore, outer: Recorder? = nil, prepared: ContextState? = nil) {
        self.core = core
        self.prepared = prepared
        if let outer { outers = [outer] }
    }

    /// Counts what was read here for another making, too, and what injections will read.
    func count(for outer: Recorder) {
        guard outer !== self else { return }
        core.locked {
            outer.reads.add(reads)
            guard waitsForInjections else { return }
            outers.append(outer)
            outer.waitForInjections()
        }
    }

    /// Notes what a request has read that this making asked, of its own context or another of the family.
    ///
    /// The request has ended.
    func note(_ request: Recorder) {
        core.locked { if !isClosed { reads.join(request.reads) } }
    }

    /// Ends the record; gives what was read.
    func close() -> Reads {
        core.locked {
            isClosed = true
            defer { reads = Reads() }
            var final = Reads()
            final.join(reads)
            return final
        }
    }

    func waitForInjections() {
        if waitsForInjections { return }
        waitsForInjections = true
        for outer in outers { outer.waitForInjections() }
    }

    /// Notes that an injection failed which belongs to this making, and so to the instances it is made for.
    func fail(with error: LocatorError) {
        core.locked {
            for recorder in allOuters + [self] where recorder.injectionFailure == nil {
                recorder.injectionFailure = error
            }
        }
    }

    /// Hands what was read to the makings it counts for; unless injections follow, that is all of it.
    func passReadsOn() {
        core.locked {
            for outer in allOuters { outer.reads.add(reads) }
            if !waitsForInjections { outers = [] }
        }
    }

    /// Notes that the injections have run: nothing will be added any more.
    func endInjections() {
        core.locked {
            for recorder in allOuters + [self] {
                recorder.waitsForInjections = false
                recorder.outers = []
            }
        }
    }

    /// The makings that this one counts for, directly or over others.
    private var allOuters: [Recorder] {
        var found = IdentityTable<Recorder>()
        var open = outers
        while let next = open.popLast() {
            guard next !== self, found.updateValue(next, forKey: ObjectIdentifier(next)) == nil else { continue }
            open += next.outers
        }
        return Array(found.values)
    }
}
