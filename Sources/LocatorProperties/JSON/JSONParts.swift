// Functions for the elements of an array and the members of an object, used to traverse trees.

extension JSONValue {
    /// Calls a closure with each part of the value and the part's path.
    @inline(__always)
    func forEachPart(at path: inout PropertyPath, _ visit: (JSONValue, inout PropertyPath) -> Void) {
        switch storage {
        case .array(let array):
            for (index, element) in array.elements.enumerated() {
                path.steps.append(.index(index))
                visit(element, &path)
                path.steps.removeLast()
            }
        case .object(let object):
            for index in object.indices {
                path.steps.append(.key(object.key(at: index)))
                visit(object.value(at: index), &path)
                path.steps.removeLast()
            }
        case .null, .boolean, .integer, .decimal, .string:
            break
        }
    }

    /// Calls a closure with the value, with everything below it, and with the path of each, a whole before its parts.
    func forEachNode(_ visit: (JSONValue, PropertyPath) -> Void) {
        var path = PropertyPath.root
        forEachNode(at: &path, visit)
    }

    private func forEachNode(at path: inout PropertyPath, _ visit: (JSONValue, PropertyPath) -> Void) {
        visit(self, path)
        forEachPart(at: &path) { $0.forEachNode(at: &$1, visit) }
    }

    /// Whether the value, or a part of it, has one of some flags.
    func hasAny(of wanted: JSONNodeFlags) -> Bool {
        if !flags.isDisjoint(with: wanted) { return true }
        switch storage {
        case .array(let array): return array.elements.contains { $0.hasAny(of: wanted) }
        case .object(let object): return object.indices.contains { object.value(at: $0).hasAny(of: wanted) }
        case .null, .boolean, .integer, .decimal, .string: return false
        }
    }

    /// Returns the value with some parts replaced, or nil if the closure returns nil for all of them.
    ///
    /// Nothing is copied before the first replaced part.
    func replacingParts<Failure: Error>(
        at path: inout PropertyPath, _ replacement: (JSONValue, inout PropertyPath) throws(Failure) -> JSONValue?
    ) throws(Failure) -> JSONValue? {
        switch storage {
        case .array(let array):
            var elements: [JSONValue]?
            for (index, element) in array.elements.enumerated() {
                path.steps.append(.index(index))
                defer { path.steps.removeLast() }
                guard let new = try replacement(element, &path) else { continue }
                if elements == nil { elements = array.elements }
                elements?[index] = new
            }
            return elements.map { replacingContent(with: .array(JSONArrayStorage($0))) }
        case .object(let object):
            var members: JSONObject?
            for index in object.indices {
                path.steps.append(.key(object.key(at: index)))
                defer { path.steps.removeLast() }
                guard let new = try replacement(object.value(at: index), &path) else { continue }
                if members == nil { members = object }
                members?.updateValue(at: index) { $0 = new }
            }
            return members.map { replacingContent(with: .object($0)) }
        case .null, .boolean, .integer, .decimal, .string:
            return nil
        }
    }

    /// Returns the value with each part replaced.
    func mappingParts(_ transform: (JSONValue) -> JSONValue) -> JSONValue {
        switch storage {
        case .array(let array):
            return replacingContent(with: .array(JSONArrayStorage(array.elements.map(transform))))
        case .object(var object):
            for index in object.indices { object.updateValue(at: index) { $0 = transform($0) } }
            return replacingContent(with: .object(object))
        case .null, .boolean, .integer, .decimal, .string:
            return self
        }
    }
}
