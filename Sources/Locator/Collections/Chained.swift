/// An element of a persistent list.
///
/// It retains the previous element, which other elements may share.
class Chained: @unchecked Sendable {
    // Sendable: constant except in `deinit`, when nothing else references the object. For the same reason, the
    // exclusivity need not be checked.

    /// The element before this one.
    @exclusivity(unchecked) final fileprivate(set) var earlier: Chained?

    init(after earlier: Chained?) {
        self.earlier = earlier
    }

    /// Calls `body` with an element and those before it, the latest first, until it returns false.
    @inline(__always)
    static func forEach<Element: Chained>(from latest: Element?, _ body: (Element) -> Bool) {
        guard let latest else { return }
        withExtendedLifetime(latest) {
            // Unmanaged: each element retains the previous one. Unsafe: the elements of a list have one class.
            var next: Unmanaged<Chained>? = .passUnretained(latest)
            while let element = next {
                next = element._withUnsafeGuaranteedRef {
                    body(unsafeDowncast($0, to: Element.self)) ? $0.earlier.map(Unmanaged.passUnretained) : nil
                }
            }
        }
    }

    /// Releases anything else that may reference the previous element.
    func letGoOfOthers() {}

    deinit {
        // Taken, not copied, which would retain it.
        var next: Chained?
        swap(&next, &earlier)
        // Released one at a time, so that a list of a hundred thousand elements does not overflow the stack of the
        // thread.
        while let following = Self.takeEarlier(of: &next) { next = following }
    }

    /// The previous element of an element that nothing else references.
    private static func takeEarlier(of element: inout Chained?) -> Chained? {
        guard isKnownUniquelyReferenced(&element), let element else { return nil }
        defer { element.earlier = nil }
        element.letGoOfOthers()
        return element.earlier
    }
}
