internal import LocatorProperties

/// The modules in lookup order, and what they have for each type.
///
/// A lineup is a persistent value. Answers depend on the lineup and on the existing instances. A push makes a new
/// lineup that shares what the push does not touch. A pop in order returns to the lineup from before the push. A fork
/// only takes a pointer.
final class Lineup: Sendable {
    /// The standings of all modules that a root names or includes.
    let table: Table
    /// The loads and pushes, latest first.
    let latest: Link?
    /// The number of the last root that a fork has taken over: pushes up to it count as loaded.
    let takenOver: UInt
    private let settings: Settings
    /// See ``findHolders(of:)``.
    let sortedHolders: LazyReference<TypeHolders.Table>
    /// See ``names``.
    let lazyNames = LazyReference<RegisteredNames>()
    /// See ``takenCollections``.
    let lazyTakenCollections = LazyConstant<IdentitySet>()

    /// The profile files and the environment.
    var base: Properties { settings.loaded.properties }
    /// The settings of the profile files and the environment, and how they were loaded.
    var loadedSettings: LoadedSettings { settings.loaded }
    /// The number of loads of the profile files.
    var baseRevision: UInt { settings.baseRevision }
    /// The base with the settings of the modules above and below it.
    var properties: Properties { settings.all.properties }

    /// The settings, which most lineups share with the lineup before.
    private final class Settings: Sendable {
        let loaded: LoadedSettings
        let baseRevision: UInt
        /// What conditions see: the settings of the files and of the modules that are in force regardless of conditions.
        let visible: SettingsStack
        /// The settings of the files and of all modules in force.
        let all: SettingsStack

        init(
            _ loaded: LoadedSettings = .init(), baseRevision: UInt = 0, visible: SettingsStack = .init(),
            all: SettingsStack = .init()
        ) {
            self.loaded = loaded
            self.baseRevision = baseRevision
            self.visible = visible
            self.all = all
        }

        /// The settings of the files alone.
        var withoutModules: Settings {
            let base = SettingsStack(loaded.properties)
            return Settings(loaded, baseRevision: baseRevision, visible: base, all: base)
        }

        /// Stacks the settings of the modules, and turns modules on or off if the settings change their conditions.
        ///
        /// - Parameters:
        ///   - changed: The modules whose settings have come, gone, or moved; nil if the profile files may have changed.
        ///   - old: The table before the change.
        ///   - table: The table with the change.
        func after(
            _ changed: [LoadedModule]?, _ loaded: LoadedSettings, baseRevision: UInt, from old: Table,
            in table: inout Table
        ) -> Settings {
            let visible = visible.placing(
                changed ?? [], around: loaded.properties, from: { old.unconditionalPosition(of: $0) },
                to: { table.unconditionalPosition(of: $0) })
            let turned = table.evaluateConditions(seeing: visible.properties, after: changed)
            var all = visible
            if table.hasConditions {
                all = self.all.placing(
                    (changed ?? []) + turned, around: loaded.properties, from: { old.position(of: $0) },
                    to: { table.position(of: $0) })
            }
            return Settings(loaded, baseRevision: baseRevision, visible: visible, all: all)
        }

        /// The settings after the settings of these modules have come, gone, or moved.
        func after(_ changed: [LoadedModule], from old: Table, in table: inout Table) -> Settings {
            if changed.isEmpty { return self }
            return after(changed, loaded, baseRevision: baseRevision, from: old, in: &table)
        }
    }

    /// A module at its position in lookup order.
    struct Entry {
        let loaded: LoadedModule
        let position: Position

        var priority: Priority { position.group.priority }
    }

    /// A module that registers or changes a type, at its position in lookup order.
    struct Holder {
        let module: Entry
        let entry: TypeEntry

        var isDecorating: Bool { !entry.decorators.isEmpty }
    }

    private init(
        _ table: consuming Table, latest: consuming Link?, takenOver: UInt, settings: consuming Settings,
        sortedHolders: consuming LazyReference<TypeHolders.Table> = .init()
    ) {
        self.table = table
        self.latest = latest
        self.takenOver = takenOver
        self.settings = settings
        self.sortedHolders = sortedHolders
    }

    convenience init() {
        self.init(Table(), latest: nil, takenOver: 0, settings: Settings())
    }
}

