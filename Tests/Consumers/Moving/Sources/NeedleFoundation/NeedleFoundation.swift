// A stand-in: the names of the library that the table shows, and nothing of its code. Nothing of it runs.
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public protocol Dependency: AnyObject {}
public protocol EmptyDependency: Dependency {}

open class Component<DependencyType> {
    public var dependency: DependencyType { fatalError() }

    public init(parent: AnyObject) {}
    init() {}

    public final func shared<Value>(_ factory: () -> Value) -> Value { factory() }
}

open class BootstrapComponent: Component<any EmptyDependency> {
    public override init() { super.init() }
}
