/// Settings that are merged above or below others as a unit: the files of a load with their overrides, the overrides of
/// a module, or a tree created in code.
final class Layer: Sendable {
    /// The sources of the layer, lowest first.
    let sources: [Source]
    /// The overrides of the sources, lowest first.
    let overrides: [OverrideLayer]
    /// The merged sources and overrides.
    ///
    /// A `null` is kept, because it also removes values of the layers below.
    let tree: JSONObject
    /// What reading has to know about the tree.
    let scan: TreeScan
    /// The overrides that matched no key of the sources.
    let additions: [OverrideRequest.Text]
    /// The paths that the layer itself lists as secret.
    let listedSecrets: [PropertyPath]
    /// The rules by which the secrets of the layer were marked when it was created.
    let secrets: SecretRules
    /// The layer with the paths of other layers marked, for the first such list of paths.
    ///
    /// Each change of the modules makes another stack, but most of them list the same paths.
    private let marked = LazyReference<Derived<[PropertyPath]>>()
    /// The layer with the overrides that a layer above it has added, for the first such overrides.
    let overridden = LazyReference<Derived<[OverrideRequest.Text]>>()
    /// The layer without the overrides that matched no key.
    let withoutAdditions = LazyReference<Layer>()

    /// A layer that was made from another one, and for what.
    final class Derived<Reason: Sendable>: Sendable {
        let reason: Reason
        /// Nil if nothing differs, so that no layer refers to itself.
        let layer: Layer?

        init(for reason: Reason, _ layer: Layer?) {
            self.reason = reason
            self.layer = layer
        }
    }

    /// Merges trees whose secrets are marked by these rules.
    init(sources: [Source], overrides: [OverrideLayer] = [], secrets: SecretRules) {
        var tree = sources.first?.tree ?? JSONObject()
        for source in sources.dropFirst() {
            Merging.merge(source.tree, into: &tree, nulls: .keep)
        }
        for override in overrides {
            Merging.merge(override.tree, into: &tree, nulls: .keep)
        }
        self.sources = sources
        self.overrides = overrides
        self.tree = tree
        scan = TreeScan(tree)
        additions = overrides.flatMap(\.additions)
        listedSecrets =
            sources.flatMap { SecretRules.list(in: $0.tree) } + overrides.flatMap { SecretRules.list(in: $0.tree) }
        self.secrets = secrets
    }

    private init(_ other: Layer, marking: SecretRules) {
        func mark(_ tree: JSONObject) -> JSONObject {
            // Texts are checked again only if the default of a placeholder may have become a secret, here or in a
            // source that another source hides.
            other.scan.hasTemplates || other.sources.count > 1 ? marking.marking(tree) : marking.markingListed(tree)
        }
        sources = other.sources.map { $0.replacingTree(with: mark($0.tree)) }
        overrides = other.overrides.map { $0.marking(marking) }
        tree = mark(other.tree)
        scan = other.scan
        additions = overrides.flatMap(\.additions)
        listedSecrets = other.listedSecrets
        secrets = SecretRules(listed: other.secrets.listed + marking.listed)
    }

    /// Returns the layer with the paths that another layer lists marked as well.
    func marking(_ listed: [PropertyPath]) -> Layer {
        if listed.isEmpty { return self }
        if let marked = marked.load(), marked.reason == listed { return marked.layer ?? self }
        let others = listed.filter { !secrets.lists($0) }
        // A key that a variable adds may be a misspelling of a listed path.
        let marking = SecretRules(listed: others)
        let slips = overrides.flatMap(\.assignments).flatMap { self.slips(in: $0, marking) }
        let layer = others.isEmpty ? nil : Layer(self, marking: SecretRules(listed: others + slips))
        _ = marked.storeIfNil(Derived(for: listed, layer))
        return layer ?? self
    }

    /// Returns the paths that an assignment adds and that may be misspellings of listed paths.
    private func slips(in assignment: OverrideLayer.Assignment, _ secrets: SecretRules) -> [PropertyPath] {
        let path = assignment.path
        if assignment.isAddition, secrets.isSlip(path) { return [path] }
        if assignment.value.isReadAsJSON, let text = assignment.value.stringValue {
            let isSlip = !SecretRules().holdsSecretJSON(text, at: path) && secrets.holdsSecretJSON(text, at: path)
            return isSlip ? [path] : []
        }
        return secrets.slips(in: assignment.value, at: path, isNear: SecretRules.hasNearWord(path)) { part in
            sources.contains { TreeWalk($0.tree, path.steps + part).node != nil }
        }
    }
}

extension Layer {
    /// A tree as it was written.
    struct Source: Sendable {
        /// The origin that errors and explanations show.
        var origin: PropertyOrigin
        /// The path of the file, if the source is one.
        var path: String?
        /// The variable that chose the folder of the file, if any.
        var folderVariable: String?
        var tree: JSONObject

        func marking(_ secrets: SecretRules) -> Source {
            replacingTree(with: secrets.marking(tree))
        }

        /// The last part of the path.
        var fileName: String? { path.map { FileSystem.split($0).name } }

        /// The same source with the path of its file as its origin.
        var calledByPath: Source {
            var source = self
            if let path { source.origin.source = .file(path) }
            return source
        }

        func replacingTree(with tree: JSONObject) -> Source {
            var source = self
            source.tree = tree
            return source
        }
    }

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
