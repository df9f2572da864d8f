internal import LocatorProperties

extension Lineup {
    /// Finds a module that is not in the table yet.
    typealias Finder = (ObjectIdentifier) -> LoadedModule?

    /// The standing of a module: a root that names or includes it, and the roots that did so before.
    final class Standing: Chained, @unchecked Sendable {
        // Sendable: like the superclass.

        let loaded: LoadedModule
        /// A root that names or includes the module, whether or not conditions hold.
        let root: Root
        /// The position that this root gives the module; nil if a condition keeps the module out.
        private let position: Position?
        /// The module's first position; nil if it is not in force.
        let first: Position?
        /// Whether a load names the module.
        let isLoaded: Bool
        /// The number of the first push that names the module.
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

        /// The standing before the root was added.
        // Unsafe: the initializer takes only this class.
        var previous: Standing? { earlier.map { unsafeDowncast($0, to: Standing.self) } }

        /// The standing without some roots; nil if these were all.
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

        /// The roots that name or include the module.
        var roots: [Root] {
            var roots: [Root] = []
            Chained.forEach(from: self) { standing in
                roots.append(standing.root)
                return true
            }
            return roots
        }

        /// The roots that name the module.
        var namingRoots: [Root] { roots.filter { $0.loaded.identity == loaded.identity } }

        /// The module at its first position, if it is in force.
        var entry: Entry? { first.map { Entry(loaded: loaded, position: $0) } }
    }

    /// The combined effect of the roots: a table that is changed root by root.
    struct Table: Sendable {
        var standings = Standings()
        /// The modules that have a condition.
        private(set) var conditional = PersistentTable<LoadedModule>()
        /// Those of them whose condition holds.
        private var holding = PersistentTable<LoadedModule>()
        /// The modules in force that have settings.
        var setting = PersistentTable<LoadedModule>()
        /// The modules that name custom scopes or have asynchronous factory closures, in force or not.
        var scoping = PersistentTable<LoadedModule>()

        /// Whether a module has a condition.
        var hasConditions: Bool { !conditional.isEmpty }

        /// Adds a root.
        ///
        /// - Parameters:
        ///   - root: The root.
        ///   - find: Finds the modules that only this root includes.
        ///   - visible: What their conditions see.
        /// - Returns: Whether one of its modules has settings.
        @discardableResult
        mutating func add(_ root: Root, _ find: Finder, seeing visible: @autoclosure () -> Properties) -> Bool {
            let reached = reached(by: root, find) { _ in true }
            if !reached.hasConditions {
                hold(reached, root)
            } else {
                let visible = visible()
                reached.forEach { noteCondition(of: $0, seeing: visible) }
                let inForce = self.reached(by: root, find, where: isOn)
                hold(inForce, root)
                let on = IdentitySet(inForce.all.lazy.map(\.identity))
                reached.forEach { if !on.contains($0.identity) { hold($0, root, nil) } }
            }
            return reached.hasSettings
        }

        /// Adds a root of the modules that are in force by it.
        private mutating func hold(_ inForce: Reached, _ root: Root) {
            var index = 0
            inForce.forEach { loaded in
                hold(loaded, root, Position(root, index: index))
                index += 1
            }
        }

        private func isOn(_ loaded: LoadedModule) -> Bool { !loaded.hasCondition || holding[loaded.identity] != nil }

        /// Evaluates the condition of a module that was added.
        private mutating func noteCondition(of loaded: LoadedModule, seeing visible: Properties) {
            if !loaded.hasCondition || conditional[loaded.identity] != nil { return }
            conditional[loaded.identity] = loaded
            if loaded.conditionHolds(in: visible) { holding[loaded.identity] = loaded }
        }

        /// Evaluates the conditions, and adds the roots again whose modules these turn on or off.
        mutating func evaluateConditions(seeing visible: Properties) {
            var turned: IdentityTable<Root> = [:]
            for loaded in conditional.values where loaded.conditionHolds(in: visible) != isOn(loaded) {
                for root in standings[loaded.identity]?.roots ?? [] { turned[ObjectIdentifier(root)] = root }
            }
            if turned.isEmpty { return }
            let before = standings
            // A condition is evaluated when its module is added again.
            remove(Array(turned.values))
            for root in turned.values { add(root, { before[$0]?.loaded }, seeing: visible) }
        }

