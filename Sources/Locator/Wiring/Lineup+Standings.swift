internal import LocatorProperties

extension Lineup {
    /// The standing of each module that a root names or includes, and which modules may have something for a type.
    ///
    /// Persistent: an addition makes one record, which shares everything else with the previous standings. So the cost
    /// of a push does not depend on the number of modules, and a pop only returns to the standings from before the
    /// push.
    ///
    /// A search follows the bits of a hash, the lowest bit first. For each bit, a record points to the latest record
    /// before it whose hash has the same lower bits and differs in this bit. The search continues there. An addition
    /// copies as many pointers as a search follows. This number grows with the logarithm of the number of records.
    ///
    /// A record retains only the record before it. A removal makes all later records again, so nothing retains the
    /// removed ones.
    struct Standings: @unchecked Sendable {
        // Sendable: a record is constant until nothing else references it, and so is what it retains.

        private var latest: Record?

        /// Whether one of the modules has a condition.
        var hasConditions: Bool { unretained?.hasConditions ?? false }

        /// The standing of a module; nil if no root names or includes it.
        subscript(identity: ObjectIdentifier) -> Standing? { find(Key(identity))?.standing }

        /// The standings of all modules, in no particular order.
        var values: [Standing] {
            var values: [Standing] = []
            forEachStanding(after: nil) { values.append($1) }
            return values
        }

        /// Runs `body` for each module with a key, whether or not it is in force.
        func forEachModule(with key: Key, _ body: (LoadedModule) -> Void) {
            var next = find(key)
            while let record = next {
                body(record.loaded)
                next = record.previous
            }
        }

        /// Whether more than a few modules have a key.
        func hasMany(with key: Key) -> Bool {
            var next = find(key)
            var count = 0
            while let record = next, count <= 16 {
                count += 1
                next = record.previous
            }
            return count > 16
        }

        /// The latest module with a key for which `isWanted` is true, whether or not it is in force.
        func latestModule(with key: Key, where isWanted: (LoadedModule) -> Bool) -> LoadedModule? {
            var next = find(key)
            while let record = next {
                if isWanted(record.loaded) { return record.loaded }
                next = record.previous
            }
            return nil
        }

        /// The modules with a key, whether or not they are in force.
        func modules(with key: Key) -> [LoadedModule] {
            var modules: [LoadedModule] = []
            forEachModule(with: key) { modules.append($0) }
            return modules
        }

        /// Sets the standing of a module, which replaces an earlier one or is new.
        mutating func set(_ standing: Standing, isNew: Bool) {
            let loaded = standing.loaded
            add(.standing(standing), Key(loaded.identity))
            if !isNew { return }
            for group in loaded.typeGroups { add(.module(loaded), Key(group: group)) }
            if loaded.hasCondition { add(.module(loaded), .condition) }
            if let path = loaded.conditionPath { noteCondition(of: loaded, on: path) }
            if !loaded.asynchronous.isEmpty { add(.module(loaded), .asynchronous) }
            for scope in loaded.scopes { add(.module(loaded), Key(naming: scope)) }
            for scope in loaded.scopesWithInputs { add(.module(loaded), Key(inputsOf: scope)) }
        }

        /// Notes the settings on which the condition of a module depends because of placeholders.
        ///
        /// A placeholder can lead elsewhere only after one of them has changed. Then the condition is evaluated again.
        mutating func notePlaceholders(ofConditionOf loaded: LoadedModule, in properties: Properties) {
            for path in loaded.pathsConsultedByCondition(in: properties) {
                let key = Key(conditionOf: loaded.identity, consulting: path)
                if find(key) != nil { continue }
                add(.module(loaded), key)
                noteCondition(of: loaded, on: path)
            }
        }

        private mutating func noteCondition(of loaded: LoadedModule, on path: String) {
            let prefixes = PropertyPath.prefixes(of: path)
            add(.module(loaded), Key(conditionOn: prefixes.last ?? path))
            for prefix in prefixes { add(.module(loaded), Key(conditionOnOrBelow: prefix)) }
        }

