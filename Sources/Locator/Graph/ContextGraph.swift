/// What a context consists of and how it hangs together: modules, registrations, and what needs what.
///
/// A graph is a value without types or closures, so that it can be written as JSON, compared and drawn elsewhere:
///
/// ```swift
/// let graph = context.graph()
/// print(graph.text)
/// try graph.json().write(to: file)
/// ```
///
/// Nodes are numbered in lookup order, then registration order; the same wiring gives the same graph.
public struct ContextGraph: Sendable, Hashable, Codable {
    /// The version of the format that this library writes, and the latest that it reads.
    public static let currentVersion = 2

    /// The version of the format.
    public var version = Self.currentVersion

    /// The profiles that are active.
    public var profiles: [String]

    /// The modules in lookup order, those that are off last.
    public var modules: [Module]

    /// The registrations and what stands around them, the properties and what is missing.
    public var nodes: [Node]

    /// What needs what.
    public var edges: [Edge]

    /// What is wrong, as ``AppContext/validate(profiles:)`` finds it.
    public var problems: [Problem]

    /// A module of the graph.
    public struct Module: Sendable, Hashable, Codable {
        /// The module's name.
        public var name: String
        /// The number of its priority.
        public var priority: Int
        /// Whether it was pushed.
        public var isPushed: Bool
        /// The condition that does not hold, for a module that is off.
        public var offUnless: String?
        /// Where the module was written: `Shop/Shop.swift:17`.
        public var location: String
        /// The types that it was given as components, with the names of their modules: `Shop.CatalogService`.
        public var components: [String]
    }

    /// Something that can be needed.
    public struct Node: Sendable, Hashable, Codable {
        /// What a node is.
        public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
            /// A registration with a maker.
            case registration
            /// A registration of an instance that existed before.
            case instance
            /// A registration of an instance that is handed in where its scope is opened.
            case input
            /// A registration that makes its type from a payload.
            case factory
            /// A further key of a registration.
            case alias
            /// What wraps registrations.
            case decorator
            /// A type that is decoded from the properties without being registered.
            case configuration
            /// A property.
            case property
            /// A key that something needs and nothing registers.
            case missing
        }

        /// Whether there is an instance.
        public enum State: String, Sendable, Hashable, Codable, CaseIterable {
            /// There is one.
            case made
            /// There is none that is given out, but one that the next pop may bring back.
            case setAside
            /// There is none.
            case notMade
        }

        /// The number by which edges and problems name the node.
        public var id: Int
        /// What the node is.
        public var kind: Kind
        /// The type as Swift writes it, `any Catalog`; for a property its path.
        public var name: String
        /// The type with the names of its modules, `any Shop.Catalog`; nil for a property.
        public var qualifiedType: String?
        /// The qualifier, where there is one.
        public var qualifier: String?
        /// The scope, without a dot: `singleton`.
        public var scope: String?
        /// The type of a factory's payload.
        public var payload: String?
        /// The name of the module that registers it.
        public var module: String?
        /// Where it was written, `Shop/Shop.swift:17`; for a property the place of its value.
        public var location: String?
        /// Whether there is an instance; nil where that is no question.
        public var state: State?
        /// Whether another registration answers the key instead.
        public var isHidden: Bool
        /// Whether it is made by `start()`.
        public var isAsynchronous: Bool
        /// Whether it is marked as primary.
        public var isPrimary: Bool
        /// Whether it asks at run time for what it needs, so that not all of it is known.
        public var takesResolver: Bool
    }

    /// One node's need of another.
    public struct Edge: Sendable, Hashable, Codable {
        /// How a node needs another.
        public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
            /// While it is made.
            case direct
            /// While it is made, if it is there.
            case optional
            /// While it is made, with all others of its type.
            case collection
            /// When it is first used.
            case lazy
            /// Each time it is asked for.
            case provider
            /// As a function that makes it from a payload.
            case factory
            /// As a property: a qualifier, or what is decoded.
            case property
            /// After it was made, by `.injecting`.
            case injection
            /// As what it gives a further key.
            case alias
            /// As what it wraps.
            case decorator
        }

        /// The number of the node that needs.
        public var from: Int
        /// The number of the node that is needed.
        public var to: Int
        /// How.
        public var kind: Kind
    }

    /// Something that is wrong.
    public struct Problem: Sendable, Hashable, Codable {
        /// How bad it is: `error`, `warning` or `note`.
        public var severity: Finding.Severity
        /// What is wrong, a name such as `missing` or `circle`.
        public var kind: Finding.Kind
        /// The whole text.
        public var text: String
        /// The numbers of the nodes it is about.
        public var nodes: [Int]
    }
}
