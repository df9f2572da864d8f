internal import LocatorProperties

/// The modules in lookup order, and what each type has: what answers depend on, besides what was made.
///
/// It is a persistent value. A push makes a new one that shares what it does not touch, a pop in order goes back to the
/// one from before the push, and a fork takes a pointer.
final class Lineup: Sendable {
    /// How every module stands that some root names or includes.
    let modules: PersistentTable<Standing>
    /// The modules in force that have something for a type, by the group of the type.
    let types: PersistentTable<ModuleList>
    /// The loads and pushes, the latest first.
    let latest: Link?
    /// The modules that have a condition.
    let conditional: PersistentTable<LoadedModule>
    /// The modules in force that bring settings.
    let setting: PersistentTable<LoadedModule>
    /// The modules that name scopes of one's own, in force or not.
    let scoping: PersistentTable<LoadedModule>
    /// The number of the last root that a fork has taken over: what was pushed before counts as loaded.
    let takenOver: UInt

    /// The profile files and the environment.
    let base: Properties
    /// Counts the loads of the profile files.
    let baseRevision: UInt
    /// The base with the settings of the modules over and under it.
    let properties: Properties
    /// How many of the roots are pushes.
    let pushCount: Int

    /// A module at its place in lookup order.
    struct Entry {
        let loaded: LoadedModule
        let position: Position

        var priority: Priority { position.priority }
    }

    /// A module that has something for a type, at its place in lookup order.
    struct Holder {
        let module: Entry
        let entry: TypeEntry
    }

    private init(
        _ table: Table, latest: Link?, takenOver: UInt, pushCount: Int, base: Properties, baseRevision: UInt,
        properties: Properties
    ) {
        modules = table.modules
        types = table.types
        conditional = table.conditional
        setting = table.setting
        scoping = table.scoping
        self.latest = latest
        self.takenOver = takenOver
        self.pushCount = pushCount
        self.base = base
        self.baseRevision = baseRevision
        self.properties = properties
    }

    var table: Table {
        Table(modules: modules, types: types, conditional: conditional, setting: setting, scoping: scoping)
    }

    /// The lineup without any module.
    convenience init() {
        self.init(
            Table(), latest: nil, takenOver: 0, pushCount: 0, base: .init(), baseRevision: 0, properties: .init())
    }

    /// A lineup like another with these roots, whose conditions are evaluated.
    ///
    /// Conditions see the base and the modules that are in force whatever the conditions say.
    private convenience init(_ other: Lineup, latest: Link?, base: Properties, baseRevision: UInt, _ find: Finder) {
        let roots = Self.roots(from: latest).reversed()
        let find: Finder = { other.modules[$0]?.loaded ?? find($0) }
        var table = Table()
        for root in roots { table.add(root, find) { _ in false } }
        let visible = table.properties(on: base)
        let on = IdentitySet(
            table.conditional.values.lazy.filter { $0.module.definition.condition?.holds(visible) ?? true }.map(
                \.identity))
        var properties = visible
        if !on.isEmpty {
            table = Table()
            for root in roots { table.add(root, find) { on.contains($0.identity) } }
            properties = table.properties(on: base)
        }
        self.init(
            table, latest: latest, takenOver: other.takenOver,
            pushCount: roots.count { $0.isPushed && $0.sequence > other.takenOver }, base: base,
            baseRevision: baseRevision, properties: properties)
    }
}

extension Lineup {
    /// The lineup with one more root; `find` knows the modules that only this one includes.
    func adding(_ root: Root, _ find: Finder = { _ in nil }) -> Lineup {
        var table = table
        let link = Link(root, after: latest, before: root.isPushed ? self : nil)
        let reached = table.reached(by: root, find) { _ in true }
        let isSetting = reached.contains { $0.properties != nil }
        if isSetting && !conditional.isEmpty || reached.contains(where: \.hasCondition) {
            return Lineup(self, latest: link, base: base, baseRevision: baseRevision, find)
        }
        table.add(root, reached, inForce: reached)
        return Lineup(
            table, latest: link, takenOver: takenOver, pushCount: pushCount + (root.isPushed ? 1 : 0), base: base,
            baseRevision: baseRevision, properties: isSetting ? table.properties(on: base) : properties)
    }

    /// The lineup without some of its roots, latest first: the one from before, where the latest pushes are taken off.
    func removing(_ removed: [Root]) -> Lineup {
        if removed.isEmpty { return self }
        if let before = undoing(removed) { return before }
        let latest = Self.chain(latest, without: removed)
        var table = table
        let reached = removed.flatMap(table.reached(by:))
        let isSetting = reached.contains { $0.properties != nil }
        if !conditional.isEmpty, isSetting || reached.contains(where: \.hasCondition) {
            return Lineup(self, latest: latest, base: base, baseRevision: baseRevision) { _ in nil }
        }
        table.remove(removed)
        return Lineup(
            table, latest: latest, takenOver: takenOver, pushCount: pushCount - removed.count(where: isPushed),
            base: base,
            baseRevision: baseRevision, properties: isSetting ? table.properties(on: base) : properties)
    }

    /// The lineup from before some pushes, where these are the latest roots.
    private func undoing(_ removed: [Root]) -> Lineup? {
        if latest?.before == nil { return nil }
        var lineup = self
        // They are given latest first.
        for root in removed {
            guard let latest = lineup.latest, latest.root === root, let before = latest.before,
                before.baseRevision == baseRevision, before.takenOver == takenOver
            else { return nil }
            lineup = before
        }
        return lineup
    }

    private static func chain(_ latest: Link?, without removed: [Root]) -> Link? {
        let removed = Set(removed.map(\.sequence))
        var above: [Root] = []
        var next = latest
        var missing = removed.count
        while missing > 0, let link = next {
            if removed.contains(link.root.sequence) { missing -= 1 } else { above.append(link.root) }
            next = link.previous
        }
        return above.reversed().reduce(next) { Link($1, after: $0, before: nil) }
    }

    /// The lineup with other profile files or another environment.
    func replacingBase(_ base: Properties, revision: UInt) -> Lineup {
        if !conditional.isEmpty {
            return Lineup(self, latest: latest, base: base, baseRevision: revision) { _ in nil }
        }
        return Lineup(
            table, latest: latest, takenOver: takenOver, pushCount: pushCount, base: base, baseRevision: revision,
            properties: table.properties(on: base))
    }

    /// The same lineup for a fork, where nothing counts as pushed.
    var takenOverByFork: Lineup {
        Lineup(
            table, latest: latest, takenOver: latestSequence, pushCount: 0, base: base, baseRevision: baseRevision,
            properties: properties)
    }

    /// The lineup without the roots that were added after a number.
    func restricted(to sequence: UInt) -> Lineup {
        var lineup = self
        // One at a time, latest first, so that each push leads back to the lineup from before it.
        for root in roots(after: sequence) { lineup = lineup.removing([root]) }
        return lineup
    }
}
