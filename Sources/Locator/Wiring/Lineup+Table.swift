internal import LocatorProperties

extension Lineup {
    /// Finds a module that is not in the table yet.
    typealias Finder = (ObjectIdentifier) -> LoadedModule?

    /// The place that a root gives to a module that it names or includes.
    struct Place {
        let root: Root
        /// The index among the modules that the root places; nil if a condition turns the module off.
        let index: Int32?
        /// The index if no condition held; nil if the module would then be off.
        let unconditionalIndex: Int32?
    }

    /// The standing of a module: a root that names or includes it, and the roots that did so before.
    final class Standing: Chained, @unchecked Sendable {
        // Sendable: constant until `deinit`, when nothing else references the object. For the same reason, the
        // exclusivity need not be checked.

        /// The standing before the root was added.
        @exclusivity(unchecked) var earlier: Standing?
        let loaded: LoadedModule
        /// A root that names or includes the module, whether or not conditions hold.
        let root: Root
        // In this order, the fields take the least memory: a stack has one object for each push.
        /// The module's first position; nil if it is not in force.
        let first: Position?
        /// The module's first position if no condition holds; nil if it is not in force then.
        let firstUnconditional: Position?
        /// Whether the module's own condition holds; true if it has none.
        let isOn: Bool
        /// Whether a load names the module.
        let isLoaded: Bool
        // See `Place`.
        private let index: Int32?
        private let unconditionalIndex: Int32?
        /// The number of the first push that names the module.
        let firstPush: UInt
        /// The greatest number of the roots.
        let latestRoot: UInt

        init(_ loaded: LoadedModule, _ place: Place, isOn: Bool, after earlier: Standing?) {
            let root = place.root
            self.loaded = loaded
            self.root = root
            self.isOn = isOn
            index = place.index
            unconditionalIndex = place.unconditionalIndex
            first = Self.first(earlier?.first, index, of: root)
            firstUnconditional = Self.first(earlier?.firstUnconditional, unconditionalIndex, of: root)
            let isNaming = root.loaded.identity == loaded.identity
            isLoaded = earlier?.isLoaded ?? false || isNaming && !root.isPushed
            firstPush = min(earlier?.firstPush ?? .max, isNaming && root.isPushed ? root.sequence : .max)
            latestRoot = max(earlier?.latestRoot ?? 0, root.sequence)
            self.earlier = earlier
        }

        deinit { letGoOfEarlier() }

        /// The first of a position and the one at an index of a root.
        private static func first(_ other: Position?, _ index: Int32?, of root: Root) -> Position? {
            guard let position = index.map({ Position(root, index: $0) }) else { return other }
            return other.map { min($0, position) } ?? position
        }

        /// The standing without its roots that match, of which there are `count`; nil if no root is left.
        func removing(_ count: Int, where isRemoved: (Root) -> Bool) -> Standing? {
            let (rest, kept) = Standing.removing(count, from: self) { isRemoved($0.root) }
            return kept.reduce(rest) { Standing(loaded, $1.place, isOn: isOn, after: $0) }
        }

        private var place: Place { Place(root: root, index: index, unconditionalIndex: unconditionalIndex) }

        /// The roots that name or include the module.
        var roots: [Root] { Standing.map(from: self) { $0.root } }

        /// The module at its first position, if it is in force.
        var entry: Entry? { first.map { Entry(loaded: loaded, position: $0) } }
    }

    /// The combined effect of the roots: a table that is changed root by root.
    struct Table: Sendable {
        private(set) var standings = Standings()

        var hasConditions: Bool { standings.hasConditions }

        /// Adds a root.
        ///
        /// - Parameters:
        ///   - root: The root.
        ///   - find: Finds the modules that only this root includes.
        ///   - visible: What their conditions see.
        /// - Returns: The modules that it names and includes.
        mutating func add(
            _ root: Root, _ find: Finder, seeing visible: @autoclosure () -> Properties
        ) -> [LoadedModule] {
            let reached = reached(by: root, find)
            if reached.contains(where: \.hasCondition) {
                let visible = visible()
                var conditions = Conditions()
                for loaded in reached where loaded.hasCondition && standings[loaded.identity] == nil {
                    conditions[loaded.identity] = loaded.conditionHolds(in: visible)
                }
                for (loaded, place) in places(of: reached, by: root, find, conditions) {
                    hold(loaded, place, isOn: isOn(loaded, conditions))
                }
                for loaded in reached { standings.notePlaceholders(ofConditionOf: loaded, in: visible) }
            } else {
                for (index, loaded) in reached.enumerated() {
                    let index = Int32(index)
                    hold(loaded, Place(root: root, index: index, unconditionalIndex: index), isOn: true)
                }
            }
            return reached
        }

        /// Whether the conditions that were just evaluated are true, by module.
        private typealias Conditions = IdentityTable<Bool>

        private func isOn(_ loaded: LoadedModule, _ conditions: Conditions) -> Bool {
            !loaded.hasCondition || conditions[loaded.identity] ?? standings[loaded.identity]?.isOn ?? false
        }

