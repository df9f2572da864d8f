// A stand-in with the names of the library that the table shows, and none of its code. It never runs.
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
