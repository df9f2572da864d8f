internal import LocatorProperties

/// The modules in lookup order, and what each type has: what answers depend on, besides what was made.
///
/// It is a persistent value. A push makes a new one that shares what it does not touch, a pop in order goes back to the
/// one from before the push, and a fork takes a pointer.
final class Lineup: Sendable {
    /// How every module stands that some root names or includes.
    private let modules: PersistentTable<Standing>
    /// The modules in force that have something for a type, by the group of the type.
    private let types: PersistentTable<ModuleList>
    /// The loads and pushes, the latest first.
    private let latest: Link?
    /// The modules that have a condition.
    private let conditional: PersistentTable<LoadedModule>
    /// The modules in force that bring settings.
    private let setting: PersistentTable<LoadedModule>
    /// The modules that name scopes of one's own, in force or not.
    let scoping: PersistentTable<LoadedModule>
    /// The number of the last root that a fork has taken over: what was pushed before counts as loaded.
    private let takenOver: UInt

    /// The profile files and the environment.
    let base: Properties
    /// Counts the loads of the profile files.
    let baseRevision: UInt
    /// The base with the settings of the modules over and under it.
    let properties: Properties
    /// How many of the roots are pushes.
    let pushCount: Int

    /// One call of `load` or `push`.
    final class Root: Sendable {
        let loaded: LoadedModule
        let priority: Priority
        fileprivate let isPushed: Bool
        /// How many contexts are above the one that was told to load.
        let level: Int
        /// Counts the calls in a context and those above and below it; a later one has a greater number.
        let sequence: UInt
        let location: SourceLocation

        init(
            loaded: LoadedModule, priority: Priority, isPushed: Bool, level: Int, sequence: UInt,
            location: SourceLocation
        ) {
            self.loaded = loaded
            self.priority = priority
            self.isPushed = isPushed
            self.level = level
            self.sequence = sequence
            self.location = location
        }

        /// The place of the module that it names.
        var position: Position { Position(self, index: 0) }
    }

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

    /// A place in lookup order: by priority, then what is pushed, the latest first, then what is loaded.
    ///
    /// What a child pushes stands in front of what its parent does, and what it loads behind.
    struct Position: Comparable {
        let priority: Priority
        private let rank: Int
        /// The number of the root, negative for a push.
        private let order: Int
        /// The place among the modules that the root names and includes.
        private let index: Int

        fileprivate init(_ root: Root, index: Int) {
            priority = root.priority
            rank = root.isPushed ? -1 - root.level : root.level
            order = root.isPushed ? -Int(root.sequence) : Int(root.sequence)
            self.index = index
        }

        static func < (left: Position, right: Position) -> Bool {
            if left.priority != right.priority { return left.priority > right.priority }
            return (left.rank, left.order, left.index) < (right.rank, right.order, right.index)
        }
    }

    /// A root that names or includes a module.
    fileprivate final class Holding: Sendable {
        let root: Root
        /// The place that it gives the module; nil where a condition keeps the module out.
        let position: Position?

        init(_ root: Root, _ position: Position?) {
            self.root = root
            self.position = position
        }
    }

