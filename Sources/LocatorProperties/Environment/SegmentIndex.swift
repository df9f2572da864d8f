/// Finds the keys that the segments of variables stand for, in a tree that grows with each variable.
///
/// Where many variables lead into one object its keys are indexed, so that each variable costs what it adds.
final class SegmentIndex {
    /// How many variables look through the keys of an object before its keys are indexed.
    private static let directCount = 8

    private var visits = 0
    /// The keys by their segments; of several the first.
    private var keys: [String: String]?
    private var children: [PropertyPath.Step: SegmentIndex] = [:]

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

    /// The index of what is at a key, or of an element.
    func child(_ step: PropertyPath.Step) -> SegmentIndex {
        if let child = children[step] { return child }
        let child = SegmentIndex()
        children[step] = child
        return child
    }

    /// Takes in that a value at a path was set.
    func note(_ path: PropertyPath) {
        var index = self
        for step in path.steps {
            if case .key(let key) = step, index.keys != nil {
                let segment = VariableName.segment(of: key)
                if index.keys?[segment] == nil { index.keys?[segment] = key }
            }
            guard let child = index.children[step] else { return }
            index = child
        }
        // What is at the path now may have other keys.
        index.keys = nil
        index.children = [:]
    }
}
