/// Properties that stand above or below others as one: the merged files of a load with their environment, the overrides
/// of a module, or a tree written in code.
final class Layer: Sendable {
    /// What the layer was merged from, lowest first.
    let sources: [Source]
    /// The variables that override the sources, lowest first.
    let environments: [EnvironmentLayer]
    /// The sources and variables merged; a `null` stays, because it removes from the layers below too.
    let tree: JSONObject
    /// Whether a string in the tree may hold a placeholder.
    let hasTemplates: Bool
    /// Whether a variable of the environment matched no key of the sources.
    let hasAdditions: Bool
    /// Whether a key in the tree is removed.
    let hasNulls: Bool
    /// About how much memory the paths of all values take, each for itself.
    let pathBytes: Int

    init(sources: [Source], environments: [EnvironmentLayer] = []) {
        var tree = sources.first?.tree ?? JSONObject()
        for source in sources.dropFirst() {
            Merging.merge(source.tree, into: &tree, nulls: .keep)
        }
        for environment in environments {
            Merging.merge(environment.tree, into: &tree, nulls: .keep)
        }
        let scan = TreeScan(tree)
        self.sources = sources
        self.environments = environments
        self.tree = tree
        hasTemplates = scan.hasTemplates
        hasNulls = scan.hasNulls
        pathBytes = scan.pathBytes
        hasAdditions = environments.contains { !$0.additions.isEmpty }
    }
}

extension Layer {
    /// One tree as it was written.
    struct Source: Sendable {
        /// What the tree is called wherever its origin is named.
        let origin: PropertyOrigin
        /// The tree.
        let tree: JSONObject
    }
}