    /// How a module stands.
    fileprivate final class Standing: Sendable {
        let loaded: LoadedModule
        /// What names or includes it, whatever conditions say, by the number of the root.
        let holdings: PersistentTable<Holding>
        /// Its first place; nil where it is not in force.
        let first: Position?
        /// Whether a load names it.
        let isLoaded: Bool
        /// The number of the first push that names it.
        let firstPush: UInt

        private init(
            _ loaded: LoadedModule, _ holdings: PersistentTable<Holding>, first: Position?, isLoaded: Bool,
            firstPush: UInt
        ) {
            self.loaded = loaded
            self.holdings = holdings
            self.first = first
            self.isLoaded = isLoaded
            self.firstPush = firstPush
        }

        convenience init(_ loaded: LoadedModule) {
            self.init(loaded, .init(), first: nil, isLoaded: false, firstPush: .max)
        }

        /// The module with one more that holds it.
        func adding(_ holding: Holding) -> Standing {
            var holdings = holdings
            holdings[holding.root.sequence] = holding
            let isNaming = isNamed(by: holding.root)
            let isPush = holding.root.isPushed
            return Standing(
                loaded, holdings, first: [first, holding.position].compactMap(\.self).min(),
                isLoaded: isLoaded || isNaming && !isPush,
                firstPush: isNaming && isPush ? min(firstPush, holding.root.sequence) : firstPush)
        }

        /// The module without some that hold it; nil where these were all.
        func removing(_ roots: [Root]) -> Standing? {
            var rest = holdings
            for root in roots { rest[root.sequence] = nil }
            if rest.isEmpty { return nil }
            let isFirst = roots.contains { holdings[$0.sequence]?.position == first }
            if !isFirst, !roots.contains(where: isNamed) {
                return Standing(loaded, rest, first: first, isLoaded: isLoaded, firstPush: firstPush)
            }
            let naming = rest.values.map(\.root).filter(isNamed)
            return Standing(
                loaded, rest, first: rest.values.compactMap(\.position).min(),
                isLoaded: naming.contains { !$0.isPushed },
                firstPush: naming.lazy.filter(\.isPushed).map(\.sequence).min() ?? .max)
        }

        private func isNamed(by root: Root) -> Bool { root.loaded.identity == loaded.identity }

        /// The module at its first place, where it is in force.
        var entry: Entry? { first.map { Entry(loaded: loaded, position: $0) } }
    }

    /// A root in the order in which they were added, with those before it.
    private final class Link: @unchecked Sendable {
        // Sendable: constant but in `deinit`, when nobody else has the object.

        let root: Root
        private(set) var earlier: Link?
        /// The lineup before the root was pushed.
        private(set) var before: Lineup?
        let count: Int
        /// The greatest number of a root, here or before.
        let sequence: UInt

        init(_ root: Root, after earlier: Link?, before: Lineup?) {
            self.root = root
            self.earlier = earlier
            self.before = before
            count = (earlier?.count ?? 0) + 1
            sequence = max(root.sequence, earlier?.sequence ?? 0)
        }

        deinit {
            var next = earlier
            earlier = nil
            before = nil
            // One after the other: a stack of a hundred thousand pushes would not end inside each other.
            while let following = Self.takeEarlier(of: &next) { next = following }
        }

        /// What a link that nobody else has leaves behind.
        private static func takeEarlier(of link: inout Link?) -> Link? {
            guard isKnownUniquelyReferenced(&link), let link else { return nil }
            defer {
                link.earlier = nil
                link.before = nil
            }
            return link.earlier
        }
    }

    /// What the roots amount to: a table that is changed root by root.
    private struct Table {
        var modules = PersistentTable<Standing>()
        var types = PersistentTable<ModuleList>()
        var conditional = PersistentTable<LoadedModule>()
        var setting = PersistentTable<LoadedModule>()
        var scoping = PersistentTable<LoadedModule>()

        /// Adds a root.
        ///
        /// - Parameters:
        ///   - root: The root.
        ///   - find: Finds what it includes and nobody else does.
        ///   - isOn: Whether the condition of a module holds.
        mutating func add(_ root: Root, _ find: Finder, where isOn: (LoadedModule) -> Bool) {
            let reached = reached(by: root, find) { _ in true }
            let isPlain = !reached.contains(where: \.hasCondition)
            let inForce = isPlain ? reached : self.reached(by: root, find, where: isOn)
            for loaded in reached where modules[loaded.identity] == nil {
                if loaded.hasCondition { conditional[loaded.identity] = loaded }
                if !loaded.scopes.isEmpty { scoping[loaded.identity] = loaded }
            }
            for (index, loaded) in inForce.enumerated() { hold(loaded, Holding(root, Position(root, index: index))) }
            if isPlain { return }
            let on = IdentitySet(inForce.lazy.map(\.identity))
            for loaded in reached where !on.contains(loaded.identity) { hold(loaded, Holding(root, nil)) }
        }

