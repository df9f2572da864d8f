internal import LocatorProperties

/// The setting of a condition that is true in the settings, or in those of the module itself, although the module is off:
/// conditions do not read the settings of modules that have a condition themselves.
struct UnreadSetting {
    let path: String
    /// Whether only the module itself sets it.
    let isOwn: Bool
    /// The condition in words.
    private let condition: String

    /// Returns nil if the condition is false.
    init?(of condition: Condition, of module: LoadedModule, in properties: Properties) {
        guard let path = condition.path else { return nil }
        // If another module or a file sets it, the module may be off on purpose.
        isOwn = properties[path] == nil && module.properties.map(condition.holds) ?? false
        guard isOwn || condition.holds(properties) else { return nil }
        self.path = path
        self.condition = condition.text(in: properties)
    }

    /// Why the module is off, after "is off, although ".
    var contradiction: String {
        (isOwn ? "it sets \"\(path)\" itself" : condition)
            + ": conditions do not read the settings of a module that has a condition"
    }

    var fix: String { "set \"\(path)\" in a profile file or in a module without a condition" }
}
