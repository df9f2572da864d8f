/// Resolves everything that the settings hold, and collects what is wrong instead of stopping at the first problem.
struct PlaceholderCheck {
    /// What is wrong, each problem once, in the order of the tree.
    private(set) var problems: [PropertiesProblem] = []
    /// The whole tree with its placeholders resolved; of no use where there are problems.
    private(set) var tree: JSONObject

    private var seen: Set<PropertiesProblem> = []
    private var resolver: PlaceholderResolver

    init(_ storage: PropertiesStorage) {
        resolver = PlaceholderResolver(storage)
        let merged = storage.mergedTree
        tree = merged.objectValue ?? JSONObject()
        guard storage.hasTemplates else { return }
        var path = PropertyPath.root
        tree = resolved(merged, at: &path)?.objectValue ?? tree
    }

    /// Gives nil if nothing in the value needs to be resolved.
    private mutating func resolved(_ node: JSONValue, at path: inout PropertyPath) -> JSONValue? {
        switch node.storage {
        case .null, .boolean, .integer, .decimal: nil
        case .string(let text): Template.isTemplate(text) ? resolvedText(node, at: path) : nil
        case .array(let array): resolved(array, of: node, at: &path)
        case .object(let object): resolved(object, of: node, at: &path)
        }
    }

    private mutating func resolvedText(_ node: JSONValue, at path: PropertyPath) -> JSONValue? {
        // Where placeholders have built all they may, the one that was too much is the problem.
        guard problems.count < Limits.problems, resolver.excess == nil else { return nil }
        do {
            return try resolver.resolve(node, at: path)
        } catch {
            for problem in error.problems where seen.insert(problem).inserted { problems.append(problem) }
            if problems.count >= Limits.problems {
                problems.append(PropertiesProblem(.placeholder(.tooManyProblems)))
            }
            return nil
        }
    }

    private mutating func resolved(
        _ array: JSONArrayStorage, of node: JSONValue, at path: inout PropertyPath
    ) -> JSONValue? {
        var result: [JSONValue]?
        for (index, element) in array.elements.enumerated() {
            path.steps.append(.index(index))
            if let value = resolved(element, at: &path) {
                if result == nil { result = array.elements }
                result?[index] = value
            }
            path.steps.removeLast()
        }
        return result.map { node.replacingContent(with: .array(JSONArrayStorage($0))) }
    }

    private mutating func resolved(
        _ object: JSONObject, of node: JSONValue, at path: inout PropertyPath
    ) -> JSONValue? {
        var result: JSONObject?
        for index in object.indices {
            path.steps.append(.key(object.key(at: index)))
            if let value = resolved(object.value(at: index), at: &path) {
                if result == nil { result = object }
                result?.updateValue(at: index) { $0 = value }
            }
            path.steps.removeLast()
        }
        return result.map { node.replacingContent(with: .object($0)) }
    }
}
