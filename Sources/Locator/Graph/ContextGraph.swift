/// The modules, registrations, and dependencies of a context.
///
/// A graph is a value without types or closures, so you can write it as JSON, compare it, and draw it elsewhere:
///
/// ```swift
/// let graph = context.graph()
/// print(graph.text)
/// try graph.json().write(to: file)
/// ```
///
/// Nodes are numbered in lookup order, then in registration order. The same wiring results in the same graph.
public struct ContextGraph: Sendable, Hashable, Codable {
    /// The version of the format that this library writes, and the latest that it reads.
    public static let currentVersion = 2

    /// The version of the format.
    public var version = Self.currentVersion

    /// The active profiles.
    public var profiles: [String]

    /// The modules in lookup order, and then those that are off.
    public var modules: [Module]

    /// The registrations, their decorators and aliases, the settings, and the missing keys.
    public var nodes: [Node]

    /// The dependencies between nodes.
    public var edges: [Edge]

    /// The problems that ``AppContext/validate(profiles:)`` finds.
    public var problems: [Problem]

    /// A module of the graph.
    public struct Module: Sendable, Hashable, Codable {
        /// The module's name.
        public var name: String
        /// The value of its priority.
        public var priority: Int
        /// Whether it was pushed.
        public var isPushed: Bool
        /// For a module that is off, the condition that is false.
        public var offUnless: String?
        /// The place of the module in the source, such as `Shop/Shop.swift:17`.
        public var location: String
        /// The component types of the module, with the names of their Swift modules, such as `Shop.CatalogService`.
        public var components: [String]
    }

    /// A node of the graph, which others may need.
    public struct Node: Sendable, Hashable, Codable {
        /// The kind of a node.
        public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
            /// A registration with an initializer or a factory closure.
            case registration
            /// A registration of an existing instance.
            case instance
            /// An input, which is passed in when its scope is opened.
            case input
            /// A factory, which creates instances from a payload.
            case factory
            /// An alias, which is another key of a registration.
            case alias
            /// A decorator, which wraps registrations.
            case decorator
            /// A type that is decoded from the settings without being registered.
            case configuration
            /// A setting.
            case property
            /// A key that is needed but not registered.
            case missing
        }

        /// Whether there is an instance.
        public enum State: String, Sendable, Hashable, Codable, CaseIterable {
            /// There is an instance.
            case made
            /// The instance is set aside.
            ///
            /// The next pop may bring it back.
            case setAside
            /// There is no instance.
            case notMade
        }

        /// The number that edges and problems use for the node.
        public var id: Int
        /// The kind of the node.
        public var kind: Kind
        /// The type as Swift writes it, such as `any Catalog`, or the path of a setting.
        public var name: String
        /// The type with the names of its Swift modules, such as `any Shop.Catalog`; nil for a setting.
        public var qualifiedType: String?
        /// The qualifier, if any.
        public var qualifier: String?
        /// The scope without a dot, such as `singleton`.
        public var scope: String?
        /// The type of a factory's payload.
        public var payload: String?
        /// The name of the module that registers it.
        public var module: String?
        /// The place in the source, such as `Shop/Shop.swift:17`; for a setting, the place of its value.
        public var location: String?
        /// Whether there is an instance; nil if this does not apply to the node.
        public var state: State?
        /// Whether another registration answers the key instead.
        public var isHidden: Bool
        /// Whether `start()` creates it.
        public var isAsynchronous: Bool
        /// Whether it is marked as primary.
        public var isPrimary: Bool
        /// Whether it resolves dependencies at run time, so that not all of them are known.
        public var takesResolver: Bool
    }

    /// A dependency of one node on another.
    public struct Edge: Sendable, Hashable, Codable {
        /// The kind of a dependency.
        public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
            /// It is resolved when the node is created.
            case direct
            /// It is resolved when the node is created, if it is registered.
            case optional
            /// It is resolved when the node is created, with all others of its type.
            case collection
            /// It is resolved on first use.
            case lazy
            /// It is resolved on every call.
            case provider
            /// It is passed as a function that creates it from a payload.
            case factory
            /// It is a setting that names a qualifier or is decoded.
            case property
            /// It is resolved by `.injecting`, after the node is created.
            case injection
            /// It is the target of an alias.
            case alias
            /// It is what a decorator wraps.
            case decorator
        }

        /// The number of the node that has the dependency.
        public var from: Int
        /// The number of the node that is needed.
        public var to: Int
        /// The kind of the dependency.
        public var kind: Kind
    }

    /// A problem of the context.
    public struct Problem: Sendable, Hashable, Codable {
        /// The severity: `error`, `warning`, or `note`.
        public var severity: Finding.Severity
        /// The kind of the problem, such as `missing` or `circularDependency`.
        public var kind: Finding.Kind
        /// The whole message.
        public var text: String
        /// The numbers of the nodes that the problem is about.
        public var nodes: [Int]
    }
}
