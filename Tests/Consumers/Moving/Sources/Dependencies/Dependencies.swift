// A stand-in for the parts of the library that these programs use, with none of its code.
//
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public protocol DependencyKey {
    associatedtype Value: Sendable
    static var liveValue: Value { get }
    static var previewValue: Value { get }
    static var testValue: Value { get }
}

extension DependencyKey {
    public static var previewValue: Value { liveValue }
    public static var testValue: Value { liveValue }
}

public struct DependencyValues: Sendable {
    @TaskLocal fileprivate static var current = DependencyValues()
    /// The live values, each made once; the programs have one thread.
    private static var live: [ObjectIdentifier: any Sendable] = [:]

    fileprivate var overrides: [ObjectIdentifier: any Sendable] = [:]

    public subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
        get {
            let id = ObjectIdentifier(key)
            if let value = overrides[id] ?? Self.live[id] { return value as! Key.Value }
            let value = Key.liveValue
            Self.live[id] = value
            return value
        }
        set { overrides[ObjectIdentifier(key)] = newValue }
    }
}

/// Has the overrides of the place where it was created.
///
/// Those of the place where it is read come first.
@propertyWrapper
public struct Dependency<Value> {
    private let key: KeyPath<DependencyValues, Value>
    private let initial = DependencyValues.current

    public init(_ key: KeyPath<DependencyValues, Value>) { self.key = key }

    public var wrappedValue: Value {
        var values = initial
        values.overrides.merge(DependencyValues.current.overrides) { $1 }
        return values[keyPath: key]
    }
}

public func withDependencies<Result>(
    _ change: (inout DependencyValues) -> Void, operation: () -> Result
) -> Result {
    var values = DependencyValues.current
    change(&values)
    return DependencyValues.$current.withValue(values, operation: operation)
}

public func withDependencies<Result>(
    from model: AnyObject, operation: () -> Result
) -> Result {
    operation()
}

public func withEscapedDependencies<Result>(_ operation: (Continuation) -> Result) -> Result {
    operation(Continuation())
}

public struct Continuation: Sendable {
    public func yield<Result>(_ operation: () -> Result) -> Result { operation() }
}

public func prepareDependencies(_ change: (inout DependencyValues) -> Void) {}
