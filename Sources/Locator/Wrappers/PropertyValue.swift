public import LocatorProperties

/// A stored property whose value is a setting from profile files, the environment, or modules.
///
/// ```swift
/// @PropertyValue("server.url") var serverURL: URL
/// @PropertyValue("server.retries", default: 3) var retries: Int
/// @PropertyValue("server.proxy") var proxy: URL?      // nil if the setting is missing
/// ```
///
/// The default is used only if the setting is missing. A setting of another type is an error. If the setting changes,
/// the next access returns the new value.
@propertyWrapper
public struct PropertyValue<Value: Decodable> {
    @usableFromInline let state: WrapperState

    /// Creates a property with the setting at a path.
    public init(_ path: String, fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(path, fallback: nil, fileID, line)
    }

    /// Creates a property with the setting at a path, or a default value if it is missing.
    public init(
        _ path: String, default fallback: @autoclosure @escaping () -> Value, fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(path, fallback: fallback, fileID, line)
    }

    private init(_ path: String, fallback: (() -> Value)?, _ fileID: StaticString, _ line: UInt) {
        let location = SourcePlace(fileID: fileID, line: line)
        self.init(.withOwnSite { PropertySite<Value>(core: $0, path: path, fallback: fallback, location: location) })
    }

    private init(_ state: WrapperState) { self.state = state }

    /// Creates a property with a fixed value, which is not read from a context.
    public static func value(_ value: Value, fileID: StaticString = #fileID, line: UInt = #line) -> PropertyValue {
        PropertyValue(.given(value, at: SourcePlace(fileID: fileID, line: line)))
    }

    /// The value.
    @inlinable public var wrappedValue: Value {
        @inline(__always)
        get {
            // The state must outlive the copy of the value. See `WrapperState.settledValue(as:)`.
            withExtendedLifetime(state) {
                _fastPath(state.isSettled) ? state.settledValue(as: Value.self) : state.unsettledProperty()
            }
        }
    }

    /// The wrapper itself.
    public var projectedValue: PropertyValue { self }

    /// Returns the value: read `let retries = PropertyValue<Int>("server.retries")` as `retries()`.
    public func callAsFunction() -> Value { wrappedValue }

    /// Returns the value, or throws an error if there is none.
    ///
    /// - Throws: ``LocatorError`` if reading the property would stop the program.
    public func resolved() throws(LocatorError) -> Value { try state.resolved(askForProperty) }

    /// Discards the cached value, so that the next access resolves it again.
    public func reset() { state.reset() }

    /// The context that the property belongs to.
    ///
    /// After the context has been released, reading this property stops the program.
    public var context: AppContext { state.context }

    /// Explains the value, its origin, and the values that it overrides, with masked secrets: `$serverURL.explain()`.
    ///
    /// Returns nil for a property with a fixed value. After the context has been released, the program stops.
    public func explain() -> Explanation? {
        (state.site as? PropertySite<Value>).map { context.properties.explain($0.path) }
    }
}

extension PropertyValue: Sendable where Value: Sendable {}

// Opaque, because the value may be secret.
extension PropertyValue: OpaqueToReflection {}

/// The request of a ``PropertyValue``.
private final class PropertySite<Value: Decodable>: WrapperSite, @unchecked Sendable {
    // Sendable: like `WrapperSite`. The other fields are constant. Running `fallback` is as safe as a stored default
    // value, because it is written in the declaration of the property.

    let path: String
    private let fallback: (() -> Value)?

    init(core: ContextCore, path: String, fallback: (() -> Value)?, location: SourcePlace) {
        self.path = path
        self.fallback = fallback
        super.init(core: core, isInterned: false, type: Value.self, qualifier: nil, location: location)
    }

    override func leanBox(_ core: ChildCore, on thread: ThreadRecord) -> AnyBox? {
        core.leanValue(path, as: Value.self, default: fallback).map { Box($0) }
    }

    func ask(_ core: ContextCore) throws(LocatorError) -> Value {
        try ThreadRecord.current.requesting(for: nil, at: location, isWrapper: true) { () throws(LocatorError) in
            try core.property(path, as: Value.self, default: fallback, Request(key: key, location: location))
        }
    }
}

private func askForProperty<Value: Decodable>(_ site: WrapperSite, _ core: ContextCore) throws(LocatorError) -> Value {
    // A wrapper of this type always has a site of this type.
    try unsafeDowncast(site, to: PropertySite<Value>.self).ask(core)
}

extension WrapperState {
    /// The value of a ``PropertyValue`` that is not settled.
    @usableFromInline
    func unsettledProperty<Value: Decodable>() -> Value { value(askForProperty) }
}
