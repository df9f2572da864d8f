/// Everything that a making read.
///
/// Its instance is reused only while all of this is the same.
struct Reads {
    struct CellRead {
        let cell: Cell
        var answer: Answer
        /// The modules whose elements were selected; nil for all.
        var selected: SelectedModules?
        /// The context below that was asked, if it gave the same answer.
        ///
        /// This answer does not count while that context is alive.
        var below: ObjectIdentifier?

        var identity: ObjectIdentifier { selected.map { ObjectIdentifier($0) } ?? ObjectIdentifier(cell) }

        /// Whether the making would have taken the same elements from another answer of the cell.
        func isSame(in other: Answer) -> Bool {
            guard let left = taken(of: answer), let right = taken(of: other) else { return false }
            return left.isSame(as: right)
        }

        /// The part of an answer of the cell that the making takes; nil if that is not known.
        func taken(of other: Answer) -> Answer? {
            guard let selected, case .offers(let offers) = other else { return other }
            return selected.collection(from: offers)
        }
    }

    struct PropertyRead {
        let cell: PropertyCell
        let lookup: PropertyLookup
        /// See ``CellRead/below``.
        var below: ObjectIdentifier?
    }

    /// A scope that a making depends on, because its result differs in a child that opens the scope.
    struct ScopeRead: Equatable {
        /// The context that the request was made in.
        let owner: ObjectIdentifier
        let scope: Scope
    }

    /// What was read; nil for the many makings that read nothing.
    ///
    /// Copies of the value share it until one of them changes.
    private var content: Content?

    var cells: [CellRead] { content?.lists.cells ?? [] }
    var properties: [PropertyRead] { content?.lists.properties ?? [] }
    var instances: [Instance] { content?.lists.instances ?? [] }
    /// The scopes of instances that could not be made, and those that the parts from a context above depend on.
    var scopes: [ScopeRead] { content?.lists.scopes ?? [] }
    /// Whether nested requests have read a part of it.
    ///
    /// Other contexts of the family may have answered them.
    var isJoined: Bool { content?.lists.isJoined ?? false }
    /// Whether a single setting was read and nothing else.
    var isOneSetting: Bool { properties.count == 1 && cells.isEmpty && instances.isEmpty && scopes.isEmpty }
    /// Whether a request has read a different answer than an earlier one.
    ///
    /// Such reads are not the same in any state.
    var isMixed: Bool { content?.lists.isMixed ?? false }

    /// The answers or settings of a child that differ from its parent's and require its own instance: the difference
    /// for which it made the instance, and the one for which it last kept it.
    ///
    /// The making need not have read them. The child needs the instance as long as one of these, or something else,
    /// makes it impossible to share the parent's instance.
    var differences: [Reads] {
        get { content?.lists.differences ?? [] }
        set { if !newValue.isEmpty || !differences.isEmpty { own().lists.differences = newValue } }
    }

    /// Whether nothing was read.
    var isEmpty: Bool { content == nil }

    private struct Lists {
        var cells: [CellRead] = []
        var properties: [PropertyRead] = []
        var instances: [Instance] = []
        var scopes: [ScopeRead] = []
        var seen = IdentitySet()
        var isJoined = false
        var isMixed = false
        var differences: [Reads] = []
    }

    private final class Content {
        // Unchecked exclusivity: only its single owner changes it.
        @exclusivity(unchecked) var lists: Lists

        init(_ lists: Lists) { self.lists = lists }
    }

    /// The content, made unique to this value.
    private mutating func own() -> Content {
        if isKnownUniquelyReferenced(&content), let content { return content }
        let own = Content(content?.lists ?? Lists())
        content = own
        return own
    }

    private func hasSeen(_ identity: ObjectIdentifier) -> Bool { content?.lists.seen.contains(identity) ?? false }

    /// The content for adding a read; nil if it is already there.
    private mutating func content(adding identity: ObjectIdentifier) -> Content? {
        if hasSeen(identity) { return nil }
        let own = own()
        own.lists.seen.insert(identity)
        return own
    }

