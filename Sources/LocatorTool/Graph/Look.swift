import Locator

/// How a line of a drawing looks; needs that mean much the same look the same.
enum Look: Int, CaseIterable, Sendable {
    /// What is needed while something is made.
    case direct
    /// All of a type, needed while something is made.
    case collection
    /// What is needed if it is there.
    case optional
    /// What is made later: on first use, each time, from a payload, or joined after the making.
    case later
    /// A property.
    case property
    /// A further key, or what is wrapped.
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

    /// The name in style sheets.
    var name: String { "\(self)" }

    /// What a legend says.
    var meaning: String {
        switch self {
        case .direct: "needs"
        case .collection: "needs all of a type"
        case .optional: "needs if there"
        case .later: "needs later: lazy, provider, factory"
        case .property: "reads a property"
        case .forwarding: "alias or decorator of"
        }
    }
}
