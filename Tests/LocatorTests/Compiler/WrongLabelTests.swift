import Testing

/// Mistakes for which the compiler alone would suggest a wrong label, or none.
@Suite("The compiler says what to write if a label is wrong or missing", .enabled(if: Compiler.isAvailable))
struct WrongLabelTests {
    private static let cast = """
        import Locator
        protocol Logger: Sendable {}
        final class FileLogger: Logger { init() {} }
        final class Joined: Logger { init(_: any Logger) {} }
        """

    private static let qualifier = "a qualifier needs its label: @Dependency(qualifier: \"…\")"
    private static let qualifierOfArray = "a qualifier needs its label: @DependencyArray(qualifier: \"…\")"
    private static let label = "use the label qualifier: @Dependency(qualifier: \"…\")"
    private static let labelOfArray = "use the label qualifier: @DependencyArray(qualifier: \"…\")"
    private static let resolving =
        "add a label: qualifier: \"…\" chooses a registration, with: … is the payload of a factory"
    private static let payload = "use the label with: try context.resolve(Item.self, with: …)"
    private static let pushing = "to run a closure with these modules, write pushing(fakes) { … }"
    private static let reading =
        "add a label: as: … is the type of the setting, default: … its value if it is missing"

    private static let loading =
        "name the folder: loadProperties(from: \"Config\", profiles: [\"dev\"]), or set LOCATOR_PROFILE=dev"

