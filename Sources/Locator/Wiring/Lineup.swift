internal import LocatorProperties

/// The modules in lookup order, and what they have for each type.
///
/// Answers depend on this and on the existing instances.
///
/// It is a persistent value. A push makes a new lineup that shares what it does not touch. A pop in order returns to
/// the lineup from before the push. A fork only takes a pointer.
final class Lineup: Sendable {
    /// The standings of all modules that a root names or includes.
    let table: Table
    /// The loads and pushes, latest first.
    let latest: Link?
    /// The number of the last root that a fork has taken over.
    ///
    /// Earlier pushes count as loaded.
    let takenOver: UInt
    /// The number of roots that are pushes.
    let pushCount: Int
    private let settings: Settings

    /// The profile files and the environment.
    var base: Properties { settings.loaded.properties }
    /// These, and how they were loaded.
    var loadedSettings: LoadedSettings { settings.loaded }
    /// The number of loads of the profile files.
    var baseRevision: UInt { settings.baseRevision }
    /// The base with the settings of the modules above and below it.
    var properties: Properties { settings.properties }

    /// The settings, which most lineups share with the lineup before.
    private final class Settings: Sendable {
        let loaded: LoadedSettings
        let baseRevision: UInt
        let properties: Properties

        init(_ loaded: LoadedSettings = .init(), baseRevision: UInt = 0, properties: Properties = .init()) {
            self.loaded = loaded
            self.baseRevision = baseRevision
            self.properties = properties
        }

        /// The settings with those of other modules.
        func with(_ table: borrowing Table) -> Settings {
            Settings(loaded, baseRevision: baseRevision, properties: table.properties(on: loaded.properties))
        }
    }

    /// A module at its position in lookup order.
    struct Entry {
        let loaded: LoadedModule
        let position: Position

        var priority: Priority { position.priority }
    }

    /// A module that registers or changes a type, at its position in lookup order.
    struct Holder {
        let module: Entry
        let entry: TypeEntry
    }

    private init(
        _ table: consuming Table, latest: consuming Link?, takenOver: UInt, pushCount: Int,
        settings: consuming Settings
    ) {
        self.table = table
        self.latest = latest
        self.takenOver = takenOver
        self.pushCount = pushCount
        self.settings = settings
    }

    /// Creates a lineup without modules.
    convenience init() {
        self.init(Table(), latest: nil, takenOver: 0, pushCount: 0, settings: Settings())
    }

    /// Creates a lineup like another with these roots, and evaluates their conditions.
    ///
    /// Conditions see the base and the modules that are in force regardless of conditions.
    private convenience init(
        _ other: Lineup, latest: Link?, _ loaded: LoadedSettings, baseRevision: UInt, _ find: Finder
    ) {
        let base = loaded.properties
        let roots = Self.roots(from: latest).reversed()
        let find: Finder = { other.known($0) ?? find($0) }
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
            pushCount: roots.count { $0.isPushed && $0.sequence > other.takenOver },
            settings: Settings(loaded, baseRevision: baseRevision, properties: properties))
    }
}

extension Lineup {
    /// The lineup with one more root.
    ///
    /// `find` finds the modules that only this root includes.
    func adding(_ root: Root, _ find: Finder = { _ in nil }) -> Lineup {
        let link = Link(root, after: latest, before: root.isPushed ? self : nil)
        let reached = table.reached(by: root, find) { _ in true }
        var isSetting = false
        var isConditional = false
        reached.forEach { loaded in
            if loaded.properties != nil { isSetting = true }
            if loaded.hasCondition { isConditional = true }
        }
        if isConditional || isSetting && hasConditions {
            return Lineup(self, latest: link, loadedSettings, baseRevision: baseRevision, find)
        }
        var table = table
        table.add(root, reached, inForce: reached)
        let settings = isSetting ? settings.with(table) : settings
        return Lineup(
            table, latest: link, takenOver: takenOver, pushCount: pushCount + (root.isPushed ? 1 : 0),
            settings: settings)
    }

    /// The lineup without some of its roots.
    ///
    /// If these are the latest pushes, and are passed latest first, this is the lineup from before them.
    func removing(_ removed: [Root]) -> Lineup {
        if removed.isEmpty { return self }
        if let before = undoing(removed) { return before }
        let latest = Self.chain(latest, without: removed)
        let reached = removed.flatMap { self.table.reached(by: $0).all }
        let isSetting = reached.contains { $0.properties != nil }
        if hasConditions, isSetting || reached.contains(where: \.hasCondition) {
            return Lineup(self, latest: latest, loadedSettings, baseRevision: baseRevision) { _ in nil }
        }
        var table = table
        table.remove(removed)
        let settings = isSetting ? settings.with(table) : settings
        return Lineup(
            table, latest: latest, takenOver: takenOver, pushCount: pushCount - removed.count(where: isPushed),
            settings: settings)
    }

    /// The lineup from before some pushes, if these are the latest roots, latest first.
    private func undoing(_ removed: [Root]) -> Lineup? {
        // Unmanaged: each lineup retains the one from before a push.
        var lineup = Unmanaged.passUnretained(self)
        for root in removed {
            guard let before = lineup._withUnsafeGuaranteedRef({ $0.before(root) }) else { return nil }
            lineup = before
        }
        return lineup.takeUnretainedValue()
    }

    /// The lineup from before a push, if this is the latest root and nothing else has changed since then.
    private func before(_ root: Root) -> Unmanaged<Lineup>? {
        guard let latest, latest.root === root, let before = latest.before,
            before.baseRevision == baseRevision, before.takenOver == takenOver
        else { return nil }
        return .passUnretained(before)
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
    func replacingBase(_ loaded: LoadedSettings, revision: UInt) -> Lineup {
        if hasConditions { return Lineup(self, latest: latest, loaded, baseRevision: revision) { _ in nil } }
        return Lineup(
            table, latest: latest, takenOver: takenOver, pushCount: pushCount,
            settings: Settings(loaded, baseRevision: revision, properties: table.properties(on: loaded.properties)))
    }

    /// The same lineup for a fork, in which nothing counts as pushed.
    var takenOverByFork: Lineup {
        Lineup(table, latest: latest, takenOver: latestSequence, pushCount: 0, settings: settings)
    }

    /// The lineup without the roots that were added after a number.
    func restricted(to sequence: UInt) -> Lineup {
        var lineup = self
        // One at a time, latest first, so that each push leads back to the lineup from before it.
        for root in roots(after: sequence) { lineup = lineup.removing([root]) }
        return lineup
    }
}
