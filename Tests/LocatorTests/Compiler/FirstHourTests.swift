import Testing

/// Mistakes of the first hour, for which the compiler alone would say that something does not exist or does not match.
@Suite("For common beginner mistakes, the compiler says what to write instead", .enabled(if: Compiler.isAvailable))
struct FirstHourTests {
    private static let cast = """
        import Locator
        protocol Logger: Sendable {}
        protocol Catalog: Sendable {}
        final class FileLogger: Logger { init() {} }
        final class Page { init() {} }
        """

    private static let inModule =
        "register in a module, and load it: try context.load(Module(\"App\") { registry in registry.register(…) })"
    private static let object =
        "an existing object needs its label, register(…, instance: object); a closure or an initializer comes last: register(qualifier: \"…\", A.init)"
    private static let withoutScope =
        "an existing object has no scope: remove it, or pass a closure that creates one: register(…, scope: …) { … }"
    private static let qualifierFirst =
        "the qualifier comes before the scope: register(…, qualifier: \"…\", scope: …) { … }"
    private static let name = "use the label qualifier: register(…, qualifier: \"…\") { … }"
    private static let unretained = "the context does not retain these instances, so it cannot"

    /// Each mistake, and the whole text of what the compiler says.
    ///
    /// `r` is a registry, `c` a context.
    private static let mistakes: [(source: String, message: String)] = [
        ("r.register((any Logger).self, FileLogger())", "'register(_:qualifier:_:)' is unavailable: \(object)"),
        (
            "r.register((any Logger).self, qualifier: \"file\", FileLogger())",
            "'register(_:qualifier:_:)' is unavailable: \(object)"
        ),
        (
            "r.register((any Logger).self, name: \"file\") { FileLogger() }",
            "'register(_:name:scope:_:)' is unavailable: \(name)"
        ),
        ("r.register(FileLogger())", "'register(_:qualifier:)' is unavailable: \(object)"),
        ("let page = Page(); r.register(page)", "'register(_:qualifier:)' is unavailable: \(object)"),
        ("r.register(8080)", "'register(_:qualifier:)' is unavailable: \(object)"),
        (
            "r.register(FileLogger.self)",
            "'register(_:qualifier:)' is unavailable: the closure that creates an instance is missing: "
                + "register(Catalog.self) { … }"
        ),
        ("r.register(FileLogger.init, qualifier: \"file\")", "'register(_:qualifier:)' is unavailable: \(object)"),
        ("Module(\"M\", when: !.profile(\"a\")) { _ in }", "'!' is unavailable: write .not(…)"),
        (
            "Module(\"M\", when: .profile(\"a\") || .profile(\"b\")) { _ in }",
            "'||' is unavailable: a module has one condition: set the same setting in several profile files, and write .property(…)"
        ),
        (
            "Module(\"M\", when: .profile(\"a\") && .profile(\"b\")) { _ in }",
            "'&&' is unavailable: a module has one condition: include the module in another one, which has the second condition"
        ),
        (
            "Module(\"M\", when: .profile(\"a\", \"b\")) { _ in }",
            "'profile' is unavailable: name one profile: set the same setting in several profile files, and write .property(…)"
        ),
        (
            "r.register { FileLogger() }.scope(.always)",
            "'scope' is unavailable: pass the scope to register: register(…, scope: .singleton) { … }"
        ),
        (
            "r.register { FileLogger() }.implements((any Logger).self)",
            "'implements' is unavailable: to register another type for the same instance, use .alias((any Catalog).self) { $0 }"
        ),
        (
            "r.register { FileLogger() }.scope(.weak)",
            "'scope' is unavailable: pass the scope to register: register(…, scope: .weak) { … }"
        ),
        (
            "r.register { FileLogger() }.scope(.prototype)",
            "'scope' is unavailable: pass the scope to register: register(…, scope: .prototype) { … }"
        ),
        (
            "r.register { FileLogger() }.inObjectScope(.weak)",
            "'inObjectScope' is unavailable: pass the scope to register: register(…, scope: .weak) { … }"
        ),
        (
            "r.register { FileLogger() }.inObjectScope(.prototype)",
            "'inObjectScope' is unavailable: pass the scope to register: register(…, scope: .prototype) { … }"
        ),
        (
            "r.register(scope: .prototype) { FileLogger() }.implements((any Logger).self)",
            "'implements' is unavailable: to register another type for the same instance, use .alias((any Catalog).self) { $0 }"
        ),
        ("r.register(FileLogger(), qualifier: \"file\")", "'register(_:qualifier:)' is unavailable: \(object)"),
        ("r.register(name: \"file\") { FileLogger() }", "'register(name:scope:_:)' is unavailable: \(name)"),
        (
            "r.register(scope: .prototype) { Page() }.onDispose { _ in }",
            "'onDispose' is unavailable: \(unretained) dispose of them; write a deinit, or use .singleton"
        ),
        (
            "r.register(scope: .weak) { FileLogger() }.onShutdown { _ in }",
            "'onShutdown' is unavailable: \(unretained) shut them down; use .singleton"
        ),
        (
            "r.register { FileLogger() }.alias((any Logger).self)",
            "'alias(_:qualifier:)' is unavailable: the closure is missing: .alias((any Catalog).self) { $0 }"
        ),
        (
            "r.register(scope: .prototype) { FileLogger() }.alias((any Logger).self)",
            "'alias(_:qualifier:)' is unavailable: the closure is missing: .alias((any Catalog).self) { $0 }"
        ),
        (
            "r.register { FileLogger() }.alias((any Catalog).self) { $0 }",
            "'alias(_:qualifier:_:)' is unavailable: the registered type does not conform to the type of the alias"
        ),
        (
            "r.register((any Logger).self, scope: .transient) { FileLogger() }",
            "'transient' has been renamed to 'prototype'"
        ),
        ("r.register(scope: .unique) { Page() }", "'unique' has been renamed to 'prototype'"),
        ("r.register(scope: .cached) { FileLogger() }", "'cached' has been renamed to 'singleton'"),
        ("r.register(scope: .shared) { FileLogger() }", "'shared' has been renamed to 'weak'"),
        ("c.register { FileLogger() }", "'register(qualifier:scope:_:)' is unavailable: \(inModule)"),
        (
            "c.register((any Logger).self) { FileLogger() }.primary()",
            "'register(_:qualifier:scope:_:)' is unavailable: \(inModule)"
        ),
        ("c.register(FileLogger.init)", "'register(qualifier:scope:_:)' is unavailable: \(inModule)"),
        ("c.register(scope: .prototype) { Page() }", "'register(qualifier:scope:_:)' is unavailable: \(inModule)"),
        (
            "c.register((any Logger).self, scope: .weak) { FileLogger() }",
            "'register(_:qualifier:scope:_:)' is unavailable: \(inModule)"
        ),
        (
            "r.register(scope: .prototype, instance: FileLogger())",
            "'register(_:qualifier:scope:instance:)' is unavailable: \(withoutScope)"
        ),
        (
            "r.register((any Logger).self, qualifier: \"file\", scope: .weak, instance: FileLogger())",
            "'register(_:qualifier:scope:instance:)' is unavailable: \(withoutScope)"
        ),
        (
            "r.register(instance: FileLogger(), scope: .singleton)",
            "'register(_:qualifier:instance:scope:)' is unavailable: \(withoutScope)"
        ),
        (
            "r.register(instance: FileLogger(), scope: .application)",
            "'register(_:qualifier:instance:scope:)' is unavailable: \(withoutScope)"
        ),
        (
            "r.register((any Logger).self, scope: .application, instance: FileLogger())",
            "'register(_:qualifier:scope:instance:)' is unavailable: \(withoutScope)"
        ),
        (
            "r.register((any Logger).self, scope: .application, qualifier: \"file\") { FileLogger() }",
            "'register(_:scope:qualifier:_:)' is unavailable: \(qualifierFirst)"
        ),
        (
            "r.register((any Logger).self, scope: .singleton, qualifier: \"file\") { (_: any Catalog) in FileLogger() }",
            "'register(_:scope:qualifier:_:)' is unavailable: \(qualifierFirst)"
        ),
        (
            "r.register(Page.self, scope: .prototype, qualifier: \"first\") { Page() }",
            "'register(_:scope:qualifier:_:)' is unavailable: \(qualifierFirst)"
        ),
        (
            "r.register(scope: .weak, qualifier: \"file\", FileLogger.init)",
            "'register(_:scope:qualifier:_:)' is unavailable: \(qualifierFirst)"
        ),
        ("c.register(instance: FileLogger())", "'register(_:qualifier:scope:instance:)' is unavailable: \(inModule)"),
        (
            "c.register(scope: .weak, instance: FileLogger())",
            "'register(_:qualifier:scope:instance:)' is unavailable: \(inModule)"
        ),
        (
            "try c.load { r in r.register { FileLogger() } }",
            "'load' is unavailable: create a module: try context.load(Module(\"App\") { registry in … })"
        ),
        (
            "try c.push { $0.register { FileLogger() } }",
            "'push' is unavailable: create a module: try context.push(Module(\"Fakes\") { registry in … })"
        ),
        (
            "try c.within(opening: Scope(\"request\")) { print($0) }",
            "'within(opening:giving:line:_:)' is unavailable: the scope has no label: "
                + "try context.within(.request) { child in … }"
        ),
        (
            "try c.loadProperties(\"Config\")",
            "'loadProperties' is unavailable: add a label: loadProperties(from: \"Config\") for a folder, "
                + "loadProperties(files: […]) for files"
        ),
        (
            "c.withContext { print(1) }",
            "'withContext' is unavailable: write AppContext.withContext(context) { … }"
        ),
        (
            "final class Screen { @Dependency((any Logger).self) var logger: any Logger }",
            "'init(_:)' is unavailable: declare the type at the property: @Dependency var logger: any Logger"
        ),
        (
            "final class Screen { @Dependency((any Logger).self) var logger }",
            "'init(_:)' is unavailable: declare the type at the property: @Dependency var logger: any Logger"
        ),
        (
            "final class Screen { @Dependency(\\.logger) var logger }",
            "'init(_:)' is unavailable: declare the type at the property: @Dependency var logger: any Logger"
        ),
        (
            "final class Screen { @Dependency(\\.logger) var logger: any Logger }",
            "'init(_:)' is unavailable: declare the type at the property: @Dependency var logger: any Logger"
        ),
        (
            "final class Screen { @DependencyArray((any Logger).self) var loggers: [any Logger] }",
            "'init(_:)' is unavailable: declare the type at the property: "
                + "@DependencyArray var loggers: [any Logger]"
        ),
    ]