        /// Evaluates conditions.
        ///
        /// If they turn modules of a root on or off, places the modules of that root again.
        ///
        /// - Parameters:
        ///   - visible: What the conditions see.
        ///   - changed: The modules whose settings have come or gone; nil if the profile files may have changed.
        /// - Returns: The modules with settings that were placed again.
        mutating func evaluateConditions(
            seeing visible: @autoclosure () -> Properties, after changed: [LoadedModule]?
        ) -> [LoadedModule] {
            if !hasConditions { return [] }
            let visible = visible()
            var turned = Conditions()
            var roots: [Root] = []
            var numbers: Set<UInt> = []
            var evaluated: [LoadedModule] = []
            func evaluate(_ loaded: LoadedModule) {
                evaluated.append(loaded)
                let holds = loaded.conditionHolds(in: visible)
                guard let standing = standings[loaded.identity], standing.isOn != holds else { return }
                turned[loaded.identity] = holds
                roots += standing.roots.filter { numbers.insert($0.sequence).inserted }
            }
            if let changed {
                standings.forEachCondition(touchedBy: changed.flatMap(\.settingPaths), evaluate)
            } else {
                standings.forEachModule(with: .condition, evaluate)
            }
            evaluated.forEach { standings.notePlaceholders(ofConditionOf: $0, in: visible) }
            var setting: [LoadedModule] = []
            var placed: IdentityTable<(loaded: LoadedModule, places: [Place])> = [:]
            for root in roots {
                let reached = reached(by: root)
                setting += reached.setting
                for (loaded, place) in places(of: reached, by: root, { _ in nil }, turned) {
                    placed[loaded.identity, default: (loaded, [])].places.append(place)
                }
            }
            // Once for each module, because this goes through all of its roots.
            for (loaded, places) in placed.values {
                let others = standings[loaded.identity]?.removing(places.count) { numbers.contains($0.sequence) }
                let isOn = isOn(loaded, turned)
                let standing = places.reduce(others) { Standing(loaded, $1, isOn: isOn, after: $0) }
                if let standing { standings.set(standing, isNew: false) }
            }
            if !roots.isEmpty { standings.dropReplaced() }
            return setting
        }

        /// The places that a root gives to all modules that it names and includes, some of which have conditions.
        private func places(
            of reached: [LoadedModule], by root: Root, _ find: Finder, _ conditions: Conditions
        ) -> [(LoadedModule, Place)] {
            let inForce = self.reached(by: root, find) { isOn($0, conditions) }.indexes
            let unconditional = self.reached(by: root, find) { _ in false }.indexes
            return reached.map { loaded in
                let index = inForce[loaded.identity]
                return (loaded, Place(root: root, index: index, unconditionalIndex: unconditional[loaded.identity]))
            }
        }

        private mutating func hold(_ loaded: LoadedModule, _ place: Place, isOn: Bool) {
            let old = standings[loaded.identity]
            standings.set(Standing(loaded, place, isOn: isOn, after: old), isNew: old == nil)
        }

        /// Removes roots, and returns those of their modules that have settings.
        mutating func remove(_ roots: [Root]) -> [LoadedModule] {
            let removed = Set(roots.lazy.map(\.sequence))
            /// How many of the roots name or include each module.
            var counts: IdentityTable<Int> = [:]
            var setting: [LoadedModule] = []
            for root in roots {
                let reached = reached(by: root)
                setting += reached.setting
                for loaded in reached { counts[loaded.identity, default: 0] += 1 }
            }
            var replaced: IdentityTable<Standing?> = [:]
            for (identity, count) in counts {
                guard let standing = standings[identity] else { continue }
                replaced.updateValue(standing.removing(count) { removed.contains($0.sequence) }, forKey: identity)
            }
            standings.replace(replaced, without: roots)
            return setting
        }

        /// The modules that a root names and includes, each once.
        ///
        /// The included modules come after their includer. A module whose condition does not hold is left out, and so
        /// are the modules that only it includes.
        func reached(
            by root: Root, _ find: Finder = { _ in nil }, where isOn: (LoadedModule) -> Bool = { _ in true }
        ) -> [LoadedModule] {
            reached(from: standings[root.loaded.identity]?.loaded ?? root.loaded, find, where: isOn)
        }

        /// The same for a module.
        func reached(
            from first: LoadedModule, _ find: Finder = { _ in nil }, where isOn: (LoadedModule) -> Bool = { _ in true }
        ) -> [LoadedModule] {
            if first.hasCondition, !isOn(first) { return [] }
            var reached = [first]
            if first.included.isEmpty { return reached }
            func included(by loaded: LoadedModule) -> [LoadedModule] {
                loaded.included.reversed().compactMap { standings[$0.identity]?.loaded ?? find($0.identity) }
            }
            var seen: IdentitySet = [first.identity]
            var open = included(by: first)
            while let loaded = open.popLast() {
                guard seen.insert(loaded.identity).inserted, !loaded.hasCondition || isOn(loaded) else { continue }
                reached.append(loaded)
                open += included(by: loaded)
            }
            return reached
        }

        /// The first position of a module in force; nil for another one.
        func position(of loaded: LoadedModule) -> Position? { standings[loaded.identity]?.first }

        /// The position of a module that is in force regardless of conditions; nil for another one.
        func unconditionalPosition(of loaded: LoadedModule) -> Position? {
            standings[loaded.identity]?.firstUnconditional
        }
    }
}

extension [LoadedModule] {
    /// The modules that have settings.
    var setting: [LoadedModule] { filter { $0.properties != nil } }

    fileprivate var indexes: IdentityTable<Int32> {
        var indexes: IdentityTable<Int32> = [:]
        for (index, loaded) in enumerated() { indexes[loaded.identity] = Int32(index) }
        return indexes
    }
}
