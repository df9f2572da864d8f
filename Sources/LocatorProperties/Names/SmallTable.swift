/// A dictionary that few keys are put into most of the time.
///
/// The first use of a dictionary of some type of key makes the Swift runtime look through all libraries of the program,
/// which costs more than everything that a program with some placeholders has to remember.
struct SmallTable<Key: Hashable, Value> {
    private static var directCount: Int { 16 }

    private var entries: [(key: Key, value: Value)] = []
    /// The positions of all entries, once there are too many to look through.
    private var positions: [Key: Int] = [:]

    /// The value of a key.
    subscript(key: Key) -> Value? {
        if entries.count > Self.directCount { return positions[key].map { entries[$0].value } }
        return entries.first { $0.key == key }?.value
    }

    /// Adds a key that is not in it; gives false where it is.
    @discardableResult
    mutating func add(_ value: Value, for key: Key) -> Bool {
        if self[key] != nil { return false }
        entries.append((key, value))
        if entries.count == Self.directCount + 1 {
            for (position, entry) in entries.enumerated() { positions[entry.key] = position }
        } else if entries.count > Self.directCount {
            positions[key] = entries.count - 1
        }
        return true
    }
}
