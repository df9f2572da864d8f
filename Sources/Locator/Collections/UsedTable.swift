/// Objects by key, of which those that are not in use are dropped from time to time.
///
/// An object is in use while something else retains it. The check runs when there are twice as many objects as the last
/// one has left. So it has a constant cost for each object, and what is not in use never outweighs what is.
struct UsedTable<Key: Hashable, Object: AnyObject> {
    private var objects = [Key: Object]()
    /// The number of objects from which it is worth checking which are still in use.
    private var limit = 64

    var values: some Collection<Object> { objects.values }

    subscript(key: Key) -> Object? { objects[key] }

    /// Adds an object, and returns those that it has dropped.
    ///
    /// Objects that are worth keeping stay. Nothing may use an object that it does not retain.
    mutating func insert(_ object: Object, for key: Key, keeping isWorthKeeping: (Object) -> Bool) -> [Object] {
        let dropped = objects.count < limit ? [] : drop(keeping: isWorthKeeping)
        objects[key] = object
        return dropped
    }

    private mutating func drop(keeping isWorthKeeping: (Object) -> Bool) -> [Object] {
        var unused: [Key] = []
        // Not the indices as a collection, which would retain the objects.
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