    mutating func add(_ cell: Cell, _ answer: Answer, _ selected: SelectedModules? = nil) {
        add(CellRead(cell: cell, answer: answer, selected: selected))
    }

    mutating func add(_ cell: PropertyCell, _ lookup: PropertyLookup) {
        add(PropertyRead(cell: cell, lookup: lookup))
    }

    private mutating func add(_ read: CellRead) {
        if let content = content(adding: read.identity) {
            content.lists.cells.append(read)
        } else if read.below == nil, isJoined,
            let index = cells.firstIndex(where: { $0.identity == read.identity && $0.below != nil })
        {
            own().lists.cells[index] = read
        }
    }

    private mutating func add(_ read: PropertyRead) {
        if let content = content(adding: ObjectIdentifier(read.cell)) {
            content.lists.properties.append(read)
        } else if read.below == nil, isJoined,
            let index = properties.firstIndex(where: { $0.cell === read.cell && $0.below != nil })
        {
            own().lists.properties[index] = read
        }
    }

    mutating func add(_ instance: Instance) {
        content(adding: ObjectIdentifier(instance))?.lists.instances.append(instance)
    }

    /// Adds an instance of a context above that a child shares, and everything that it was made from, as the child reads it.
    ///
    /// A value that was decoded from settings is the same for the child as long as its settings are the same, even if
    /// the parent decodes it again from other settings. So the instance does not count.
    mutating func add(_ instance: Instance, sharedAs reads: Reads) {
        if !instance.slot.isDecoded { add(instance) }
        add(reads)
    }

    /// Removes the instances that were not made before the one with the given order, and returns them.
    ///
    /// Only injections read such instances. Without them, instances that have ended do not retain each other.
    mutating func removeInstances(from order: UInt) -> [Instance] {
        let later = instances.filter { $0.order >= order }
        if !later.isEmpty { own().lists.instances.removeAll { $0.order >= order } }
        return later
    }

    /// Replaces parts whose context has ended, and their parts, with their reads.
    ///
    /// The caller holds the lock of `core`.
    mutating func replaceOutlived(in core: ContextCore) {
        let parts = instances.filter(\.isOutlived)
        if parts.isEmpty { return }
        core.discard(parts)
        own().lists.instances.removeAll(where: \.isOutlived)
        own().lists.isJoined = true
        var open = parts
        var seen: IdentitySet = []
        while let part = open.popLast() {
            guard seen.insert(part.identity).inserted else { continue }
            let other = part.reads
            // The answers of a context that has ended stay the same.
            addAnswers(of: other, withoutThoseOf: part.isOutlived ? part.slot.owner : nil)
            for next in other.instances {
                let hasEnded = next.isOutlived || next.status == .gone && core.relative(next.slot.owner) == nil
                if hasEnded { open.append(next) } else { add(next) }
            }
        }
    }

    /// Adds reads of a child as reads of the contexts above that agree with the child.
    ///
    /// The child may end before the instances that were made from the reads.
    ///
    /// Answers that belong to the child alone then stay the same. The child has followed the contexts above.
    mutating func addReadsAbove(_ child: ContextCore, _ other: Reads) {
        if child.isClosed { return }
        var below = child.identity
        for core in child.lineage.dropFirst() {
            defer { below = core.identity }
            for read in other.cells where read.cell.owner == child.identity {
                let cell = core.node(of: read.cell.type).cell(read.cell.query)
                let answer = core.answer(of: cell, in: core.state)
                var current = read
                current.answer = child.answer(of: read.cell, in: child.state)
                guard current.isSame(in: answer) else { continue }
                let given = read.isSame(in: answer) ? answer : read.answer
                add(CellRead(cell: cell, answer: given, selected: read.selected, below: below))
            }
            for read in other.properties where read.cell.owner == child.identity {
                let cell = core.tables.properties.cell(of: read.cell.path, owner: core)
                let isSame = core.lookup(cell, in: core.state)
                    .hasSameAnswer(as: child.lookup(read.cell, in: child.state))
                if isSame { add(PropertyRead(cell: cell, lookup: read.lookup, below: below)) }
            }
        }
    }

