/// The keys and values of a JSON object, in the order they were written or added.
///
/// Two objects are equal if they have the same keys with equal values, in any order. Keys are compared by their code
/// points. Copies are cheap, because they share their entries until one of them changes.
public struct JSONObject: Sendable {
    var storage: JSONObjectStorage

    /// Creates an empty object.
    public init() {
        storage = JSONObjectStorage()
    }

    init(storage: JSONObjectStorage) {
        self.storage = storage
    }

    /// Creates an object from keys and values in order.
    ///
    /// If a key appears more than once, its last value is used.
    public init(_ entries: some Sequence<(String, JSONValue)>) {
        self.init()
        storage.reserveCapacity(entries.underestimatedCount)
        for (key, value) in entries {
            self[key] = value
        }
    }

    /// The value of a key.
    ///
    /// Assigning nil removes the key.
    public subscript(key: String) -> JSONValue? {
        get {
            guard let index = index(ofKey: key) else { return nil }
            return storage.entries[index].value
        }
        set {
            if let newValue {
                set(key, to: newValue)
            } else if let index = index(ofKey: key) {
                makeUnique()
                storage.remove(at: [index])
            }
        }
    }

    /// Returns the position of a key in the text it was read from.
    public func position(ofKey key: String) -> JSONPosition? {
        index(ofKey: key).flatMap { keyPosition(at: $0) }
    }

    /// The keys in order.
    public var keys: [String] { storage.entries.map(\.key) }
}

extension JSONObject: RandomAccessCollection {
    /// The first index, 0.
    public var startIndex: Int { 0 }
    /// The number of keys.
    public var endIndex: Int { storage.entries.count }

    /// The key and value at an index.
    public subscript(position: Int) -> (key: String, value: JSONValue) {
        let entry = storage.entries[position]
        return (entry.key, entry.value)
    }
}

extension JSONObject {
    package func index(ofKey key: String) -> Int? {
        storage.find(key, hash: JSONKeyHash.hash(key))
    }

    /// The value at an index, without its key.
    package func value(at index: Int) -> JSONValue {
        storage.entries[index].value
    }

    /// The key at an index, without its value.
    package func key(at index: Int) -> String {
        storage.entries[index].key
    }

    /// Returns the position of the key at an index in the text it was read from.
    package func keyPosition(at index: Int) -> JSONPosition? {
        let entry = storage.entries[index]
        return entry.keyLine == 0 ? nil : JSONPosition(line: Int(entry.keyLine), column: Int(entry.keyColumn))
    }

    /// Sets the value of a key, in place if the key exists, and otherwise at the end.
    @inline(never)
    private mutating func set(_ key: String, to value: JSONValue) {
        makeUnique()
        let hash = JSONKeyHash.hash(key)
        if let index = storage.find(key, hash: hash) {
            storage.setValue(value, at: index)
        } else {
            storage.append(JSONObjectStorage.Entry(key: key, keyLine: 0, keyColumn: 0, value: value, hash: hash))
        }
    }

    /// Sets the value of the key at `index` of another object in this object, without hashing the key again.
    package mutating func setEntry(at index: Int, of other: JSONObject, to value: JSONValue) {
        makeUnique()
        var entry = other.storage.entries[index]
        if let existing = storage.find(entry.key, hash: entry.hash) {
            storage.setValue(value, at: existing)
        } else {
            entry.value = value
            storage.append(entry)
        }
    }

    /// Returns the index in this object of the key at `index` of another object, without hashing the key again.
    package func index(ofKeyAt index: Int, of other: JSONObject) -> Int? {
        other.storage.entries.withUnsafeBufferPointer { storage.find($0[index].key, hash: $0[index].hash) }
    }

    /// Changes the value at an index in place.
    package mutating func updateValue(at index: Int, _ body: (inout JSONValue) -> Void) {
        makeUnique()
        storage.updateValue(at: index, body)
    }

    mutating func remove(at indexes: [Int]) {
        makeUnique()
        storage.remove(at: indexes)
    }

    package mutating func reserveCapacity(_ count: Int) {
        makeUnique()
        storage.reserveCapacity(count)
    }

    @inline(__always)
    private mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&storage) {
            storage = JSONObjectStorage(copying: storage)
        }
    }
}

extension JSONValue {
    /// Changes the object of this value in place.
    ///
    /// Its entries are copied only if they are shared.
    ///
    /// Does nothing if the value is not an object.
    package mutating func updateObject(_ body: (inout JSONObject) -> Void) {
        guard case .object(var object) = storage else { return }
        storage = .null
        body(&object)
        storage = .object(object)
    }
}
