/// Who asks for a prototype or for the product of a factory, and where.
///
/// As a parameter of the maker it lets an instance depend on its holder:
///
/// ```swift
/// registry.register(scope: .prototype) { (site: RequestSite) in Logger(label: site.typeName) }
/// registry.register((any Catalog).self) { (logger: Logger) in CatalogService(logger: logger) }  // "any Catalog"
/// ```
///
/// Only makers of `.prototype` and of factories can take it: what is shared has many who ask. Nothing has to be registered
/// for it.
public struct RequestSite: Sendable {
    /// The type of the registration that is being made from the instance; nil for a wrapper and for a plain request.
    ///
    /// Aliases and decorators of the instance do not count. A decorator, or an `.injecting`, that takes the instance asks for
    /// the type it belongs to. ``Lazy``, ``Provider`` and ``Factory`` ask for the registration that took them.
    public let type: (any Any.Type)?

    /// The place of that registration, of the wrapper's property or of the plain request.
    public let location: SourcePlace

    /// The name of the type; the file of the place, `Shop/Library.swift`, where there is no type.
    public var typeName: String { type.map(TypeName.of) ?? location.fileID }
}
