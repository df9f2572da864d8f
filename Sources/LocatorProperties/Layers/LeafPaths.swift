extension JSONValue {
    /// Returns the paths of everything without parts in the value, in order, including empty arrays and objects.
    func leafPaths() -> [PropertyPath] { paths { $2 } }

    /// Returns the paths of all parts of the value.
    func allPaths() -> [PropertyPath] { paths { _, _, _ in true } }

    /// Returns the paths of everything without parts, of the objects that hide what lower layers have, and of those
    /// that may get more parts because a variable with the same words matches their key.
    func affectedPaths() -> [PropertyPath] {
        paths { node, path, isLeaf in isLeaf || node.flags.contains(.whole) || path.isSpelledUnlikeVariables }
    }

    private func paths(
        where isWanted: (_ node: JSONValue, _ path: PropertyPath, _ isLeaf: Bool) -> Bool
    ) -> [PropertyPath] {
        var paths: [PropertyPath] = []
        forEachNode { node, path in
            let isLeaf: Bool
            switch node.storage {
            case .array(let array): isLeaf = array.elements.isEmpty
            case .object(let object): isLeaf = object.isEmpty
            case .null, .boolean, .integer, .decimal, .string: isLeaf = true
            }
            if !path.steps.isEmpty, isWanted(node, path, isLeaf) { paths.append(path) }
        }
        return paths
    }
}

extension PropertyPath {
    /// Whether a variable that matches no key adds another key than the last one of the path.
    fileprivate var isSpelledUnlikeVariables: Bool {
        steps.last?.key.map { VariableName.key(of: VariableName.segment(of: $0)[...]) != $0 } ?? false
    }
}
