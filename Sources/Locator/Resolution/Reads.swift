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
            guard let selected, case .elements(let left) = answer, case .elements(let right) = other else {
                return answer.isSame(as: other)
            }
            guard let left = selected.elements(of: left), let right = selected.elements(of: right) else { return false }
            return Answer.elements(left).isSame(as: .elements(right))
        }
    }

    struct PropertyRead {
        let cell: PropertyCell
        let lookup: PropertyLookup
    }

    private(set) var cells: [CellRead] = []
    private(set) var properties: [PropertyRead] = []
    private(set) var instances: [Instance] = []
    private var seen: IdentitySet = []

    mutating func add(_ cell: Cell, _ answer: Answer, _ selected: SelectedModules? = nil) {
        if let selected {
            if seen.insert(ObjectIdentifier(selected)).inserted {
                cells.append(CellRead(cell: cell, answer: answer, selected: selected))
            }
            return
        }
        if seen.insert(ObjectIdentifier(cell)).inserted { cells.append(CellRead(cell: cell, answer: answer)) }
    }

    mutating func add(_ cell: PropertyCell, _ lookup: PropertyLookup) {
        if seen.insert(ObjectIdentifier(cell)).inserted {
            properties.append(PropertyRead(cell: cell, lookup: lookup))
        }
    }

    mutating func add(_ instance: Instance) {
        if seen.insert(ObjectIdentifier(instance)).inserted { instances.append(instance) }
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

    /// Whether two records are of the same instances and the same answers.
    func isSame(as other: Reads) -> Bool {
        cells.count == other.cells.count && properties.count == other.properties.count
            && instances.count == other.instances.count
            && zip(cells, other.cells).allSatisfy { $0.cell === $1.cell && $0.answer.isSame(as: $1.answer) }
            && zip(properties, other.properties).allSatisfy {
                $0.cell === $1.cell && $0.lookup.hasSameAnswer(as: $1.lookup)
            }
            && zip(instances, other.instances).allSatisfy { $0 === $1 }
    }

    mutating func add(_ other: Reads) {
        for read in other.cells { add(read.cell, read.answer, read.selected) }
        for read in other.properties { add(read.cell, read.lookup) }
        for instance in other.instances { add(instance) }
    }
}

/// Collects the reads of a making while it runs.
///
/// Changed only by the thread that runs the making.
final class Recorder {
    // Unchecked exclusivity: one thread, one field at a time.

    let core: ContextCore
    /// Where the reads go as well: what an unshared instance reads counts for whoever it is made for or given to.
    @exclusivity(unchecked) private var outers: [Recorder] = []
    /// What was read.
    ///
    /// Changed with the lock of the context held, because a wrapper may keep a record to which injections still add.
    @exclusivity(unchecked) var reads = Reads()
    /// Whether injections will follow that belong to this making.
    @exclusivity(unchecked) private(set) var waitsForInjections = false
    /// Whether everything that was given may be kept for as long as its reader lives: nothing but singletons.
    @exclusivity(unchecked) var isLasting = true
    /// Whether everything that was given is held by the context, so that it would be given again.
    @exclusivity(unchecked) var isHeld = true
    /// The error of one of these injections.
    @exclusivity(unchecked) private(set) var injectionFailure: LocatorError?

    init(core: ContextCore, outer: Recorder? = nil) {
        self.core = core
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
        var found: IdentityTable<Recorder> = [:]
        var open = outers
        while let next = open.popLast() {
            guard next !== self, found.updateValue(next, forKey: ObjectIdentifier(next)) == nil else { continue }
            open += next.outers
        }
        return Array(found.values)
    }
}
