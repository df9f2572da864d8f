/// A stored property whose value comes from the context.
///
/// ```swift
/// final class Library {
///     @Dependency var catalog: any Catalog
///     @Dependency(qualifier: "file") var logger: any Logger
///     @Dependency var clock: (any Clock)?          // nil if nothing is registered
/// }
/// ```
///
/// The property belongs for good to the context that is current where its holder is created. It asks at the first read,
/// keeps what it got, and follows the context where an answer changes. Reads are safe from any thread. Where there is
/// no answer the program stops with the full text of the error at the property's place.
///
/// A test hands a value in: `Library(catalog: .value(FakeCatalog()))`, or `_catalog = .value(FakeCatalog())` in an
/// initializer. There is no `= FakeCatalog()`, which would turn injection off silently.
///
/// A `Sendable` class cannot have a `var`; it keeps the wrapper as a constant and calls it:
///
/// ```swift
/// final class Mailer: Sendable {
///     private let logger = Dependency<any Logger>()
///     func send() { logger().log("sent") }
/// }
/// ```
@propertyWrapper
public struct Dependency<Value>: CustomReflectable {
    @usableFromInline let state: WrapperState

    /// A dependency that is found by its type, and a qualifier where one is given.
    public init(qualifier: Qualifier? = nil, fileID: StaticString = #fileID, line: UInt = #line) {
        let location = SourcePlace(fileID: fileID, line: line)
        self.init(WrapperState(Value.self, qualifier, location))
    }

    /// A dependency whose qualifier is the text at a path of the properties.
    public init(qualifierBy path: String, fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(qualifier: .property(path), fileID: fileID, line: line)
    }

    /// A dependency that has this value and asks no context.
    public static func value(
        _ value: Value, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Dependency {
        let location = SourcePlace(fileID: fileID, line: line)
        return Dependency(
            AppContext.withCurrentCore {
                WrapperState(given: Box(value), site: $0.site(Value.self, nil, location), core: $0)
            })
    }

    @inline(__always)
    private init(_ state: WrapperState) {
        self.state = state
    }

    /// The value.
    @inlinable public var wrappedValue: Value {
        @inline(__always)
        get {
            // The state must outlive the copy of the value: see `WrapperState.settledValue(as:)`.
            withExtendedLifetime(state) {
                _fastPath(state.isSettled) ? state.settledValue(as: Value.self) : state.unsettledDependency()
            }
        }
    }

    /// The wrapper itself.
    public var projectedValue: Dependency { self }

    /// The value: `let logger = Dependency<any Logger>()` is read as `logger()`.
    public func callAsFunction() -> Value { wrappedValue }

    /// The value, or an error where there is none, for those who would rather not stop.
    ///
    /// - Throws: ``LocatorError``, where reading the property would stop the program.
    public func resolved() throws(LocatorError) -> Value { try state.resolved(DependencySource.ask) }

    /// Lets go of the value; the next read asks the context.
    public func reset() { state.reset() }

    /// The context the property belongs to.
    public var context: AppContext { state.context }

    /// What the property asks for, what answers, and why: `$catalog.explain()`.
    public func explain() -> KeyExplanation { state.explain() }

    /// Shows nothing of the value, which a mirror must not make.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Dependency: Sendable where Value: Sendable {}

/// How a ``Dependency`` and a ``Lazy`` ask.
enum DependencySource {
    static func ask<Value>(_ site: WrapperSite, _ core: ContextCore) throws(LocatorError) -> Value {
        try ask(site, core, for: nil)
    }

    static func ask<Value>(
        _ site: WrapperSite, _ core: ContextCore, for holder: (any Any.Type)?
    ) throws(LocatorError) -> Value {
        try ThreadRecord.current.requesting(for: holder, at: site.location) { () throws(LocatorError) in
            try core.resolve(Value.self, qualifier: site.qualifier, location: site.location)
        }
    }
}

extension WrapperState {
    /// The value of a dependency that is not settled.
    @inlinable
    @inline(never)
    func unsettledDependency<Value>() -> Value {
        // A ready answer is read here, where the type is known to the compiler.
        if let read = beginReading() { return read.take(as: Value.self) }
        return resolvedDependency()
    }

    @usableFromInline
    func resolvedDependency<Value>() -> Value { value(DependencySource.ask) }
}
