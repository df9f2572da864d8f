internal import Synchronization

extension Lineup {
    /// The standing of each module that a root names or includes, and which modules register or change a type.
    ///
    /// The latest additions are in a short list in front of the tables. So a push only adds to the list, and costs the
    /// same however many modules there are. When the list is full, the tables take in all of it at once.
    struct Standings: Sendable {
        private var tables: Tables?
        private var recent: Recent?

        /// The standing of a module; nil if no root names or includes it.
        subscript(identity: ObjectIdentifier) -> Standing? { unretained.find(identity)?.takeUnretainedValue() }

        private var unretained: Unretained {
            Unretained(tables: tables.map(Unmanaged.passUnretained), recent: recent.map(Unmanaged.passUnretained))
        }

        /// The standings of all modules, in no particular order.
        var values: [Standing] {
            var values: [Standing] = []
            recent?.forEachLatest { values.append($0) }
            guard let tables else { return values }
            return values + tables.modules.values.filter { recent?.first(of: $0.loaded.identity) == nil }
        }

        /// Runs `body` for each module in force that may register or change a type.
        func forEachModule(groupedWith type: ObjectIdentifier, _ body: (Entry) -> Void) {
            recent?.forEachLatest { standing in
                // A module that was in force before is found below.
                if tables?.modules[standing.loaded.identity]?.first == nil, let entry = standing.entry { body(entry) }
            }
            tables?.types[TypeGroups.group(of: type)]?.forEach { loaded in
                if let entry = self[loaded.identity]?.entry { body(entry) }
            }
        }

        /// Adds the standing of a module with one more root.
        mutating func add(_ standing: Standing) {
            takeInFullList()
            recent = Recent(standing, after: recent)
        }

        /// Replaces the standing of a module by one without some roots; nil if these were all.
        ///
        /// Nothing keeps the earlier standing or the roots, so that a module ends when it is unloaded.
        mutating func replace(_ old: Standing, by new: Standing?) {
            takeInFullList()
            recent = recent?.without(old.loaded.identity)
            tables = Tables(tables, with: [Replacement(loaded: old.loaded, standing: new)])
        }

        /// Lets the tables take in the list if it is full.
        ///
        /// So a full list is always in front of the same tables.
        private mutating func takeInFullList() {
            guard let recent, recent.count == Recent.limit else { return }
            tables = recent.taken(into: tables)
            self.recent = nil
        }

        /// Runs `body` for each module whose standing differs in two lineups.
        ///
        /// The cost is proportional to what was changed from one to the other.
        static func forEachDifference(_ old: Self, _ new: Self, _ body: (_ old: Standing?, _ new: Standing?) -> Void) {
            // Unretained: the caller keeps both until this returns.
            Unretained.forEachDifference(old.unretained, new.unretained, body)
        }
    }

    /// Standings that are retained elsewhere, and that retain nothing themselves.
    private struct Unretained {
        let tables: Unmanaged<Tables>?
        let recent: Unmanaged<Recent>?

        func find(_ identity: ObjectIdentifier) -> Unmanaged<Standing>? {
            if let found = recent?._withUnsafeGuaranteedRef({ $0.first(of: identity) }) {
                return found._withUnsafeGuaranteedRef { .passUnretained($0.standing) }
            }
            return tables?._withUnsafeGuaranteedRef { $0.modules.find(identity) }
        }

        static func forEachDifference(_ old: Self, _ new: Self, _ body: (_ old: Standing?, _ new: Standing?) -> Void) {
            func compare(_ identity: ObjectIdentifier) {
                let (left, right) = (old.find(identity), new.find(identity))
                if left?.toOpaque() == right?.toOpaque() { return }
                switch (left, right) {
                case (let left?, let right?):
                    left._withUnsafeGuaranteedRef { left in right._withUnsafeGuaranteedRef { body(left, $0) } }
                case (let left?, nil): left._withUnsafeGuaranteedRef { body($0, nil) }
                case (nil, let right?): right._withUnsafeGuaranteedRef { body(nil, $0) }
                case (nil, nil): break
                }
            }
            // If the tables of one have taken in the list of the other, only the list of the former matters.
            if old.tables?.toOpaque() == new.tables?.toOpaque() {
                Recent.forEachDifference(old.recent, new.recent, compare)
            } else if old.isTaken(into: new) {
                Recent.forEachDifference(nil, new.recent, compare)
            } else if new.isTaken(into: old) {
                Recent.forEachDifference(old.recent, nil, compare)
            } else {
                var differing: IdentitySet = []
                PersistentTable.forEachDifference(old.modules, new.modules) { left, right in
                    if let standing = left ?? right { differing.insert(standing.loaded.identity) }
                }
                Recent.forEachDifference(old.recent, new.recent) { differing.insert($0) }
                differing.forEach(compare)
            }
        }

        private var modules: PersistentTable<Standing> { tables?._withUnsafeGuaranteedRef { $0.modules } ?? .init() }

        /// Whether the tables of other standings have taken in this list.
        private func isTaken(into other: Self) -> Bool {
            guard let kept = recent?._withUnsafeGuaranteedRef({ $0.keptTables }) else { return false }
            return kept.toOpaque() == other.tables?.toOpaque()
        }
    }

    /// A changed standing, or nil if nothing names or includes the module any longer.
    fileprivate struct Replacement {
        let loaded: LoadedModule
        let standing: Standing?
    }

