/// The children of a context that have not ended.
///
/// Each child knows its neighbors, so opening and ending one costs the same however many there are. The list does not
/// retain its children. A child removes itself before its core ends. Guarded by the lock of the family.
struct ChildList {
    /// A child's place in the list.
    struct Place {
        fileprivate var next: Unmanaged<ContextCore>?
        fileprivate var previous: Unmanaged<ContextCore>?
    }

    private var latest: Unmanaged<ContextCore>?

    var isEmpty: Bool { latest == nil }

    mutating func insert(_ child: ContextCore) {
        child.siblings = Place(next: latest, previous: nil)
        latest?._withUnsafeGuaranteedRef { $0.siblings.previous = .passUnretained(child) }
        latest = .passUnretained(child)
    }

    mutating func remove(_ child: ContextCore) {
        let place = child.siblings
        if let previous = place.previous {
            previous._withUnsafeGuaranteedRef { $0.siblings.next = place.next }
        } else {
            latest = place.next
        }
        place.next?._withUnsafeGuaranteedRef { $0.siblings.previous = place.previous }
        child.siblings = Place()
    }

    /// The children, latest first.
    var all: [ContextCore] {
        var all: [ContextCore] = []
        var next = latest
        while let child = next?.takeUnretainedValue() {
            all.append(child)
            next = child.siblings.next
        }
        return all
    }
}
