internal import LocatorProperties

/// The modules in force that register or change one type, in lookup order.
///
/// These are the modules of an earlier lineup, with the few modules that have come or gone since then.
struct TypeHolders: Sendable {
    private let earlier: [Lineup.Holder]
    private let earlierDecorating: [Lineup.Holder]
    /// The modules of the earlier lineup, by what they have for the type; nil if there are few.
    private let index: HolderIndex?
    /// The modules that have come since then, in lookup order.
    private var added: [Lineup.Holder] = []
    /// The positions of the modules that have gone since then.
    private var removed: [Lineup.Position] = []

    init(_ holders: [Lineup.Holder]) {
        earlier = holders
        earlierDecorating = holders.filter(\.isDecorating)
        index = holders.count > HolderIndex.searchedCount ? HolderIndex(of: holders) : nil
    }

    /// Whether there are so many modules that the state keeps them sorted.
    var isKept: Bool { index != nil }

    /// The greatest number of modules that are moved instead of sorting all modules of a type again.
    static var moveCount: Int { 8 }

    /// Moves the modules that have come, gone, or moved.
    mutating func move(_ moves: [(old: Lineup.Entry?, new: Lineup.Entry?)], of type: ObjectIdentifier) {
        // All modules are removed first, because one may take the place that another one leaves.
        for case let old? in moves.lazy.map({ $0.old?.holder(of: type) }) { remove(old) }
        for case let new? in moves.lazy.map({ $0.new?.holder(of: type) }) { insert(new) }
    }

    private mutating func remove(_ holder: Lineup.Holder) {
        let position = holder.module.position
        if let index = added.index(at: position) {
            added.remove(at: index)
        } else if earlier.index(at: position) != nil, !removed.contains(position) {
            removed.append(position)
        }
        sortIfMany()
    }

    private mutating func insert(_ holder: Lineup.Holder) {
        let position = holder.module.position
        if let index = earlier.index(at: position) {
            guard let gone = removed.firstIndex(of: position) else { return }
            if earlier[index].module.loaded === holder.module.loaded {
                removed.remove(at: gone)
                return
            }
        }
        if added.index(at: position) == nil { added.insert(holder, at: added.firstIndex(from: position)) }
        sortIfMany()
    }

    private mutating func sortIfMany() {
        if added.count + removed.count > max(16, earlier.count / 16) { self = TypeHolders(all) }
    }

    /// The first module in lookup order.
    var first: Lineup.Holder? {
        var first: Lineup.Holder?
        forEach(of: earlier) {
            first = $0
            return false
        }
        return first
    }

    /// All modules, in lookup order.
    var all: [Lineup.Holder] { merged(with: earlier) }

    /// The modules that decorate the type.
    var decorating: [Lineup.Holder] { merged(with: earlierDecorating, where: \.isDecorating) }

    /// The given modules of the earlier lineup that have not gone, and the modules that have come.
    private func merged(
        with some: [Lineup.Holder], where isWanted: (Lineup.Holder) -> Bool = { _ in true }
    ) -> [Lineup.Holder] {
        if added.isEmpty, removed.isEmpty { return some }
        var merged: [Lineup.Holder] = []
        forEach(of: some) { holder in
            if isWanted(holder) { merged.append(holder) }
            return true
        }
        return merged
    }

    /// Runs `body` for some of the earlier holders that have not gone, and for those that have come, until it returns
    /// false.
    private func forEach(of some: [Lineup.Holder], _ body: (Lineup.Holder) -> Bool) {
        var new = added[...]
        for holder in some where removed.isEmpty || !removed.contains(holder.module.position) {
            while let next = new.first, next.module.position < holder.module.position {
                if !body(new.removeFirst()) { return }
            }
            if !body(holder) { return }
        }
        _ = new.allSatisfy(body)
    }

    /// The first module that registers the type, not as a factory, with or without a qualifier, and these registrations.
    func first(with qualifier: String?) -> (module: Lineup.Entry, candidates: [Candidate])? {
        let some = index?.first(with: qualifier) { !removed.contains($0) } ?? earlier
        return first(of: some) { $0.candidates(qualifier: qualifier) }
    }