        private mutating func hold(_ loaded: LoadedModule, _ holding: Holding) {
            let old = modules[loaded.identity] ?? Standing(loaded)
            let new = old.adding(holding)
            modules[loaded.identity] = new
            if old.first == nil, new.first != nil { enter(loaded) }
        }

        /// Removes roots.
        mutating func remove(_ roots: [Root]) {
            var held: IdentityTable<[Root]> = [:]
            for root in roots {
                for loaded in reached(by: root) { held[loaded.identity, default: []].append(root) }
            }
            for (identity, roots) in held {
                guard let old = modules[identity] else { continue }
                let new = old.removing(roots)
                modules[identity] = new
                if new == nil {
                    conditional[identity] = nil
                    scoping[identity] = nil
                }
                if old.first != nil, new?.first == nil { leave(old.loaded) }
            }
        }

        /// The modules that a root names and includes, whatever conditions say.
        func reached(by root: Root) -> [LoadedModule] { reached(by: root, { _ in nil }) { _ in true } }

        /// The modules that a root names and includes, each once, the included ones behind their includer.
        ///
        /// What a module includes that is off is not reached over it.
        func reached(by root: Root, _ find: Finder, where isOn: (LoadedModule) -> Bool) -> [LoadedModule] {
            reached(from: modules[root.loaded.identity]?.loaded ?? root.loaded, find, where: isOn)
        }

        func reached(
            from first: LoadedModule, _ find: Finder, where isOn: (LoadedModule) -> Bool
        ) -> [LoadedModule] {
            if first.included.isEmpty { return first.hasCondition && !isOn(first) ? [] : [first] }
            var found: [LoadedModule] = []
            var seen: IdentitySet = []
            var open = [first]
            while let loaded = open.popLast() {
                guard seen.insert(loaded.identity).inserted, !loaded.hasCondition || isOn(loaded) else { continue }
                found.append(loaded)
                open += loaded.included.reversed().compactMap { modules[$0.identity]?.loaded ?? find($0.identity) }
            }
            return found
        }

        private mutating func enter(_ loaded: LoadedModule) {
            if loaded.properties != nil { setting[loaded.identity] = loaded }
            for group in loaded.typeGroups {
                types[group] = types[group].map { SeveralModules($0.modules + [loaded]) } ?? loaded
            }
        }

        private mutating func leave(_ loaded: LoadedModule) {
            setting[loaded.identity] = nil
            for group in loaded.typeGroups {
                let others = (types[group]?.modules ?? []).filter { $0 !== loaded }
                types[group] = others.count > 1 ? SeveralModules(others) : others.first
            }
        }

        /// The settings of the modules over and under the base.
        func properties(on base: Properties) -> Properties {
            if setting.isEmpty { return base }
            var above: [Properties] = []
            var below: [Properties] = []
            for entry in setting.values.compactMap({ modules[$0.identity]?.entry }).inOrder {
                guard let properties = entry.loaded.properties else { continue }
                if entry.priority > .profile {
                    above.append(properties)
                } else {
                    below.append(properties)
                }
            }
            return Properties.stacked(above: above, base: base, below: below)
        }
    }

    /// Finds a module that is not in the table yet.
    typealias Finder = (ObjectIdentifier) -> LoadedModule?

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

    private var table: Table {
        Table(modules: modules, types: types, conditional: conditional, setting: setting, scoping: scoping)
    }

    /// The lineup without any module.
    convenience init() {
        self.init(
            Table(), latest: nil, takenOver: 0, pushCount: 0, base: .init(), baseRevision: 0, properties: .init())
    }

