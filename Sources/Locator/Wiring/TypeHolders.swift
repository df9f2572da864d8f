/// The modules in force that register or change one type, in lookup order.
struct TypeHolders {
    private(set) var all: [Lineup.Holder]
    /// The modules that decorate the type.
    private(set) var decorating: [Lineup.Holder]
    /// The modules by qualifier; nil if there are few.
    private let groups: HolderGroups?

    /// Whether there are so many that the state keeps them.
    var isKept: Bool { groups != nil }

    /// The number of modules that are searched without groups.
    private static var searchedCount: Int { 16 }

    init(_ holders: [Lineup.Holder]) {
        all = holders
        decorating = holders.filter(\.isDecorating)
        groups = holders.count > Self.searchedCount ? HolderGroups() : nil
    }

    mutating func remove(_ holder: Lineup.Holder) {
        all.removeInOrder(holder)
        if holder.isDecorating { decorating.removeInOrder(holder) }
        groups?.update(holder) { $0.removeInOrder(holder) }
    }

    mutating func insert(_ holder: Lineup.Holder) {
        all.insertInOrder(holder)
        if holder.isDecorating { decorating.insertInOrder(holder) }
        groups?.update(holder) { $0.insertInOrder(holder) }
    }

    /// The first module that registers the type, not as a factory, with or without a qualifier, and these registrations.
    func first(with qualifier: String?) -> (module: Lineup.Entry, candidates: [Candidate])? {
        if groups?.isKnown != true {
            for holder in all.prefix(Self.searchedCount) {
                let candidates = holder.entry.candidates(qualifier: qualifier)
                if !candidates.isEmpty { return (holder.module, candidates) }
            }
        }
        return groups?.found(among: all).byQualifier[qualifier]?.first.map {
            ($0.module, $0.entry.candidates(qualifier: qualifier))
        }
    }

    /// The first module with registrations of a kind, and these.
    func first(_ candidates: (TypeEntry) -> [Candidate]) -> (module: Lineup.Entry, candidates: [Candidate])? {
        for holder in all {
            let candidates = candidates(holder.entry)
            if !candidates.isEmpty { return (holder.module, candidates) }
        }
        return nil
    }

    /// The factories of the type with a qualifier, or all of them.
    func factories(qualifier: String?) -> [Candidate] {
        let holders = groups?.found(among: all).withFactories ?? all
        return holders.flatMap { $0.entry.factories(qualifier: qualifier) }
    }
}

/// The holders of each qualifier, and those with factories, in lookup order.
///
/// They are found when they are first needed, and then follow each change. Guarded by the lock of the context whose state
/// keeps the holders.
private final class HolderGroups {
    // Unchecked exclusivity: the holder of the lock accesses one field at a time.

    /// Whether they have been found.
    @exclusivity(unchecked) private(set) var isKnown = false
    /// The key nil stands for registrations without a qualifier.
    @exclusivity(unchecked) private(set) var byQualifier: [String?: [Lineup.Holder]] = [:]
    @exclusivity(unchecked) private(set) var withFactories: [Lineup.Holder] = []

    /// These groups, found among all holders if necessary.
    func found(among all: [Lineup.Holder]) -> HolderGroups {
        if isKnown { return self }
        isKnown = true
        for holder in all { update(holder) { $0.insertInOrder(holder) } }
        return self
    }

    /// Adds or removes a holder of its groups, once or several times.
    func update(_ holder: Lineup.Holder, _ change: (inout [Lineup.Holder]) -> Void) {
        if !isKnown { return }
        for candidate in holder.entry.candidates { change(&byQualifier[candidate.key.qualifier, default: []]) }
        if !holder.entry.factories.isEmpty { change(&withFactories) }
    }
}

extension [Lineup.Holder] {
    /// Inserts a holder at its place in lookup order, if it is missing.
    fileprivate mutating func insertInOrder(_ holder: Lineup.Holder) {
        let index = index(of: holder.module.position)
        if index == count || self[index].module.position != holder.module.position { insert(holder, at: index) }
    }

    /// Removes a holder, if it is there.
    fileprivate mutating func removeInOrder(_ holder: Lineup.Holder) {
        let index = index(of: holder.module.position)
        if index < count, self[index].module.position == holder.module.position { remove(at: index) }
    }

    /// The number of modules before a position.
    private func index(of position: Lineup.Position) -> Int {
        var range = indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = self[middle].module.position < position ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
