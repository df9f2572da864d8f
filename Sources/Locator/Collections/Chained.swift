/// An element of a persistent list: it has the one before it, which others may have, too.
class Chained: @unchecked Sendable {
    // Sendable: constant but in `deinit`, when nobody else has the object: hence the unchecked exclusivity, too.

    /// The element before this one.
    @exclusivity(unchecked) final fileprivate(set) var earlier: Chained?

    init(after earlier: Chained?) {
        self.earlier = earlier
    }

    /// Runs `body` for an element and those before it, the latest first, until it gives false.
    @inline(__always)
    static func forEach<Element: Chained>(from latest: Element?, _ body: (Element) -> Bool) {
        guard let latest else { return }
        withExtendedLifetime(latest) {
            // Unmanaged: each element retains the one before. Unsafe: the elements of a list are of one class.
            var next: Unmanaged<Chained>? = .passUnretained(latest)
            while let element = next {
                next = element._withUnsafeGuaranteedRef {
                    body(unsafeDowncast($0, to: Element.self)) ? $0.earlier.map(Unmanaged.passUnretained) : nil
                }
            }
        }
    }

    /// Lets go of what else may have the element before.
    func letGoOfOthers() {}

    deinit {
        var next = earlier
        earlier = nil
        // One at a time, so that a list of a hundred thousand elements does not overflow the thread's stack.
        while let following = Self.takeEarlier(of: &next) { next = following }
    }

    /// What an element that nobody else has leaves behind.
    private static func takeEarlier(of element: inout Chained?) -> Chained? {
        guard isKnownUniquelyReferenced(&element), let element else { return nil }
        defer { element.earlier = nil }
        element.letGoOfOthers()
        return element.earlier
    }
}
