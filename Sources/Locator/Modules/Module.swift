public import LocatorProperties

/// A named set of registrations that a context loads, pushes, and unloads as a unit.
///
/// ```swift
/// extension Module {
///     static let shop = Module("Shop") { registry in
///         registry.register((any Logger).self, qualifier: "file") { FileLogger() }
///         registry.register((any Catalog).self, CatalogService.init)
///     }
/// }
/// ```
///
/// Each call of the initializer creates a different module. Copies of the value are the same module, so
/// `context.unload(.shop)` unloads what `context.load(.shop)` loaded. The closure runs when a context loads or pushes
/// the module and does not have it yet, so everything that the closure creates belongs to that context.
public struct Module: Sendable, CustomStringConvertible {
    struct Definition: Sendable {
        let name: String
        let properties: [String: JSONValue]
        let included: @Sendable () -> [Module]
        let condition: Condition?
        let location: SourcePlace
        let components: [any Component.Type]
        let register: @Sendable (Registry) -> Void
    }

    private let content: Constant<Definition>

    var definition: Definition { content.value }

    /// The name of the module in errors and selections.
    public var name: String { definition.name }

    /// The place of the module in the source.
    public var location: SourcePlace { definition.location }

    var identity: ObjectIdentifier { ObjectIdentifier(content) }

    // There is only one initializer: with several, the compiler reports a mistake in a closure at the call of the
    // initializer.

    /// Creates a module.
    ///
    /// ```swift
    /// let shop = Module("Shop", components: [CatalogService.self, FileLogger.self])
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the module in errors and selections.
    ///   - properties: Settings by path: `["server.url": "http://test"]`. Keys of nested objects are names, as in
    ///     files. Pass a variable as `JSONValue(port)` or `.init(port)`. The settings of a module above
    ///     ``Priority/profile`` override the profile files. The settings of other modules are defaults.
    ///   - including: Modules that are loaded with this one. They come directly after it in lookup order, and are
    ///     unloaded with the last module that includes them. The list is read when the module is loaded, so modules can
    ///     include each other.
    ///   - condition: The condition that turns the module on. By default, it is always on.
    ///   - components: Types that contain their own registration. They are registered before the closure runs.
    ///   - fileID: The file of the call, for errors.
    ///   - line: The line of the call, for errors.
    ///   - register: A closure that registers the contents of the module.
    public init(
        _ name: String, properties: [String: JSONValue] = [:],
        including: @autoclosure @escaping @Sendable () -> [Module] = [], when condition: Condition? = nil,
        components: [any Component.Type] = [], fileID: StaticString = #fileID, line: UInt = #line,
        _ register: @escaping @Sendable (Registry) -> Void = { _ in }
    ) {
        content = Constant(
            Definition(
                name: name, properties: properties, included: including, condition: condition,
                location: SourcePlace(fileID: fileID, line: line), components: components, register: register))
    }

    /// The module's name in quotes.
    public var description: String { "module \"\(name.escapingHidden())\"" }
}

/// A type that contains its own registration.
///
/// ```swift
/// final class CatalogService: Catalog, Component {
///     static func register(in registry: Registry) {
///         registry.register((any Catalog).self, CatalogService.init)
///     }
/// }
/// ```
public protocol Component: SendableMetatype {
    /// Registers the type.
    static func register(in registry: Registry)
}
