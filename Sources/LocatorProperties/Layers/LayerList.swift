/// A persistent list of layers that finds those with something at a path.
///
/// An addition makes one record for each value of the layer. The records share everything else with the list before, so
/// the cost of an addition and of a search grows only with the logarithm of the number of records.
///
/// A search follows the bits of a hash, the lowest bit first. For each bit, a record points to the latest record before
/// it whose hash has the same lower bits and differs in this bit. The search continues there. An addition copies as many
/// pointers as a search follows.
package struct LayerList: Sendable {
    /// Whether the layer that was added last comes first, and not last.
    private let isLatestFirst: Bool
    private var latest: Record?

    package init(isLatestFirst: Bool) { self.isLatestFirst = isLatestFirst }

    /// Adds a layer.
    ///
    /// A layer without keys is left out, because it says nothing.
    mutating func append(_ layer: Layer) {
        let number = count + 1
        func add(_ object: JSONObject, below container: UInt32) {
            for entry in object.storage.entries {
                let hash = Self.hash(of: entry.hash, below: container)
                latest = Record(layer, number, hash: hash, after: latest)
                if case .object(let part) = entry.value.storage, !entry.value.flags.contains(.whole) {
                    add(part, below: hash)
                } else {
                    latest = Record(layer, number, hash: ~hash, after: latest)
                }
            }
        }
        add(layer.tree, below: 0)
    }

    /// The hash of the path of a member, from the hashes of its key and of the object's path.
    ///
    /// The hash of a path with one key is that of the key.
    static func hash(of key: UInt32, below container: UInt32) -> UInt32 { container &* 0x9e37_79b1 &+ key }

    var latestLayer: Layer? { latest?.layer }
    /// The number of layers.
    var count: Int { latest?.number ?? 0 }
    /// Whether any string of the layers may contain a placeholder.
    var hasTemplates: Bool { latest?.hasTemplates ?? false }

    /// The layers that may have something at a path, or a value on the way to it that is not merged with others, in
    /// order.
    ///
    /// `prefixes` has the hashes of the path and of its prefixes, the shortest first. If it is empty, all layers are
    /// found. The list must stay alive during the search.
    func search(_ prefixes: [UInt32]) -> Search {
        var search = Search(rest: latest.map(Unmanaged.passUnretained), isOfAll: true)
        if let latest, let path = prefixes.last {
            let ends = prefixes.dropLast().compactMap { latest.find(~$0) }
            search = Search(rest: latest.find(path), isOfAll: false, ends: ends)
        }
        if !isLatestFirst { search.found = Array(search) }
        return search
    }

    struct Search: Sequence, IteratorProtocol {
        /// The layers that are left, the next one last; nil if they are found one by one.
        fileprivate var found: [Layer]?
        /// The records that were not searched yet: those for the path, or all.
        fileprivate var rest: Unmanaged<Record>?
        fileprivate let isOfAll: Bool
        /// Those of values on the way to the path, usually none.
        fileprivate var ends: [Unmanaged<Record>] = []

        mutating func next() -> Layer? {
            if found != nil { return found?.popLast() }
            var first = rest
            for end in ends where end.number > first?.number ?? 0 { first = end }
            guard let first else { return nil }
            let number = first.number
            rest = rest.flatMap { following($0, number) }
            if !ends.isEmpty { ends = ends.compactMap { following($0, number) } }
            return first._withUnsafeGuaranteedRef { $0.layer }
        }

        /// A record or the next one after it that does not belong to the layer with this number.
        private func following(_ record: Unmanaged<Record>, _ number: Int) -> Unmanaged<Record>? {
            var next: Unmanaged<Record>? = record
            while let record = next, record.number == number {
                next = record._withUnsafeGuaranteedRef {
                    isOfAll ? $0.earlier.map(Unmanaged.passUnretained) : $0.previous
                }
            }
            return next
        }
    }

    /// A value of a layer, with the records that were added before.
    ///
    /// A value that is not merged with others, such as a number, has a second record with the inverted hash of its path.
    fileprivate final class Record: @unchecked Sendable {
        // Sendable: constant until `deinit`, when nothing else references the object. For the same reason, the
        // exclusivity need not be checked.

        @exclusivity(unchecked) private(set) var earlier: Record?
        let layer: Layer
        /// The number of the layer in the list.
        let number: Int
        let hash: UInt32
        /// The latest record before this one with the same hash.
        let previous: Unmanaged<Record>?
        /// Where a search continues, by the lowest bit in which the hashes differ.
        private let branches: ContiguousArray<Unmanaged<Record>?>
        /// Whether this layer or one before it has placeholders.
        let hasTemplates: Bool

        init(_ layer: Layer, _ number: Int, hash: UInt32, after earlier: Record?) {
            var previous: Unmanaged<Record>?
            branches = withUnsafeTemporaryAllocation(of: Unmanaged<Record>?.self, capacity: UInt32.bitWidth) {
                branches in
                var count = 0
                var next = earlier.map(Unmanaged.passUnretained)
                while let record = next {
                    next = record._withUnsafeGuaranteedRef { other in
                        let difference = other.hash ^ hash
                        // The hashes have the same lower bits. So a search for any other hash continues in the same way.
                        let bit = difference == 0 ? other.branches.count : difference.trailingZeroBitCount
                        while count < bit {
                            branches.initializeElement(at: count, to: other.branch(count))
                            count += 1
                        }
                        if difference == 0 {
                            previous = record
                            return nil
                        }
                        branches.initializeElement(at: bit, to: record)
                        count = bit + 1
                        return other.branch(bit)
                    }
                }
                return ContiguousArray(branches[..<count])
            }
            self.earlier = earlier
            self.layer = layer
            self.number = number
            self.hash = hash
            self.previous = previous
            hasTemplates = earlier?.hasTemplates ?? false || layer.scan.hasTemplates
        }

        deinit {
            // Released one at a time, so that a long list does not overflow the stack of the thread.
            var next = earlier.take()
            while isKnownUniquelyReferenced(&next) { next = next?.earlier.take() }
        }

        private func branch(_ bit: Int) -> Unmanaged<Record>? { bit < branches.count ? branches[bit] : nil }

        /// The latest record with a hash among this one and those before it.
        func find(_ hash: UInt32) -> Unmanaged<Record>? {
            // Unmanaged: each record retains the one before it.
            var next: Unmanaged<Record>? = .passUnretained(self)
            while let record = next {
                let (isFound, following) = record._withUnsafeGuaranteedRef { record in
                    let difference = record.hash ^ hash
                    return (difference == 0, record.branch(difference.trailingZeroBitCount))
                }
                if isFound { return record }
                next = following
            }
            return nil
        }
    }
}

extension Unmanaged<LayerList.Record> {
    fileprivate var number: Int { _withUnsafeGuaranteedRef { $0.number } }
}

extension PropertyPath {
    /// The hashes of the path and of its prefixes, up to the first index, the shortest first.
    var prefixHashes: [UInt32] {
        var hashes: [UInt32] = []
        hashes.reserveCapacity(steps.count)
        for step in steps {
            guard let key = step.key else { break }
            hashes.append(LayerList.hash(of: JSONKeyHash.hash(key), below: hashes.last ?? 0))
        }
        return hashes
    }
}