        /// Runs `body` for each module whose condition may be affected after the settings at these paths have changed.
        func forEachCondition(touchedBy paths: [String], _ body: (LoadedModule) -> Void) {
            var keys: Set<Key> = []
            for path in paths {
                let prefixes = PropertyPath.prefixes(of: path)
                keys.insert(Key(conditionOnOrBelow: prefixes.last ?? path))
                keys.formUnion(prefixes.lazy.map(Key.init(conditionOn:)))
            }
            for key in keys { forEachModule(with: key, body) }
        }

        // Not inlined: the compiler stops with an error about ownership if it inlines this into several loops of one function.
        @inline(never)
        private mutating func add(_ content: Content, _ key: Key) {
            latest = .make(content, key, after: latest.take().map(Unmanaged.passRetained).map(Unretained.init))
        }

        /// Replaces the standings of modules by ones without some roots; nil if these were all.
        ///
        /// Nothing keeps the earlier standings or the roots, so that a module ends when it is unloaded.
        mutating func replace(_ replaced: IdentityTable<Standing?>, without roots: [Root]) {
            // The first record that may have one of the roots.
            let earliest = roots.lazy.map(\.sequence).min() ?? 0
            var first: Unretained?
            for identity in replaced.keys {
                var next = find(Key(identity))
                while let record = next {
                    let isAffected = record.standing.map { $0.latestRoot >= earliest } ?? false
                    if isAffected, record.count < first?.count ?? .max { first = record }
                    next = record.previous
                }
            }
            if let first { self = renewed(after: first.earlier, replaced) }
        }

        /// Drops the replaced standings if most records are replaced standings.
        mutating func dropReplaced() {
            if unretained?.isMostlyReplacing ?? false { self = renewed(after: nil, [:]) }
        }

        /// Makes the records after a given one again.
        ///
        /// `replaced` has the changed standings of modules. Nil means that the module is gone. The current standing of a
        /// module takes the place of its first one. So all other records of the module come after its standing, and a
        /// removal finds them.
        private func renewed(after end: Unretained?, _ replaced: IdentityTable<Standing?>) -> Self {
            var records: [Unretained] = []
            forEachRecord(after: end) { records.append($0) }
            var new = Self()
            new.latest = end?.object.takeUnretainedValue()
            for record in records.reversed() {
                let identity = record.loaded.identity
                if record.standing == nil {
                    if replaced[identity] ?? self[identity] != nil { new.add(record.content, record.key) }
                } else if record.previous?.count ?? 0 <= end?.count ?? 0,
                    let standing = replaced[identity] ?? self[identity]
                {
                    new.add(.standing(standing), record.key)
                }
            }
            return new
        }

        /// Runs `body` for each module whose standing differs in two lineups.
        ///
        /// The cost is proportional to what was added and removed between the two.
        static func forEachDifference(_ old: Self, _ new: Self, _ body: (_ old: Standing?, _ new: Standing?) -> Void) {
            let shared = Unretained.latestShared(old.unretained, new.unretained)
            new.forEachStanding(after: shared) { record, standing in
                let earlier = old.record(like: record, sharing: shared)?.standing
                if earlier !== standing { body(earlier, standing) }
            }
            old.forEachStanding(after: shared) { record, standing in
                let found = new.record(like: record, sharing: shared)
                // A record that only the new lineup has was compared above.
                if found?.count ?? 0 <= shared?.count ?? 0 { body(standing, found?.standing) }
            }
        }

        private func forEachStanding(after end: Unretained?, _ body: (Unretained, Standing) -> Void) {
            forEachRecord(after: end) { record in
                if let standing = record.standing, isCurrent(record) { body(record, standing) }
            }
        }

        /// The latest record with the key of a record that comes after those that both lists share.
        private func record(like record: Unretained, sharing shared: Unretained?) -> Unretained? {
            if unretained != shared { return find(record.key) }
            // After a push or before a pop, this list has only shared records, so no search is needed.
            var next = record.previous
            while let earlier = next, earlier.count > shared?.count ?? 0 { next = earlier.previous }
            return next
        }

