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
    private nonisolated(unsafe) let slots: UnsafeMutablePointer<LazyReference<Entry>>

    init() {
        slots = .allocate(capacity: Self.slotCount)
        for index in 0..<Self.slotCount { (slots + index).initialize(to: LazyReference()) }
    }

    deinit {
        // No reader is left, because each reader holds the table.
        slots.deinitialize(count: Self.slotCount)
        slots.deallocate()
    }

    func url(of text: String) -> URL? {
        let index = Int(JSONKeyHash.hash(text)) % Self.slotCount
        if let entry = slots[index].unmanaged {
            // Not retained here, because the table holds the entry and the caller holds the table.
            let remembered = entry._withUnsafeGuaranteedRef {
                JSONText.areIdentical($0.text, text) ? $0.url : nil
            }
            return remembered ?? JSONValue.url(text)
        }
        guard let url = JSONValue.url(text) else { return nil }
        _ = slots[index].storeIfNil(Entry(text: text, url: url))
        return url
    }
}