extension Lineup {
    /// The lineup with one more root.
    ///
    /// `find` finds the modules that only this root includes.
    func adding(_ root: consuming Root, _ find: Finder) -> Lineup {
        var table = table
        let added = table.add(root, find, seeing: settings.visible.properties)
        let settings = settings.after(added.setting, from: self.table, in: &table)
        let before = isPushed(root) ? self : nil
        return Lineup(
            consume table, latest: Link(consume root, after: latest, before: before), takenOver: takenOver,
            settings: settings)
    }

    /// The lineup without some of its roots, which are passed latest first.
    ///
    /// If these and all later ones are pushes, this returns to the lineup from before them, and adds the other pushes
    /// again. So each of the other pushes still remembers the lineup from before it.
    func removing(_ removed: [Root]) -> Lineup {
        if removed.isEmpty { return self }
        if let lineup = undoing(removed) { return lineup }
        var table = table
        let changed = table.remove(removed)
        let settings = settings.after(changed, from: self.table, in: &table)
        return Lineup(
            consume table, latest: Self.chain(latest, without: removed), takenOver: takenOver, settings: settings)
    }

    /// The lineup without some of the latest pushes, which are passed latest first; nil if a lineup from before one of them
    /// is not known, or has other profile files.
    private func undoing(_ removed: [Root]) -> Lineup? {
        // Unmanaged: each lineup retains the one from before a push.
        var lineup = Unmanaged.passUnretained(self)
        var count = 0
        var later: [Root] = []
        while count < removed.count {
            guard let (root, before) = lineup._withUnsafeGuaranteedRef({ $0.latestPush }) else { return nil }
            if root.sequence == removed[count].sequence { count += 1 } else { later.append(root) }
            lineup = before
        }
        return later.reversed().reduce(lineup.takeUnretainedValue()) { $0.adding($1, known) }
    }

    /// The latest root and the lineup from before it, if it is a push and nothing else has changed since then.
    var latestPush: (root: Root, before: Unmanaged<Lineup>)? {
        guard let latest, let before = latest.before, before.baseRevision == baseRevision, before.takenOver == takenOver
        else { return nil }
        return (latest.root, .passUnretained(before))
    }

    private static func chain(_ latest: Link?, without removed: [Root]) -> Link? {
        let removed = Set(removed.lazy.map(\.sequence))
        let (rest, kept) = Link.removing(removed.count, from: latest) { removed.contains($0.root.sequence) }
        return kept.reduce(rest) { Link($1.root, after: $0, before: nil) }
    }

    /// The lineup with other profile files or another environment.
    func replacingBase(_ loaded: LoadedSettings, revision: UInt) -> Lineup {
        var table = table
        let settings = settings.after(nil, loaded, baseRevision: revision, from: self.table, in: &table)
        return Lineup(consume table, latest: latest, takenOver: takenOver, settings: settings)
    }

    /// The same lineup for a fork, in which nothing counts as pushed.
    var takenOverByFork: Lineup {
        let shared = LazyReference<TypeHolders.Table>()
        _ = shared.storeIfNil(knownHolders)
        return Lineup(
            table, latest: latest, takenOver: latestSequence, settings: settings, sortedHolders: shared)
    }

    /// The lineup with the roots of a child, which are passed earliest first.
    ///
    /// `runs` contains all modules that these name or include. If the parent has run the closure of one of them too, the
    /// child keeps its own run.
    func adding(_ own: [Root], with runs: [LoadedModule]) -> Lineup {
        var runsOfChild: IdentityTable<LoadedModule> = [:]
        for run in runs { runsOfChild[run.identity] = run }
        var lineup = self
        if runs.contains(where: { run in known(run.identity).map { $0 !== run } ?? false }) {
            let find: Finder = { runsOfChild[$0] ?? self.known($0) }
            lineup = roots.reversed().reduce(withoutModules) { lineup, root in
                var root = root
                root.loaded = find(root.loaded.identity) ?? root.loaded
                return lineup.adding(root, find)
            }
        }
        return own.reduce(lineup) { $0.adding($1) { runsOfChild[$0] } }
    }

    private var withoutModules: Lineup {
        Lineup(Table(), latest: nil, takenOver: takenOver, settings: settings.withoutModules)
    }

    /// The lineup without the roots that were added after a number.
    func restricted(to sequence: UInt) -> Lineup {
        let roots = roots(after: sequence)
        // One at a time, latest first, so that pushes after the last load lead back to the lineup from before them.
        return undoing(roots) ?? roots.reduce(self) { $0.removing([$1]) }
    }
}
