extension Layer {
    /// Returns the layers with the overrides that matched no key of their own layer, but match one in a layer below.
    ///
    /// Such an override still adds its key, because it has a higher priority than the layers in between. If it is an
    /// object written as JSON, its members override those of the lower layer's object instead.
    ///
    /// Those in `below` are matched when they are read.
    static func matchingAdditions(in layers: [Layer], over below: [LayerList]) -> [Layer] {
        guard let index = layers.firstIndex(where: { !$0.additions.isEmpty }),
            index + 1 < layers.count || !below.isEmpty
        else { return layers }
        let upper = layers[index]
        let lower = layers[(index + 1)...].map { $0.overridden(by: upper) }
        let merged = upper.additionsMerged { path in
            lower + below.flatMap { $0.search(Array(path.prefixHashes.prefix(1))) }.map { $0.overridden(by: upper) }
        }
        return layers[..<index] + (merged.isEmpty ? [upper] : upper.separatingAdditions(without: merged)) + lower
    }

    /// Returns the layer with the additions of an upper layer that match its keys.
    func overridden(by upper: Layer?) -> Layer {
        guard let upper else { return self }
        if let overridden = overridden.load(), overridden.reason == upper.additions {
            return overridden.layer ?? self
        }
        let secrets = SecretRules(listed: secrets.listed + upper.secrets.listed)
        var merged = JSONValue.object(tree)
        var budget = Budget()
        // What does not fit the lower layer's value replaces it, which is reported when the value is read. Where the
        // added key has the same spelling, that key already replaces it.
        var problems: [PropertiesProblem] = []
        let matched = upper.overrides.map { layer in
            OverrideLayer(
                OverrideRequest(source: layer.request.source, texts: layer.additions), over: &merged, places: nil,
                secrets: secrets, budget: &budget, problems: &problems
            ) { name, path, target in
                if case .existing = target { return true }
                // A new part of something that is here, whose key is spelled in another way than the added one.
                guard !path.isAdded(by: name) else { return false }
                return TreeWalk(tree, path.steps.prefix(1)).node != nil
            } replaces: { name, path in
                !path.isAdded(by: name)
            }
        }.filter { !$0.assignments.isEmpty }
        let layer = matched.isEmpty ? nil : Layer(sources: sources, overrides: overrides + matched, secrets: secrets)
        _ = overridden.storeIfNil(Derived(for: upper.additions, layer))
        return layer ?? self
    }

    /// The paths of the added JSON objects that are merged with objects of lower layers, and that no layer hides.
    ///
    /// `lower` finds the lower layers that may have something at a path.
    private func additionsMerged(into lower: (PropertyPath) -> [Layer]) -> Set<PropertyPath> {
        let added = overrides.flatMap(\.assignments).filter { $0.addition?.path == $0.path }
        let latest = Dictionary(added.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
        return Set(
            latest.values.filter { object in
                if !object.value.isReadAsJSON || hidesLower(object.path) { return false }
                var isMerged = false
                for layer in lower(object.path) {
                    if case .absent = TreeWalk(layer.tree, object.path.steps[...]) { continue }
                    // Below an object, a value of another kind is hidden.
                    guard layer.mergesObject(object) else { return isMerged }
                    isMerged = true
                }
                return isMerged
            }.map(\.path))
    }

    /// Whether the layer hides what lower layers have at a path.
    private func hidesLower(_ path: PropertyPath) -> Bool {
        path.steps.indices.contains { end in
            guard let node = TreeWalk(tree, path.steps[..<end]).node else { return false }
            return node.objectValue == nil || node.flags.contains(.whole)
        }
    }

    /// Whether an override of the layer is the same text at the same path, as an object.
    private func mergesObject(_ object: OverrideLayer.Assignment) -> Bool {
        overrides.contains { override in
            override.assignments(relatedTo: object.path).contains {
                $0.origin == object.origin && $0.path == object.path && $0.value.objectValue != nil
            }
        }
    }

    /// Returns the added keys, without some of them, as a layer above everything else.
    private func separatingAdditions(without paths: Set<PropertyPath>) -> [Layer] {
        let added = overrides.map { ListedPaths($0.assignments.compactMap(\.addition?.path)) }
        func filtered(_ isIncluded: (_ path: PropertyPath, _ isAdded: Bool) -> Bool) -> [OverrideLayer] {
            zip(overrides, added).map { override, added in
                override.filter { isIncluded($0.path, added.cover($0.path)) }
            }
        }
        let rest =
            withoutAdditions.load()
            ?? withoutAdditions.storeIfNil(
                Layer(sources: sources, overrides: filtered { !$1 }, secrets: secrets))
        let additions = Layer(
            sources: [], overrides: filtered { $1 && !paths.contains($0) }, secrets: secrets)
        return [additions, rest]
    }
}

extension PropertyPath {
    /// Whether the path is the one that an override with this name adds if it matches no key.
    fileprivate func isAdded(by name: OverrideName) -> Bool { steps == name.steps.map(\.added) }
}
