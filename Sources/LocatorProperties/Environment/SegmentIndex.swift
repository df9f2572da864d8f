/// Finds the keys that the segments of variables refer to, in a tree that grows with each variable.
///
/// If many variables lead into one object, its keys are indexed, so that the cost of a variable does not grow with the
/// object.
final class SegmentIndex {
    /// The number of searches through the keys of an object before its keys are indexed.
    private static let directCount = 8

    private var visits = 0
    /// The first key of each segment.
    private var keys: [String: String]?
    private var children: [PropertyPath.Step: SegmentIndex] = [:]

    /// Returns the index of the object's key that a segment refers to.
    func find(_ segment: Substring, in object: JSONObject) -> Int? {
        visits += 1
        if visits <= Self.directCount {
            return object.indices.first { VariableName.isSegment(segment, of: object.key(at: $0)) }
        }
        return keys(of: object)[String(segment)].flatMap { object.index(ofKey: $0) }
    }

    private func keys(of object: JSONObject) -> [String: String] {
        if let keys { return keys }
        let named = object.keys.map { (VariableName.segment(of: $0), $0) }
        let keys = Dictionary(named, uniquingKeysWith: { first, _ in first })
        self.keys = keys
        return keys
    }

    func child(_ step: PropertyPath.Step) -> SegmentIndex {
        if let child = children[step] { return child }
        let child = SegmentIndex()
        children[step] = child
        return child
    }

    /// Records that a value was set at a path.
    func note(_ path: PropertyPath) {
        var index = self
        for step in path.steps {
            if let key = step.key, index.keys != nil {
                let segment = VariableName.segment(of: key)
                if index.keys?[segment] == nil { index.keys?[segment] = key }
            }
            guard let child = index.children[step] else { return }
            index = child
        }
        // The new value at the path may have other keys.
        index.keys = nil
        index.children = [:]
    }
}
