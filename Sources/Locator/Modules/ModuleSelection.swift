/// The modules that a collection takes its elements from.
///
/// ```swift
/// @DependencyArray(from: .first) var loggers: [any Logger]
/// let plugins = try context.resolveAll((any Plugin).self, from: .modules(named: "Plugins"))
/// ```
public struct ModuleSelection: Sendable {
    /// The description of a module for a ``ModuleSelection/where(_:)`` predicate.
    public struct Candidate: Sendable, Hashable {
        /// The module's name.
        public let name: String
        /// The module's priority.
        public let priority: Priority
    }

    enum Rule: Sendable {
        case all
        case first
        case named(Set<String>)
        case matching(@Sendable (Candidate) -> Bool)
    }

    let rule: Rule

    /// All modules.
    public static let all = ModuleSelection(rule: .all)

    /// The first module in lookup order that has any element.
    public static let first = ModuleSelection(rule: .first)

    /// Returns a selection of the modules with these names.
    public static func modules(named names: String...) -> ModuleSelection {
        ModuleSelection(rule: .named(Set(names)))
    }

    /// Returns a selection of the modules for which `predicate` returns true.
    ///
    /// The predicate must be a pure function of the module. It is called for modules that register or change the type of
    /// the collection, even if their conditions are false. When a module is loaded or pushed, it may be called again to
    /// find out whether an instance that depends on the collection is affected.
    public static func `where`(_ predicate: @escaping @Sendable (Candidate) -> Bool) -> ModuleSelection {
        ModuleSelection(rule: .matching(predicate))
    }
}