        /// Runs `body` for each record after one, the latest first.
        private func forEachRecord(after end: Unretained?, _ body: (Unretained) -> Void) {
            var next = unretained
            while let record = next, record != end {
                body(record)
                next = record.earlier
            }
        }

        /// Whether no later record has the key of this one.
        private func isCurrent(_ record: Unretained) -> Bool { find(record.key) == record }

        private func find(_ key: Key) -> Unretained? { unretained?.find(key) }

        private var unretained: Unretained? { latest.map(Unmanaged.passUnretained).map(Unretained.init) }
    }
}

extension Lineup.Standings {
    /// The key by which records are found: a module, or something that modules have.
    struct Key: Hashable {
        private let number: UInt

        /// A module.
        init(_ identity: ObjectIdentifier) { number = UInt(bitPattern: identity) }

        /// A group of types; see ``TypeGroups``.
        init(group: UInt) { number = group }

        /// A condition on the setting at this path.
        init(conditionOn path: String) { self.init(path.hashValue, tag: 1) }

        /// A condition on the setting at this path or on one below it.
        init(conditionOnOrBelow path: String) { self.init(path.hashValue, tag: 2) }

        /// A custom scope that registrations name.
        init(naming scope: Scope) { self.init(scope.name.hashValue, tag: 0) }

        /// A scope for which inputs are declared.
        init(inputsOf scope: Scope) { self.init(~scope.name.hashValue, tag: 0) }

        // Two paths may have the same key. Then a condition is evaluated more often than necessary. Two scopes may, too.
        private init(_ hashValue: Int, tag: UInt) {
            number = 1 << 63 | UInt(bitPattern: hashValue) << 2 | tag
        }

        /// The condition of this module, if placeholders in the setting that it reads lead to the setting at this path.
        ///
        /// No two of these are the same: 61 random bits distinguish them.
        init(conditionOf identity: ObjectIdentifier, consulting path: String) {
            var hasher = Hasher()
            hasher.combine(identity)
            hasher.combine(path)
            self.init(hasher.finalize(), tag: 3)
        }

        // There are 256 groups of types. No object has an address as low as these numbers, or with the bits that the
        // other keys have.

        /// A condition.
        static let condition = Key(group: 256)
        /// Asynchronous factory closures.
        static let asynchronous = Key(group: 257)

        /// Different keys have different hashes, because both steps are reversible.
        fileprivate var hash: UInt64 {
            let product = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
            return product ^ (product >> 32)
        }
    }

    fileprivate enum Content {
        case standing(Lineup.Standing)
        /// A module that has what the key says.
        case module(LoadedModule)
    }

    fileprivate struct Header {
        let key: Key
        let content: Content
        /// The record that was added before, retained.
        var earlier: Unretained?
        /// The latest record before this one with the same key.
        let previous: Unretained?
        /// The number of records from the first to this one.
        let count: UInt32
        /// How many of these replace the standing of a module.
        let replacingCount: UInt32
        /// Whether one of these is a module with a condition.
        let hasConditions: Bool
        let branchCount: UInt8
    }

    /// An element of the list of records, constant until its end.
    ///
    /// Its elements are the records where a search continues, by the lowest bit in which the hashes differ.
    fileprivate final class Record: ManagedBuffer<Header, Unretained?> {
        deinit {
            // Released one at a time, so that a long list does not overflow the stack of the thread.
            var next = takeEarlier()
            while isKnownUniquelyReferenced(&next) { next = next?.takeEarlier() }
        }

        private func takeEarlier() -> Record? {
            withUnsafeMutablePointerToHeader { $0.pointee.earlier.take()?.object.takeRetainedValue() }
        }
    }

    /// A record, not retained.
    ///
    /// A record keeps the records before it, so code that has standings can use all of their records without retaining
    /// them.
    fileprivate struct Unretained: Equatable {
        let object: Unmanaged<Record>

        static func == (left: Self, right: Self) -> Bool { left.object.toOpaque() == right.object.toOpaque() }
    }
}

