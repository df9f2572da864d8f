/// A stored property with all instances of a type in the context, in a stable order.
///
/// ```swift
/// @DependencyArray var books: [any Book]
/// @DependencyArray(qualifier: "novel", from: .first) var novels: [any Book]
/// ```
///
/// Like a ``Dependency``, the array is resolved on first access and cached. If the registrations change, the next
/// access picks up the new instances.
@propertyWrapper
public struct DependencyArray<Element> {
    @usableFromInline let state: WrapperState

    /// Creates a property with the instances of the element type, optionally only those with a qualifier or from
    /// selected modules.
    public init(
        qualifier: Qualifier? = nil, from modules: ModuleSelection = .all, fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let location = SourcePlace(fileID: fileID, line: line)
        self.init(
            .withOwnSite {
                ArraySite(core: $0, of: Element.self, qualifier: qualifier, modules: modules, location: location)
            })
    }

    /// Creates a property with the instances whose qualifier is the value of the setting at a path.
    public init(
        qualifierBy path: String, from modules: ModuleSelection = .all, fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(qualifier: .property(path), from: modules, fileID: fileID, line: line)
    }

    private init(_ state: WrapperState) { self.state = state }

    /// Creates a property with fixed elements, which are not resolved from a context.
    public static func value(
        _ value: [Element], fileID: StaticString = #fileID, line: UInt = #line
    ) -> DependencyArray {
        DependencyArray(.given(value, at: SourcePlace(fileID: fileID, line: line)))
    }

    /// The elements.
    @inlinable public var wrappedValue: [Element] {
        @inline(__always)
        get {
            // The state must outlive the copy of the value. See `WrapperState.settledValue(as:)`.
            withExtendedLifetime(state) {
                _fastPath(state.isSettled) ? state.settledValue(as: [Element].self) : state.unsettledElements()
            }
        }
    }

    /// The wrapper itself.
    public var projectedValue: DependencyArray { self }

    /// Returns the elements: read `let books = DependencyArray<any Book>()` as `books()`.
    public func callAsFunction() -> [Element] { wrappedValue }

    /// Returns the elements, or throws an error if one of them cannot be resolved.
    ///
    /// - Throws: ``LocatorError`` if reading the property would stop the program.
    public func resolved() throws(LocatorError) -> [Element] { try state.resolved(ArraySite.ask) }

    /// Discards the cached elements, so that the next access resolves them again.
    public func reset() { state.reset() }

    /// The context that the property belongs to.
    ///
    /// After the context has been released, reading this property stops the program.
    public var context: AppContext { state.context }

    /// Explains what the property resolves to, and why: `$books.explain()`.
    public func explain() -> KeyExplanation {
        state.explain(from: (state.site as? ArraySite)?.modules ?? .all)
    }
}

extension DependencyArray: Sendable where Element: Sendable {}

// Opaque, because reflection must not create the elements.
extension DependencyArray: OpaqueToReflection {}

/// The request of a ``DependencyArray``.
private final class ArraySite: WrapperSite, @unchecked Sendable {
    // Sendable: like `WrapperSite`. `modules` is constant.

    let modules: ModuleSelection
    /// The elements in a lean child.
    private let readLean: @Sendable (ChildCore, ThreadRecord) -> AnyBox?

    init<Element>(
        core: ContextCore, of element: Element.Type, qualifier: Qualifier?, modules: ModuleSelection,
        location: SourcePlace
    ) {
        self.modules = modules
        readLean = { core, thread in core.readLean(all: Element.self, on: thread) }
        super.init(core: core, isInterned: false, type: [Element].self, qualifier: qualifier, location: location)
    }

    override func leanBox(_ core: ChildCore, on thread: ThreadRecord) -> AnyBox? {
        guard case .all = modules.rule, qualifier == nil else { return nil }
        return readLean(core, thread)
    }

    override var query: Cell.Query.Kind? {
        // Only the closure knows which modules it selects.
        modules.predicate == nil ? modules.kind : nil
    }

    static func ask<Element>(_ site: WrapperSite, _ core: ContextCore) throws(LocatorError) -> [Element] {
        // A wrapper of this type always has a site of this type.
        let modules = unsafeDowncast(site, to: ArraySite.self).modules
        return try ThreadRecord.current.requesting(for: nil, at: site.location, isWrapper: true) {
            () throws(LocatorError) in
            try core.resolveAll(Element.self, qualifier: site.qualifier, from: modules, location: site.location)
        }
    }
}

extension WrapperState {
    /// The value of a ``DependencyArray`` that is not settled.
    @usableFromInline
    func unsettledElements<Element>() -> [Element] { value(ArraySite.ask) }
}
