extension Properties {
    /// Returns settings with layers above and below others.
    ///
    /// They are not merged: the first layer with a value wins.
    ///
    /// Objects of several layers are merged, `null` removes, and everything else is replaced. Placeholders refer to the
    /// whole stack and are resolved when they are read. The variables that override `base` are matched to the keys of
    /// the layers below it as well.
    ///
    /// - Complexity: O(*n*), where *n* is the number of lists. Neither the number of layers nor their size matters.
    package static func stacked(above: [LayerList], base: Properties, below: [LayerList]) -> Properties {
        if above.isEmpty && below.isEmpty { return base }
        return Properties(
            storage: PropertiesStorage(
                above: above, layers: base.storage.layers, below: below, settings: base.storage.settings,
                sharing: base.storage.context))
    }

    /// The same for arrays of settings, the first one winning.
    package static func stacked(above: [Properties], base: Properties, below: [Properties]) -> Properties {
        func lists(_ properties: [Properties]) -> [LayerList] {
            var list = LayerList(isLatestFirst: false)
            for properties in properties { list.append(properties) }
            return properties.isEmpty ? [] : [list]
        }
        return stacked(above: lists(above), base: base, below: lists(below))
    }

    /// Whether both are the result of the same load and the same stack of layers, so that no value can differ.
    ///
    /// Equal settings from two loads are not identical.
    package func isIdentical(to other: Properties) -> Bool { storage === other.storage && root == other.root }

    /// Whether the value at a path exists and is equal to this one.
    package func hasValue(_ value: JSONValue, at path: String) throws(PropertiesError) -> Bool {
        guard let found = try read(path) else { return false }
        return found.reads(as: value)
    }

    /// Whether a profile is active: its file was read, or it is a group whose members are active.
    package func isProfileActive(_ name: String) -> Bool {
        storage.settings.profiles.contains(name) || storage.settings.groups.contains(name)
    }

    /// Whether any value may have a placeholder, and so depend on a setting at another path.
    package var hasPlaceholders: Bool { storage.hasTemplates }

    /// The paths of all values that these settings themselves define or remove, in their canonical form.
    package var overriddenPaths: [String] {
        storage.layers.flatMap { JSONValue.object($0.tree).leafPaths().map(\.text) }
    }

    /// The paths at which, above which, or below which these settings change a stack that they are added to.
    package var affectedPaths: [String] {
        storage.layers.flatMap { JSONValue.object($0.tree).affectedPaths().map(\.text) }
    }

    /// Returns the canonical form of a path that may be malformed.
    package static func canonicalPath(_ path: String) throws(PropertiesError) -> String {
        try Properties().full(path).text
    }

    /// Whether the value at a path must not be printed.
    package func isSecret(_ path: String) -> Bool {
        guard let full = try? full(path) else { return false }
        return storage.secrets.isSecret(full) || storage.lookup(full).value?.flags.contains(.secret) ?? false
    }

    /// The problems of keys in different layers that differ only in their Unicode form.
    ///
    /// A load refuses such keys. A stack of layers is merged only when it is read.
    package var keyProblems: [PropertiesProblem] {
        storage.layers.count > 1 ? KeyForms.problems(in: storage) : []
    }

    /// Returns all problems with the placeholders of all layers.
    ///
    /// Otherwise a stack finds each one only when it is read.
    package func problems() -> [PropertiesProblem] {
        PlaceholderCheck(storage).problems
    }

    /// Whether paths are listed as secret here.
    package var listsSecrets: Bool { storage.layers.contains { !$0.listedSecrets.isEmpty } }

    /// The same settings, whose errors and explanations share one search for similar paths.
    ///
    /// Use them for many lookups on one thread: the limit of compared names holds for all of them together.
    package var sharingNearSearch: Properties {
        Properties(storage: PropertiesStorage(storage, nearSearch: NearSearch()), root: root)
    }
}

extension LayerList {
    /// Adds the settings of a module.
    package mutating func append(_ properties: Properties) {
        for layer in properties.storage.layers { append(layer) }
    }
}
