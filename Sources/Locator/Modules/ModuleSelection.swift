/// Which modules a collection takes its elements from.
///
/// ```swift
/// @DependencyArray(from: .first) var loggers: [any Logger]
/// let plugins = try context.resolveAll((any Plugin).self, from: .modules(named: "Plugins"))
/// ```
public struct ModuleSelection: Sendable {
    /// What a ``ModuleSelection/where(_:)`` predicate sees of a module.
    public struct Candidate: Sendable, Hashable {
        /// The module's name.
        public let name: String
        /// The priority it stands at.
        public let priority: Priority
    }

    enum Rule: Sendable {
        case all
        case first
        case named(Set<String>)
        case matching(@Sendable (Candidate) -> Bool)
    }

    let rule: Rule

    /// Every module.
    public static let all = ModuleSelection(rule: .all)

    /// The first module in lookup order that has any element.
    public static let first = ModuleSelection(rule: .first)

    /// The modules of these names.
    public static func modules(named names: String...) -> ModuleSelection {
        ModuleSelection(rule: .named(Set(names)))
    }

    /// The modules for which `predicate` holds.
    ///
    /// The predicate must be a pure function of the module. It is called for modules that have something for the type of
    /// the collection, in force or not. It may be called again when a module is loaded or pushed, to find out whether an
    /// instance whose maker has read such a collection is affected.
    public static func `where`(_ predicate: @escaping @Sendable (Candidate) -> Bool) -> ModuleSelection {
        ModuleSelection(rule: .matching(predicate))
    }
}
