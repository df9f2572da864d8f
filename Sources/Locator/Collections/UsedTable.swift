/// A table of objects by key, which regularly drops objects that are not in use.
///
/// An object is in use while something else retains it. The check runs when there are twice as many objects as after
/// the last check. Therefore, it has a constant cost for each object, and unused objects never outnumber used ones.
struct UsedTable<Key: Hashable, Object: AnyObject> {
    private var objects = [Key: Object]()
    /// The number of objects at which the next check runs.
    private var limit = 64

    var values: some Collection<Object> { objects.values }

    subscript(key: Key) -> Object? { objects[key] }

    /// Adds an object, and returns the objects that were dropped.
    ///
    /// Objects for which `isWorthKeeping` returns true stay. Code that uses an object must retain it.
    mutating func insert(_ object: Object, for key: Key, keeping isWorthKeeping: (Object) -> Bool) -> [Object] {
        let dropped = objects.count < limit ? [] : drop(keeping: isWorthKeeping)
        objects[key] = object
        return dropped
    }

    private mutating func drop(keeping isWorthKeeping: (Object) -> Bool) -> [Object] {
        var unused: [Key] = []
        // This does not use the indices as a collection, which would retain the objects.
        var index = objects.startIndex
        while index != objects.endIndex {
            if isKnownUniquelyReferenced(&objects.values[index]), !isWorthKeeping(objects.values[index]) {
                unused.append(objects[index].key)
            }
            objects.formIndex(after: &index)
        }
        let dropped = unused.compactMap { objects.removeValue(forKey: $0) }
        limit = max(64, objects.count * 2)
        return dropped
    }
}