    @Test("Each mistake is reported at its line, and nothing else", arguments: [5, 6])
    func mistakes(languageMode: Int) throws {
        var lines = Self.cast.split(separator: "\n").map(String.init)
        var places: [Int] = []
        for (number, mistake) in Self.mistakes.enumerated() {
            places.append(lines.count + 1)
            lines.append("func mistake\(number)(_ r: Registry, _ c: AppContext) throws { \(mistake.source) }")
        }
        lines += Self.right.split(separator: "\n").map(String.init)
        let messages = try Compiler.messages(in: lines.joined(separator: "\n"), languageMode: languageMode)
        for (line, mistake) in zip(places, Self.mistakes) {
            let own = messages.filter { $0.line == line && $0.isError }.map(\.text)
            #expect(own == [mistake.message], "\(mistake.source)")
        }
        let elsewhere = messages.filter { message in message.isError && !places.contains(message.line) }
        #expect(elsewhere.map { "\(lines[$0.line - 1]): \($0.text)" } == [])
    }

    /// Code that must compile although there are functions that only exist to report mistakes.
    private static let right = """
        extension Scope { static let application = Scope("application") }
        func right(_ r: Registry, _ c: AppContext) throws {
            r.register { FileLogger() }.alias((any Logger).self) { $0 }.primary()
            r.register { FileLogger() }.alias(FileLogger.self, qualifier: "other") { $0 }
            r.register((any Logger).self) { FileLogger() }.alias(FileLogger.self) { $0 as! FileLogger }
            r.register(scope: .prototype) { FileLogger() }.alias((any Logger).self) { $0 }
            r.register(Page.self, scope: .prototype) { Page() }
            r.register(scope: .application) { FileLogger() }
            r.register((any Logger).self, qualifier: "object", instance: FileLogger())
            try c.load(Module("M") { $0.register { FileLogger() } })
            try c.push([Module("M")]).pop()
            try c.loadProperties(from: "Config")
            AppContext.withContext(c) { print(1) }
        }
        """
}
