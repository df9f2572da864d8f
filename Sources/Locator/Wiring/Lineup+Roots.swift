extension Lineup {
    /// A module that was named in a call of `load` or `push`, identified by its number.
    struct Root: Sendable {
        var loaded: LoadedModule
        let priority: Priority
        let isPushed: Bool
        /// The number of contexts above the context whose `load` or `push` named the module.
        var level: Int { Int(storedLevel) }
        private let storedLevel: Int32
        /// The number of the root: greater than that of each earlier root in the context, its parents, and its
        /// children.
        let sequence: UInt
        /// The number of the first root of the same call.
        let first: UInt
        let location: SourcePlace

        init(
            loaded: consuming LoadedModule, priority: Priority, isPushed: Bool, level: Int, sequence: UInt, first: UInt,
            location: SourcePlace
        ) {
            self.loaded = loaded
            self.priority = priority
            self.isPushed = isPushed
            storedLevel = Int32(level)
            self.sequence = sequence
            self.first = first
            self.location = location
        }

        /// The position of the module that it names.
        var position: Position { Position(self, index: 0) }
    }

    /// A position in lookup order: by priority, then pushed modules, the latest first, and then loaded modules.
    ///
    /// A child's pushed modules come before its parent's, and its loaded modules come after its parent's.
    struct Position: Comparable {
        /// The priority and the context of modules that were loaded, or of modules that were pushed.
        ///
        /// The latest loaded module comes last in lookup order. The latest pushed module comes first.
        struct Group: Comparable {
            let priority: Priority
            fileprivate let rank: Int32

            var isOfPushes: Bool { rank < 0 }

            static func < (left: Group, right: Group) -> Bool {
                left.priority == right.priority ? left.rank < right.rank : left.priority > right.priority
            }
        }

        let group: Group
        /// The index among the modules that the root names and includes.
        private let index: Int32
        /// The number of the root, negative for a push.
        private let order: Int

        init(_ root: Root, index: Int32) {
            group = Group(priority: root.priority, rank: Int32(root.isPushed ? -1 - root.level : root.level))
            order = root.isPushed ? -Int(root.sequence) : Int(root.sequence)
            self.index = index
        }

        static func < (left: Position, right: Position) -> Bool {
            if left.group != right.group { return left.group < right.group }
            return (left.order, left.index) < (right.order, right.index)
        }
    }

    /// An element of the list of roots: a root, with the roots that were added before it.
    final class Link: Chained, @unchecked Sendable {
        // Sendable: constant until `deinit`, when nothing else references the object. For the same reason, the
        // exclusivity need not be checked.

        @exclusivity(unchecked) var earlier: Link?
        let root: Root
        /// The lineup before the root was pushed.
        @exclusivity(unchecked) private(set) var before: Lineup?
        let count: Int
        /// The greatest number of this root and the roots before it.
        let latestSequence: UInt
        /// The greatest number of a push among them; zero if there is none.
        let latestPush: UInt

        init(_ root: Root, after earlier: Link?, before: Lineup?) {
            self.root = root
            self.before = before
            count = (earlier?.count ?? 0) + 1
            latestSequence = max(root.sequence, earlier?.latestSequence ?? 0)
            latestPush = max(root.isPushed ? root.sequence : 0, earlier?.latestPush ?? 0)
            self.earlier = earlier
        }

        func letGoOfOthers() { before = nil }

        deinit { letGoOfEarlier() }
    }

    /// The roots, latest first.
    var roots: [Root] { Link.map(from: latest) { $0.root } }

    /// The roots with a greater number, latest first.
    func roots(after sequence: UInt, where isWanted: (Root) -> Bool = { _ in true }) -> [Root] {
        var roots: [Root] = []
        Link.forEach(from: latest) { link in
            if link.root.sequence > sequence, isWanted(link.root) { roots.append(link.root) }
            return link.latestSequence > sequence
        }
        return roots
    }

    /// The roots of a level that were added last, latest first.
    func latestRoots(at level: Int) -> [Root] {
        Link.map(from: latest, while: { $0.root.level == level }) { $0.root }
    }

    var latestSequence: UInt { latest?.latestSequence ?? 0 }

    /// The latest push at a level, or the latest one of a given module.
    func latestPush(of module: Module?, level: Int) -> Root? {
        if isUnpushed { return nil }
        let identity = module?.identity
        var found: Root?
        Link.forEach(from: latest) { link in
            let root = link.root
            guard isPushed(root), root.level == level, identity == nil || root.loaded.identity == identity else {
                return true
            }
            found = root
            return false
        }
        return found
    }

    /// Whether a root is a push that can be popped.
    func isPushed(_ root: Root) -> Bool { root.isPushed && root.sequence > takenOver }

    /// Whether there is no such push.
    var isUnpushed: Bool { latest?.latestPush ?? 0 <= takenOver }

    var hasConditions: Bool { table.hasConditions }

    /// The modules that have a condition, and all that these include.
    var conditionalWithIncluded: [LoadedModule] { table.standings.modules(with: .condition).flatMap(reached) }

    /// A module, in force or not, and all that it includes.
    func reached(from loaded: LoadedModule) -> [LoadedModule] {
        guard let found = table.standings[loaded.identity]?.loaded else { return [] }
        return table.reached(from: found)
    }

    /// Whether an earlier lineup has a root that this one lacks.
    func lacksRoot(of other: Lineup) -> Bool {
        let shared = sharedCount(with: other)
        func sequences(_ latest: Link?) -> Set<UInt> {
            Set(Link.map(from: latest, while: { $0.count > shared }) { $0.root.sequence })
        }
        return !sequences(other.latest).isSubset(of: sequences(latest))
    }

    /// The number of links at the beginning that both lineups share.
    private func sharedCount(with other: Lineup) -> Int {
        // Unmanaged: both lineups retain all their links.
        func count(_ link: Unmanaged<Link>?) -> Int { link?._withUnsafeGuaranteedRef { $0.count } ?? 0 }
        var left = other.latest.map(Unmanaged.passUnretained)
        var right = latest.map(Unmanaged.passUnretained)
        while left?.toOpaque() != right?.toOpaque() {
            if count(right) > count(left) {
                right = right?._withUnsafeGuaranteedRef { $0.earlier.map(Unmanaged.passUnretained) }
            } else {
                left = left?._withUnsafeGuaranteedRef { $0.earlier.map(Unmanaged.passUnretained) }
            }
        }
        return count(left)
    }
}
