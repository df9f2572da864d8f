internal import LocatorProperties

/// Everything that answers depend on, at one moment: the modules in lookup order and the properties.
///
/// Constant, but for the instances it keeps for requests that outlive it.
final class ContextState: @unchecked Sendable {
    // Sendable: all fields but `strays` are constant; `strays` is guarded by the lock of the context.

    /// Counts the changes of a context.
    let revision: UInt
    /// What was loaded or pushed, in lookup order.
    let roots: [Root]
    /// The modules in lookup order, each once.
    let modules: [Entry]
    /// The runs of the modules' closures.
    private let runs: IdentitySet
    /// The modules that are loaded but not in force, because their condition does not hold.
    let inactive: [Module]
    /// The profile files and the environment.
    let base: Properties
    /// Counts the loads of the profile files.
    let baseRevision: UInt
    /// The base with the properties of the modules over and under it.
    let properties: Properties

    /// Whether nothing is pushed.
    let isUnpushed: Bool
    /// Whether one of the modules has a condition.
    let hasConditions: Bool

    /// Instances for requests of this state which has been overtaken: what they have made that is not valid later, and
    /// what they use that has left the context.
    var strays: IdentityTable<Instance> = [:]

    /// One call of `load` or `push`.
    struct Root {
        let loaded: LoadedModule
        let priority: Priority
        let isPushed: Bool
        /// Whether it is the parent's, for a child.
        var isInherited = false
        /// Counts the calls; a later one has a greater number.
        let sequence: UInt
        let location: SourceLocation

        /// The root as a fork has it, whose stack of pushes starts empty.
        var asLoaded: Root {
            Root(loaded: loaded, priority: priority, isPushed: false, sequence: sequence, location: location)
        }

        /// The root as a child of its context has it.
        var asInherited: Root {
            var root = self
            root.isInherited = true
            return root
        }

        /// Puts the root into lookup order: behind its equals, or in front of them if it is pushed.
        func insert(into roots: inout [Root]) {
            let behind = roots.firstIndex { isPushed ? $0.priority <= priority : $0.priority < priority }
            roots.insert(self, at: behind ?? roots.endIndex)
        }
    }

    /// A module at its place in the lookup order.
    struct Entry {
        let loaded: LoadedModule
        let priority: Priority
    }

    /// Creates the state of these roots.
    ///
    /// `known` holds them and whatever they include.
    init(revision: UInt, roots: [Root], known: IdentityTable<LoadedModule>, base: Properties, baseRevision: UInt) {
        self.revision = revision
        self.baseRevision = baseRevision
        self.roots = roots
        self.base = base
        isUnpushed = !roots.contains(where: \.isPushed)
        // Conditions see the base and the modules that are in force whatever the conditions say.
        let unconditional = Self.flatten(roots, known) { _ in false }
        let visible = Self.stack(unconditional.modules, on: base)
        hasConditions = !unconditional.inactive.isEmpty
        if !hasConditions {
            (modules, inactive) = unconditional
            properties = visible
        } else {
            (modules, inactive) = Self.flatten(roots, known) { $0.holds(visible) }
            properties = Self.stack(modules, on: base)
        }
        runs = IdentitySet(modules.lazy.map { ObjectIdentifier($0.loaded.run) })
    }

    /// Whether what a module's closure registered in this run is in force.
    func has(_ run: ModuleRun) -> Bool { runs.contains(ObjectIdentifier(run)) }

    /// The number of the latest load or push.
    var latestSequence: UInt { roots.reduce(0) { max($0, $1.sequence) } }

    /// The roots of an earlier state that this one lacks.
    func rootsMissing(of other: ContextState) -> [Root] {
        let kept = Set(roots.lazy.map(\.sequence))
        return other.roots.filter { !kept.contains($0.sequence) }
    }

    /// Whether all that this state lacks of an earlier one was loaded after everything that it has.
    func isUndoing(_ other: ContextState) -> Bool {
        let latest = latestSequence
        return rootsMissing(of: other).allSatisfy { $0.sequence > latest }
    }

    /// This state without what was loaded after `sequence`.
    func restricted(to sequence: UInt, known: IdentityTable<LoadedModule>) -> ContextState {
        ContextState(
            revision: revision, roots: roots.filter { $0.sequence <= sequence }, known: known, base: base,
            baseRevision: baseRevision)
    }

    /// The same state for a fork, where nothing counts as pushed.
    var asOwn: ContextState {
        ContextState(copying: self)
    }

    private init(copying other: ContextState) {
        revision = 0
        roots = other.roots.map(\.asLoaded)
        modules = other.modules
        runs = other.runs
        inactive = other.inactive
        base = other.base
        baseRevision = other.baseRevision
        properties = other.properties
        isUnpushed = true
        hasConditions = other.hasConditions
    }

    /// The same state for a child, which has nothing of its own yet.
    init(inheritedFrom parent: ContextState) {
        revision = parent.revision
        roots = parent.roots.map(\.asInherited)
        modules = parent.modules
        runs = parent.runs
        inactive = parent.inactive
        base = parent.base
        baseRevision = parent.baseRevision
        properties = parent.properties
        isUnpushed = parent.isUnpushed
        hasConditions = parent.hasConditions
    }

    /// The state of a lean child that has ended.
    static let ended = ContextState(revision: 0, roots: [], known: [:], base: .init(), baseRevision: 0)

    /// Puts included modules behind the first of their includers, each module once.
    private static func flatten(
        _ roots: [Root], _ known: IdentityTable<LoadedModule>, where holds: (Condition) -> Bool
    ) -> (modules: [Entry], inactive: [Module]) {
        var seen: IdentitySet = []
        var entries: [Entry] = []
        var inactive: [Module] = []
        func add(_ identity: ObjectIdentifier, _ priority: Priority) {
            guard seen.insert(identity).inserted, let loaded = known[identity] else { return }
            if let condition = loaded.module.definition.condition, !holds(condition) {
                inactive.append(loaded.module)
                return
            }
            entries.append(Entry(loaded: loaded, priority: priority))
            for module in loaded.included { add(module.identity, priority) }
        }
        for root in roots { add(root.loaded.identity, root.priority) }
        return (entries, inactive)
    }

    /// The layers of the properties, first wins: modules above the profile files, the files, the other modules.
    private static func stack(_ modules: [Entry], on base: Properties) -> Properties {
        var above: [Properties] = []
        var below: [Properties] = []
        for entry in modules {
            guard let properties = entry.loaded.properties else { continue }
            if entry.priority > .profile {
                above.append(properties)
            } else {
                below.append(properties)
            }
        }
        if above.isEmpty, below.isEmpty { return base }
        return Properties.stacked(above: above, base: base, below: below)
    }
}
