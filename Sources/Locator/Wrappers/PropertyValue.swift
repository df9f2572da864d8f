public import LocatorProperties

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
    @usableFromInline let state: WrapperState

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
        let location = SourcePlace(fileID: fileID, line: line)
        self.init(
            AppContext.withCurrentCore {
                WrapperState(
                    own: PropertySite<Value>(core: $0, path: path, fallback: fallback, location: location), core: $0)
            })
    }

    private init(_ state: WrapperState) {
        self.state = state
    }

    /// A property that has this value and asks no context.
    public static func value(
        _ value: Value, fileID: StaticString = #fileID, line: UInt = #line
    ) -> PropertyValue {
        let location = SourcePlace(fileID: fileID, line: line)
        return PropertyValue(
            AppContext.withCurrentCore {
                WrapperState(given: Box(value), site: $0.site(Value.self, nil, location), core: $0)
            })
    }

    /// The value.
    @inlinable public var wrappedValue: Value {
        @inline(__always)
        get {
            // The state must outlive the copy of the value: see `WrapperState.settledValue(as:)`.
            withExtendedLifetime(state) {
                _fastPath(state.isSettled) ? state.settledValue(as: Value.self) : state.unsettledProperty()
            }
        }
    }

    /// The wrapper itself.
    public var projectedValue: PropertyValue { self }

    /// The value: `let retries = PropertyValue<Int>("server.retries")` is read as `retries()`.
    public func callAsFunction() -> Value { wrappedValue }

    /// The value, or an error where there is none.
    ///
    /// - Throws: ``LocatorError``, where reading the property would stop the program.
    public func resolved() throws(LocatorError) -> Value { try state.resolved(askForProperty) }

    /// Lets go of the value; the next read asks the context.
    public func reset() { state.reset() }

    /// The context the property belongs to.
    public var context: AppContext { state.context }

    /// The value, where it comes from, and what it hides, with secrets masked: `$serverURL.explain()`.
    ///
    /// A property whose value was handed in asks no context, and has nothing to explain: it gives nil.
    public func explain() -> Explanation? {
        (state.site as? PropertySite<Value>).map { context.properties.explain($0.path) }
    }

    /// Shows nothing of the value, which may be secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PropertyValue: Sendable where Value: Sendable {}

/// What a ``PropertyValue`` asks for.
private final class PropertySite<Value: Decodable>: WrapperSite, @unchecked Sendable {
    // Sendable: as `WrapperSite`; the further fields are constant, and `fallback` is run with the safety of a stored
    // default value: it was written where the property is declared.

    let path: String
    private let fallback: (() -> Value)?

    init(core: ContextCore, path: String, fallback: (() -> Value)?, location: SourcePlace) {
        self.path = path
        self.fallback = fallback
        super.init(core: core, isInterned: false, type: Value.self, qualifier: nil, location: location)
    }

    func ask(_ core: ContextCore) throws(LocatorError) -> Value {
        try core.property(path, as: Value.self, default: fallback, Request(key: key, location: location))
    }
}

private func askForProperty<Value: Decodable>(_ site: WrapperSite, _ core: ContextCore) throws(LocatorError) -> Value {
    // A wrapper of this kind has a site of this kind.
    try unsafeDowncast(site, to: PropertySite<Value>.self).ask(core)
}

extension WrapperState {
    /// The value of a ``PropertyValue`` that is not settled.
    @usableFromInline
    func unsettledProperty<Value: Decodable>() -> Value { value(askForProperty) }
}
