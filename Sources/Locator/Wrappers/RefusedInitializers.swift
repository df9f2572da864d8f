/// Initializers for typical mistakes, so that the compiler says what to write instead.
///
/// Without these initializers, the compiler would suggest `qualifierBy:`, which takes the path of a setting.
extension Dependency {
    /// Not available: the property declares the type.
    @available(*, unavailable, message: "declare the type at the property: @Dependency var logger: any Logger")
    public init<Other>(_ type: Other.Type) { unavailable() }

    /// Not available: the property declares no type.
    @available(*, unavailable, message: "declare the type at the property: @Dependency var logger: any Logger")
    public init(_ type: Value.Type) { unavailable() }

    /// Not available: a qualifier needs the label `qualifier:`.
    @available(*, unavailable, message: "a qualifier needs its label: @Dependency(qualifier: \"…\")")
    public init(_ qualifier: Qualifier) { unavailable() }

    /// Not available: the label of a qualifier is `qualifier:`.
    @available(*, unavailable, message: "use the label qualifier: @Dependency(qualifier: \"…\")")
    public init(name qualifier: Qualifier) { unavailable() }

    /// Not available: the label of a qualifier is `qualifier:`.
    @available(*, unavailable, message: "use the label qualifier: @Dependency(qualifier: \"…\")")
    public init(named qualifier: Qualifier) { unavailable() }

    /// Not available: the scope belongs to the registration.
    @available(*, unavailable, message: "the scope belongs to the registration: register(…, scope: .singleton) { … }")
    public init(scope: Scope) { unavailable() }

    /// Not available: the property declares the type, not a key path.
    @available(*, unavailable, message: "declare the type at the property: @Dependency var logger: any Logger")
    public init(_ path: KeyPath<KeyPathsOfOtherLibraries, Any>) { unavailable() }

    /// Not available: an initial value would silently turn injection off.
    @available(
        *, unavailable,
        message: "an initial value would turn injection off; pass one instead: Screen(catalog: .value(fake))"
    )
    public init(wrappedValue: Value) { unavailable() }
}

extension Dependency where Value == KeyPathsOfOtherLibraries {
    /// Not available: the type is that of the property, which has none here, and not a key path.
    @available(*, unavailable, message: "declare the type at the property: @Dependency var logger: any Logger")
    public init(_ path: KeyPath<KeyPathsOfOtherLibraries, Any>) { unavailable() }
}

/// The type of `\.logger` in `@Dependency(\.logger)`, which other libraries have and this one does not.
///
/// It only lets the compiler say what to write instead.
@dynamicMemberLookup
public struct KeyPathsOfOtherLibraries: Sendable {
    private init() {}

    /// Accepts any name.
    public subscript(dynamicMember name: String) -> Any { unavailable() }
}

extension DependencyArray {
    /// Not available: the property declares the type.
    @available(*, unavailable, message: "declare the type at the property: @DependencyArray var loggers: [any Logger]")
    public init<Other>(_ type: Other.Type) { unavailable() }

    /// Not available: a qualifier needs the label `qualifier:`.
    @available(*, unavailable, message: "a qualifier needs its label: @DependencyArray(qualifier: \"…\")")
    public init(_ qualifier: Qualifier) { unavailable() }

    /// Not available: the label of a qualifier is `qualifier:`.
    @available(*, unavailable, message: "use the label qualifier: @DependencyArray(qualifier: \"…\")")
    public init(name qualifier: Qualifier) { unavailable() }

    /// Not available: the label of a qualifier is `qualifier:`.
    @available(*, unavailable, message: "use the label qualifier: @DependencyArray(qualifier: \"…\")")
    public init(named qualifier: Qualifier) { unavailable() }

    /// Not available: an initial value would silently turn injection off.
    @available(
        *, unavailable,
        message: "an initial value would turn injection off; pass one instead: Screen(books: .value([]))"
    )
    public init(wrappedValue: [Element]) { unavailable() }
}

extension PropertyValue {
    /// Not available: the path is missing.
    @available(*, unavailable, message: "the path of the setting is missing: @PropertyValue(\"server.port\")")
    public init() { unavailable() }

    /// Not available: the path is missing.
    @available(
        *, unavailable,
        message: "the path of the setting is missing: @PropertyValue(\"server.port\", default: 8080)"
    )
    public init(wrappedValue: Value) { unavailable() }

    /// Not available: a default value is an argument.
    @available(
        *, unavailable,
        message: "pass the default as an argument: @PropertyValue(\"server.port\", default: 8080) var port: Int"
    )
    public init(wrappedValue: Value, _ path: String) { unavailable() }

    /// Not available: a default needs its label.
    @available(*, unavailable, message: "the default needs its label: @PropertyValue(\"server.port\", default: 8080)")
    public init(_ path: String, _ defaultValue: Value) { unavailable() }

    /// Not available: the label of a default is `default:`.
    @available(*, unavailable, message: "use the label default: @PropertyValue(\"server.port\", default: 8080)")
    public init(_ path: String, defaultValue: Value) { unavailable() }
}
