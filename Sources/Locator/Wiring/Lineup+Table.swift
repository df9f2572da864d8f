internal import LocatorProperties

extension Lineup {
    /// Finds a module that is not in the table yet.
    typealias Finder = (ObjectIdentifier) -> LoadedModule?

    /// How a module stands: a root that names or includes it, and those that did before.
    final class Standing: Chained, @unchecked Sendable {
        // Sendable: as the superclass.

        let loaded: LoadedModule
        /// A root that names or includes the module, whatever conditions say.
        let root: Root
        /// The place that this root gives the module; nil where a condition keeps the module out.
        private let position: Position?
        /// Its first place; nil where it is not in force.
        let first: Position?
        /// Whether a load names it.
        let isLoaded: Bool
        /// The number of the first push that names it.
        let firstPush: UInt

        init(_ loaded: LoadedModule, _ root: Root, _ position: Position?, after earlier: Standing?) {
            self.loaded = loaded
            self.root = root
            self.position = position
            if let other = earlier?.first, position.map({ other < $0 }) ?? true {
                first = other
            } else {
                first = position
            }
            let isNaming = root.loaded.identity == loaded.identity
            isLoaded = earlier?.isLoaded ?? false || isNaming && !root.isPushed
            firstPush = min(earlier?.firstPush ?? .max, isNaming && root.isPushed ? root.sequence : .max)
            super.init(after: earlier)
        }

        /// How it stood before the root.
        // Unsafe: the initializer takes nothing else.
        var previous: Standing? { earlier.map { unsafeDowncast($0, to: Standing.self) } }

        /// The module without some that name or include it; nil where these were all.
        func removing(_ roots: [Root]) -> Standing? {
            let removed = IdentitySet(roots.lazy.map(ObjectIdentifier.init))
            var above: [Standing] = []
            var next: Standing? = self
            var missing = roots.count
            while missing > 0, let standing = next {
                if removed.contains(ObjectIdentifier(standing.root)) { missing -= 1 } else { above.append(standing) }
                next = standing.previous
            }
            return above.reversed().reduce(next) { Standing(loaded, $1.root, $1.position, after: $0) }
        }

        /// The roots that name it.
        var namingRoots: [Root] {
            var roots: [Root] = []
            var next: Standing? = self
            while let standing = next {
                if standing.root.loaded.identity == loaded.identity { roots.append(standing.root) }
                next = standing.previous
            }
            return roots
        }

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
            add(root, reached(by: root, find) { _ in true }, inForce: reached(by: root, find, where: isOn))
        }

        /// Adds a root, and the modules that it names and includes: all of them, and those that conditions leave in force.
        mutating func add(_ root: Root, _ reached: [LoadedModule], inForce: [LoadedModule]) {
            for (index, loaded) in inForce.enumerated() { hold(loaded, root, Position(root, index: index)) }
            if inForce.count == reached.count { return }
            let on = IdentitySet(inForce.lazy.map(\.identity))
            for loaded in reached where !on.contains(loaded.identity) { hold(loaded, root, nil) }
        }

        private mutating func hold(_ loaded: LoadedModule, _ root: Root, _ position: Position?) {
            let old = modules[loaded.identity]
            modules[loaded.identity] = Standing(loaded, root, position, after: old)
            if old == nil {
                if loaded.hasCondition { conditional[loaded.identity] = loaded }
                if !loaded.scopes.isEmpty { scoping[loaded.identity] = loaded }
            }
            if old?.first == nil, position != nil { enter(loaded) }
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
                types[group] = types[group].map { FurtherModule(loaded, after: $0) } ?? loaded
            }
        }

        private mutating func leave(_ loaded: LoadedModule) {
            setting[loaded.identity] = nil
            for group in loaded.typeGroups {
                types[group] = .of((types[group]?.modules ?? []).filter { $0 !== loaded })
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
