/// A stored property whose value is every instance of a type in the context, in a stable order.
///
/// ```swift
/// @DependencyArray var books: [any Book]
/// @DependencyArray(qualifier: "novel", from: .first) var novels: [any Book]
/// ```
///
/// Like ``Dependency`` it asks at the first read, keeps what it got, and follows the context where the answer changes.
@propertyWrapper
public struct DependencyArray<Element>: CustomReflectable {
    @usableFromInline let state: WrapperState

    /// The instances of the element's type; of a qualifier where one is given, and from some modules where a selection
    /// is given.
    public init(
        qualifier: Qualifier? = nil, from modules: ModuleSelection = .all, fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let location = SourcePlace(fileID: fileID, line: line)
        self.init(
            AppContext.withCurrentCore {
                WrapperState(
                    own: ArraySite(
                        core: $0, type: [Element].self, qualifier: qualifier, modules: modules, location: location),
                    core: $0)
            })
    }

    /// The instances whose qualifier is the text at a path of the properties.
    public init(
        qualifierBy path: String, from modules: ModuleSelection = .all, fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(qualifier: .property(path), from: modules, fileID: fileID, line: line)
    }

    private init(_ state: WrapperState) {
        self.state = state
    }

    /// A dependency that has these elements and asks no context.
    public static func value(
        _ value: [Element], fileID: StaticString = #fileID, line: UInt = #line
    ) -> DependencyArray {
        let location = SourcePlace(fileID: fileID, line: line)
        return DependencyArray(
            AppContext.withCurrentCore {
                WrapperState(given: Box(value), site: $0.site([Element].self, nil, location), core: $0)
            })
    }

    /// The elements.
    @inlinable public var wrappedValue: [Element] {
        @inline(__always)
        get {
            // The state must outlive the copy of the value: see `WrapperState.settledValue(as:)`.
            withExtendedLifetime(state) {
                _fastPath(state.isSettled) ? state.settledValue(as: [Element].self) : state.unsettledElements()
            }
        }
    }

    /// The wrapper itself.
    public var projectedValue: DependencyArray { self }

    /// The elements: `let books = DependencyArray<any Book>()` is read as `books()`.
    public func callAsFunction() -> [Element] { wrappedValue }

    /// The elements, or an error where one of them cannot be given.
    ///
    /// - Throws: ``LocatorError``, where reading the property would stop the program.
    public func resolved() throws(LocatorError) -> [Element] { try state.resolved(ArraySite.ask) }

    /// Lets go of the elements; the next read asks the context.
    public func reset() { state.reset() }

    /// The context the property belongs to.
    public var context: AppContext { state.context }

    /// What the property asks for, what its elements are, and why: `$books.explain()`.
    public func explain() -> KeyExplanation {
        state.explain(from: (state.site as? ArraySite)?.modules ?? .all)
    }

    /// Shows nothing of the elements, which a mirror must not make.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension DependencyArray: Sendable where Element: Sendable {}

/// What a ``DependencyArray`` asks for.
private final class ArraySite: WrapperSite, @unchecked Sendable {
    // Sendable: as `WrapperSite`; `modules` is constant.

    let modules: ModuleSelection

    init(
        core: ContextCore, type: any Any.Type, qualifier: Qualifier?, modules: ModuleSelection, location: SourcePlace
    ) {
        self.modules = modules
        super.init(core: core, isInterned: false, type: type, qualifier: qualifier, location: location)
    }

    override var query: Cell.Query.Kind? {
        // Whom a closure chooses only it knows.
        if case .matching = modules.rule { return nil }
        return modules.kind
    }

    static func ask<Element>(_ site: WrapperSite, _ core: ContextCore) throws(LocatorError) -> [Element] {
        // A wrapper of this kind has a site of this kind.
        let modules = unsafeDowncast(site, to: ArraySite.self).modules
        return try ThreadRecord.current.requesting(for: nil, at: site.location) { () throws(LocatorError) in
            try core.resolveAll(
                Element.self, qualifier: site.qualifier, from: modules, location: site.location)
        }
    }
}

extension WrapperState {
    /// The value of a ``DependencyArray`` that is not settled.
    @usableFromInline
    func unsettledElements<Element>() -> [Element] { value(ArraySite.ask) }
}
