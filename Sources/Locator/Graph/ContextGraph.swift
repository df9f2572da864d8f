/// The dependency graph of a context: modules, registrations, and their dependencies.
///
/// A graph is a value without types or closures. You can write it as JSON, compare it, and draw it elsewhere:
///
/// ```swift
/// let graph = context.graph()
/// print(graph.text)
/// try graph.json().write(to: file)
/// ```
///
/// Nodes are numbered in lookup order, then registration order. The same registrations always produce the same graph.
public struct ContextGraph: Sendable, Hashable, Codable {
    /// The version of the format that this library writes, and the latest one that it reads.
    public static let currentVersion = 2

    /// The version of the format.
    public var version = Self.currentVersion

    /// The active profiles.
    public var profiles: [String]

    /// The modules in lookup order, followed by those that are off.
    public var modules: [Module]

    /// The registrations, their aliases and decorators, the settings, and missing keys.
    public var nodes: [Node]

    /// The dependencies between nodes.
    public var edges: [Edge]

    /// The problems that ``AppContext/validate(profiles:)`` reports.
    public var problems: [Problem]

    /// A module of the graph.
    public struct Module: Sendable, Hashable, Codable {
        /// The module's name.
        public var name: String
        /// The value of its priority.
        public var priority: Int
        /// Whether it was pushed.
        public var isPushed: Bool
        /// The false condition of a module that is off.
        public var offUnless: String?
        /// The place of the module in the source: `Shop/Shop.swift:17`.
        public var location: String
        /// The types of its components, with the names of their modules: `Shop.CatalogService`.
        public var components: [String]
        /// The types that it passes to ``Registry/mayBeEmpty(_:)``, with the names of their modules; nil if there are
        /// none, or if the module is off.
        public var mayBeEmpty: [String]?
    }

    /// A node of the graph: something that others can depend on.
    public struct Node: Sendable, Hashable, Codable {
        /// The kinds of nodes.
        public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
            /// A registration with a factory closure.
            case registration
            /// A registration of an existing instance.
            case instance
            /// An input, which is passed when its scope is opened.
            case input
            /// A factory, which makes its type from a payload.
            case factory
            /// Another key of a registration.
            case alias
            /// A decorator, which wraps registrations.
            case decorator
            /// A type that is decoded from settings without a registration.
            case configuration
            /// A setting.
            case property
            /// A key that is needed but not registered.
            case missing
        }

        /// The states of an instance.
        public enum State: String, Sendable, Hashable, Codable, CaseIterable {
            /// The instance exists.
            case made
            /// The instance is set aside, and the next pop may bring it back.
            case setAside
            /// The instance does not exist.
            case notMade
        }

        /// The number of the node in edges and problems.
        public var id: Int
        /// The kind of the node.
        public var kind: Kind
        /// The type as written in Swift, such as `any Catalog`; the path of a setting.
        public var name: String
        /// The type with the names of its modules, such as `any Shop.Catalog`; nil for a setting.
        public var qualifiedType: String?
        /// The qualifier, if there is one.
        public var qualifier: String?
        /// The scope without a dot, such as `singleton`.
        public var scope: String?
        /// The type of a factory's payload.
        public var payload: String?
        /// The type of a factory's payload with the names of its modules, such as `Shop.User.ID`.
        public var qualifiedPayload: String?
        /// The name of the module that registers the node.
        public var module: String?
        /// The place in the source, such as `Shop/Shop.swift:17`; the place of the value of a setting.
        public var location: String?
        /// The state of the instance; nil for nodes that never have one, such as settings.
        public var state: State?
        /// Whether another registration hides this one.
        public var isHidden: Bool
        /// Whether `start()` makes the instance.
        public var isAsynchronous: Bool
        /// Whether the registration is primary.
        public var isPrimary: Bool
        /// Whether it takes a ``Resolver``, so that some dependencies are unknown.
        public var takesResolver: Bool
    }

    /// A dependency of one node on another.
    public struct Edge: Sendable, Hashable, Codable {
        /// The kinds of dependencies.
        public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
            /// The other node is needed to make this one.
            case direct
            /// The other node is used to make this one, if it exists.
            case optional
            /// The other node is an element of a collection that is needed to make this one.
            case collection
            /// The other node is resolved on first access.
            case lazy
            /// The other node is resolved on each call.
            case provider
            /// The other node is called as a factory.
            case factory
            /// The other node is a setting: a qualifier, or a decoded value.
            case property
            /// The other node is injected after this one was made, by `.injecting`.
            case injection
            /// The other node is the registration of this alias.
            case alias
            /// The other node is wrapped by this decorator.
            case decorator
        }

        /// The number of the dependent node.
        public var from: Int
        /// The number of the node that it depends on.
        public var to: Int
        /// The kind of the dependency.
        public var kind: Kind
    }

    /// A problem in the graph.
    public struct Problem: Sendable, Hashable, Codable {
        /// The severity: `error`, `warning`, or `note`.
        public var severity: Finding.Severity
        /// The kind of the problem, such as `missing` or `circularDependency`.
        public var kind: Finding.Kind
        /// The complete text.
        public var text: String
        /// The numbers of the affected nodes.
        public var nodes: [Int]
    }
}
