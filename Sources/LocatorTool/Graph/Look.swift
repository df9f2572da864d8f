import Locator

/// The look of a line, the same for similar kinds of edges.
enum Look: Int, CaseIterable, Sendable {
    /// A dependency that is needed to create an instance.
    case direct
    /// A collection that is needed to create an instance.
    case collection
    /// A dependency that is used if it is registered.
    case optional
    /// A dependency that is resolved later: on first use, each time, from a payload, or by injection afterward.
    case later
    /// A setting.
    case property
    /// The registration that an alias or a decorator refers to.
    case forwarding

    init(_ kind: ContextGraph.Edge.Kind) {
        switch kind {
        case .direct: self = .direct
        case .collection: self = .collection
        case .optional: self = .optional
        case .lazy, .provider, .factory, .injection: self = .later
        case .property: self = .property
        case .alias, .decorator: self = .forwarding
        }
    }

    var name: String { "\(self)" }

    /// The description in the legend.
    var meaning: String {
        switch self {
        case .direct: "needs"
        case .collection: "needs all of a type"
        case .optional: "needs if registered"
        case .later: "needs later: lazy, provider, factory"
        case .property: "reads a setting"
        case .forwarding: "alias or decorator of"
        }
    }
}
