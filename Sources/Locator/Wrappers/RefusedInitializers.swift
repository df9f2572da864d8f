/// Initializers for typical mistakes, so that the compiler says what to write instead.
///
/// Without these initializers, the compiler would suggest `qualifierBy:`, which takes the path of a setting.
extension Dependency {
    /// Not available: the type is that of the property.
    @available(*, unavailable, message: "declare the type at the property: @Dependency var logger: any Logger")
    public init<Other>(_ type: Other.Type) {
        preconditionFailure("The type is that of the property")
    }

    /// Not available: a qualifier needs its label.
    @available(*, unavailable, message: "a qualifier needs its label: @Dependency(qualifier: \"…\")")
    public init(_ qualifier: Qualifier) {
        preconditionFailure("A qualifier needs its label")
    }

    /// Not available: the label of a qualifier is `qualifier:`.
    @available(*, unavailable, message: "use the label qualifier: @Dependency(qualifier: \"…\")")
    public init(name qualifier: Qualifier) {
        preconditionFailure("The label is qualifier")
    }

    /// Not available: the label of a qualifier is `qualifier:`.
    @available(*, unavailable, message: "use the label qualifier: @Dependency(qualifier: \"…\")")
    public init(named qualifier: Qualifier) {
        preconditionFailure("The label is qualifier")
    }

    /// Not available: the scope belongs to the registration.
    @available(*, unavailable, message: "the scope belongs to the registration: register(…, scope: .singleton) { … }")
    public init(scope: Scope) {
        preconditionFailure("The scope belongs to the registration")
    }

    /// Not available: an initial value would silently turn injection off.
    @available(
        *, unavailable,
        message: "an initial value would turn injection off; pass one instead: Screen(catalog: .value(fake))"
    )
    public init(wrappedValue: Value) {
        preconditionFailure("An initial value would turn injection off")
    }
}

extension DependencyArray {
    /// Not available: the type is that of the property.
    @available(*, unavailable, message: "declare the type at the property: @DependencyArray var loggers: [any Logger]")
    public init<Other>(_ type: Other.Type) {
        preconditionFailure("The type is that of the property")
    }

    /// Not available: a qualifier needs its label.
    @available(*, unavailable, message: "a qualifier needs its label: @DependencyArray(qualifier: \"…\")")
    public init(_ qualifier: Qualifier) {
        preconditionFailure("A qualifier needs its label")
    }

    /// Not available: the label of a qualifier is `qualifier:`.
    @available(*, unavailable, message: "use the label qualifier: @DependencyArray(qualifier: \"…\")")
    public init(name qualifier: Qualifier) {
        preconditionFailure("The label is qualifier")
    }

    /// Not available: the label of a qualifier is `qualifier:`.
    @available(*, unavailable, message: "use the label qualifier: @DependencyArray(qualifier: \"…\")")
    public init(named qualifier: Qualifier) {
        preconditionFailure("The label is qualifier")
    }

    /// Not available: an initial value would silently turn injection off.
    @available(
        *, unavailable,
        message: "an initial value would turn injection off; pass one instead: Screen(books: .value([]))"
    )
    public init(wrappedValue: [Element]) {
        preconditionFailure("An initial value would turn injection off")
    }
}

extension PropertyValue {
    /// Not available: the path is missing.
    @available(*, unavailable, message: "the path of the setting is missing: @PropertyValue(\"server.port\")")
    public init() {
        preconditionFailure("The path of the setting is missing")
    }

    /// Not available: the path is missing.
    @available(
        *, unavailable,
        message: "the path of the setting is missing: @PropertyValue(\"server.port\", default: 8080)"
    )
    public init(wrappedValue: Value) {
        preconditionFailure("The path of the setting is missing")
    }

    /// Not available: a default value is an argument.
    @available(
        *, unavailable,
        message: "pass the default as an argument: @PropertyValue(\"server.port\", default: 8080) var port: Int"
    )
    public init(wrappedValue: Value, _ path: String) {
        preconditionFailure("A default is an argument")
    }

    /// Not available: a default needs its label.
    @available(
        *, unavailable, message: "the default needs its label: @PropertyValue(\"server.port\", default: 8080)"
    )
    public init(_ path: String, _ defaultValue: Value) {
        preconditionFailure("A default needs its label")
    }

    /// Not available: the label of a default is `default:`.
    @available(*, unavailable, message: "use the label default: @PropertyValue(\"server.port\", default: 8080)")
    public init(_ path: String, defaultValue: Value) {
        preconditionFailure("The label is default")
    }
}
