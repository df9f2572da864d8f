// A stand-in for the parts of the library that these programs use, with none of its code.
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public protocol Resolver: AnyObject {
    func resolve<Service>(_ type: Service.Type) -> Service?
    func resolve<Service>(_ type: Service.Type, name: String?) -> Service?
    func resolve<Service, First, Second>(
        _ type: Service.Type, arguments first: First, _ second: Second
    ) -> Service?
}

public final class ObjectScope: Sendable {
    public static let transient = ObjectScope()
    public static let graph = ObjectScope()
    public static let container = ObjectScope()
    public static let weak = ObjectScope()

    private init() {}

    public convenience init(storageFactory: () -> PermanentStorage) { self.init() }
}

public final class PermanentStorage {
    public init() {}
}

public final class Lazy<Service> {
    public let instance: Service
    init(_ instance: Service) { self.instance = instance }
}

public final class Provider<Service> {
    public let instance: Service
    init(_ instance: Service) { self.instance = instance }
}

public final class ServiceEntry<Service> {
    fileprivate let make: (Container, [Any]) -> Service
    fileprivate var scope = ObjectScope.graph
    fileprivate var kept: Service?
    fileprivate var completion: ((any Resolver, Service) -> Void)?

    fileprivate init(make: @escaping (Container, [Any]) -> Service) { self.make = make }

    @discardableResult
    public func inObjectScope(_ scope: ObjectScope) -> Self {
        self.scope = scope
        return self
    }

    @discardableResult
    public func initCompleted(_ completion: @escaping (any Resolver, Service) -> Void) -> Self {
        self.completion = completion
        return self
    }

    @discardableResult
    public func implements<Other>(_ type: Other.Type) -> Self { self }
}

public final class Container: Resolver {
    private struct Key: Hashable {
        let service: ObjectIdentifier
        let name: String?
        let argumentCount: Int
    }

    private var entries: [Key: AnyObject] = [:]
    /// The instances of the current outermost request.
    private var graph: [Key: Any] = [:]
    private var depth = 0

    public init(parent: Container? = nil) {}

    /// The last registration of a key is used.
    @discardableResult
    public func register<Service>(
        _ type: Service.Type, name: String? = nil, factory: @escaping (any Resolver) -> Service
    ) -> ServiceEntry<Service> {
        let entry = ServiceEntry { container, _ in factory(container) }
        entries[Key(service: ObjectIdentifier(type), name: name, argumentCount: 0)] = entry
        return entry
    }

    @discardableResult
    public func register<Service, First, Second>(
        _ type: Service.Type, factory: @escaping (any Resolver, First, Second) -> Service
    ) -> ServiceEntry<Service> {
        let entry = ServiceEntry { container, arguments in
            factory(container, arguments[0] as! First, arguments[1] as! Second)
        }
        entries[Key(service: ObjectIdentifier(type), name: nil, argumentCount: 2)] = entry
        return entry
    }

    public func removeAll() {}
    public func resetObjectScope(_ scope: ObjectScope) {}
    public func hasAnyRegistration<Service>(of type: Service.Type, name: String? = nil) -> Bool { true }
    public func synchronize() -> any Resolver { self }

    public func resolve<Service>(_ type: Service.Type) -> Service? { resolve(type, name: nil) }

    public func resolve<Service>(_ type: Service.Type, name: String?) -> Service? {
        resolve(Key(service: ObjectIdentifier(type), name: name, argumentCount: 0), [])
    }

    public func resolve<Service, First, Second>(
        _ type: Service.Type, arguments first: First, _ second: Second
    ) -> Service? {
        resolve(Key(service: ObjectIdentifier(type), name: nil, argumentCount: 2), [first, second])
    }

    private func resolve<Service>(_ key: Key, _ arguments: [Any]) -> Service? {
        guard let entry = entries[key] as? ServiceEntry<Service> else { return nil }
        if let kept = entry.kept ?? graph[key] as? Service { return kept }
        depth += 1
        defer {
            depth -= 1
            if depth == 0 { graph = [:] }
        }
        let service = entry.make(self, arguments)
        if entry.scope === ObjectScope.graph {
            graph[key] = service
        } else if entry.scope !== ObjectScope.transient {
            entry.kept = service  // No program looks at what nobody holds.
        }
        entry.completion?(self, service)
        return service
    }
}

public protocol Assembly {
    func assemble(container: Container)
    func loaded(resolver: any Resolver)
}

extension Assembly {
    public func loaded(resolver: any Resolver) {}
}

public final class Assembler {
    private let container = Container()
    public var resolver: any Resolver { container }

    public init(_ assemblies: [any Assembly]) {
        for assembly in assemblies { assembly.assemble(container: container) }
    }
}
