/// An element of a persistent list.
///
/// It retains the previous element, which other elements may share.
protocol Chained: AnyObject, Sendable {
    /// The element before this one, constant until the element ends.
    var earlier: Self? { get set }

    /// Releases anything else that may reference the previous element.
    func letGoOfOthers()
}

extension Chained {
    func letGoOfOthers() {}

    /// Calls `body` with an element and those before it, the latest first, until it returns false.
    @inline(__always)
    static func forEach(from latest: Self?, _ body: (Self) -> Bool) {
        guard let latest else { return }
        withExtendedLifetime(latest) {
            // Unmanaged: each element retains the previous one.
            var next: Unmanaged<Self>? = .passUnretained(latest)
            while let element = next {
                next = element._withUnsafeGuaranteedRef {
                    body($0) ? $0.earlier.map(Unmanaged.passUnretained) : nil
                }
            }
        }
    }

    /// Transforms an element and those before it, the latest first, as long as they are wanted.
    // Not inlined: the loop is not short, and many functions collect roots.
    @inline(never)
    static func map<Result>(
        from latest: Self?, while isWanted: (Self) -> Bool = { _ in true }, _ transform: (Self) -> Result
    ) -> [Result] {
        var results: [Result] = []
        forEach(from: latest) { element in
            guard isWanted(element) else { return false }
            results.append(transform(element))
            return true
        }
        return results
    }

    /// Finds as many elements of a list as match, and returns the list before the first of them, and the elements
    /// after it that do not match, the first one first.
    static func removing(
        _ count: Int, from latest: Self?, where isRemoved: (Self) -> Bool
    ) -> (rest: Self?, kept: [Self]) {
        var kept: [Self] = []
        var next = latest
        var missing = count
        while missing > 0, let element = next {
            if isRemoved(element) { missing -= 1 } else { kept.append(element) }
            next = element.earlier
        }
        return (next, kept.reversed())
    }

    /// Releases the elements before this one, which ends.
    ///
    /// They are released one at a time, so that a list of a hundred thousand elements does not overflow the stack of
    /// the thread.
    func letGoOfEarlier() {
        var next = takeEarlier()
        while isKnownUniquelyReferenced(&next) { next = next?.takeEarlier() }
    }

    private func takeEarlier() -> Self? {
        letGoOfOthers()
        return earlier.take()
    }
}
