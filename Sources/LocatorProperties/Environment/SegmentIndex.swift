/// Finds the keys that the segments of variables stand for, in a tree that grows with each variable.
///
/// Where many variables lead into one object its keys are indexed, so that each variable costs what it adds.
final class SegmentIndex {
    /// How many variables look through the keys of an object before its keys are indexed.
    private static let directCount = 8

    private var visits = 0
    /// The keys by their segments; of several the first.
    private var keys: [String: String]?
    private var children: [String: SegmentIndex] = [:]

    /// The index of the key in an object that a segment stands for.
    func find(_ segment: Substring, in object: JSONObject) -> Int? {
        visits += 1
        if visits <= Self.directCount {
            return object.indices.first { VariableName.isSegment(segment, of: object.key(at: $0)) }
        }
        return keys(of: object)[String(segment)].flatMap { object.index(ofKey: $0) }
    }

    private func keys(of object: JSONObject) -> [String: String] {
        if let keys { return keys }
        var keys: [String: String] = [:]
        for index in object.indices {
            let key = object.key(at: index)
            let segment = VariableName.segment(of: key)
            if keys[segment] == nil { keys[segment] = key }
        }
        self.keys = keys
        return keys
    }

    /// The index of the object at a key.
    func child(_ key: String) -> SegmentIndex {
        if let child = children[key] { return child }
        let child = SegmentIndex()
        children[key] = child
        return child
    }

    /// Takes in that a variable has set the value at a path.
    func note(_ value: JSONValue, at path: PropertyPath) {
        var index = self
        for case .key(let key) in path.steps {
            let segment = VariableName.segment(of: key)
            if index.keys != nil, index.keys?[segment] == nil { index.keys?[segment] = key }
            guard let child = index.children[key] else { return }
            index = child
        }
        // What is at the path now may have other keys.
        index.keys = nil
        index.children = [:]
    }
}
