// A stand-in with the names of the library that the table shows, and none of its code. It never runs.
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public enum Scope {
    case always, singleton, prototype, weak
}

public enum LoadPriority {
    case low, normal, high
}

open class ModuleFactory {
    public required init() {}

    public func register<Service>(_ type: Service.Type, resolver: @escaping () -> Service) {}
}

public final class AppContext {
    public static let shared = AppContext()

    @discardableResult
    public static func load(_ factories: [ModuleFactory.Type]) -> AppContext { shared }

    @discardableResult
    public func load(_ factory: ModuleFactory, priority: LoadPriority = .normal) -> AppContext { self }

    public func unload(_ factory: ModuleFactory) {}
}

public protocol Component {
    var qualifier: String? { get }
    var scope: Scope { get }
}

extension Component {
    public var qualifier: String? { nil }
    public var scope: Scope { .singleton }
}

public protocol Autowired: Component {}
public protocol LazyAutowired: Component {}
public protocol AutowiredFactory {}

public protocol Payload {
    associatedtype Argument
    init(with argument: Argument)
}

public protocol Configuration {}

public func Config<Service, Part>(
    _ type: Service.Type, _ part: Part.Type, make: @escaping (Part) -> Service
) -> Service { fatalError() }

public protocol Inject {}

extension Inject {
    public func Inject<Service>(_ type: Service.Type, qualifier: String = "") -> Service { fatalError() }
    public func Inject<Service, Argument>(_ type: Service.Type, with argument: Argument) -> Service { fatalError() }
}

public protocol ConfigProperty {
    var target: String { get }
}

@propertyWrapper
public struct Dependency<Value> {
    public init(qualifier: String = "") {}
    public var wrappedValue: Value { fatalError() }
}

@propertyWrapper
public struct DependencyArray<Value> {
    public init(qualifier: String = "") {}
    public var wrappedValue: Value { fatalError() }
}

@propertyWrapper
public struct PropertyValue {
    public init(_ path: String) {}
    public var wrappedValue: String { fatalError() }
}