    /// Each slip, and the whole text of what the compiler says.
    private static let slips: [(source: String, message: String)] = [
        ("@Dependency(\"file\") var logger: any Logger", "'init(_:)' is unavailable: \(qualifier)"),
        ("@Dependency(.named(\"file\")) var logger: any Logger", "'init(_:)' is unavailable: \(qualifier)"),
        ("let logger = Dependency<any Logger>(\"file\")", "'init(_:)' is unavailable: \(qualifier)"),
        ("@Dependency(name: \"file\") var logger: any Logger", "'init(name:)' is unavailable: \(label)"),
        ("@Dependency(named: \"file\") var logger: any Logger", "'init(named:)' is unavailable: \(label)"),
        (
            "@Dependency var logger: any Logger = FileLogger()",
            "'init(wrappedValue:)' is unavailable: an initial value would turn injection off; "
                + "pass one instead: Screen(catalog: .value(fake))"
        ),
        (
            "@Dependency(scope: .singleton) var logger: any Logger",
            "'init(scope:)' is unavailable: the scope belongs to the registration: register(…, scope: .singleton) { … }"
        ),
        ("@DependencyArray(\"file\") var loggers: [any Logger]", "'init(_:)' is unavailable: \(qualifierOfArray)"),
        ("@DependencyArray(name: \"file\") var loggers: [any Logger]", "'init(name:)' is unavailable: \(labelOfArray)"),
        (
            "@DependencyArray(named: \"file\") var loggers: [any Logger]",
            "'init(named:)' is unavailable: \(labelOfArray)"
        ),
        (
            "@DependencyArray var loggers: [any Logger] = []",
            "'init(wrappedValue:)' is unavailable: an initial value would turn injection off; "
                + "pass one instead: Screen(books: .value([]))"
        ),
        (
            "@PropertyValue() var port: Int",
            "'init()' is unavailable: the path of the setting is missing: @PropertyValue(\"server.port\")"
        ),
        (
            "@PropertyValue var port: Int = 8080",
            "'init(wrappedValue:)' is unavailable: the path of the setting is missing: "
                + "@PropertyValue(\"server.port\", default: 8080)"
        ),
        (
            "@PropertyValue(\"server.port\") var port: Int = 8080",
            "'init(wrappedValue:_:)' is unavailable: pass the default as an argument: "
                + "@PropertyValue(\"server.port\", default: 8080) var port: Int"
        ),
        (
            "@PropertyValue(\"server.port\", 8080) var port: Int",
            "'init(_:_:)' is unavailable: the default needs its label: @PropertyValue(\"server.port\", default: 8080)"
        ),
        (
            "@PropertyValue(\"server.port\", defaultValue: 8080) var port: Int",
            "'init(_:defaultValue:)' is unavailable: use the label default: @PropertyValue(\"server.port\", default: 8080)"
        ),
        (
            "func slip(_ c: AppContext) throws { _ = try c.resolve() }",
            "'resolve()' is unavailable: name the type: try context.resolve((any Catalog).self)"
        ),
        (
            "func slip(_ c: AppContext) throws { let item = try c.resolve(with: 1); print(item) }",
            "'resolve(with:qualifier:)' is unavailable: name the type: try context.resolve(Item.self, with: …)"
        ),
        (
            "func slip(_ c: AppContext) throws { _ = try c.resolve((any Logger).self, \"file\") }",
            "'resolve' is unavailable: \(resolving)"
        ),
        (
            "func slip(_ c: AppContext) throws { _ = try c.resolve(FileLogger.self, 3) }",
            "'resolve' is unavailable: \(resolving)"
        ),
        (
            "func slip(_ c: AppContext) throws { _ = try c.resolve((any Logger).self, name: \"file\") }",
            "'resolve(_:name:)' is unavailable: use the label qualifier: "
                + "try context.resolve(Logger.self, qualifier: \"…\")"
        ),
        (
            "func slip(_ c: AppContext) throws { _ = try c.resolve(FileLogger.self, argument: 1) }",
            "'resolve(_:argument:)' is unavailable: \(payload)"
        ),
        (
            "func slip(_ c: AppContext) throws { let item = try c.resolve(FileLogger.self, arguments: 1, \"x\"); print(item) }",
            "'resolve(_:arguments:_:)' is unavailable: \(payload)"
        ),
        (
            "func slip(_ c: AppContext) throws { try c.push(Module(\"M\")) { print(1) } }",
            "'push(_:priority:_:)' is unavailable: \(pushing)"
        ),
        (
            "func slip(_ c: AppContext) async throws { try await c.push(Module(\"M\")) { await Task.yield() } }",
            "'push(_:priority:_:)' is unavailable: \(pushing)"
        ),
        (
            "func slip(_ c: AppContext) throws { try c.loadProperties(from: \"Config\", profiles: \"dev\", \"prod\") }",
            "'loadProperties(from:profiles:_:_:)' is unavailable: "
                + "write the profiles in brackets: profiles: [\"dev\", \"prod\"]"
        ),
        (
            "func slip(_ r: Registry) { r.register((any Logger).self, FileLogger.self) }",
            "'register(_:qualifier:scope:_:)' is unavailable: "
                + "pass an initializer: register((any Catalog).self, CatalogService.init)"
        ),
        (
            "func slip(_ r: Registry) { r.register((any Logger).self) { Joined(r.resolve((any Logger).self)!) } }",
            "'resolve(_:qualifier:)' is unavailable: "
                + "take it as a parameter of the closure: { (logger: any Logger) in … }"
        ),
        (
            "func slip(_ r: Registry) { r.factory((any Logger).self) { FileLogger() } }",
            "'factory(_:qualifier:_:)' is unavailable: "
                + "without a payload, write register(Item.self, scope: .prototype) { … }"
        ),
        (
            "func slip(_ c: AppContext) throws { print(try c.value(\"server.port\")) }",
            "'value' is unavailable: name the type of the setting: try context.value(\"server.port\", as: Int.self)"
        ),
        (
            "func slip(_ p: Properties) throws { let port = try p.value(\"server.port\") }",
            "'value' is unavailable: name the type of the setting: try properties.value(\"server.port\", as: Int.self)"
        ),
        (
            "func slip(_ c: AppContext) throws { _ = try c.value(\"server.port\", Int.self) }",
            "'value' is unavailable: \(reading)"
        ),
        (
            "func slip(_ c: AppContext) throws { let port: Int = try c.value(\"server.port\", 8080); print(port) }",
            "'value' is unavailable: \(reading)"
        ),
        (
            "func slip(_ c: AppContext) throws { try c.loadProperties(profile: \"dev\") }",
            "'loadProperties(profile:)' is unavailable: \(loading)"
        ),
        (
            "func slip(_ c: AppContext) throws { try c.loadProperties(profiles: [\"dev\"]) }",
            "'loadProperties(profiles:)' is unavailable: \(loading)"
        ),
        (
            "func slip(_ c: AppContext) throws { try c.loadProperties(file: \"application.json\") }",
            "'loadProperties(file:)' is unavailable: "
                + "use the label files: loadProperties(files: [\"application.json\"])"
        ),
        (
            "func slip(_ r: Registry) { r.register((any Logger).self) { FileLogger() }.inObjectScope(.singleton) }",
            "'inObjectScope' is unavailable: "
                + "pass the scope to register: register(…, scope: .singleton) { … }"
        ),
        (
            "func slip(_ r: Registry) { r.register((any Logger).self) { FileLogger() }.inObjectScope(.container) }",
            "'container' has been renamed to 'singleton'"
        ),
        (
            "func slip(_ r: Registry) { r.register((any Logger).self, scope: .single) { FileLogger() } }",
            "'single' has been renamed to 'singleton'"
        ),
        (
            "func slip(_ c: AppContext) async throws { try await c.pushing(Module(\"M\")) }",
            "'pushing' is unavailable: the body is missing: pushing(fakes) { … }; "
                + "without a body, use push and pop"
        ),
        (
            "func slip(_ r: Resolver) throws { _ = try r.resolve() }",
            "'resolve()' is unavailable: name the type: try resolver.resolve((any Catalog).self)"
        ),
        (
            "func slip(_ r: Resolver) throws { _ = try r.value(\"server.port\") }",
            "'value' is unavailable: name the type of the setting: try resolver.value(\"server.port\", as: Int.self)"
        ),
    ]

