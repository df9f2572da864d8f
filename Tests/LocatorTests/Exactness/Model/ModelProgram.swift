/// A random program: modules as data, and steps.
///
/// It contains no behavior.
struct ModelProgram {
    var modules: [ModuleSpec]
    var steps: [ModelStep]
    /// The number of key types in use.
    var typeCount: Int
    /// Whether the run keeps every object alive, so that weak instances never end on their own.
    var keepsAll: Bool
    /// What the program may do.
    ///
    /// Steps that need other features are skipped.
    var features: ModelFeatures
}

/// A key: the number of a type, and a qualifier.
struct ModelKey: Hashable, Sendable, CustomStringConvertible {
    var type: Int
    var qualifier: String?

    var description: String { "T\(type)" + (qualifier.map { "\"\($0)\"" } ?? "") }
}

/// One module.
struct ModuleSpec: Sendable {
    var id: Int
    var registrations: [RegistrationSpec] = []
    var decorators: [DecoratorSpec] = []
    var factories: [FactorySpec] = []
    var replaced: [Int] = []
    var properties: [String: String] = [:]
    var included: [Int] = []
    var condition: ConditionSpec?
    /// Whether the module registers the type that is otherwise decoded from the settings.
    var registersConfiguration = false

    var name: String { "M\(id)" }
}

struct ConditionSpec: Hashable, Sendable {
    var path: String
    var value: String
}

/// One registration.
struct RegistrationSpec: Hashable, Sendable {
    enum Lifetime: Hashable, Sendable {
        case singleton, always, weak, graph, prototype
        /// A custom scope, by number.
        case custom(Int)
    }

    var id: Int
    var key: ModelKey
    var lifetime = Lifetime.singleton
    var isPrimary = false
    var aliases: [ModelKey] = []
    var reads: [ReadSpec] = []
    /// Whether the first read is a parameter of the factory closure.
    var takesParameter = false
    /// The read of the factory closure's parameter.
    var parameter: ReadSpec? {
        switch lifetime {
        case .singleton, .always, .custom: takesParameter && reads.first?.isParameter == true ? reads.first : nil
        case .weak, .graph, .prototype: nil
        }
    }
    /// The factory closure throws after its reads while this flag is set.
    var flag: Int?
    /// A wrapper that the instance has, and that others read.
    var peer: WrapperSpec?
    /// Whether the factory closure is asynchronous.
    var isAsynchronous = false
    /// Whether it is an input, which has no factory closure.
    var isInput = false
    /// What `.injecting` reads.
    var injections: [ReadSpec] = []
    /// Whether the registration has an `.onDispose` hook, if its scope keeps instances.
    var hasHook = true
}

struct DecoratorSpec: Hashable, Sendable {
    var id: Int
    var type: Int
    var qualifier: String?
    var reads: [ReadSpec] = []
}

struct FactorySpec: Hashable, Sendable {
    var id: Int
    var key: ModelKey
    /// Whether the payload is a `String` instead of an `Int`.
    var takesText: Bool
    var reads: [ReadSpec] = []
}

/// A wrapper.
enum WrapperSpec: Hashable, Sendable {
    /// `Dependency<T>`
    case one(ModelKey)
    /// `Dependency<T?>`
    case optional(ModelKey)
    /// `DependencyArray<T>`
    case all(ModelKey)
    /// `PropertyValue<String>`
    case property(String)
    /// `Dependency` of the type that is decoded from the settings
    case configuration
    /// `Lazy<T>`, which only a factory closure gets
    case lazy(ModelKey)

    /// The request of the wrapper.
    var read: ReadSpec {
        switch self {
        case .one(let key), .lazy(let key): .one(key)
        case .optional(let key): .optional(key)
        case .all(let key): .all(key, .all)
        case .property(let path): .property(path)
        case .configuration: .configuration
        }
    }
}

/// One read of a factory closure.
indirect enum ReadSpec: Hashable, Sendable {
    case one(ModelKey)
    case optional(ModelKey)
    case all(ModelKey, Selection)
    case chosen(type: Int, path: String)
    case property(String)
    case properties(String)
    /// A property. The factory closure throws if its text is "2".
    case demanded(String)
    case product(ModelKey, text: Bool)
    /// A type that is decoded from the settings, unless it is registered.
    case configuration
    /// A wrapper that the factory closure creates and reads.
    case wrapper(WrapperSpec)
    /// The wrapper of the object of an earlier read.
    case peer(of: Int)
    /// The latest wrapper of a holder that requests a type with a higher number.
    case holder(above: Int, of: Relation)
    /// A read whose failure is caught.
    case caught(ReadSpec)

    /// The context of the wrapper, relative to the one whose factory closure reads it.
    enum Relation: Hashable, Sendable {
        case own
        case ancestor
        case descendant
    }

    enum Selection: Hashable, Sendable {
        case all
        case first
        case named(Int)
        case chosen(Int)
    }
}

/// One step of a run, which uses or changes a context.
///
/// Contexts have numbers, and 0 is the root. A step that does not apply is skipped, so any part of a run is a run.
struct ModelStep {
    var context: Int
    var action: Action

