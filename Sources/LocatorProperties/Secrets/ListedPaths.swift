/// Paths, such as those that are listed as secret, as a tree of their steps.
///
/// Checking a path takes time proportional to its length, and finding all listed paths in a value takes a single walk,
/// regardless of how many there are.
struct ListedPaths: Sendable {
    private struct Node {
        var isListed = false
        /// The nodes one step further, by number.
        ///
        /// Nested nodes would overflow the stack if a path is very long.
        var next = SmallTable<PropertyPath.Step, Int>()
    }

    /// The nodes.
    ///
    /// The first one is the root. Empty if no path is listed.
    private var nodes: [Node] = []

    init(_ paths: [PropertyPath]) {
        guard !paths.isEmpty else { return }
        nodes = [Node()]
        for path in paths {
            var number = 0
            for step in path.steps {
                if let next = nodes[number].next[step] {
                    number = next
                } else {
                    nodes[number].next.add(nodes.count, for: step)
                    number = nodes.count
                    nodes.append(Node())
                }
            }
            nodes[number].isListed = true
        }
    }

    /// Whether exactly this path is listed.
    func contains(_ path: PropertyPath) -> Bool {
        node(at: path).map { nodes[$0].isListed } ?? false
    }

    /// Whether a path, or a path above it, is listed.
    func cover(_ path: PropertyPath) -> Bool {
        guard var node = nodes.first else { return false }
        for step in path.steps {
            if node.isListed { return true }
            guard let next = node.next[step] else { return false }
            node = nodes[next]
        }
        return node.isListed
    }

    /// Whether a path, or a path below it, is listed.
    func reach(_ path: PropertyPath) -> Bool { node(at: path) != nil }

    /// Returns a value at a path with a change applied to each listed part, or nil if nothing changes.
    func changing(_ value: JSONValue, at path: PropertyPath, _ change: (JSONValue) -> JSONValue?) -> JSONValue? {
        node(at: path).flatMap { changing(value, at: $0, change) }
    }

    private func node(at path: PropertyPath) -> Int? {
        if nodes.isEmpty { return nil }
        var number = 0
        for step in path.steps {
            guard let next = nodes[number].next[step] else { return nil }
            number = next
        }
        return number
    }

    private func changing(_ value: JSONValue, at number: Int, _ change: (JSONValue) -> JSONValue?) -> JSONValue? {
        let node = nodes[number]
        // The change also applies to all parts of the value.
        if node.isListed { return change(value) }
        switch value.storage {
        case .object(let object):
            var members: JSONObject?
            func changeMember(at index: Int, _ number: Int) {
                guard let member = changing(object.value(at: index), at: number, change) else { return }
                if members == nil { members = object }
                members?.updateValue(at: index) { $0 = member }
            }
            if node.next.entries.count < object.count {
                for case (.key(let key), let number) in node.next.entries {
                    if let index = object.index(ofKey: key) { changeMember(at: index, number) }
                }
            } else {
                for index in object.indices {
                    if let number = node.next[.key(object.key(at: index))] { changeMember(at: index, number) }
                }
            }
            return members.map { value.replacingContent(with: .object($0)) }
        case .array(let array):
            var elements: [JSONValue]?
            for index in array.elements.indices {
                guard let number = node.next[.index(index)],
                    let element = changing(array.elements[index], at: number, change)
                else { continue }
                if elements == nil { elements = array.elements }
                elements?[index] = element
            }
            return elements.map { value.replacingContent(with: .array(JSONArrayStorage($0))) }
        case .null, .boolean, .integer, .decimal, .string:
            return nil
        }
    }
}
