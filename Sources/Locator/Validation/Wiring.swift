internal import LocatorProperties

/// What needs what in one state of a context, found without making anything.
///
/// The nodes are in lookup order, then registration order; what only others lead to comes last.
struct Wiring {
    /// A registration, an alias or a decorator.
    struct Node {
        let slot: Slot
        /// What it needs, in the order in which it is written.
        var needs: [Need] = []
        /// Whether another module in front answers its key.
        var isHidden = false
        /// Whether a request for some key leads to it, or what is made at load.
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
            /// Several registrations of another key, to which an alias forwards.
            case unclearAlias(Key, [Candidate])
            /// The property that is to give the qualifier cannot be read.
            case noQualifier(path: String, PropertiesError)
            /// Decided at run time.
            case unknown
        }

        let dependency: DeclaredDependency
        /// What is asked for, with the qualifier as far as it is known.
        let key: Key
        let outcome: Outcome

        var targets: [Int] {
            if case .found(let targets) = outcome { targets } else { [] }
        }
    }

    /// A key that a module registers and that no single request can be answered for.
    struct UnclearAlias {
        let alias: AliasRecord
        let candidates: [Candidate]
    }

    let state: ContextState
    /// The modules in force, in lookup order.
    let modules: [Lineup.Entry]
    var nodes: [Node]
    /// The aliases in force that forward to what several registrations could answer.
    var unclearAliases: [UnclearAlias]
    /// The number of the node of each slot.
    var numbers: IdentityTable<Int>
    /// The number of registrations in the modules that are in force.
    var registrationCount: Int
}

extension Slot {
    /// Whether its instance is made when its module is loaded, also where another module answers its key.
    var isMadeAtLoad: Bool {
        if case .alias = layer { return false }
        return record.lifetime == .held(.always) && !record.isAsynchronous
    }
}

extension Wiring.Node {
    /// What stands in a text for the node: its key, `decorator of any Catalog` or `alias any Books`.
    var name: String {
        switch slot.layer {
        case .registration: "\(slot.key)"
        case .decorator: "the decorator of \(slot.key)"
        case .alias: "the alias \(slot.key)"
        }
    }

    var location: SourcePlace { slot.step.location }

    /// Whether its instances are made anew for whoever asks, within one request too.
    var isUnshared: Bool {
        switch slot.record.lifetime {
        case .prototype: true
        case .held, .weak, .graph: false
        }
    }

    /// Whether it is not registered but decoded from the properties.
    var isConfiguration: Bool { slot.record.configurationPath != nil && slot.record.run == nil }
}
