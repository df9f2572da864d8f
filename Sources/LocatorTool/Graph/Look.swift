import Locator

/// How a line of a drawing looks; kinds that mean much the same look the same.
enum Look: Int, CaseIterable, Sendable {
    /// What is needed to create an instance.
    case direct
    /// All of a type, needed to create an instance.
    case collection
    /// What is needed if it is registered.
    case optional
    /// What is resolved later: on first use, each time, from a payload, or injected afterwards.
    case later
    /// A setting.
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
        case .optional: "needs if registered"
        case .later: "needs later: lazy, provider, factory"
        case .property: "reads a setting"
        case .forwarding: "alias or decorator of"
        }
    }
}