    /// The standings of the modules that are not in the short list, or the standings from before they were added to it.
    fileprivate final class Tables: Sendable {
        let modules: PersistentTable<Standing>
        /// The modules in force that register or change a type, by the group of the type.
        let types: PersistentTable<ModuleList>

        /// Creates tables with changed standings, which are passed latest first.
        init(_ old: Tables?, with latest: [Replacement]) {
            var modules = old?.modules ?? PersistentTable()
            var types = old?.types ?? PersistentTable()
            // The latest modules of a type come first in its list, as pushes do in lookup order.
            for replacement in latest.reversed() {
                let (loaded, standing) = (replacement.loaded, replacement.standing)
                let wasInForce = modules[loaded.identity]?.first != nil
                let isInForce = standing?.first != nil
                modules[loaded.identity] = standing
                if wasInForce == isInForce { continue }
                for group in loaded.typeGroups {
                    let list = types[group]
                    types[group] =
                        isInForce
                        ? list.map { FurtherModule(loaded, after: $0) } ?? loaded
                        : .of((list?.modules ?? []).filter { $0 !== loaded })
                }
            }
            self.modules = modules
            self.types = types
        }
    }

    /// An element of the short list: the standing of a module since a root was added.
    fileprivate final class Recent: @unchecked Sendable {
        // Sendable: all fields are constant, except `kept`, which is atomic.

        /// The number of elements that are searched without a table.
        static var limit: Int { 32 }

        let standing: Standing
        private let identity: ObjectIdentifier
        // Unmanaged, so that iterating over the list retains nothing. Each element retains the previous one until its
        // own end.
        private let earlier: Unmanaged<Recent>?
        let count: Int
        /// The tables that have taken in the list up to this element, retained.
        private let kept = Atomic<UnsafeRawPointer?>(nil)

        init(_ standing: Standing, after earlier: Recent?) {
            self.standing = standing
            identity = standing.loaded.identity
            self.earlier = earlier.map(Unmanaged.passRetained)
            count = (earlier?.count ?? 0) + 1
        }

        deinit {
            earlier?.release()
            // Relaxed suffices: no one else has the object anymore.
            kept.load(ordering: .relaxed).map { Unmanaged<Tables>.fromOpaque($0).release() }
        }

        /// The tables behind the list, after they have taken in this full list.
        ///
        /// The list keeps them, so that they are made only once, however often something is pushed onto the same
        /// lineup.
        func taken(into tables: Tables?) -> Tables {
            if let keptTables { return keptTables.takeUnretainedValue() }
            var latest: [Replacement] = []
            forEachLatest { latest.append(Replacement(loaded: $0.loaded, standing: $0)) }
            let new = Unmanaged.passRetained(Tables(tables, with: latest))
            // Forks also have the list, but different locks. The first one decides. Releasing: see `keptTables`.
            let (isFirst, _) = kept.compareExchange(
                expected: nil, desired: UnsafeRawPointer(new.toOpaque()), ordering: .acquiringAndReleasing)
            if !isFirst { new.release() }
            return isFirst ? new.takeUnretainedValue() : self.taken(into: tables)
        }

        /// The tables that have taken in the list, if they were requested.
        ///
        /// The list retains them.
        var keptTables: Unmanaged<Tables>? {
            // Acquiring: whoever loads the pointer sees the tables as they were made.
            kept.load(ordering: .acquiring).map(Unmanaged.fromOpaque)
        }

        /// Finds the latest element of a module among the elements from this one back to `end`.
        func first(of identity: ObjectIdentifier, before end: Unmanaged<Recent>? = nil) -> Unmanaged<Recent>? {
            var next: Unmanaged<Recent>? = .passUnretained(self)
            while let element = next, element.toOpaque() != end?.toOpaque() {
                let (found, earlier) = element._withUnsafeGuaranteedRef { ($0.identity, $0.earlier) }
                if found == identity { return element }
                next = earlier
            }
            return nil
        }

        /// Runs `body` with the latest standing of each module that has an element from this one back to `end`.
        func forEachLatest(before end: Unmanaged<Recent>? = nil, _ body: (Standing) -> Void) {
            var next: Unmanaged<Recent>? = .passUnretained(self)
            while let element = next, element.toOpaque() != end?.toOpaque() {
                next = element._withUnsafeGuaranteedRef {
                    if first(of: $0.identity)?.toOpaque() == element.toOpaque() { body($0.standing) }
                    return $0.earlier
                }
            }
        }

        /// Runs `body` once for each module with an element that only one of two lists has.
        static func forEachDifference(
            _ old: Unmanaged<Recent>?, _ new: Unmanaged<Recent>?, _ body: (ObjectIdentifier) -> Void
        ) {
            // The shared elements are the earliest ones of each list.
            var (end, other) = (old, new)
            while end?.toOpaque() != other?.toOpaque() {
                let count = end?._withUnsafeGuaranteedRef { $0.count } ?? 0
                let otherCount = other?._withUnsafeGuaranteedRef { $0.count } ?? 0
                if count >= otherCount {
                    end = end?._withUnsafeGuaranteedRef { $0.earlier }
                } else {
                    other = other?._withUnsafeGuaranteedRef { $0.earlier }
                }
            }
            new?._withUnsafeGuaranteedRef { $0.forEachLatest(before: end) { body($0.loaded.identity) } }
            old?._withUnsafeGuaranteedRef {
                $0.forEachLatest(before: end) { standing in
                    let identity = standing.loaded.identity
                    if new?._withUnsafeGuaranteedRef({ $0.first(of: identity, before: end) }) == nil { body(identity) }
                }
            }
        }

        /// The list without a module.
        func without(_ identity: ObjectIdentifier) -> Recent? {
            if first(of: identity) == nil { return self }
            let rest = earlier?.takeUnretainedValue().without(identity)
            return self.identity == identity ? rest : Recent(standing, after: rest)
        }
    }
}
