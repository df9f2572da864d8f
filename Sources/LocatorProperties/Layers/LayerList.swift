/// A persistent list of layers that finds those with something at a path.
///
/// An addition makes one element for each value of the layer.
package struct LayerList: Sendable {
    /// Whether the layer that was added last comes first, and not last.
    private let isLatestFirst: Bool
    /// The layers by the hashes of their paths, each marked with its number.
    ///
    /// A value that is not merged with others, such as a number, has a second element with the inverted hash of its path.
    private var list = HashedList()
    /// The number of layers.
    private(set) var count = 0
    /// Whether any string of the layers may contain a placeholder.
    private(set) var hasTemplates = false

    package init(isLatestFirst: Bool) { self.isLatestFirst = isLatestFirst }

    /// Adds a layer.
    ///
    /// A layer without keys is left out, because it says nothing.
    mutating func append(_ layer: Layer) {
        if layer.tree.storage.entries.isEmpty { return }
        count += 1
        if layer.scan.hasTemplates { hasTemplates = true }
        add(layer.tree, of: layer, below: 0)
    }

    private mutating func add(_ object: JSONObject, of layer: Layer, below container: UInt32) {
        for entry in object.storage.entries {
            let hash = Self.hash(of: entry.hash, below: container)
            list.append(layer, hash: UInt64(hash), mark: UInt32(count))
            if case .object(let part) = entry.value.storage, !entry.value.flags.contains(.whole) {
                add(part, of: layer, below: hash)
            } else {
                list.append(layer, hash: UInt64(~hash), mark: UInt32(count))
            }
        }
    }

    /// The hash of the path of a member, from the hashes of its key and of the object's path.
    ///
    /// The hash of a path with one key is that of the key.
    static func hash(of key: UInt32, below container: UInt32) -> UInt32 { container &* 0x9e37_79b1 &+ key }

    var latestLayer: Layer? { list.latest?.layer }

    /// The layers that may have something at a path, or a value on the way to it that is not merged with others, in
    /// order.
    ///
    /// `prefixes` has the hashes of the path and of its prefixes, the shortest first. If it is empty, all layers are
    /// found. The list must stay alive during the search.
    func search(_ prefixes: [UInt32]) -> Search {
        var search = Search(rest: list.latest, isOfAll: true)
        if let path = prefixes.last {
            let ends = prefixes.dropLast().compactMap { list.find(UInt64(~$0)) }
            search = Search(rest: list.find(UInt64(path)), isOfAll: false, ends: ends)
        }
        search.isReversed = !isLatestFirst
        return search
    }

    struct Search: Sequence, IteratorProtocol {
        /// Whether the layer that was added first comes first.
        fileprivate var isReversed = false
        fileprivate var hasBegun = false
        /// The layers that are left if the search is reversed, the next one last.
        fileprivate var found: [Layer]?
        /// The elements that were not searched yet: those for the path, or all.
        fileprivate var rest: HashedList.Element?
        fileprivate let isOfAll: Bool
        /// Those of values on the way to the path, usually none.
        fileprivate var ends: [HashedList.Element] = []

        mutating func next() -> Layer? {
            if isReversed { return nextReversed() }
            var first = rest
            for end in ends where end.mark > first?.mark ?? 0 { first = end }
            guard let first else { return nil }
            let number = first.mark
            rest = rest.flatMap { following($0, number) }
            if !ends.isEmpty { ends = ends.compactMap { following($0, number) } }
            return first.layer
        }

        /// Finds the first layer by itself, because most reads need no other one.
        private mutating func nextReversed() -> Layer? {
            if !hasBegun, !isOfAll {
                hasBegun = true
                var first = rest?.first
                for end in ends where end.first.mark < first?.mark ?? .max { first = end.first }
                return first?.layer
            }
            if found == nil {
                var latestFirst = self
                latestFirst.isReversed = false
                found = Array(latestFirst)
                if hasBegun { _ = found?.popLast() }
            }
            return found?.popLast()
        }

        /// An element or the next one after it that does not belong to the layer with this number.
        private func following(_ element: HashedList.Element, _ number: UInt32) -> HashedList.Element? {
            var next: HashedList.Element? = element
            while let element = next, element.mark == number { next = isOfAll ? element.earlier : element.previous }
            return next
        }
    }
}

extension HashedList.Element {
    // Unsafe: a list of layers has only layers.
    fileprivate var layer: Layer { unsafeDowncast(object, to: Layer.self) }
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
