/// The names of the environment variables that override or add settings.
package struct VariablePaths {
    private let tree: JSONValue
    private let prefix: String
    private let index = SegmentIndex()

    package init(of properties: Properties, prefix: String) {
        tree = properties.storage.mergedTree
        self.prefix = prefix
    }

    /// Returns the name of the variable that overrides or adds the setting at a path, or nil if there is none.
    ///
    /// There is none if no variable's name can express the keys of the path, or if the settings do not have them and
    /// the variable would add others: `db.apiKey` instead of `db.api_key`.
    package func name(for path: PropertyPath) -> String? {
        guard let name = VariableName.name(of: path, prefix: prefix) else { return nil }
        let segments = Substring(name.unicodeScalars.dropFirst(prefix.unicodeScalars.count))
        let text = OverrideRequest.Text(
            origin: .environment(name), name: OverrideName(variable: segments), value: .string(""))
        let match = try? text.match(in: tree, prefix: prefix, index, [:])
        return match?.1 == path ? name : nil
    }
}