    /// Records that no instance of a slot could be made.
    mutating func addFailure(of slot: Slot) {
        if let scope = slot.record.lifetime.openableScope { add(ScopeRead(owner: slot.owner, scope: scope)) }
    }

    mutating func add(_ scope: ScopeRead) {
        if !scopes.contains(scope) { own().lists.scopes.append(scope) }
    }

    /// Also adds the reads of a context's weak parts, because these may end before the instances that were made from
    /// them.
    ///
    /// The reads of a weak part of a parent in a child are added when the part is given.
    mutating func addReadsOfWeakParts(in owner: ContextCore) {
        var (position, end) = (0, instances.count)
        while position < end {
            let part = instances[position]
            position += 1
            guard part.slot.record.lifetime == .weak, part.slot.owner == owner.identity else { continue }
            addOwn(part.reads)
            // A complete part has the reads of its weak parts. Those of the others are added at the end, so that this loop
            // reaches them later.
            if part.status == .pending { end = instances.count }
        }
    }

    /// Whether the same cells and settings were read in the same order, and had the same answers.
    func hasSameAnswers(as other: Reads) -> Bool {
        cells.count == other.cells.count && properties.count == other.properties.count
            && zip(cells, other.cells).allSatisfy { $0.identity == $1.identity && $0.isSame(in: $1.answer) }
            && zip(properties, other.properties).allSatisfy {
                $0.cell === $1.cell && $0.lookup.hasSameAnswer(as: $1.lookup)
            }
    }

    /// The contexts that gave the answers.
    var owners: IdentitySet {
        IdentitySet(cells.map(\.cell.owner) + properties.map(\.cell.owner) + instances.map(\.slot.owner))
    }

    mutating func add(_ other: Reads) {
        // Without the differences, another instance might have been made.
        defer { for difference in other.differences { add(difference) } }
        if content == nil {
            content = other.content
            differences = []
            return
        }
        addOwn(other)
    }

    /// Adds reads, without the differences: if a child's instance ends, the parent's instance is made from the same.
    ///
    /// With `omitted`, the answers and settings of one context are left out.
    private mutating func addOwn(_ other: Reads, withoutThoseOf omitted: ObjectIdentifier? = nil) {
        if other.isJoined { own().lists.isJoined = true }
        addAnswers(of: other, withoutThoseOf: omitted)
        for instance in other.instances { add(instance) }
    }

    /// Adds reads except for instances, without the answers and settings of one context.
    private mutating func addAnswers(of other: Reads, withoutThoseOf omitted: ObjectIdentifier?) {
        if other.isMixed { own().lists.isMixed = true }
        for read in other.cells where read.cell.owner != omitted { add(read) }
        for read in other.properties where read.cell.owner != omitted { add(read) }
        for scope in other.scopes { add(scope) }
    }

    /// Adds the reads of a nested request that has ended.
    ///
    /// If it has not completed an instance, the reads of the instance also count. If the instance has ended since then,
    /// only those count. The caller holds the lock.
    ///
    /// With `omitted`, the answers and settings of one context are left out. An instance of that context has these reads.
    mutating func join(_ other: Reads, withoutThoseOf omitted: ObjectIdentifier? = nil) {
        if omitted == nil || other.isJoined { own().lists.isJoined = true }
        if contradicts(other) { own().lists.isMixed = true }
        addAnswers(of: other, withoutThoseOf: omitted)
        for instance in other.instances {
            if instance.failure == nil, !instance.hasEnded {
                let isNew = !hasSeen(instance.identity)
                add(instance)
                // The instance may end before the instances that were made from it.
                if instance.slot.record.lifetime == .weak { addOwn(instance.reads, withoutThoseOf: omitted) }
                if instance.status == .pending, isNew { join(instance.reads, withoutThoseOf: omitted) }
            } else if content(adding: ObjectIdentifier(instance)) != nil {
                if instance.failure != nil { addFailure(of: instance.slot) }
                join(instance.reads, withoutThoseOf: omitted)
            }
        }
    }

    private func contradicts(_ other: Reads) -> Bool {
        // Each selection of modules is a separate read, and all of them are kept.
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
