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
    @usableFromInline let slot: WrapperSlot<[Element]>
    private let storage: DependencyArrayStorage<Element>

    /// The instances of the element's type; of a qualifier where one is given, and from some modules where a selection
    /// is given.
    public init(
        qualifier: Qualifier? = nil, from modules: ModuleSelection = .all, fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(
            storage: DependencyArrayStorage(
                core: AppContext.current.core, qualifier: qualifier, modules: modules,
                location: SourceLocation(fileID: fileID, line: line)))
    }

    /// The instances whose qualifier is the text at a path of the properties.
    public init(
        qualifierBy path: String, from modules: ModuleSelection = .all, fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(qualifier: .property(path), from: modules, fileID: fileID, line: line)
    }

    private init(storage: DependencyArrayStorage<Element>) {
        self.storage = storage
        slot = storage.slot
    }

    /// A dependency that has these elements and asks no context.
    public static func value(
        _ value: [Element], fileID: StaticString = #fileID, line: UInt = #line
    ) -> DependencyArray {
        DependencyArray(
            storage: DependencyArrayStorage(
                core: AppContext.current.core, given: value,
                location: SourceLocation(fileID: fileID, line: line)))
    }

    /// The elements.
    @inlinable public var wrappedValue: [Element] {
        // Settled, this costs what reading a stored property costs.
        @inline(__always) get { slot.isSettled ? slot.value.pointee : unsettledValue }
    }

    @usableFromInline var unsettledValue: [Element] { storage.value }

    /// The wrapper itself.
    public var projectedValue: DependencyArray { self }

    /// The elements: `let books = DependencyArray<any Book>()` is read as `books()`.
    public func callAsFunction() -> [Element] { wrappedValue }

    /// The elements, or an error where one of them cannot be given.
    public func resolved() throws(LocatorError) -> [Element] { try storage.resolved() }

    /// Lets go of the elements; the next read asks the context.
    public func reset() { storage.reset() }

    /// The context the property belongs to.
    public var context: AppContext { storage.context }

    /// Shows nothing of the elements, which a mirror must not make.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension DependencyArray: Sendable where Element: Sendable {}

/// What a ``DependencyArray`` keeps.
private final class DependencyArrayStorage<Element>: WrapperStorage<[Element]>, @unchecked Sendable {
    // Sendable: as `WrapperStorage`; the further fields are constant.

    private let qualifier: Qualifier?
    private let modules: ModuleSelection

    init(
        core: ContextCore, qualifier: Qualifier? = nil, modules: ModuleSelection = .all, given: [Element]? = nil,
        location: SourceLocation
    ) {
        self.qualifier = qualifier
        self.modules = modules
        super.init(core: core, given: given, location: location)
    }

    override func ask() throws(LocatorError) -> [Element] {
        try core.resolveAll(Element.self, qualifier: qualifier, from: modules, location: location)
    }

    override var key: Key { Key([Element].self) }
}
