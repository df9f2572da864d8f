import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A cache for URLs, because creating a URL costs several times as much as the rest of a typed read.
///
/// Each text has one slot. The first URL of a slot stays as long as the table lives, and the URLs of other texts with
/// the same slot are not cached. Because entries are never removed, a reader may safely use the entry it has loaded.
final class URLTable: Sendable {
    private final class Entry: Sendable {
        let text: String
        let url: URL

        init(text: String, url: URL) {
            self.text = text
            self.url = url
        }
    }

    private static let slotCount = 64

    // Safe from any thread, because the pointer never changes and what it points to are atomics.
    private nonisolated(unsafe) let slots: UnsafeMutablePointer<Atomic<Unmanaged<Entry>?>>

    init() {
        slots = .allocate(capacity: Self.slotCount)
        for index in 0..<Self.slotCount { (slots + index).initialize(to: Atomic(nil)) }
    }

    deinit {
        // No reader is left, because each reader holds the table.
        for index in 0..<Self.slotCount {
            // Acquiring: the entry ends as it was when it was published.
            slots[index].load(ordering: .acquiring)?.release()
        }
        slots.deinitialize(count: Self.slotCount)
        slots.deallocate()
    }

    func url(of text: String) -> URL? {
        let index = Int(JSONKeyHash.hash(text)) % Self.slotCount
        // Acquiring, so that the fields of the entry are visible as they were when it was published.
        if let entry = slots[index].load(ordering: .acquiring) {
            // Not retained here, because the table holds the entry and the caller holds the table.
            let remembered = entry._withUnsafeGuaranteedRef {
                JSONText.areIdentical($0.text, text) ? $0.url : nil
            }
            return remembered ?? JSONValue.url(text)
        }
        guard let url = JSONValue.url(text) else { return nil }
        let entry = Unmanaged.passRetained(Entry(text: text, url: url))
        // Releasing: pairs with the load above. Relaxed suffices for a failure, because what was found is not used.
        let (isFirst, _) = slots[index].compareExchange(
            expected: nil, desired: entry, successOrdering: .releasing, failureOrdering: .relaxed)
        if !isFirst { entry.release() }
        return url
    }
}
