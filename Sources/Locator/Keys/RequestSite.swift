/// The type and the place that request a prototype or call a factory.
///
/// As a parameter of a factory closure, it lets an instance depend on the type that uses it:
///
/// ```swift
/// registry.register(scope: .prototype) { (site: RequestSite) in Logger(label: site.typeName) }
/// registry.register((any Catalog).self) { (logger: Logger) in CatalogService(logger: logger) }  // "any Catalog"
/// ```
///
/// Only the closures of prototypes and factories can take a `RequestSite`, because several types can use a shared
/// instance. A `RequestSite` needs no registration.
public struct RequestSite: Sendable {
    /// The type that is being made and needs the instance; nil for a wrapper and for a direct request.
    ///
    /// Aliases and decorators of the instance do not count. If a decorator or an `.injecting` takes the instance, this
    /// is the type of the registration that is decorated or injected into. If a registration takes a ``Lazy``,
    /// ``Provider``, or ``Factory`` of the instance, this is the type of that registration.
    public let type: (any Any.Type)?

    /// The place of the registration that needs the instance, of the wrapper's property, or of the direct request.
    public let location: SourcePlace

    /// The name of the type; the file of the place, such as `Shop/Library.swift`, if there is no type.
    public var typeName: String { type.map(TypeName.of) ?? location.fileID }
}
