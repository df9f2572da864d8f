internal import LocatorProperties

/// The dependencies in one state of a context, found without making anything.
///
/// The nodes are in lookup order, then in registration order. Nodes that only other nodes lead to come last.
struct Wiring {
    /// A registration, an alias, or a decorator.
    struct Node {
        let slot: Slot
        /// What it needs, in source order.
        var needs: [Need] = []
        /// Whether a module in front answers its key.
        var isHidden = false
        /// Whether it is made at load, or a request for some key leads to it.
        var isReachable = false
    }

    /// One thing that a node needs.
    struct Need {
        enum Outcome {
            case found([Int])
            case missing
            /// Only factories make it.
            case payloadNeeded([Candidate])
            case ambiguous([Candidate])
            /// An alias forwards to a key that has several registrations.
            case unclearAlias(Key, [Candidate])
            /// The setting that names the qualifier cannot be read.
            case noQualifier(path: String, PropertiesError)
            /// It is decided at run time.
            case unknown
        }

        let dependency: DeclaredDependency
        /// The key that is needed, with the qualifier if it is known.
        let key: Key
        let outcome: Outcome

        var targets: [Int] {
            if case .found(let targets) = outcome { targets } else { [] }
        }
    }

    /// An alias that cannot be resolved, because its target is ambiguous.
    struct UnclearAlias {
        let alias: AliasRecord
        let candidates: [Candidate]
    }

    let state: ContextState
    /// The modules in force, in lookup order.
    let modules: [Lineup.Entry]
    var nodes: [Node]
    /// The aliases in force whose target is ambiguous.
    var unclearAliases: [UnclearAlias]
    /// The number of the node of each slot.
    var numbers: IdentityTable<Int>
    /// The number of registrations in the modules that are in force.
    var registrationCount: Int
}

extension Slot {
    /// Whether its instance is made when its module is loaded, even if another module answers its key.
    var isMadeAtLoad: Bool {
        if case .alias = layer { return false }
        return record.lifetime == .held(.always) && !record.isAsynchronous
    }
}

extension Wiring.Node {
    /// The name of the node in messages: its key, `the decorator of any Catalog`, or `the alias any Books`.
    var name: String {
        switch slot.layer {
        case .registration: "\(slot.key)"
        case .decorator: "the decorator of \(slot.key)"
        case .alias: "the alias \(slot.key)"
        }
    }

    var location: SourcePlace { slot.step.location }

    /// Whether each request gets a new instance, even within one outermost request.
    var isUnshared: Bool {
        switch slot.record.lifetime {
        case .prototype: true
        case .held, .weak, .graph: false
        }
    }

    /// Whether it is decoded from the settings without being registered.
    var isConfiguration: Bool { slot.record.configurationPath != nil && slot.record.run == nil }
}
