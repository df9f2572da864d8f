/// A stored property whose value comes from the context.
///
/// ```swift
/// final class Library {
///     @Dependency var catalog: any Catalog
///     @Dependency(qualifier: "file") var logger: any Logger
///     @Dependency var clock: (any Clock)?          // nil where nothing is registered
/// }
/// ```
///
/// The property belongs for good to the context that is current where its holder is created. It asks at the first read,
/// keeps what it got, and follows the context where an answer changes. Reads are safe from any thread. Where there is
/// no answer the program stops with the full text of the error at the property's place.
///
/// A test hands a value in: `Library(catalog: .value(FakeCatalog()))`, or `_catalog = .value(FakeCatalog())` in an
/// initialiser. There is no `= FakeCatalog()`, which would turn injection off silently.
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
    @usableFromInline let slot: WrapperSlot<Value>
    private let storage: DependencyStorage<Value>

    /// A dependency that is found by its type, and a qualifier where one is given.
    public init(qualifier: Qualifier? = nil, fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(
            storage: DependencyStorage(
                core: AppContext.current.core, qualifier: qualifier,
                location: SourceLocation(fileID: fileID, line: line)))
    }

    /// A dependency whose qualifier is the text at a path of the properties.
    public init(qualifierBy path: String, fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(qualifier: .property(path), fileID: fileID, line: line)
    }

    private init(value: Value, location: SourceLocation) {
        self.init(
            storage: DependencyStorage(
                core: AppContext.current.core, qualifier: nil, given: value, location: location))
    }

    /// A dependency that has this value and asks no context.
    public static func value(
        _ value: Value, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Dependency {
        Dependency(value: value, location: SourceLocation(fileID: fileID, line: line))
    }

    private init(storage: DependencyStorage<Value>) {
        self.storage = storage
        slot = storage.slot
    }

    /// The value.
    @inlinable public var wrappedValue: Value {
        // Settled, this costs what reading a stored property costs.
        @inline(__always) get { slot.isSettled ? slot.value.pointee : unsettledValue }
    }

    @usableFromInline var unsettledValue: Value { storage.value }

    /// The wrapper itself.
    public var projectedValue: Dependency { self }

    /// The value: `let logger = Dependency<any Logger>()` is read as `logger()`.
    public func callAsFunction() -> Value { wrappedValue }

    /// The value, or an error where there is none, for those who would rather not stop.
    public func resolved() throws(LocatorError) -> Value { try storage.resolved() }

    /// Lets go of the value; the next read asks the context.
    public func reset() { storage.reset() }

    /// The context the property belongs to.
    public var context: AppContext { storage.context }

    /// Shows nothing of the value, which a mirror must not make.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Dependency: Sendable where Value: Sendable {}

/// What a ``Dependency`` and a ``Lazy`` keep.
final class DependencyStorage<Value>: WrapperStorage<Value>, @unchecked Sendable {
    // Sendable: as `WrapperStorage`; `qualifier` is constant.

    private let qualifier: Qualifier?

    init(core: ContextCore, qualifier: Qualifier?, given: Value? = nil, location: SourceLocation) {
        self.qualifier = qualifier
        super.init(core: core, given: given, location: location)
    }

    override func ask() throws(LocatorError) -> Value {
        try core.resolve(Value.self, qualifier: qualifier, location: location)
    }

    override var key: Key {
        guard case .name(let name) = qualifier?.content else { return Key(Value.self) }
        return Key(Value.self, qualifier: name)
    }
}

extension WrapperStorage {
    /// The context, which must still exist.
    var context: AppContext {
        guard let handle = core.handle else { location.stop(LocatorError(.contextGone)) }
        return handle
    }
}