    enum Action {
        case load([Int], priority: Int)
        case unload(Int)
        case push(Int, priority: Int)
        case pop
        case popModule(Int)
        case reset
        case resetScope(Int)
        case unloadAll
        /// Replaces the context's first file and reloads it.
        case reload([String: String])
        /// The same, but the asynchronous factory closures run before the context uses the new settings.
        case reloadAndStart([String: String])
        /// Loads another file.
        case loadFile([String: String])
        case resolve(ReadSpec)
        case makeWrapper(WrapperSpec)
        /// Reads a wrapper of any context.
        case readWrapper(Int)
        /// Creates a child of the context, with a number.
        case child(Int, opening: [Int], pushing: [Int], keepsSettings: Bool = false)
        /// Creates a fork of the context, with a number.
        case fork(Int, pushing: [Int])
        case end
        /// Runs the asynchronous factory closures.
        case start
        /// Sets whether factory closures with a flag fail.
        case setFlag(Int, Bool)
    }
}

extension ModelProgram: CustomStringConvertible {
    var description: String {
        let used = Set(steps.flatMap(\.modules))
        var open = Array(used)
        var reached = used
        while let next = open.popLast() {
            for module in modules[next].included where reached.insert(module).inserted { open.append(module) }
        }
        let described = modules.filter { reached.contains($0.id) }.map(\.description)
        let numbered = steps.enumerated().map { "  \($0 + 1). \($1)" }
        return (described + numbered).joined(separator: "\n") + (keepsAll ? "\n  every object is kept" : "")
            + (!features.contains(.lagging) ? "" : "\n  nothing is looked at between the steps")
    }
}

extension ModelStep: CustomStringConvertible {
    var description: String { "C\(context) \(action)" }

    fileprivate var modules: [Int] {
        switch action {
        case .load(let modules, _), .child(_, _, let modules, _), .fork(_, let modules): modules
        case .unload(let module), .push(let module, _), .popModule(let module): [module]
        case .pop, .reset, .resetScope, .unloadAll, .reload, .reloadAndStart, .loadFile, .resolve, .makeWrapper,
            .readWrapper, .end, .start, .setFlag:
            []
        }
    }
}

extension ModuleSpec: CustomStringConvertible {
    var description: String {
        var lines = ["\(name)" + (condition.map { " when \($0.path) is \($0.value)" } ?? "")]
        if registersConfiguration { lines.append("registers ModelSettings") }
        if !included.isEmpty { lines.append("includes " + included.map { "M\($0)" }.joined(separator: ", ")) }
        if !properties.isEmpty {
            lines.append(properties.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: " "))
        }
        for type in replaced { lines.append("replaceAll T\(type)") }
        lines += registrations.map(\.description)
        for decorator in decorators {
            let key = ModelKey(type: decorator.type, qualifier: decorator.qualifier)
            lines.append("d\(decorator.id) decorates \(key) reading \(decorator.reads)")
        }
        for factory in factories {
            let payload = factory.takesText ? "String" : "Int"
            lines.append("f\(factory.id) makes \(factory.key) from \(payload) reading \(factory.reads)")
        }
        return lines.joined(separator: "\n    ")
    }
}

extension RegistrationSpec: CustomStringConvertible {
    var description: String {
        "r\(id) \(key) .\(lifetime)" + (isInput ? " input" : "") + (isAsynchronous ? " async" : "")
            + (isPrimary ? " primary" : "")
            + (aliases.isEmpty ? "" : " aliases \(aliases)") + " reading \(reads)"
            + (takesParameter ? " (first by parameter)" : "") + (flag.map { " failing on flag \($0)" } ?? "")
            + (peer.map { " peer \($0)" } ?? "") + (hasHook ? "" : " without a hook")
            + (injections.isEmpty ? "" : " injecting \(injections)")
    }
}

extension WrapperSpec: CustomStringConvertible {
    var description: String {
        switch self {
        case .one(let key): "Dependency<\(key)>"
        case .optional(let key): "Dependency<\(key)?>"
        case .all(let key): "DependencyArray<\(key)>"
        case .property(let path): "PropertyValue(\(path))"
        case .configuration: "Dependency<ModelSettings>"
        case .lazy(let key): "Lazy<\(key)>"
        }
    }
}

extension ReadSpec: CustomStringConvertible {
    var description: String {
        switch self {
        case .one(let key): "\(key)"
        case .optional(let key): "\(key)?"
        case .all(let key, let selection): selection == .all ? "[\(key)]" : "[\(key)] from \(selection)"
        case .chosen(let type, let path): "T\(type) by property \(path)"
        case .property(let path): "property \(path)"
        case .properties(let path): "all properties of \(path)"
        case .configuration: "ModelSettings"
        case .demanded(let path): "property \(path), failing on 2"
        case .product(let key, let text): "\(key) with \(text ? "String" : "Int")"
        case .wrapper(let wrapper): "a new \(wrapper)"
        case .peer(let position): "peer of read \(position)"
        case .holder(let type, let relation): "latest wrapper above T\(type) of \(relation)"
        case .caught(let read): "try? \(read)"
        }
    }
}
