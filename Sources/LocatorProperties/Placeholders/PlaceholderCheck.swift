/// Resolves all placeholders of the settings, and collects all problems instead of stopping at the first one.
struct PlaceholderCheck {
    /// The problems, without duplicates, in the order of the tree.
    private(set) var problems: [PropertiesProblem] = []
    /// The whole tree with its placeholders resolved, if there are no problems.
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

    /// Returns the resolved value, or nil if nothing in it needs to be resolved.
    private mutating func resolved(_ node: JSONValue, at path: inout PropertyPath) -> JSONValue? {
        guard case .string(let text) = node.storage else {
            return node.replacingParts(at: &path) { resolved($0, at: &$1) }
        }
        return Template.isTemplate(text) ? resolvedText(node, at: path) : nil
    }

    private mutating func resolvedText(_ node: JSONValue, at path: PropertyPath) -> JSONValue? {
        // If the limit for built values is exceeded, only the placeholder that exceeded it is reported.
        guard problems.count < Limits.problems, resolver.excess == nil else { return nil }
        do {
            return try resolver.resolve(node, at: path)
        } catch {
            for problem in error.problems where seen.insert(problem).inserted { problems.append(problem) }
            if problems.count >= Limits.problems {
                problems.append(.placeholder(.tooManyProblems))
            }
            return nil
        }
    }
}
