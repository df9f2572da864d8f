/// The modules in force that register or change one type, in lookup order.
struct TypeHolders {
    private(set) var all: [Lineup.Holder]
    private(set) var decorating: [Lineup.Holder]
    /// Finds the modules by qualifier; nil if there are few.
    private var firsts: FirstHolders?

    /// Whether there are so many that the state keeps them.
    var isKept: Bool { firsts != nil }

    init(_ holders: [Lineup.Holder]) {
        all = holders
        decorating = holders.filter(\.isDecorating)
        firsts = holders.count > 16 ? FirstHolders() : nil
    }

    mutating func remove(_ holder: Lineup.Holder) {
        all.remove(at: index(of: holder.module.position))
        noteChange(of: holder)
    }

    mutating func insert(_ holder: Lineup.Holder) {
        all.insert(holder, at: index(of: holder.module.position))
        noteChange(of: holder)
    }

    private mutating func noteChange(of holder: Lineup.Holder) {
        if holder.isDecorating { decorating = all.filter(\.isDecorating) }
        firsts = FirstHolders()
    }

    private func index(of position: Lineup.Position) -> Int {
        var range = all.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = all[middle].module.position < position ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    /// The first module that registers the type with a qualifier, or without one, and these registrations.
    ///
    /// Factories do not count.
    func first(with qualifier: String?) -> (module: Lineup.Entry, candidates: [Candidate])? {
        if let firsts {
            return firsts.position(of: qualifier, in: all).map {
                (all[$0].module, all[$0].entry.candidates(qualifier: qualifier))
            }
        }
        for holder in all {
            let candidates = holder.entry.candidates(qualifier: qualifier)
            if !candidates.isEmpty { return (holder.module, candidates) }
        }
        return nil
    }

    /// The factories of the type with a qualifier, or all of them.
    func factories(qualifier: String?) -> [Candidate] {
        let holders = firsts.map { $0.holdersWithFactories(among: all) } ?? all
        return holders.flatMap { $0.entry.factories(qualifier: qualifier) }
    }

    /// Whether a module before a position registers the type with a qualifier, or without one.
    func hasHolder(before position: Lineup.Position, with qualifier: String?) -> Bool {
        first(with: qualifier).map { $0.module.position < position } ?? false
    }
}

/// The first holder of each qualifier, and the holders with factories.
///
/// It searches the holders in order, and only until it finds the requested qualifier. Each holder is searched once.
///
/// Guarded by the lock of the context whose state keeps the holders.
private final class FirstHolders {
    // Unchecked exclusivity: the holder of the lock accesses one field at a time.
    /// The key nil stands for registrations without a qualifier.
    @exclusivity(unchecked) private var positions: [String?: Int] = [:]
    /// The number of holders that were searched.
    @exclusivity(unchecked) private var count = 0
    /// The holders with factories; nil before they are needed.
    @exclusivity(unchecked) private var withFactories: [Lineup.Holder]?

    func position(of qualifier: String?, in holders: [Lineup.Holder]) -> Int? {
        while true {
            if let known = positions[qualifier] { return known }
            if count == holders.count { return nil }
            for candidate in holders[count].entry.candidates where positions[candidate.key.qualifier] == nil {
                positions[candidate.key.qualifier] = count
            }
            count += 1
        }
    }

    func holdersWithFactories(among holders: [Lineup.Holder]) -> [Lineup.Holder] {
        let found = withFactories ?? holders.filter { !$0.entry.factories.isEmpty }
        withFactories = found
        return found
    }
}
