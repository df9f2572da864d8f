internal import LocatorProperties

/// The dependencies in one state of a context, found without making an instance.
///
/// The nodes are in lookup order, then registration order. Nodes that are reached only through other nodes come last.
struct Wiring {
    /// A registration, an alias, or a decorator.
    struct Node {
        let slot: Slot
        /// Its needs, in source order.
        var needs: [Need] = []
        /// Whether a module that comes earlier hides it.
        var isHidden = false
        /// Whether a request, or an instance that is made at load, leads to it.
        var isReachable = false
        /// The depth, in the chain of contexts, of the innermost one whose own modules change what it takes, if that is a
        /// child; otherwise zero.
        var changedDepth = 0
    }

    struct Need {
        enum Outcome {
            case found([Int])
            case missing
            /// It is resolved in the context in which the instance lives, but only a child of that context has it.
            case onlyInChild(Int)
            /// Only factories make the type.
            case payloadNeeded([Candidate])
            case ambiguous([Candidate])
            /// An alias forwards to another key, and several registrations match it.
            case unclearAlias(Key, [Candidate])
            /// The setting with the qualifier cannot be read.
            case noQualifier(path: String, PropertiesError)
            /// The answer is decided at run time.
            case unknown
        }

        let dependency: DeclaredDependency
        /// The requested key, with the qualifier if it is known.
        let key: Key
        let outcome: Outcome

        var targets: [Int] { if case .found(let targets) = outcome { targets } else { [] } }
    }

    let state: ContextState
    /// The settings of the state, which share one search for similar paths.
    let properties: Properties
    /// The modules that are on, in lookup order.
    let modules: [Lineup.Entry]
    var nodes: [Node]
    /// The aliases that forward to a key that several registrations match.
    var unclearAliases: [(alias: AliasRecord, candidates: [Candidate])]

    /// The scopes whose instances exist only where they are open: those with `requiresOpening`, and those with inputs.
    var scopesToOpen: Set<Scope> {
        Set(
            nodes.lazy.map(\.record).compactMap { record in
                record.lifetime.openableScope.flatMap { $0.requiresOpening || record.isInput ? $0 : nil }
            })
    }

    /// The number of registrations in the modules that are on.
    var registrationCount: Int { modules.reduce(0) { $0 + $1.loaded.registrations.count } }
}

extension Slot {
    /// Whether its instance is made when its module is loaded, even if another module hides it.
    var isMadeAtLoad: Bool {
        record.lifetime.isAlways && !record.isAsynchronous
            && sequence(first: self, next: \.inner).allSatisfy { !$0.isAlias }
    }
}

extension Wiring.Node {
    /// The name of the node in texts: its key, `the decorator of any Catalog`, or `the alias any Books`.
    @inline(never)
    var name: String {
        switch slot.layer {
        case .registration: "\(slot.key)"
        case .decorator: "the decorator of \(slot.key)"
        case .alias: "the alias \(slot.key)"
        }
    }

    var key: Key { slot.key }
    var record: RegistrationRecord { slot.record }
    var location: SourcePlace { slot.step.location }

    /// Whether each dependent instance gets its own instance, even within one request.
    var isUnshared: Bool { record.lifetime == .prototype }

    /// Whether its instances have one of these scopes.
    func isIn(_ scopes: Set<Scope>) -> Bool { record.lifetime.openableScope.map(scopes.contains) ?? false }

    var isFactory: Bool { record.payload != nil }

    /// Whether it is decoded from settings without a registration.
    var isConfiguration: Bool { record.configurationPath != nil && record.run == nil }
}
