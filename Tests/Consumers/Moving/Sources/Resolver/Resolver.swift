// A stand-in with the names of the library that the table shows, and none of its code. It never runs.
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public protocol ResolverRegistering {
    static func registerAllServices()
}

public final class ResolverScope {
    public static let graph = ResolverScope()
    public static let application = ResolverScope()
    public static let shared = ResolverScope()
    public static let unique = ResolverScope()
    public static let cached = ResolverScope()

    public func reset() {}
}

public final class ResolverOptions<Service> {
    @discardableResult
    public func scope(_ scope: ResolverScope) -> Self { self }

    @discardableResult
    public func implements<Other>(_ type: Other.Type) -> Self { self }

    @discardableResult
    public func resolveProperties(_ change: @escaping (Resolver, Service) -> Void) -> Self { self }
}

public final class Resolver {
    public static var main = Resolver()
    public static var root = main
    public static var defaultScope = ResolverScope.graph

    public struct Name: ExpressibleByStringLiteral {
        public init(stringLiteral name: String) {}
    }

    public struct Args {
        public func callAsFunction<Value>() -> Value! { nil }
    }

    public init(child: Resolver? = nil) {}

    @discardableResult
    public static func register<Service>(
        name: Name? = nil, factory: @escaping () -> Service?
    ) -> ResolverOptions<Service> { ResolverOptions() }

    @discardableResult
    public static func register<Service>(
        name: Name? = nil, factory: @escaping (Resolver, Args) -> Service?
    ) -> ResolverOptions<Service> { ResolverOptions() }

    @discardableResult
    public func register<Service>(
        name: Name? = nil, factory: @escaping () -> Service?
    ) -> ResolverOptions<Service> { ResolverOptions() }

    public static func resolve<Service>(
        _ type: Service.Type = Service.self, name: Name? = nil, args: Any? = nil
    ) -> Service { fatalError() }

    public static func optional<Service>(
        _ type: Service.Type = Service.self, name: Name? = nil, args: Any? = nil
    ) -> Service? { nil }

    public func resolve<Service>(_ type: Service.Type = Service.self) -> Service { fatalError() }
}

@propertyWrapper
public struct Injected<Value> {
    public init() {}
    public init(name: Resolver.Name) {}
    public var wrappedValue: Value { fatalError() }
}

@propertyWrapper
public struct LazyInjected<Value> {
    public init() {}
    public var wrappedValue: Value { fatalError() }
}

@propertyWrapper
public struct OptionalInjected<Value> {
    public init() {}
    public var wrappedValue: Value? { nil }
}
