/// A persistent table whose keys are numbers, such as the identity of an object.
///
/// A change makes a new table that shares everything unchanged with the previous one. So a copy is free, and a change
/// costs the same in a large table as in a small one.
struct PersistentTable<Value: AnyObject>: @unchecked Sendable {
    // Sendable: nodes are constant, and the values are `Sendable`.

    /// A number and its value, or a branch.
    fileprivate struct Member {
        var key: UInt = 0
        // Unmanaged, so that slots are compared and passed without retaining. The node of the slot retains the object.
        let object: Unmanaged<AnyObject>

        // Unsafe, both: `Node.branches` says which of them it is.
        var value: Value { unsafeDowncast(object.takeUnretainedValue(), to: Value.self) }
        var branch: Node { unmanagedBranch.takeUnretainedValue() }
        var unmanagedBranch: Unmanaged<Node> { .fromOpaque(object.toOpaque()) }
    }

    /// Which of the up to 16 slots of a node are in use, and which of those are branches.
    ///
    /// Only used slots are stored.
    fileprivate struct Layout {
        var used: UInt16 = 0
        var branches: UInt16 = 0

        var count: Int { used.nonzeroBitCount }

        func position(of bit: UInt16) -> Int { (used & (bit &- 1)).nonzeroBitCount }
    }

    /// An immutable node, which retains the contents of its slots.
    fileprivate final class Node: ManagedBuffer<Layout, Member> {
        deinit {
            withUnsafeMutablePointers { layout, slots in
                for position in 0..<layout.pointee.count { slots[position].object.release() }
            }
        }

        /// Creates a node.
        ///
        /// `fill` stores all used slots, retained for the node.
        static func make(_ layout: Layout, _ fill: (UnsafeMutablePointer<Member>) -> Void) -> Node {
            let node = unsafeDowncast(create(minimumCapacity: layout.count) { _ in layout }, to: Node.self)
            node.withUnsafeMutablePointerToElements(fill)
            return node
        }

        // Not `header`, whose accesses are checked for exclusivity. The layout is constant.
        var layout: Layout { withUnsafeMutablePointerToHeader { $0.pointee } }

        func slot(at position: Int) -> Member { withUnsafeMutablePointerToElements { $0[position] } }

        func slot(of bit: UInt16) -> Member? { layout.used & bit == 0 ? nil : slot(at: layout.position(of: bit)) }

        func isBranch(_ bit: UInt16) -> Bool { layout.branches & bit != 0 }

        /// The node with a different slot, which is retained for it, or without the slot.
        func with(_ slot: Member?, at bit: UInt16, isBranch: Bool = false) -> Node {
            let oldLayout = layout
            var layout = oldLayout
            layout.used = slot == nil ? layout.used & ~bit : layout.used | bit
            layout.branches = isBranch ? layout.branches | bit : layout.branches & ~bit
            let position = oldLayout.position(of: bit)
            // The slots after it, in the old node and in the new one.
            let (behind, newBehind) = (
                position + (oldLayout.used & bit == 0 ? 0 : 1), position + (slot == nil ? 0 : 1)
            )
            let count = oldLayout.count
            return withUnsafeMutablePointerToElements { old in
                for slot in 0..<position { _ = old[slot].object.retain() }
                for slot in behind..<count { _ = old[slot].object.retain() }
                return Node.make(layout) { new in
                    new.initialize(from: old, count: position)
                    if let slot { (new + position).initialize(to: slot) }
                    (new + newBehind).initialize(from: old + behind, count: count - behind)
                }
            }
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
            guard let root else { return nil }
            // Unmanaged: the root is retained here, and retains everything below it.
            var node = Unmanaged.passUnretained(root)
            var hash = Self.hash(key)
            while true {
                let bit = Self.bit(hash)
                let (found, isBranch) = node._withUnsafeGuaranteedRef { ($0.slot(of: bit), $0.isBranch(bit)) }
                guard let found else { return nil }
                if !isBranch { return found.key == key ? found.value : nil }
                node = found.unmanagedBranch
                hash >>= Self.bitsPerLevel
            }
        }
        set {
            let hash = Self.hash(key)
            if let newValue {
                root = Self.setting(Member(key: key, object: .passRetained(newValue)), hash, in: root, level: 0)
            } else if let root, self[key] != nil {
                self.root = Self.removing(hash, from: root)
            }
        }
    }

    /// Every value, in no particular order.
    var values: [Value] {
        var values: [Value] = []
        if let root { root.forEach { values.append($1) } }
        return values
    }

