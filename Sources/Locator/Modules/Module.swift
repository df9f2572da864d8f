public import LocatorProperties

/// A named set of registrations that a context loads, pushes and unloads as one.
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
/// Each call of an initializer makes an identity, which copies share: a module is its own handle, and
/// `context.unload(.shop)` takes off what `context.load(.shop)` loaded. The closure runs each time a context takes the
/// module in, so that what it creates belongs to that context.
public struct Module: Sendable, CustomStringConvertible {
    final class Definition: Sendable {
        let name: String
        let properties: [String: JSONValue]
        let included: @Sendable () -> [Module]
        let condition: Condition?
        let location: SourcePlace
        let components: [any Component.Type]
        let register: @Sendable (Registry) -> Void

        init(
            name: String, properties: [String: JSONValue], included: @escaping @Sendable () -> [Module],
            condition: Condition?, location: SourcePlace, components: [any Component.Type],
            register: @escaping @Sendable (Registry) -> Void
        ) {
            self.name = name
            self.properties = properties
            self.included = included
            self.condition = condition
            self.location = location
            self.components = components
            self.register = register
        }
    }

    let definition: Definition

    /// The module's name, as errors and selections use it.
    public var name: String { definition.name }

    /// Where the module was written.
    public var location: SourcePlace { definition.location }

    var identity: ObjectIdentifier { ObjectIdentifier(definition) }

    // One initializer: with several, the compiler reports a mistake in a closure at the call of the initializer.

    /// Creates a module.
    ///
    /// ```swift
    /// let shop = Module("Shop", components: [CatalogService.self, FileLogger.self])
    /// ```
    ///
    /// - Parameters:
    ///   - name: What errors and selections call it.
    ///   - properties: Property values that the module brings, by path: `["server.url": "http://test"]`. The keys of
    ///     objects inside are names, as they are in files. A variable is given as `JSONValue(port)`, or `.init(port)`.
    ///     Those of a module above ``Priority/profile`` replace what the profile files say; those of other modules are
    ///     defaults.
    ///   - including: Modules that are loaded with this one, right behind it, and leave with the last that includes
    ///     them. The list is read when the module is loaded, so that modules may include each other.
    ///   - condition: When the module is in force; always, unless given.
    ///   - components: Types that carry their own registration. They register before the closure runs.
    ///   - fileID: The file of the call, for errors.
    ///   - line: The line of the call, for errors.
    ///   - register: Registers what the module offers.
    public init(
        _ name: String, properties: [String: JSONValue] = [:],
        including: @autoclosure @escaping @Sendable () -> [Module] = [], when condition: Condition? = nil,
        components: [any Component.Type] = [], fileID: StaticString = #fileID, line: UInt = #line,
        _ register: @escaping @Sendable (Registry) -> Void = { _ in }
    ) {
        definition = Definition(
            name: name, properties: properties, included: including, condition: condition,
            location: SourcePlace(fileID: fileID, line: line), components: components
        ) { registry in
            for component in components { component.register(in: registry) }
            register(registry)
        }
    }

    /// The module's name in quotes.
    public var description: String { "module \"\(name)\"" }
}

/// A type that carries its own registration.
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
