// A stand-in for the parts of the library that these programs use, with none of its code.
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

open class Scope {
    public final class Cached: Scope {
        public override init() {}
    }

    public final class Graph: Scope {
        override init() {}
    }

    public static let singleton = Cached()
    public static let cached = Cached()
    public static let shared = Cached()  // No program looks at what nobody holds.
    public static let graph = Graph()

    fileprivate var kept: [String: Any] = [:]

    init() {}
}

public final class ContainerManager {
    fileprivate var registrations: [String: Any] = [:]
    fileprivate var depth = 0

    public func reset(scope: Scope) { scope.kept = [:] }
    public func reset() {}
    public func push() {}
    public func pop() {}
}

public final class Container {
    public static let shared = Container()
    public let manager = ContainerManager()

    public func callAsFunction<Value>(
        key: StaticString = #function, _ factory: @escaping () -> Value
    ) -> Factory<Value> {
        Factory(container: self, key: "\(key)", make: factory)
    }

    public func callAsFunction<Parameters, Value>(
        key: StaticString = #function, _ factory: @escaping (Parameters) -> Value
    ) -> ParameterFactory<Parameters, Value> {
        ParameterFactory(make: factory)
    }
}

/// Without a scope, each call makes a value.
public struct Factory<Value> {
    fileprivate let container: Container
    fileprivate let key: String
    fileprivate let make: () -> Value
    fileprivate var keeping: Scope?

    public var singleton: Factory { scope(.singleton) }
    public var graph: Factory { scope(.graph) }
    public var cached: Factory { scope(.cached) }
    public var shared: Factory { scope(.shared) }
    public var unique: Factory { self }

    public func scope(_ scope: Scope) -> Factory {
        var copy = self
        copy.keeping = scope
        return copy
    }

    public func callAsFunction() -> Value {
        if let kept = keeping?.kept[key] as? Value { return kept }
        let manager = container.manager
        manager.depth += 1
        defer {
            manager.depth -= 1
            if manager.depth == 0 { Scope.graph.kept = [:] }
        }
        let value = (manager.registrations[key] as? () -> Value ?? make)()
        keeping?.kept[key] = value
        return value
    }

    public func onPreview(_ factory: @escaping () -> Value) -> Factory { self }
    public func onTest(_ factory: @escaping () -> Value) -> Factory { self }
    public func onArg(_ argument: String, factory: @escaping () -> Value) -> Factory { self }
    public func decorator(_ decorate: @escaping (Value) -> Void) -> Factory { self }

    @discardableResult
    public func register(factory: @escaping () -> Value) -> Factory {
        container.manager.registrations[key] = factory
        keeping?.kept[key] = nil
        return self
    }

    public func reset() {
        container.manager.registrations[key] = nil
        keeping?.kept[key] = nil
    }
}

public struct ParameterFactory<Parameters, Value> {
    fileprivate let make: (Parameters) -> Value

    public func callAsFunction(_ parameters: Parameters) -> Value { make(parameters) }
}

/// Makes its request when its holder is created.
@propertyWrapper
public struct Injected<Value> {
    public var wrappedValue: Value

    public init(_ factory: KeyPath<Container, Factory<Value>>) {
        wrappedValue = Container.shared[keyPath: factory]()
    }
}

/// Makes its request at its first read.
@propertyWrapper
public struct LazyInjected<Value> {
    private let factory: KeyPath<Container, Factory<Value>>
    private var value: Value?

    public init(_ factory: KeyPath<Container, Factory<Value>>) { self.factory = factory }

    public var wrappedValue: Value {
        mutating get {
            if let value { return value }
            let made = Container.shared[keyPath: factory]()
            value = made
            return made
        }
    }
}