    /// A lineup like another with these roots, of which it is found out what conditions say.
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
        table.add(root, find) { _ in true }
        return Lineup(
            table, latest: link, takenOver: takenOver, pushCount: pushCount + (root.isPushed ? 1 : 0), base: base,
            baseRevision: baseRevision, properties: isSetting ? table.properties(on: base) : properties)
    }

    /// The lineup without some of its roots: the one from before, where the latest push is taken off.
    func removing(_ removed: [Root]) -> Lineup {
        if removed.isEmpty { return self }
        if removed.count == 1, let latest, latest.root === removed[0], let before = latest.before,
            before.baseRevision == baseRevision, before.takenOver == takenOver
        {
            return before
        }
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

    private static func chain(_ latest: Link?, without removed: [Root]) -> Link? {
        let removed = Set(removed.map(\.sequence))
        var above: [Root] = []
        var next = latest
        var missing = removed.count
        while missing > 0, let link = next {
            if removed.contains(link.root.sequence) { missing -= 1 } else { above.append(link.root) }
            next = link.earlier
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

    /// The lineup without what was loaded after a root.
    func restricted(to sequence: UInt) -> Lineup {
        var lineup = self
        // One after the other, as they would be taken off: so a stack of pushes leads back over those before.
        for root in roots(after: sequence) { lineup = lineup.removing([root]) }
        return lineup
    }
}

extension Lineup {
    /// The roots, the latest first.
    var roots: [Root] { Self.roots(from: latest) }

    private static func roots(from latest: Link?) -> [Root] {
        Array(sequence(first: latest) { $0?.earlier }.prefix { $0 != nil }.compactMap { $0?.root })
    }

    /// The roots with a greater number, the latest first.
    func roots(after sequence: UInt) -> [Root] {
        var roots: [Root] = []
        var next = latest
        while let link = next, link.sequence > sequence {
            if link.root.sequence > sequence { roots.append(link.root) }
            next = link.earlier
        }
        return roots
    }

    /// The roots of a level that were added last, the latest first.
    func latestRoots(at level: Int) -> [Root] {
        var roots: [Root] = []
        var next = latest
        while let link = next, link.root.level == level {
            roots.append(link.root)
            next = link.earlier
        }
        return roots
    }

    /// The number of the latest root.
    var latestSequence: UInt { latest?.sequence ?? 0 }

    /// The latest push at a level, of a module where one is given.
    func latestPush(of module: Module?, level: Int) -> Root? {
        if pushCount == 0 { return nil }
        var next = latest
        while let link = next {
            let root = link.root
            if isPushed(root), root.level == level, module == nil || root.loaded.identity == module?.identity {
                return root
            }
            next = link.earlier
        }
        return nil
    }

    /// Whether a root is a push that can be popped.
    func isPushed(_ root: Root) -> Bool { root.isPushed && root.sequence > takenOver }

    /// Whether nothing is pushed.
    var isUnpushed: Bool { pushCount == 0 }

    /// Whether one of the modules has a condition.
    var hasConditions: Bool { !conditional.isEmpty }

    /// The modules that have a condition, and all that these include.
    var conditionalWithIncluded: [LoadedModule] { conditional.values.flatMap(reached) }

    /// A module, in force or not, and all that it includes.
    func reached(from loaded: LoadedModule) -> [LoadedModule] {
        guard let found = modules[loaded.identity]?.loaded else { return [] }
        return table.reached(from: found, { _ in nil }) { _ in true }
    }

    /// The roots of an earlier lineup that this one lacks.
    func rootsMissing(of other: Lineup) -> [Root] {
        var (left, right) = (other.latest, latest)
        var missing: [Root] = []
        var kept: Set<UInt> = []
        while let link = left, left !== right {
            if let new = right, new.count > link.count {
                kept.insert(new.root.sequence)
                right = new.earlier
            } else {
                missing.append(link.root)
                left = link.earlier
            }
        }
        while let new = right, left !== right {
            kept.insert(new.root.sequence)
            right = new.earlier
        }
        return missing.filter { !kept.contains($0.sequence) }
    }

    /// Whether all that this lineup lacks of an earlier one was loaded after everything that it has.
    func isUndoing(_ other: Lineup) -> Bool {
        let latest = latestSequence
        return rootsMissing(of: other).allSatisfy { $0.sequence > latest }
    }
}

extension Lineup {
    /// The modules in force, in lookup order.
    var entries: [Entry] { modules.values.compactMap(\.entry).inOrder }

    /// Those of the modules that are in force, in lookup order.
    func entries(of modules: PersistentTable<LoadedModule>) -> [Entry] { modules.values.compactMap(entry).inOrder }

    /// A module in force, at its place.
    func entry(of loaded: LoadedModule) -> Entry? {
        guard let standing = modules[loaded.identity], standing.loaded === loaded else { return nil }
        return standing.entry
    }

    /// The module of a run in force, at its place.
    func entry(of run: ModuleRun) -> Entry? {
        guard let standing = modules[run.module.identity], standing.loaded.run === run else { return nil }
        return standing.entry
    }

    /// The modules in force that have something for a type, in lookup order.
    func holders(of type: ObjectIdentifier) -> [Holder] {
        guard let list = types[TypeGroups.group(of: type)] else { return [] }
        func holder(_ loaded: LoadedModule) -> Holder? {
            guard let module = modules[loaded.identity]?.entry, let entry = loaded.entry(for: type) else { return nil }
            return Holder(module: module, entry: entry)
        }
        if let only = list.only { return holder(only).map { [$0] } ?? [] }
        let holders = list.modules.compactMap(holder)
        return holders.count < 2 ? holders : holders.sorted { $0.module.position < $1.module.position }
    }

    /// Whether a module in force decorates a type.
    func isDecorated(_ type: ObjectIdentifier) -> Bool {
        guard let list = types[TypeGroups.group(of: type)] else { return false }
        return list.only?.decorates(type) ?? list.modules.contains { $0.decorates(type) }
    }

    /// A module that a root names or includes, in force or not.
    func known(_ identity: ObjectIdentifier) -> LoadedModule? { modules[identity]?.loaded }

    /// Whether a root that is no push names a module.
    func isLoaded(_ identity: ObjectIdentifier) -> Bool {
        modules[identity].map { $0.isLoaded || $0.firstPush <= takenOver } ?? false
    }

    /// The roots that name a module, in lookup order.
    func roots(naming identity: ObjectIdentifier) -> [Root] {
        (modules[identity]?.holdings.values ?? []).map(\.root).filter { $0.loaded.identity == identity }
            .sorted { $0.position < $1.position }
    }

    /// Whether what a module's closure registered in this run is in force.
    func has(_ run: ModuleRun) -> Bool {
        guard let standing = modules[run.module.identity] else { return false }
        return standing.loaded.run === run && standing.first != nil
    }

    /// Whether what a module's closure registered in this run is there, in force or not.
    func knows(_ run: ModuleRun) -> Bool { modules[run.module.identity]?.loaded.run === run }

    /// The modules that are loaded but not in force, because their condition does not hold.
    var inactive: [LoadedModule] {
        var found: [LoadedModule] = []
        var seen: IdentitySet = []
        for root in roots.sorted(by: { $0.position < $1.position }) {
            var open = [root.loaded.identity]
            while let identity = open.popLast() {
                guard seen.insert(identity).inserted, let standing = modules[identity] else { continue }
                if standing.first == nil {
                    found.append(standing.loaded)
                } else {
                    open += standing.loaded.included.reversed().map(\.identity)
                }
            }
        }
        return found
    }

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

extension [Lineup.Entry] {
    /// The modules in lookup order.
    fileprivate var inOrder: [Lineup.Entry] { sorted { $0.position < $1.position } }
}

/// The modules that have something for the types of one group: a module alone, or several.
class ModuleList: @unchecked Sendable {
    // Sendable: both classes are constant.

    /// The modules, in no particular order.
    var modules: [LoadedModule] { [] }
    /// The module, where there is one.
    var only: LoadedModule? { nil }
}

private final class SeveralModules: ModuleList, @unchecked Sendable {
    private let list: [LoadedModule]

    override var modules: [LoadedModule] { list }

    init(_ list: [LoadedModule]) {
        self.list = list
    }
}
