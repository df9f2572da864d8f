/// A stored property whose value comes from the properties: profile files, environment, modules.
///
/// ```swift
/// @PropertyValue("server.url") var serverURL: URL
/// @PropertyValue("server.retries", default: 3) var retries: Int
/// @PropertyValue("server.proxy") var proxy: URL?      // nil where the property is missing
/// ```
///
/// A default serves only where the property is missing: a value of another type is an error. The property follows the
/// context where the value changes.
@propertyWrapper
public struct PropertyValue<Value: Decodable>: CustomReflectable {
    @usableFromInline let slot: WrapperSlot<Value>
    private let storage: PropertyStorage<Value>

    /// The property at a path.
    public init(_ path: String, fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(path, fallback: nil, fileID, line)
    }

    /// The property at a path, or a default where it is missing.
    public init(
        _ path: String, default fallback: @autoclosure @escaping () -> Value, fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(path, fallback: fallback, fileID, line)
    }

    private init(_ path: String, fallback: (() -> Value)?, _ fileID: StaticString, _ line: UInt) {
        self.init(
            storage: PropertyStorage(
                core: AppContext.current.core, path: path, fallback: fallback, given: nil,
                location: SourceLocation(fileID: fileID, line: line)))
    }

    private init(given: Value, location: SourceLocation) {
        self.init(
            storage: PropertyStorage(
                core: AppContext.current.core, path: "", fallback: nil, given: given, location: location))
    }

    /// A property that has this value and asks no context.
    public static func value(
        _ value: Value, fileID: StaticString = #fileID, line: UInt = #line
    ) -> PropertyValue {
        PropertyValue(given: value, location: SourceLocation(fileID: fileID, line: line))
    }

    private init(storage: PropertyStorage<Value>) {
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
    public var projectedValue: PropertyValue { self }

    /// The value: `let retries = PropertyValue<Int>("server.retries")` is read as `retries()`.
    public func callAsFunction() -> Value { wrappedValue }

    /// The value, or an error where there is none.
    public func resolved() throws(LocatorError) -> Value { try storage.resolved() }

    /// Lets go of the value; the next read asks the context.
    public func reset() { storage.reset() }

    /// The context the property belongs to.
    public var context: AppContext { storage.context }

    /// Shows nothing of the value, which may be secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PropertyValue: Sendable where Value: Sendable {}

/// What a ``PropertyValue`` keeps.
private final class PropertyStorage<Value: Decodable>: WrapperStorage<Value>, @unchecked Sendable {
    // Sendable: as `WrapperStorage`; the further fields are constant, and `fallback` is run with the safety of a stored
    // default value: it was written where the property is declared.

    private let path: String
    private let fallback: (() -> Value)?

    init(
        core: ContextCore, path: String, fallback: (() -> Value)?, given: Value?, location: SourceLocation
    ) {
        self.path = path
        self.fallback = fallback
        super.init(core: core, given: given, location: location)
    }

    override func ask() throws(LocatorError) -> Value {
        try core.property(
            path, as: Value.self, default: fallback, Request(key: key, location: location))
    }

    override var key: Key { Key(Value.self) }
}
