internal import LocatorProperties

extension Lineup {
    /// Finds a module that is not in the table yet.
    typealias Finder = (ObjectIdentifier) -> LoadedModule?

    /// A root that names or includes a module.
    final class Holding: Sendable {
        let root: Root
        /// The place that it gives the module; nil where a condition keeps the module out.
        let position: Position?

        init(_ root: Root, _ position: Position?) {
            self.root = root
            self.position = position
        }
    }

    /// How a module stands.
    final class Standing: Sendable {
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

    /// What the roots amount to: a table that is changed root by root.
    struct Table {
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
}
