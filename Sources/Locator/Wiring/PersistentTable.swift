/// A persistent table by number: the identity of an object, or any other.
///
/// A change makes a new table that shares everything it does not touch with the one before. So a copy costs nothing, and
/// a change costs the same in a large table as in a small one.
struct PersistentTable<Value: AnyObject>: @unchecked Sendable {
    // Sendable: a node is changed only while this table alone refers to it; from the moment a copy shares it, it is
    // constant. The values are `Sendable`.

    /// A value under its key, or a branch.
    fileprivate struct Slot {
        /// The key of a value; nil for a branch.
        let key: UInt?
        /// Nil only while a branch is changed in place.
        private(set) var object: AnyObject?

        init(_ key: UInt, _ value: Value) {
            self.key = key
            object = value
        }

        init(_ branch: Node) {
            key = nil
            object = branch
        }

        // Unsafe: only a value has a key.
        var value: Value { unsafeDowncast(object.unsafelyUnwrapped, to: Value.self) }
        // Unsafe: what has no key is a branch.
        var branch: Node { unsafeDowncast(object.unsafelyUnwrapped, to: Node.self) }

        /// Takes the branch out, to be changed in place and put back.
        mutating func takeBranch() -> Node {
            defer { object = nil }
            return branch
        }
    }

    /// A node has up to 16 slots, of which those in use are stored.
    fileprivate final class Node {
        var bitmap: UInt16
        var slots: [Slot]

        init(bitmap: UInt16 = 0, slots: [Slot] = []) {
            self.bitmap = bitmap
            self.slots = slots
        }

        func position(of bit: UInt16) -> Int { (bitmap & (bit &- 1)).nonzeroBitCount }

        func slot(of bit: UInt16) -> Slot? { bitmap & bit == 0 ? nil : slots[position(of: bit)] }

        /// The identity of what a slot has.
        @inline(__always)
        func identity(of bit: UInt16) -> ObjectIdentifier? {
            bitmap & bit == 0 ? nil : slots[position(of: bit)].object.map(ObjectIdentifier.init)
        }
    }

    private var root: Node?

    var isEmpty: Bool { root == nil }

    subscript(key: ObjectIdentifier) -> Value? {
        get { self[UInt(bitPattern: key)] }
        set { self[UInt(bitPattern: key)] = newValue }
    }

    subscript(key: UInt) -> Value? {
        get {
            var hash = Self.hash(key)
            var next = root
            while let slot = next?.slot(of: Self.bit(hash)) {
                if let found = slot.key { return found == key ? slot.value : nil }
                next = slot.branch
                hash >>= Self.bitsPerLevel
            }
            return nil
        }
        set {
            if let newValue {
                if root == nil { root = Node() }
                Self.set(&root!, Slot(key, newValue), Self.hash(key), level: 0)
            } else if self[key] != nil {
                Self.remove(&root!, Self.hash(key))
                if root?.slots.isEmpty == true { root = nil }
            }
        }
    }

    /// Every value, in no particular order.
    var values: [Value] {
        var values: [Value] = []
        if let root { Self.forEach(in: Slot(root)) { values.append($1) } }
        return values
    }

    /// Calls `body` with the values of each key that two tables do not have in common.
    ///
    /// It costs as much as what was changed from one to the other.
    static func forEachDifference(_ old: Self, _ new: Self, _ body: (_ old: Value?, _ new: Value?) -> Void) {
        forEachDifference(old.root.map(Slot.init), new.root.map(Slot.init), body)
    }

    private static func forEachDifference(_ old: Slot?, _ new: Slot?, _ body: (Value?, Value?) -> Void) {
        if old?.object === new?.object { return }
        if let old, let new, old.key == nil, new.key == nil {
            let (left, right) = (old.branch, new.branch)
            var bits = left.bitmap | right.bitmap
            while bits != 0 {
                let bit = bits & (~bits &+ 1)
                bits ^= bit
                if left.identity(of: bit) != right.identity(of: bit) {
                    forEachDifference(left.slot(of: bit), right.slot(of: bit), body)
                }
            }
            return
        }
        // At least one of them is a single value, or nothing.
        var found: [UInt: Value] = [:]
        if let old { forEach(in: old) { found[$0] = $1 } }
        if let new {
            forEach(in: new) { key, value in
                let known = found.removeValue(forKey: key)
                if known !== value { body(known, value) }
            }
        }
        for value in found.values { body(value, nil) }
    }

    private static func forEach(in slot: Slot, _ body: (UInt, Value) -> Void) {
        if let key = slot.key { return body(key, slot.value) }
        for slot in slot.branch.slots { forEach(in: slot, body) }
    }

    private static var bitsPerLevel: UInt64 { 4 }

    private static func hash(_ key: UInt) -> UInt64 {
        // Two steps that lose nothing: different keys have different hashes, and part at some level.
        let product = UInt64(key) &* 0x9E37_79B9_7F4A_7C15
        return product ^ (product >> 32)
    }

    private static func bit(_ hash: UInt64) -> UInt16 { 1 << UInt16(truncatingIfNeeded: hash & 15) }

    /// - Parameters:
    ///   - slot: The value under its key.
    ///   - hash: The hash of the key.
    ///   - level: How many bits of the hash have led here.
    private static func set(_ node: inout Node, _ slot: Slot, _ hash: UInt64, level: UInt64) {
        if !isKnownUniquelyReferenced(&node) { node = Node(bitmap: node.bitmap, slots: node.slots) }
        let bit = bit(hash >> level)
        let position = node.position(of: bit)
        guard node.bitmap & bit != 0 else {
            node.bitmap |= bit
            node.slots.insert(slot, at: position)
            return
        }
        if node.slots[position].key == slot.key {
            node.slots[position] = slot
            return
        }
        var branch: Node
        if let other = node.slots[position].key {
            branch = Node()
            set(&branch, node.slots[position], Self.hash(other), level: level + bitsPerLevel)
        } else {
            branch = node.slots[position].takeBranch()
        }
        set(&branch, slot, hash, level: level + bitsPerLevel)
        node.slots[position] = Slot(branch)
    }

    /// Removes a key that is there.
    private static func remove(_ node: inout Node, _ hash: UInt64) {
        node = Node(bitmap: node.bitmap, slots: node.slots)
        let bit = bit(hash)
        let position = node.position(of: bit)
        if node.slots[position].key == nil {
            var branch = node.slots[position].branch
            remove(&branch, hash >> bitsPerLevel)
            if branch.slots.count > 1 || branch.slots.first?.key == nil && !branch.slots.isEmpty {
                node.slots[position] = Slot(branch)
                return
            }
            if let last = branch.slots.first {
                node.slots[position] = last
                return
            }
        }
        node.bitmap &= ~bit
        node.slots.remove(at: position)
    }
}
