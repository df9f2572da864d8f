/// An index of the members of a resolved tree's objects by their full paths, so that a read by a literal path is a
/// single lookup.
///
/// The hash of a path is computed from the hashes that the objects store for their keys, so creating the index reads no
/// text. Only plain paths such as `server.port` are found. For every other form, the tree is searched step by step.
///
/// Unchecked `Sendable` is safe, because nothing changes after `init`. The references in the entries are not counted,
/// but the index holds the tree, which keeps them alive.
final class PathIndex: @unchecked Sendable {
    private struct Entry {
        // The object with the member. The tree below keeps it alive, and shared objects are never changed.
        let object: Unmanaged<JSONObjectStorage>
        let number: Int32
        /// The entry of the object itself, or -1 for the root.
        let parent: Int32
        let hash: UInt32

        @inline(__always)
        var member: JSONObjectStorage.Entry {
            object._withUnsafeGuaranteedRef { $0.entries[Int(number)] }
        }
    }

    private let tree: JSONObject
    private let entries: ContiguousArray<Entry>
    /// A hash table.
    ///
    /// Each slot is the number of an entry plus one, or 0 if it is free. At most half of them are used.
    private let slots: ContiguousArray<UInt32>

    init(_ tree: JSONObject) {
        self.tree = tree
        var entries: ContiguousArray<Entry> = []
        entries.reserveCapacity(tree.count)
        Self.add(tree.storage, parent: -1, hash: 0, to: &entries)
        var size = 8
        while size < entries.count * 2 { size *= 2 }
        var slots = ContiguousArray<UInt32>(repeating: 0, count: size)
        slots.withUnsafeMutableBufferPointer { slots in
            for number in entries.indices {
                var slot = Int(entries[number].hash) & (size - 1)
                while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
                slots[slot] = UInt32(truncatingIfNeeded: number + 1)
            }
        }
        self.entries = entries
        self.slots = slots
    }

    private static func add(
        _ object: JSONObjectStorage, parent: Int32, hash: UInt32, to entries: inout ContiguousArray<Entry>
    ) {
        for number in object.entries.indices {
            let index = Int32(truncatingIfNeeded: entries.count)
            let memberHash = combine(hash, object.entries[number].hash)
            entries.append(
                Entry(
                    object: .passUnretained(object), number: Int32(truncatingIfNeeded: number), parent: parent,
                    hash: memberHash))
            if case .object(let child) = object.entries[number].value.storage {
                add(child.storage, parent: index, hash: memberHash, to: &entries)
            }
        }
    }

    @inline(__always)
    private static func combine(_ path: UInt32, _ key: UInt32) -> UInt32 {
        (path &* 0x9e37_79b1 &+ key) &* 0x85eb_ca6b
    }

    /// Returns the number of the entry at a plain path.
    @inline(__always)
    func find(_ path: String) -> Int? {
        JSONText.withBytes(of: path) { find($0) }
    }

    private func find(_ path: UnsafeRawBufferPointer) -> Int? {
        guard let start = path.baseAddress else { return nil }
        var hash: UInt32 = 0
        var stepCount = 0
        var position = 0
        while true {
            let begin = position
            while position < path.count, PropertyPath.isPlain(path[position]) { position += 1 }
            guard position > begin else { return nil }
            hash = Self.combine(hash, JSONKeyHash.hash(start + begin, count: position - begin))
            stepCount += 1
            if position == path.count { break }
            guard path[position] == UInt8(ascii: ".") else { return nil }
            position += 1
        }
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while true {
            let number = Int(slots[slot]) - 1
            if number < 0 { return nil }
            if entries[number].hash == hash, isEntry(number, at: path, start, stepCount) { return number }
            slot = (slot + 1) & mask
        }
    }

    /// Compares the keys from the last to the first.
    ///
    /// A key that contains a dot cannot match two keys, because the number of steps would differ.
    private func isEntry(
        _ number: Int, at path: UnsafeRawBufferPointer, _ start: UnsafeRawPointer, _ stepCount: Int
    ) -> Bool {
        var number = number
        var end = path.count
        for step in (0..<stepCount).reversed() {
            let isKey = JSONText.withBytes(of: entries[number].member.key) { key in
                guard key.count <= end, let address = key.baseAddress else { return false }
                end -= key.count
                return JSONText.areIdentical(start + end, address, count: key.count)
            }
            guard isKey else { return false }
            number = Int(entries[number].parent)
            if step == 0 { return number < 0 && end == 0 }
            guard number >= 0, end > 0, path[end - 1] == UInt8(ascii: ".") else { return false }
            end -= 1
        }
        return false
    }

    /// Returns the node of an entry.
    @inline(__always)
    func node(at number: Int) -> JSONValue {
        entries[number].member.value
    }
}
