extension Lineup {
    /// A module that was named in a call of `load` or `push`.
    final class Root: Sendable {
        let loaded: LoadedModule
        let priority: Priority
        let isPushed: Bool
        /// How many contexts are above the one that was told to load.
        let level: Int
        /// Counts the calls in a context and those above and below it; a later one has a greater number.
        let sequence: UInt
        /// The number of the first root of the same call.
        let first: UInt
        let location: SourcePlace

        init(
            loaded: LoadedModule, priority: Priority, isPushed: Bool, level: Int, sequence: UInt, first: UInt,
            location: SourcePlace
        ) {
            self.loaded = loaded
            self.priority = priority
            self.isPushed = isPushed
            self.level = level
            self.sequence = sequence
            self.first = first
            self.location = location
        }

        /// The place of the module that it names.
        var position: Position { Position(self, index: 0) }
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

        init(_ root: Root, index: Int) {
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

    /// A root in the order in which they were added, with those before it.
    final class Link: @unchecked Sendable {
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
            // One at a time, so that a stack of a hundred thousand pushes does not overflow the thread's stack.
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
}

extension Lineup {
    /// The roots, the latest first.
    var roots: [Root] { Self.roots(from: latest) }

    static func roots(from latest: Link?) -> [Root] {
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
