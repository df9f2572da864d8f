extension Lineup {
    /// Runs `body` for each module that is not in force where it was in an earlier lineup, or that only one of the two has.
    ///
    /// It costs as much as there is.
    func forEachDifference(from old: Lineup, _ body: (_ old: Standing?, _ new: Standing?) -> Void) {
        Standings.forEachDifference(old.table.standings, table.standings) { left, right in
            if left?.loaded === right?.loaded, left?.first == right?.first { return }
            body(left, right)
        }
    }

    /// The modules that are in force here and are not in another lineup, in lookup order.
    func modulesInForce(butNotIn other: Lineup) -> [LoadedModule] {
        var found: [Entry] = []
        forEachDifference(from: other) { old, new in
            guard let entry = new?.entry else { return }
            if old?.loaded !== entry.loaded || old?.first == nil { found.append(entry) }
        }
        return found.inOrder.map(\.loaded)
    }
}
