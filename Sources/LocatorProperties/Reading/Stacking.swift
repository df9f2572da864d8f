extension Properties {
    /// Settings that lie over and under others without being merged with them: the first that has a value wins.
    ///
    /// Objects of several layers merge, `null` removes, everything else is replaced. Placeholders lead to the whole
    /// stack, and are resolved when they are read. The variables that override `base` also override what only layers
    /// below it have.
    ///
    /// - Complexity: The number of layers, whatever their size.
    package static func stacked(
        above: [Properties], base: Properties, below: [Properties]
    ) -> Properties {
        if above.isEmpty && below.isEmpty { return base }
        var layers: [Layer] = []
        layers.reserveCapacity(above.count + below.count + base.storage.layers.count)
        func add(_ properties: Properties) {
            // One at a time: to append an array takes several times as long if it has one element.
            for layer in properties.storage.layers { layers.append(layer) }
        }
        above.forEach(add)
        let baseIndex = base.storage.baseIndex.map { $0 + layers.count }
        add(base)
        below.forEach(add)
        return Properties(
            storage: PropertiesStorage(
                layers: layers, baseIndex: baseIndex, settings: base.storage.settings, sharing: base.storage.context))
    }

    /// Whether both are the result of the same load and the same stack of layers, so that no path can differ.
    ///
    /// Equal settings from two loads are not identical.
    package func isIdentical(to other: Properties) -> Bool { storage === other.storage && root == other.root }

    /// Whether the value at a path is this one; a missing one is not.
    package func hasValue(_ value: JSONValue, at path: String) throws(PropertiesError) -> Bool {
        guard let found = try read(path) else { return false }
        return found.reads(as: value)
    }

    /// Whether a profile is active: its file was read, or it is a group whose members were.
    package func isProfileActive(_ name: String) -> Bool {
        storage.settings.profiles.contains(name) || storage.settings.groups.contains(name)
    }

    /// Whether a value may have a placeholder, and so depend on a setting at another path.
    package var hasPlaceholders: Bool { storage.hasTemplates }

    /// The paths of all values that these settings themselves define or remove, in the one way they are written.
    package var overriddenPaths: [String] {
        storage.layers.flatMap { JSONValue.object($0.tree).leafPaths().map(\.text) }
    }

    /// Whether a path is well formed, and the one way it is written.
    package static func canonicalPath(_ path: String) throws(PropertiesError) -> String {
        try Properties().full(path).text
    }

    /// Whether the value at a path must not be printed.
    package func isSecret(_ path: String) -> Bool {
        guard let full = try? full(path) else { return false }
        if storage.secrets.isSecret(full) { return true }
        guard case .success(let value?) = storage.lookup(full).result else { return false }
        return value.flags.contains(.secret)
    }

    /// The keys of one layer that are the same text as those of another one, in another Unicode form.
    ///
    /// A load refuses them. A stack of layers is merged only when it is read.
    package var keyProblems: [PropertiesProblem] {
        storage.layers.count > 1 ? KeyForms.problems(in: storage) : []
    }

    /// Everything that is wrong with the placeholders of all layers; a stack finds each only when it is read.
    package func problems() -> [PropertiesProblem] {
        PlaceholderCheck(storage).problems
    }
}
