import Testing

/// Code that must not compile, and code that must compile with no annotation except `any`, in Swift 6 mode.
@Suite("The compiler rejects code that would fail at run time", .enabled(if: Compiler.isAvailable))
struct RefusedTests {
    private struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let source: String
        /// A part of the compiler's error, or nil if there must be none.
        let error: String?

        init(_ description: String, _ source: String, error: String? = nil) {
            testDescription = description
            self.source = source
            self.error = error
        }
    }

    private static let cast = """
        import Locator
        protocol Logger: Sendable {}
        final class FileLogger: Logger { init() {} }
        final class NotSendable { var count = 0; init() {} }
        struct Users: Sendable { let logger: any Logger }
        @MainActor final class Screen { init(logger: any Logger) {} }

        """

    private static let cases = [
        Case(
            "an initial value, which would disable injection silently",
            "final class Holder { @Dependency var logger: any Logger = FileLogger() }",
            error: "an initial value would turn injection off; pass one instead: Screen(catalog: .value(fake))"),
        Case(
            "assigning to a dependency",
            "final class Holder { @Dependency var logger: any Logger; func f() { logger = FileLogger() } }",
            error: "cannot assign to property: 'logger' is a get-only property"),
        Case(
            "a static wrapper",
            "enum Holder { @Dependency static var logger: any Logger }",
            error: "is not concurrency-safe"),
        Case(
            "a variable in a Sendable class",
            "final class Holder: Sendable { @Dependency var logger: any Logger }",
            error: "stored property '_logger' of 'Sendable'-conforming class 'Holder' is mutable"),
        Case(
            "sharing what is not Sendable",
            "let module = Module(\"M\") { $0.register(NotSendable.self) { NotSendable() } }",
            error: "NotSendable"),
        Case(
            "disposing of a prototype",
            "let module = Module(\"M\") { $0.register(scope: .prototype, FileLogger.init).onDispose { _ in } }",
            error: "the context does not retain these instances"),
        Case(
            "disposing of a weak instance",
            "let module = Module(\"M\") { $0.register(scope: .weak, FileLogger.init).onDispose { _ in } }",
            error: "the context does not retain these instances"),
        Case(
            "an alias that is no upcast",
            "let module = Module(\"M\") { $0.register(FileLogger.init).alias(Users.self) { $0 } }",
            error: "the registered type does not conform to the type of the alias"),
        Case(
            "a maker of another type",
            "let module = Module(\"M\") { $0.register((any Logger).self) { NotSendable() } }",
            error: "'NotSendable'"),
        Case(
            "a holder of a prototype that is Sendable without reason",
            "let holder: any Sendable = Dependency<NotSendable>()",
            error: "Sendable"),
        Case(
            "an input that is not Sendable",
            "let module = Module(\"M\") { $0.input(NotSendable.self, scope: Scope(\"request\")) }",
            error: "'NotSendable' does not conform to the 'Sendable' protocol"),
        Case(
            "disposing of an input",
            "let module = Module(\"M\") { $0.input(Users.self, scope: Scope(\"request\")).onDispose { _ in } }",
            error: "has no member 'onDispose'"),
        Case(
            "handing in what is not Sendable",
            "func f(_ c: AppContext) throws { _ = try c.child(opening: Scope(\"request\"), giving: NotSendable()) }",
            error: "'NotSendable' does not conform to the 'Sendable' protocol"),
        Case(
            "an input that is no instance of its type",
            "func f(_ c: AppContext) throws { _ = try c.child(and: .input(3, as: (any Logger).self)) }",
            error: "'Int'"),
        Case(
            "all ways to open a scope, and to hand something in",
            """
            extension Scope { static let request = Scope("request", requiresOpening: true) }
            func f(_ c: AppContext, _ users: Users, _ logger: any Logger) throws {
                _ = try c.child()
                _ = try c.child(opening: .request)
                _ = try c.child(opening: .request, Scope("other"))
                _ = try c.child(pushing: Module("M") { _ in })
                _ = try c.child(opening: .request, giving: users)
                _ = try c.child(opening: .request, giving: users, logger, 3, pushing: Module("M") { _ in })
                _ = try c.child(opening: .request, and: .input("eu", qualifier: "region"))
                _ = try c.child(
                    opening: .request, giving: users, and: .input("eu", qualifier: "region"),
                    .input(FileLogger(), as: (any Logger).self))
                let number = try c.within(.request, giving: users) { child in try child.resolve(Int.self) }
                let text: String = try c.within(.request) { child in
                    let number = try child.resolve(Int.self)
                    return "\\(number)"
                }
                print(number, text)
            }
            @MainActor func g(_ c: AppContext, _ users: Users) async throws {
                let mutable = NotSendable()
                let number = try await c.within(.request, giving: users, and: .input("eu", qualifier: "region")) { child in
                    try await child.start()
                    mutable.count += 1
                    return try child.resolve(Int.self)
                }
                mutable.count = number
            }
            """),
        Case(
            "an asynchronous prototype",
            "let module = Module(\"M\") { $0.register(scope: .prototype, async: { FileLogger() }) }",
            error: "start() makes it in advance, so it is shared; to make one each time, use factory(async:)"),
        Case(
            "an asynchronous weak instance",
            "let module = Module(\"M\") { $0.register(scope: .weak, async: { FileLogger() }) }",
            error: "start() makes it in advance, so the context retains it; use .singleton or a custom scope"),
        Case(
            "an asynchronous factory of what is not Sendable",
            "let module = Module(\"M\") { $0.factory(async: { (_: Int) in NotSendable() }) }",
            error: "'NotSendable' does not conform to the 'Sendable' protocol"),
        Case(
            "an asynchronous factory from what is not Sendable",
            "let module = Module(\"M\") { $0.factory(async: { (_: NotSendable) in 1 }) }",
            error: "'NotSendable' does not conform to the 'Sendable' protocol"),
        Case(
            "asking a factory in asynchronous code without await",
            "func f(_ c: AppContext) async throws -> Int { try c.resolve(Int.self, with: \"a\") }",
            error: "expression is 'async' but is not marked with 'await'"),
        Case(
            "disposing of a factory's product",
            "let module = Module(\"M\") { $0.factory { (_: Int) in FileLogger() }.onDispose { _ in } }",
            error: "the context does not retain these instances"),
        Case(
            "all ways to register a factory, and to ask for its product",
            """
            extension NotSendable {
                convenience init(id: Int, logger: any Logger) { self.init() }
                convenience init(id: Int, name: String, logger: any Logger) { self.init() }
            }
            extension Screen { convenience init(id: Int, name: String, logger: any Logger) { self.init(logger: logger) } }
            extension Users { static func all(of name: String, logger: any Logger) async throws -> Users { Users(logger: logger) } }
            let module = Module("M") { registry in
                registry.factory(NotSendable.self, given: Int.self, String.self) { id, name, logger in
                    NotSendable(id: id, name: name, logger: logger)
                }
                registry.factory(NotSendable.self, given: Int.self, String.self) { id, name, logger in
                    let made = NotSendable(id: id, name: name, logger: logger)
                    made.count = id
                    return made
                }
                registry.factory(NotSendable.self, given: Int.self, String.self, NotSendable.init(id:name:logger:))
                registry.factory(given: Int.self, String.self, qualifier: "q", parameterQualifiers: [nil], NotSendable.init(id:name:logger:))
                registry.factory(given: Int.self, NotSendable.init(id:logger:)).primary()
                registry.factory(NotSendable.init(id:logger:)).injecting { (_, _: any Logger) in }
                registry.factory(onMainActor: Screen.init(id:name:logger:))
                registry.factory(Screen.self, given: Int.self, String.self, onMainActor: Screen.init(id:name:logger:))
                    .injecting(onMainActor: { (screen, _: any Logger) in print(screen) })
                registry.factory(async: Users.all(of:logger:))
                registry.factory(Users.self, given: String.self, async: { name, logger in try await .all(of: name, logger: logger) })
                registry.register(scope: .prototype, onMainActor: Screen.init(logger:))
                registry.register(scope: .weak, onMainActor: Screen.init(logger:))
                registry.register(scope: .graph, onMainActor: { NotSendable() })
                registry.register(onMainActor: { NotSendable() }).onDispose(onMainActor: { $0.count += 1 })
                registry.register(Screen.self, onMainActor: Screen.init(logger:)).onDispose(onMainActor: { print($0) })
                registry.register(scope: .prototype) { (site: RequestSite) in site.typeName }
            }
            func f(_ c: AppContext, _ make: Factory<(Int, String), NotSendable>, _ one: Factory<Int, NotSendable>) throws {
                _ = try c.resolve(NotSendable.self, with: 1, "x")
                _ = try c.resolve(NotSendable.self, with: 1, "x", 2.5, qualifier: "q")
                let made: NotSendable = try c.resolve(with: (1, "x"))
                print(made, try make(1, "x"), try make((1, "x")), try one(1))
            }
            let asking = Module("N") { registry in
                registry.register(Users.self, async: { (all: AsyncFactory<String, Users>) in try await all("all") })
            }
            @MainActor func g(_ c: AppContext, _ make: AsyncFactory<(Int, String), NotSendable>) async throws {
                let payload = NotSendable()
                let made = try await c.resolve(NotSendable.self, with: payload)
                payload.count = 1
                made.count = try await make(1, "x").count + make((1, "x")).count
                _ = try await c.resolve(Users.self, with: "all")
                _ = try await c.resolve(Users.self, with: "all", 2, 3)
            }
            """),
        Case(
            "all ways to register, without an annotation beyond any",
            """
            let module = Module("M") { registry in
                registry.register((any Logger).self, FileLogger.init)
                registry.register((any Logger).self, qualifier: "file") { FileLogger() }
                registry.register(Users.init)
                registry.register(Users.self, qualifier: "named") { logger in Users(logger: logger) }
                registry.register(FileLogger.init).alias((any Logger).self) { $0 }
                registry.register(NotSendable.self, scope: .prototype) { NotSendable() }
                registry.register(scope: .prototype, NotSendable.init)
                registry.register(Screen.self, onMainActor: Screen.init)
                registry.register(String.self, async: { (users: Users) in "ready" })
                registry.register(Int.self) { 1 }.primary().onDispose { print($0) }.injecting { (_, _: Users) in }
                registry.factory { (name: String, logger: any Logger) in NotSendable() }
                registry.decorate((any Logger).self) { base in base }
                registry.replaceAll((any Logger).self)
                registry.register(instance: 3.5)
                registry.input(Users.self, scope: Scope("request")).primary().alias(String.self) { "\\($0)" }
                registry.input((any Logger).self, qualifier: "request", scope: Scope("request"))
            }
            final class Mailer: Sendable { let logger = Dependency<any Logger>(); func send() { _ = logger() } }
            let mailer: any Sendable = Mailer()
            """),
    ]

    @Test("In a separate program", arguments: cases)
    private func program(row: Case) throws {
        let output = try Compiler.errors(in: Self.cast + row.source)
        if let error = row.error {
            #expect(output.contains(error), "\(output)")
        } else {
            #expect(output == "")
        }
    }
}