        private mutating func hold(_ loaded: LoadedModule, _ root: Root, _ position: Position?) {
            let old = standings[loaded.identity]
            standings.add(Standing(loaded, root, position, after: old))
            if old == nil, !loaded.scopes.isEmpty || !loaded.asynchronous.isEmpty { scoping[loaded.identity] = loaded }
            if loaded.properties != nil, old?.first == nil, position != nil { setting[loaded.identity] = loaded }
        }

        /// Removes roots.
        ///
        /// Returns whether one of their modules has settings.
        @discardableResult
        mutating func remove(_ roots: [Root]) -> Bool {
            var held: IdentityTable<[Root]> = [:]
            var isSetting = false
            for root in roots {
                let reached = reached(by: root)
                if reached.hasSettings { isSetting = true }
                reached.forEach { held[$0.identity, default: []].append(root) }
            }
            for (identity, roots) in held {
                guard let old = standings[identity] else { continue }
                let new = old.removing(roots)
                standings.replace(old, by: new)
                if new == nil {
                    conditional[identity] = nil
                    holding[identity] = nil
                    scoping[identity] = nil
                }
                if new?.first == nil { setting[identity] = nil }
            }
            return isSetting
        }

        /// A module and the modules that it includes, each once.
        ///
        /// The included modules come after their includer.
        struct Reached {
            fileprivate let first: LoadedModule?
            /// The modules after the first one.
            ///
            /// Few modules have any.
            fileprivate var others: [LoadedModule] = []

            fileprivate init(_ first: LoadedModule?) { self.first = first }

            var all: [LoadedModule] { first.map { [$0] + others } ?? [] }
            var hasConditions: Bool { contains(where: \.hasCondition) }
            var hasSettings: Bool { contains { $0.properties != nil } }

            private func contains(where isWanted: (LoadedModule) -> Bool) -> Bool {
                first.map(isWanted) ?? false || others.contains(where: isWanted)
            }

            func forEach(_ body: (LoadedModule) -> Void) {
                if let first { body(first) }
                for loaded in others { body(loaded) }
            }
        }

        /// The modules that a root names and includes, whether or not conditions hold.
        func reached(by root: Root) -> Reached { reached(by: root, { _ in nil }) { _ in true } }

        /// The modules that a root names and includes.
        ///
        /// A module whose condition does not hold does not add the modules that it includes.
        func reached(by root: Root, _ find: Finder, where isOn: (LoadedModule) -> Bool) -> Reached {
            reached(from: standings[root.loaded.identity]?.loaded ?? root.loaded, find, where: isOn)
        }

        func reached(from first: LoadedModule, _ find: Finder, where isOn: (LoadedModule) -> Bool) -> Reached {
            if first.hasCondition, !isOn(first) { return Reached(nil) }
            var reached = Reached(first)
            if first.included.isEmpty { return reached }
            func included(by loaded: LoadedModule) -> [LoadedModule] {
                loaded.included.reversed().compactMap { standings[$0.identity]?.loaded ?? find($0.identity) }
            }
            var seen: IdentitySet = [first.identity]
            var open = included(by: first)
            while let loaded = open.popLast() {
                guard seen.insert(loaded.identity).inserted, !loaded.hasCondition || isOn(loaded) else { continue }
                reached.others.append(loaded)
                open += included(by: loaded)
            }
            return reached
        }

        /// The base with the settings of the modules above and below it.
        func properties(on base: Properties) -> Properties { stacked(on: base) { $0.first } }

        /// The base with the settings of the modules that are in force regardless of conditions.
        func visibleProperties(on base: Properties) -> Properties {
            if !hasConditions { return properties(on: base) }
            return stacked(on: base) { standing in
                standing.roots.compactMap { root in
                    let reached = reached(by: root, { _ in nil }) { _ in false }
                    return reached.all.firstIndex { $0 === standing.loaded }.map { Position(root, index: $0) }
                }.min()
            }
        }

        private func stacked(on base: Properties, at position: (Standing) -> Position?) -> Properties {
            if setting.isEmpty { return base }
            var entries: [Entry] = []
            for loaded in setting.values {
                guard let standing = standings[loaded.identity], let position = position(standing) else { continue }
                entries.append(Entry(loaded: loaded, position: position))
            }
            var above: [Properties] = []
            var below: [Properties] = []
            for entry in entries.inOrder {
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