    /// Calls `body` with the values of each number that differ between two tables.
    ///
    /// The cost is proportional to the number of differences.
    static func forEachDifference(_ old: Self, _ new: Self, _ body: (_ old: Value?, _ new: Value?) -> Void) {
        switch (old.root, new.root) {
        case (let left?, let right?): forEachDifference(left, right, in: old, new, body)
        case (let left?, nil): left.forEach { body($1, nil) }
        case (nil, let right?): right.forEach { body(nil, $1) }
        case (nil, nil): break
        }
    }

    private static func forEachDifference(
        _ left: Node, _ right: Node, in oldTable: Self, _ newTable: Self, _ body: (Value?, Value?) -> Void
    ) {
        if left === right { return }
        let (leftUsed, rightUsed) = (left.layout.used, right.layout.used)
        var (leftPosition, rightPosition) = (0, 0)
        var bits = leftUsed | rightUsed
        while bits != 0 {
            let bit = bits & (~bits &+ 1)
            bits ^= bit
            let old = leftUsed & bit == 0 ? nil : left.slot(at: leftPosition)
            let new = rightUsed & bit == 0 ? nil : right.slot(at: rightPosition)
            if old != nil { leftPosition += 1 }
            if new != nil { rightPosition += 1 }
            if old?.object.toOpaque() == new?.object.toOpaque() { continue }
            guard let old else {
                right.forEach(at: bit) { body(nil, $1) }
                continue
            }
            guard let new else {
                left.forEach(at: bit) { body($1, nil) }
                continue
            }
            switch (left.isBranch(bit), right.isBranch(bit)) {
            case (true, true):
                forEachDifference(old.branch, new.branch, in: oldTable, newTable, body)
            case (true, _), (_, true), (false, false):
                left.forEach(at: bit) { key, value in
                    let now = newTable[key]
                    if now !== value { body(value, now) }
                }
                right.forEach(at: bit) { key, value in
                    if oldTable[key] == nil { body(nil, value) }
                }
            }
        }
    }

    private static var bitsPerLevel: UInt64 { 4 }

    private static func hash(_ key: UInt) -> UInt64 {
        // Both steps are reversible: different numbers have different hashes, and separate at some level.
        let product = UInt64(key) &* 0x9E37_79B9_7F4A_7C15
        return product ^ (product >> 32)
    }

    private static func bit(_ hash: UInt64) -> UInt16 { 1 << UInt16(truncatingIfNeeded: hash & 15) }

    /// The node with a value, which is retained for it.
    ///
    /// `level` is the number of hash bits that led here.
    private static func setting(_ slot: Member, _ hash: UInt64, in node: Node?, level: UInt64) -> Node {
        let bit = bit(hash >> level)
        guard let node else { return Node.make(Layout(used: bit)) { $0.initialize(to: slot) } }
        guard let found = node.slot(of: bit), node.isBranch(bit) || found.key != slot.key else {
            return node.with(slot, at: bit)
        }
        let branch: Node?
        if node.isBranch(bit) {
            branch = found.branch
        } else {
            _ = found.object.retain()
            branch = setting(found, Self.hash(found.key), in: nil, level: level + bitsPerLevel)
        }
        let new = setting(slot, hash, in: branch, level: level + bitsPerLevel)
        return node.with(Member(object: .passRetained(new)), at: bit, isBranch: true)
    }

    /// The node without the number of a hash, which must exist; nil if the node would be empty.
    private static func removing(_ hash: UInt64, from node: Node) -> Node? {
        let bit = bit(hash)
        if node.isBranch(bit), let found = node.slot(of: bit),
            let new = removing(hash >> bitsPerLevel, from: found.branch)
        {
            // A single remaining value replaces its branch.
            if new.layout.count == 1, new.layout.branches == 0 {
                let slot = new.slot(at: 0)
                _ = slot.object.retain()
                return node.with(slot, at: bit)
            }
            return node.with(Member(object: .passRetained(new)), at: bit, isBranch: true)
        }
        return node.layout.count == 1 ? nil : node.with(nil, at: bit)
    }
}

extension PersistentTable.Node {
    /// Calls `body` with each value in the node and in its branches.
    fileprivate func forEach(_ body: (UInt, Value) -> Void) {
        var bits = layout.used
        while bits != 0 {
            let bit = bits & (~bits &+ 1)
            bits ^= bit
            forEach(at: bit, body)
        }
    }

    /// Calls `body` with the value of a slot, or with all values of its branch.
    fileprivate func forEach(at bit: UInt16, _ body: (UInt, Value) -> Void) {
        guard let slot = slot(of: bit) else { return }
        if isBranch(bit) { slot.branch.forEach(body) } else { body(slot.key, slot.value) }
    }
}
