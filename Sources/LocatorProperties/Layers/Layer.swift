/// Settings that stand above or below others as one: the merged files of a load with their environment, the overrides
/// of a module, or a tree written in code.
final class Layer: Sendable {
    /// What the layer was merged from, lowest first.
    let sources: [Source]
    /// The texts that override the sources, lowest first.
    let overrides: [OverrideLayer]
    /// The sources and overrides merged; a `null` stays, because it removes from the layers below too.
    let tree: JSONObject
    /// Whether a string in the tree may hold a placeholder.
    let hasTemplates: Bool
    /// Whether an override matched no key of the sources.
    let hasAdditions: Bool
    /// Whether a key in the tree is removed.
    let hasNulls: Bool
    /// Whether a key has text beyond ASCII.
    let hasWideKeys: Bool
    /// About how much memory the paths of all values take, each for itself.
    let pathBytes: Int
    /// What the layer itself lists as secret.
    let listedSecrets: [PropertyPath]
    /// The rules that the secrets of the layer were marked by when they entered.
    private let secrets: SecretRules

    /// Merges trees whose secrets are marked by these rules.
    init(sources: [Source], overrides: [OverrideLayer] = [], secrets: SecretRules) {
        var tree = sources.first?.tree ?? JSONObject()
        for source in sources.dropFirst() {
            Merging.merge(source.tree, into: &tree, nulls: .keep)
        }
        for override in overrides {
            Merging.merge(override.tree, into: &tree, nulls: .keep)
        }
        let scan = TreeScan(tree)
        self.sources = sources
        self.overrides = overrides
        self.tree = tree
        hasTemplates = scan.hasTemplates
        hasNulls = scan.hasNulls
        pathBytes = scan.pathBytes
        hasWideKeys = scan.hasWideKeys
        hasAdditions = overrides.contains { !$0.additions.isEmpty }
        listedSecrets =
            sources.flatMap { SecretRules.list(in: $0.tree) } + overrides.flatMap { SecretRules.list(in: $0.tree) }
        self.secrets = secrets
    }

    private init(_ other: Layer, marking: SecretRules) {
        func mark(_ tree: JSONObject) -> JSONObject {
            // Texts are looked at again only where the default of a placeholder may have become a secret, here or in a
            // source that another one hides.
            other.hasTemplates || other.sources.count > 1 ? marking.marking(tree) : marking.markingListed(tree)
        }
        sources = other.sources.map { $0.replacingTree(with: mark($0.tree)) }
        overrides = other.overrides.map { $0.marking(marking) }
        tree = mark(other.tree)
        hasTemplates = other.hasTemplates
        hasAdditions = other.hasAdditions
        hasNulls = other.hasNulls
        pathBytes = other.pathBytes
        hasWideKeys = other.hasWideKeys
        listedSecrets = other.listedSecrets
        secrets = SecretRules(listed: other.secrets.listed + marking.listed)
    }

    /// The layer with what another one lists marked too.
    func marking(_ listed: [PropertyPath]) -> Layer {
        let others = listed.filter { !secrets.lists($0) }
        if others.isEmpty { return self }
        // What a variable adds may be written in another way than what is listed.
        let marking = SecretRules(listed: others)
        let slips = overrides.flatMap(\.assignments).flatMap { self.slips(in: $0, marking) }
        return Layer(self, marking: SecretRules(listed: others + slips))
    }

    /// The paths of what an assignment adds whose names may be slips for what is listed.
    private func slips(in assignment: OverrideLayer.Assignment, _ secrets: SecretRules) -> [PropertyPath] {
        let path = assignment.path
        if assignment.isAddition, secrets.isSlip(path) { return [path] }
        if assignment.value.isReadAsJSON, let text = assignment.value.stringValue {
            let isSlip = !SecretRules().holdsSecretJSON(text, at: path) && secrets.holdsSecretJSON(text, at: path)
            return isSlip ? [path] : []
        }
        return secrets.slips(in: assignment.value, at: path, isNear: SecretRules.hasNearWord(path)) { part in
            sources.contains { source in
                if case .found = TreeWalk(source.tree, path.steps + part) { true } else { false }
            }
        }
    }
}

extension Layer {
    /// One tree as it was written.
    struct Source: Sendable {
        /// What the tree is called wherever its origin is named.
        var origin: PropertyOrigin
        /// The path of the file, where it is one.
        var path: String?
        /// The variable that chose the folder of the file, where one did.
        var folderVariable: String?
        /// The tree.
        var tree: JSONObject

        /// The source with its secrets marked.
        func marking(_ secrets: SecretRules) -> Source {
            replacingTree(with: secrets.marking(tree))
        }

        /// The last part of the path.
        var fileName: Substring? { path.map { $0[($0.lastIndex(of: "/").map($0.index(after:)) ?? $0.startIndex)...] } }

        /// The source, called by the path of its file.
        var calledByPath: Source {
            var source = self
            if let path { source.origin.source = .file(path) }
            return source
        }

        /// The source with another tree.
        func replacingTree(with tree: JSONObject) -> Source {
            var source = self
            source.tree = tree
            return source
        }
    }
}

extension Layer {
    /// What is wrong with the lists of secrets.
    var problemsOfLists: [PropertiesProblem] {
        let assignments = overrides.flatMap(\.assignments)
        return sources.flatMap { SecretRules.problemsOfList(in: $0.tree, origin: $0.origin.name) }
            + assignments.flatMap(Self.problemsOfList)
    }

    private static func problemsOfList(in assignment: OverrideLayer.Assignment) -> [PropertiesProblem] {
        let origin = PropertyOrigin(assignment.origin).name
        let path = assignment.path
        guard path.steps.dropLast() == SecretRules.listPath.steps[...], case .index? = path.steps.last else {
            return SecretRules.problemsOfList(in: OverrideLayer.patch(path, assignment.value), origin: origin)
        }
        return SecretRules.problemOfElement(assignment.value, at: path, origin: origin).map { [$0] } ?? []
    }
}