    @Test("Each mistake is reported at its line, and correct code compiles", arguments: [5, 6])
    func slips(languageMode: Int) throws {
        var lines = Self.cast.split(separator: "\n").map(String.init)
        var places: [Int] = []
        for (number, slip) in Self.slips.enumerated() {
            places.append(lines.count + 1)
            let source = slip.source.replacing("func slip", with: "func slip\(number)")
            lines.append(source.hasPrefix("func") ? source : "final class Slip\(number) { \(source) }")
        }
        lines += Self.right.split(separator: "\n").map(String.init)
        let messages = try Compiler.messages(in: lines.joined(separator: "\n"), languageMode: languageMode)
        for (line, slip) in zip(places, Self.slips) {
            let own = messages.filter { $0.line == line && $0.isError }.map(\.text)
            #expect(own.contains(slip.message), "\(slip.source): \(own)")
        }
        let elsewhere = messages.filter { message in message.isError && !places.contains(message.line) }
        #expect(elsewhere.map { "\(lines[$0.line - 1]): \($0.text)" } == [])
    }

    /// Code that must compile although there are functions that only exist to report mistakes.
    private static let right = """
        struct Screen {
            @Dependency var logger: any Logger
            @Dependency(qualifier: "file") var file: any Logger
            @DependencyArray var loggers: [any Logger]
            @PropertyValue("server.port") var port: Int
            @PropertyValue("server.retries", default: 3) var retries: Int
        }
        func given(_ logger: any Logger) -> [Screen] {
            [
                Screen(),
                Screen(logger: .value(logger), file: .value(logger), loggers: .value([logger]), port: .value(1)),
            ]
        }
        func registered(_ registry: Registry) {
            registry.register((any Logger).self, FileLogger.init)
            registry.register((any Logger).self) { FileLogger() }
            registry.factory((any Logger).self) { (_: Int) in FileLogger() }
            registry.factory((any Logger).self, given: Int.self) { _, other in Joined(other) }
        }
        func pushed(_ context: AppContext) throws {
            try context.push(Module("M"), Module("N"), priority: .high).pop()
            try context.push(Module("M") { registry in registry.register { FileLogger() } })
            try context.loadProperties(from: "Config", profiles: "dev")
            try context.loadProperties(from: "Config", profiles: ["dev", "prod"], secrets: ["password"])
        }
        func asked(_ context: AppContext, _ resolver: Resolver) throws {
            let logger: any Logger = try context.resolve()
            let optional: (any Logger)? = try context.resolve()
            let made: FileLogger = try context.resolve(with: 1, "a")
            let port: Int = try context.value("server.port")
            let text = try context.value("server.name", default: "shop")
            let other: FileLogger = try resolver.resolve()
            print(logger, optional as Any, made, port, text, other, try resolver.value("server.port", as: Int.self))
        }
        """
}
