extension Lineup {
    /// What is different between two lineups.
    struct Difference {
        /// The modules that are not in force any more, or not at the same place.
        var removed: [LoadedModule] = []
        /// The modules that were not in force, or not at the same place.
        var added: [Entry] = []
        /// The modules that nobody names or includes any more.
        var forgotten: [LoadedModule] = []
    }

    /// What is different from an earlier lineup; it costs as much as there is.
    func difference(from old: Lineup) -> Difference {
        var difference = Difference()
        PersistentTable.forEachDifference(old.modules, modules) { left, right in
            let isSame = left?.loaded === right?.loaded
            if let left, !isSame { difference.forgotten.append(left.loaded) }
            let (old, new) = (left?.entry, right?.entry)
            if isSame, old?.position == new?.position { return }
            if let old { difference.removed.append(old.loaded) }
            if let new { difference.added.append(new) }
        }
        return difference
    }
}
