internal import LocatorProperties

/// The setting of a condition that is true, although its module is off.
///
/// The setting may come from the module itself or a module that it includes. Conditions do not read the settings of
/// modules that have a condition, or that only such modules include.
struct UnreadSetting {
    let path: String
    /// The module that sets it, if only the module that is off and those that it includes do.
    let own: LoadedModule?
    /// The condition in words, or that the module sets it.
    private let reason: String

    /// Returns nil if the condition is false.
    init?(of condition: Condition, of module: LoadedModule, in properties: Properties, _ lineup: Lineup) {
        guard let path = condition.path else { return nil }
        self.path = path
        // If another module or a file sets it, the module may be off on purpose.
        own =
            properties[path] == nil
            ? lineup.reached(from: module).first { $0.properties.map(condition.holds) ?? false } : nil
        if let own {
            reason =
                own === module
                ? "it sets \"\(path)\" itself" : "module \"\(own.name)\", which it includes, sets \"\(path)\""
        } else if condition.holds(properties) {
            reason = condition.text(in: properties)
        } else {
            return nil
        }
    }

    /// Why the module is off, after "is off, although ".
    var contradiction: String {
        let isIncluded = own.map { !$0.hasCondition } ?? false
        return reason + ": conditions do not read the settings of a module that has a condition"
            + (isIncluded ? ", or that only such a module includes" : "")
    }

    var fix: String { "set \"\(path)\" in a profile file or in a module without a condition" }
}
