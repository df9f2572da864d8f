/// The result of following a path in one tree.
enum TreeWalk {
    /// The path leads to a node.
    case found(JSONValue)
    /// An object on the path lacks a key, so a lower tree may have it.
    case absent
    /// A node on the path has no such parts, so lower trees are ignored. The number is the count of steps that led to
    /// it.
    case blocked(by: JSONValue, after: Int)

    init(_ tree: JSONObject, _ steps: ArraySlice<PropertyPath.Step>) {
        self.init(.object(tree), steps)
    }

    init(_ tree: JSONValue, _ steps: ArraySlice<PropertyPath.Step>) {
        var node = tree
        var isWithinArray = false
        for position in steps.indices {
            switch (steps[position], node.storage) {
            case (.key(let key), .object(let object)):
                guard let child = object[key] else {
                    // Arrays are replaced as a whole, including the objects in them.
                    let isWhole = isWithinArray || node.flags.contains(.whole)
                    self = isWhole ? .blocked(by: node, after: position - steps.startIndex) : .absent
                    return
                }
                node = child
            case (.index(let index), .array(let array)) where index < array.elements.count:
                node = array.elements[index]
                isWithinArray = true
            default:
                self = .blocked(by: node, after: position - steps.startIndex)
                return
            }
        }
        self = .found(node)
    }

    /// The node that the path leads to, or nil if there is none.
    var node: JSONValue? {
        guard case .found(let node) = self else { return nil }
        return node
    }
}

extension JSONValue {
    /// Returns the part at a path, which may be `null`, or nil if there is none.
    package func part(at path: PropertyPath) -> JSONValue? { TreeWalk(self, path.steps[...]).node }
}

extension JSONObject {
    /// Returns the part at a path, which may be `null`, or nil if there is none.
    package func part(at path: PropertyPath) -> JSONValue? { JSONValue.object(self).part(at: path) }
}

extension PropertyPath {
    /// Whether a `null` at the path removes the values of lower trees.
    ///
    /// Inside an array, it is an element.
    package var isOutsideOfArrays: Bool { stepsOutsideOfArrays.count == steps.count }
}
