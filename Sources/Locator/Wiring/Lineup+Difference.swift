extension Lineup {
    /// Runs `body` for each module whose place differs from that in an earlier lineup, or that only one of the two has.
    ///
    /// The cost is proportional to what was changed from one to the other.
    func forEachDifference(from old: Lineup, _ body: (_ old: Standing?, _ new: Standing?) -> Void) {
        Standings.forEachDifference(old.table.standings, table.standings) { left, right in
            if let left, let right, left.loaded === right.loaded, left.first == right.first { return }
            body(left, right)
        }
    }

    /// The modules that are in force here and not in another lineup, in lookup order.
    func modulesInForce(butNotIn other: Lineup) -> [LoadedModule] {
        var found: [Entry] = []
        forEachDifference(from: other) { old, new in
            guard let entry = new?.entry else { return }
            if old?.loaded !== entry.loaded || old?.first == nil { found.append(entry) }
        }
        return found.inOrder.map(\.loaded)
    }
}
