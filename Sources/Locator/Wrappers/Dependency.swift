/// A stored property whose value is resolved from the context.
///
/// ```swift
/// final class Library {
///     @Dependency var catalog: any Catalog
///     @Dependency(qualifier: "file") var logger: any Logger
///     @Dependency var clock: (any Clock)?          // nil if nothing is registered
/// }
/// ```
///
/// The property permanently belongs to the context that is current when its owner is created. The dependency is
/// resolved on first access and cached. If its registration changes, the next access picks up the new one. Reads are
/// safe from any thread. If the dependency cannot be resolved, the program stops at the property with the full error
/// message.
///
/// In a test, you can pass a value: `Library(catalog: .value(FakeCatalog()))`, or `_catalog = .value(FakeCatalog())` in
/// an initializer. An initial value (`= FakeCatalog()`) is not available, because it would silently turn injection off.
///
/// A `Sendable` class cannot have a `var`. Store the wrapper as a constant and call it:
///
/// ```swift
/// final class Mailer: Sendable {
///     private let logger = Dependency<any Logger>()
///     func send() { logger().log("sent") }
/// }
/// ```
@propertyWrapper
public struct Dependency<Value> {
    @usableFromInline let state: WrapperState

    /// Creates a dependency that is resolved by its type and an optional qualifier.
    public init(qualifier: Qualifier? = nil, fileID: StaticString = #fileID, line: UInt = #line) {
        let location = SourcePlace(fileID: fileID, line: line)
        self.init(WrapperState(Value.self, qualifier, location))
    }

    /// Creates a dependency whose qualifier is the value of the setting at a path.
    public init(qualifierBy path: String, fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(qualifier: .property(path), fileID: fileID, line: line)
    }

    /// Creates a dependency with a fixed value, which is not resolved from a context.
    public static func value(_ value: Value, fileID: StaticString = #fileID, line: UInt = #line) -> Dependency {
        Dependency(.given(value, at: SourcePlace(fileID: fileID, line: line)))
    }

    @inline(__always)
    private init(_ state: WrapperState) { self.state = state }

    /// The value.
    @inlinable public var wrappedValue: Value {
        @inline(__always)
        get {
            // The state must outlive the copy of the value. See `WrapperState.settledValue(as:)`.
            withExtendedLifetime(state) {
                _fastPath(state.isSettled) ? state.settledValue(as: Value.self) : state.unsettledDependency()
            }
        }
    }

    /// The wrapper itself.
    public var projectedValue: Dependency { self }

    /// Returns the value: read `let logger = Dependency<any Logger>()` as `logger()`.
    public func callAsFunction() -> Value { wrappedValue }

    /// Returns the value, or throws an error instead of stopping the program.
    ///
    /// - Throws: ``LocatorError`` if reading the property would stop the program.
    public func resolved() throws(LocatorError) -> Value { try state.resolved(DependencySource.ask) }

    /// Discards the cached value, so that the next access resolves it again.
    public func reset() { state.reset() }

    /// The context that the property belongs to.
    ///
    /// After the context has been released, reading this property stops the program.
    public var context: AppContext { state.context }

    /// Explains what the property resolves to, and why: `$catalog.explain()`.
    public func explain() -> KeyExplanation { state.explain() }
}

extension Dependency: Sendable where Value: Sendable {}

// Opaque, because reflection must not create the value.
extension Dependency: OpaqueToReflection {}

/// The request of a ``Dependency`` and a ``Lazy``.
enum DependencySource {
    static func ask<Value>(_ site: WrapperSite, _ core: ContextCore) throws(LocatorError) -> Value {
        try ask(site, core, for: nil, isWrapper: true)
    }

    static func ask<Value>(
        _ site: WrapperSite, _ core: ContextCore, for holder: (any Any.Type)?, isWrapper: Bool = false
    ) throws(LocatorError) -> Value {
        try ThreadRecord.current.requesting(for: holder, at: site.location, isWrapper: isWrapper) {
            () throws(LocatorError) in
            try core.resolve(Value.self, qualifier: site.qualifier, location: site.location)
        }
    }
}

extension WrapperState {
    /// The value of a dependency that is not settled.
    @inlinable
    @inline(never)
    func unsettledDependency<Value>() -> Value {
        // A ready answer is read here, because the compiler knows the type.
        if let read = beginReading() { return read.take(as: Value.self) }
        return resolvedDependency()
    }

    @usableFromInline
    func resolvedDependency<Value>() -> Value { value(DependencySource.ask) }
}
