/// A persistent list of objects that are found by hashes.
///
/// An addition makes one element, which shares everything else with the list before. So the cost of an addition and of a
/// search grows only with the logarithm of the number of elements, and to return to an earlier list costs nothing.
///
/// A search follows the bits of a hash, the lowest bit first. For each bit, an element points to the latest element
/// before it whose hash has the same lower bits and differs in this bit. The search continues there. An addition copies as
/// many pointers as a search follows.
package struct HashedList: @unchecked Sendable {
    // Sendable: an element is constant until nothing else references it, and so is its object.

    private var storage: Storage?

    /// The list that ends with an element of another list.
    package init(upTo latest: Element? = nil) { storage = latest?.storage.takeUnretainedValue() }

    package var latest: Element? { storage.map { Element(storage: .passUnretained($0)) } }

    /// The latest element with a hash.
    package func find(_ hash: UInt64) -> Element? { latest?.find(hash) }

    /// Adds an object with a hash, and with a number that means something to the caller.
    package mutating func append(_ object: any AnyObject & Sendable, hash: UInt64, mark: UInt32) {
        let earlier = storage.take().map { Element(storage: .passRetained($0)) }
        storage = .make(object, hash, mark, after: earlier)
    }

    /// An element of a list.
    ///
    /// It is not retained. An element keeps those before it, so code that has a list can use all of its elements without
    /// retaining them.
    package struct Element: Equatable {
        fileprivate let storage: Unmanaged<Storage>

        package static func == (left: Self, right: Self) -> Bool {
            left.storage.toOpaque() == right.storage.toOpaque()
        }
    }

    fileprivate struct Header {
        let object: any AnyObject & Sendable
        let hash: UInt64
        /// The element that was added before, retained.
        var earlier: Element?
        /// The latest element before this one with the same hash.
        let previous: Element?
        /// The first element with the same hash; nil if it is this one.
        let first: Element?
        /// The number of elements from the first to this one.
        let count: UInt32
        let mark: UInt32
        let branchCount: UInt8
    }

    /// The memory of an element, constant until its end.
    ///
    /// It holds the elements where a search continues, by the lowest bit in which the hashes differ.
    fileprivate final class Storage: ManagedBuffer<Header, Element?> {
        static func make(
            _ object: any AnyObject & Sendable, _ hash: UInt64, _ mark: UInt32, after earlier: Element?
        ) -> Storage {
            withUnsafeTemporaryAllocation(of: Element?.self, capacity: UInt64.bitWidth) { branches in
                var count = 0
                var previous: Element?
                var next = earlier
                while let element = next {
                    let difference = element.hash ^ hash
                    // The hashes have the same lower bits. So a search for any other hash continues in the same way.
                    let bit = difference == 0 ? element.branchCount : difference.trailingZeroBitCount
                    while count < bit {
                        branches.initializeElement(at: count, to: element.branch(count))
                        count += 1
                    }
                    if difference == 0 {
                        previous = element
                        break
                    }
                    branches.initializeElement(at: bit, to: element)
                    count = bit + 1
                    next = element.branch(bit)
                }
                let header = Header(
                    object: object, hash: hash, earlier: earlier, previous: previous, first: previous?.first,
                    count: UInt32((earlier?.count ?? 0) + 1), mark: mark, branchCount: UInt8(count))
                let storage = unsafeDowncast(create(minimumCapacity: count) { _ in header }, to: Self.self)
                storage.withUnsafeMutablePointerToElements { elements in
                    for bit in 0..<count { (elements + bit).initialize(to: branches[bit]) }
                }
                return storage
            }
        }

        deinit {
            // Released one at a time, so that a long list does not overflow the stack of the thread.
            var next = takeEarlier()
            while isKnownUniquelyReferenced(&next) { next = next?.takeEarlier() }
        }

        private func takeEarlier() -> Storage? {
            withUnsafeMutablePointerToHeader { $0.pointee.earlier.take()?.storage.takeRetainedValue() }
        }
    }
}

extension HashedList.Element {
    // This does not use `header`, because each access to it is checked for exclusivity. No accesses overlap.
    @inline(__always)
    private func read<Value>(_ part: (borrowing HashedList.Header) -> Value) -> Value {
        storage._withUnsafeGuaranteedRef { storage in storage.withUnsafeMutablePointerToHeader { part($0.pointee) } }
    }

    package var object: any AnyObject & Sendable { read { $0.object } }
    package var hash: UInt64 { read { $0.hash } }
    package var earlier: Self? { read { $0.earlier } }
    package var previous: Self? { read { $0.previous } }
    /// The first element with the same hash.
    package var first: Self { read { $0.first } ?? self }
    package var count: Int { read { Int($0.count) } }
    package var mark: UInt32 { read { $0.mark } }
    fileprivate var branchCount: Int { read { Int($0.branchCount) } }

    /// The element where the search continues for a hash that differs in this bit and in no lower one.
    fileprivate func branch(_ bit: Int) -> Self? {
        storage._withUnsafeGuaranteedRef { storage in
            storage.withUnsafeMutablePointers { header, branches in
                bit < Int(header.pointee.branchCount) ? branches[bit] : nil
            }
        }
    }

    /// The latest element with a hash among this one and those before it.
    package func find(_ hash: UInt64) -> Self? {
        var next: Self? = self
        while let element = next {
            let difference = element.hash ^ hash
            if difference == 0 { return element }
            next = element.branch(difference.trailingZeroBitCount)
        }
        return nil
    }

    /// The latest element that two lists share.
    package static func latestShared(_ left: Self?, _ right: Self?) -> Self? {
        var (left, right) = (left, right)
        while left != right {
            if left?.count ?? 0 >= right?.count ?? 0 { left = left?.earlier } else { right = right?.earlier }
        }
        return left
    }
}
