/// Resolves everything that properties hold, and collects what is wrong instead of stopping at the first problem.
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

    /// Gives nil where nothing in the value needs to be resolved.
    private mutating func resolved(_ node: JSONValue, at path: inout PropertyPath) -> JSONValue? {
        switch node.storage {
        case .null, .boolean, .integer, .decimal:
            return nil
        case .string(let text):
            guard Template.isTemplate(text) else { return nil }
            do {
                return try resolver.resolve(node, at: path)
            } catch {
                for problem in error.problems where seen.insert(problem).inserted { problems.append(problem) }
                return nil
            }
        case .array(let array):
            var result: [JSONValue]?
            for (index, element) in array.elements.enumerated() {
                path.steps.append(.index(index))
                if let value = resolved(element, at: &path) {
                    var elements = result ?? array.elements
                    elements[index] = value
                    result = elements
                }
                path.steps.removeLast()
            }
            return result.map { node.replacingContent(with: .array(JSONArrayStorage($0))) }
        case .object(let object):
            var result: JSONObject?
            for index in object.indices {
                path.steps.append(.key(object.key(at: index)))
                if let value = resolved(object.value(at: index), at: &path) {
                    var members = result ?? object
                    members.updateValue(at: index) { $0 = value }
                    result = members
                }
                path.steps.removeLast()
            }
            return result.map { node.replacingContent(with: .object($0)) }
        }
    }
}