extension Lineup.Standings.Record {
    /// Makes a record, which takes over the retained one before it.
    fileprivate static func make(
        _ content: Lineup.Standings.Content, _ key: Lineup.Standings.Key, after earlier: Lineup.Standings.Unretained?
    ) -> Lineup.Standings.Record {
        withUnsafeTemporaryAllocation(of: Lineup.Standings.Unretained?.self, capacity: UInt64.bitWidth) { branches in
            let hash = key.hash
            var count = 0
            var previous: Lineup.Standings.Unretained?
            var next = earlier
            while let record = next {
                let difference = record.key.hash ^ hash
                // The hashes have the same lower bits. So a search for any other hash continues in the same way.
                let bit = difference == 0 ? record.branchCount : difference.trailingZeroBitCount
                while count < bit {
                    branches.initializeElement(at: count, to: record.branch(count))
                    count += 1
                }
                if difference == 0 {
                    previous = record
                    break
                }
                branches.initializeElement(at: bit, to: record)
                count = bit + 1
                next = record.branch(bit)
            }
            var replacingCount = earlier?.replacingCount ?? 0
            if case .standing = content, previous != nil { replacingCount += 1 }
            let header = Lineup.Standings.Header(
                key: key, content: content, earlier: earlier, previous: previous,
                count: UInt32((earlier?.count ?? 0) + 1), replacingCount: replacingCount,
                hasConditions: earlier?.hasConditions ?? false || key == .condition,
                branchCount: UInt8(count))
            let record = unsafeDowncast(create(minimumCapacity: count) { _ in header }, to: Self.self)
            record.withUnsafeMutablePointerToElements { elements in
                for bit in 0..<count { (elements + bit).initialize(to: branches[bit]) }
            }
            return record
        }
    }
}

extension Lineup.Standings.Unretained {
    // This does not use `header`, because each access to it is checked for exclusivity. No accesses overlap.
    @inline(__always)
    private func read<Value>(_ part: (borrowing Lineup.Standings.Header) -> Value) -> Value {
        object._withUnsafeGuaranteedRef { record in record.withUnsafeMutablePointerToHeader { part($0.pointee) } }
    }

    var key: Lineup.Standings.Key { read { $0.key } }
    var content: Lineup.Standings.Content { read { $0.content } }
    var earlier: Self? { read { $0.earlier } }
    var previous: Self? { read { $0.previous } }
    var count: Int { read { Int($0.count) } }
    var replacingCount: UInt32 { read { $0.replacingCount } }
    /// Whether most records of the list are standings that replace earlier ones.
    var isMostlyReplacing: Bool { read { $0.replacingCount > $0.count / 2 } }
    var hasConditions: Bool { read { $0.hasConditions } }
    var branchCount: Int { read { Int($0.branchCount) } }

    /// The standing, if the key is a module.
    var standing: Lineup.Standing? {
        if case .standing(let standing) = content { standing } else { nil }
    }

    var loaded: LoadedModule {
        switch content {
        case .standing(let standing): standing.loaded
        case .module(let module): module
        }
    }

    /// The record where the search continues for a hash that differs in this bit and in no lower one.
    func branch(_ bit: Int) -> Self? {
        object._withUnsafeGuaranteedRef { record in
            record.withUnsafeMutablePointers { header, branches in
                bit < Int(header.pointee.branchCount) ? branches[bit] : nil
            }
        }
    }

    /// The latest record with a key among this one and those before it.
    func find(_ key: Lineup.Standings.Key) -> Self? {
        let hash = key.hash
        var next: Self? = self
        while let record = next {
            let difference = record.key.hash ^ hash
            if difference == 0 { return record }
            next = record.branch(difference.trailingZeroBitCount)
        }
        return nil
    }

    static func latestShared(_ left: Self?, _ right: Self?) -> Self? {
        var (left, right) = (left, right)
        while left != right {
            if left?.count ?? 0 >= right?.count ?? 0 { left = left?.earlier } else { right = right?.earlier }
        }
        return left
    }
}
