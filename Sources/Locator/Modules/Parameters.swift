/// The parameters of a maker: how many, and of which types.
struct Parameters {
    let count: Int
    let types: @Sendable () -> [any Any.Type]

    init<each Value>(_ types: repeat (each Value).Type) {
        var count = 0
        for _ in repeat each types { count += 1 }
        self.count = count
        self.types = {
            var list: [any Any.Type] = []
            repeat list.append((each Value).self)
            return list
        }
    }
}

/// Hands a maker its arguments, one after the other.
///
/// It retains nothing; it is used within one call of a maker.
struct Arguments: @unchecked Sendable {
    // Sendable: never leaves the thread of its call; said so that the compiler does not take what is asked for here as
    // part of it.

    private let core: Unmanaged<ContextCore>
    private let thread: ThreadRecord.Unretained
    private let plan: UnsafeMutablePointer<Unmanaged<Cell>?>?
    private var position = 0

    init(_ resolver: Resolver) {
        core = .passUnretained(resolver.core)
        thread = .current(resolver.core.threadKey)
        plan = nil
    }

    @inline(__always)
    init(_ call: MakerCall) {
        core = call.unmanagedCore
        thread = call.thread
        plan = call.plan
    }

    /// The argument for the next parameter, which has this type.
    mutating func next<Value>(_ type: Value.Type, _ taking: [Qualifier?]) throws -> Value {
        if let plan, let cell = plan[position] {
            let found = core._withUnsafeGuaranteedRef { core in
                thread._withUnsafeGuaranteedRef { core.readyArgument(cell, on: $0) }
            }
            if let found {
                position += 1
                if !Cell.Ready.isRecipe(found) {
                    return Unmanaged<Box<Value>>.fromOpaque(found)._withUnsafeGuaranteedRef { $0.value }
                }
                return try core._withUnsafeGuaranteedRef { core in
                    try thread._withUnsafeGuaranteedRef {
                        try core.makeLeanArgument(Cell.Ready.recipe(found), type, on: $0)
                    }
                }
            }
        }
        let qualifier = taking.isEmpty ? nil : taking[position]
        position += 1
        return try Resolver(core: core.takeUnretainedValue()).argument(type, qualifier: qualifier)
    }
}

/// The way to ask that a type is, or nil for a thing that is registered.
///
/// No class is a way to ask, and telling a class costs little; looking for a conformance, in ten thousand types, much.
func wayToAsk(_ type: any Any.Type) -> (any InjectableParameter.Type)? {
    if type is AnyClass { return nil }
    return type as? any InjectableParameter.Type
}

/// A type of parameter that is a way to ask rather than a thing that is registered.
protocol InjectableParameter {
    /// What is asked for, and how.
    static var dependency: (type: any Any.Type, kind: DependencyKind) { get }

    /// The type of the payload, where the parameter is a factory.
    static var payload: (any Any.Type)? { get }

    /// The argument for a parameter of this type.
    static func injected(by resolver: Resolver, qualifier: Qualifier?) throws -> Self
}

extension InjectableParameter {
    static var payload: (any Any.Type)? { nil }
}

/// How one registration depends on what it asks for.
public enum DependencyKind: String, Sendable, Hashable, Codable {
    /// The instance itself, needed while making.
    case direct
    /// The instance, or nil where nothing is registered.
    case optional
    /// Every instance of a type.
    case collection
    /// The instance, when it is first used.
    case lazy
    /// The instance, each time it is asked for.
    case provider
    /// A function from a payload to an instance.
    case factory
    /// Decided at run time; not known before.
    case resolver
}