    /// The first module that has the wanted registrations, and these registrations.
    func first(_ candidates: (TypeEntry) -> [Candidate]) -> (module: Lineup.Entry, candidates: [Candidate])? {
        first(of: earlier, candidates)
    }

    private func first(
        of some: [Lineup.Holder], _ candidates: (TypeEntry) -> [Candidate]
    ) -> (module: Lineup.Entry, candidates: [Candidate])? {
        var first: (module: Lineup.Entry, candidates: [Candidate])?
        forEach(of: some) { holder in
            let candidates = candidates(holder.entry)
            if !candidates.isEmpty { first = (holder.module, candidates) }
            return first == nil
        }
        return first
    }

    /// The factories of the type with a qualifier, or all of them.
    func factories(qualifier: String?) -> [Candidate] {
        merged(with: index?.withFactories ?? earlier).flatMap { $0.entry.factories(qualifier: qualifier) }
    }
}

/// The modules of one lineup that register or change one type, by what they have for it.
///
/// Forks, and children with modules of their own, share it.
private final class HolderIndex: Sendable {
    private let all: [Lineup.Holder]
    private let groups = LazyReference<Groups>()

    /// The number of modules that are searched without groups.
    static var searchedCount: Int { 16 }

    init(of holders: [Lineup.Holder]) { all = holders }

    /// The modules with factories.
    var withFactories: [Lineup.Holder] { found.withFactories }

    /// The first module that registers the type with or without a qualifier and satisfies a predicate.
    func first(with qualifier: String?, where isWanted: (Lineup.Position) -> Bool) -> [Lineup.Holder] {
        func isFirst(_ holder: Lineup.Holder) -> Bool {
            isWanted(holder.module.position) && !holder.entry.candidates(qualifier: qualifier).isEmpty
        }
        // Often one of the first modules has it, and nothing else needs the groups.
        let early = groups.load() == nil ? all.prefix(Self.searchedCount).first(where: isFirst) : nil
        return (early ?? found.byQualifier[qualifier]?.first(where: isFirst)).map { [$0] } ?? []
    }

    private var found: Groups { groups.load() ?? groups.storeIfNil(Groups(of: all)) }

    private final class Groups: Sendable {
        /// The modules with each qualifier, and with registrations without one under the key nil.
        let byQualifier: [String?: [Lineup.Holder]]
        let withFactories: [Lineup.Holder]

        init(of holders: [Lineup.Holder]) {
            var byQualifier: [String?: [Lineup.Holder]] = [:]
            for holder in holders {
                for candidate in holder.entry.candidates {
                    let qualifier = candidate.key.qualifier
                    if byQualifier[qualifier]?.last?.module.position == holder.module.position { continue }
                    byQualifier[qualifier, default: []].append(holder)
                }
            }
            self.byQualifier = byQualifier
            withFactories = holders.filter { !$0.entry.factories.isEmpty }
        }
    }
}

extension [Lineup.Holder] {
    /// The index of the module at a position; nil if there is none.
    fileprivate func index(at position: Lineup.Position) -> Int? {
        let index = firstIndex(from: position)
        return index < count && self[index].module.position == position ? index : nil
    }

    /// The number of modules before a position.
    fileprivate func firstIndex(from position: Lineup.Position) -> Int {
        var range = indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = self[middle].module.position < position ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}

extension TypeHolders {
    /// The modules of several types.
    final class Table: @unchecked Sendable {
        // Sendable: the lock guards the table.

        private let lock = Lock()
        private var known = IdentityTable<TypeHolders>()

        func has(_ type: ObjectIdentifier) -> Bool { lock.withLock { known.has(type) } }

        /// The modules of a type, sorted if necessary.
        func find(_ type: ObjectIdentifier, _ sort: () -> TypeHolders) -> TypeHolders {
            if let found = lock.withLock({ known[type] }) { return found }
            let sorted = sort()
            // Another thread may have been faster. Both have the same result.
            lock.withLock { known[type] = sorted }
            return sorted
        }
    }
}
