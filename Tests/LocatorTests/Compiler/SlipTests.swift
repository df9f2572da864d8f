import Testing

/// Typical mistakes in one program.
///
/// Each is reported at its line, and nothing else is reported.
@Suite("The compiler reports a small mistake at its line", .enabled(if: Compiler.isAvailable))
struct SlipTests {
    private struct Slip: Sendable {
        /// What the compiler says.
        let message: String
        let isInModule: Bool
        /// Source text.
        ///
        /// The compiler points at the line that ends with `// here`, or at the first one.
        let source: String

        /// A mistake in the closure of a module, after a correct line.
        init(_ source: String, _ message: String) {
            (self.source, self.message, isInModule) = (source, message, true)
        }

        init(outside source: String, _ message: String) {
            (self.source, self.message, isInModule) = (source, message, false)
        }

        /// The lines of the program.
        func lines(number: Int) -> [String] {
            let lines = source.split(separator: "\n").map(String.init)
            if !isInModule { return ["let slip\(number) = \(lines[0])"] + lines.dropFirst() }
            return ["let slip\(number) = Module(\"M\") { registry in", "    registry.register(FileLogger.init)"]
                + lines.map { "    \($0)" } + ["}"]
        }
    }

    private static let cast = """
        import Locator
        protocol Logger: Sendable {}
        final class FileLogger: Logger { init() {} }
        protocol Cart {}
        final class Basket: Cart { var count = 0; init() {} }
        final class Page { init(logger: any Logger) {} }
        struct Users: Sendable { let logger: any Logger }
        @MainActor final class Screen { init(logger: any Logger) {} }
        actor Database { static func open() async throws -> Database { Database() } }
        """

    private static let notSendable =
        "a shared instance must be Sendable: make the type Sendable, or use scope: .prototype or onMainActor:"
    private static let unlabeled =
        "an asynchronous closure needs its label: write register(…, async: { … }), and call start()"

    /// Mistakes that must also be reported in Swift 5 mode, in which the compiler reports less about concurrency.
    private static let quietInSwift5 = [
        Slip("registry.register { Basket() }", notSendable),
        Slip("registry.register(Basket.self) { Basket() }", notSendable),
        Slip("registry.register((any Cart).self, qualifier: \"small\") { Basket() }", notSendable),
        Slip("registry.register(Basket.init)", notSendable),
        Slip("registry.register((any Cart).self, Basket.init)", notSendable),
        Slip("registry.register(Page.init)", notSendable),
        Slip("registry.register(Page.self) { Page(logger: $0) }", notSendable),
        Slip("registry.register { (logger: any Logger) in Page(logger: logger) }", notSendable),
        Slip("registry.register(scope: .always) { Basket() }", notSendable),
        Slip("registry.register(scope: .weak) { Basket() }", notSendable),
        Slip("registry.register(Basket.self, scope: .graph) { Basket() }", notSendable),
        Slip("registry.register { try await Database.open() }", unlabeled),
        Slip("registry.register(Database.self) { try await Database.open() }", unlabeled),
        Slip("registry.register(Database.self) { (users: Users) in try await Database.open() }", unlabeled),
        Slip("registry.register(Database.self, Database.open)", unlabeled),
    ]

    private static let slips =
        quietInSwift5 + [
            Slip("registry.register((any Logger).self, qualifer: \"file\") { FileLogger() }", "qualifer"),
            Slip("registry.register((any Logger).self, onMainActr: FileLogger.init)", "label 'onMainActr:'"),
            Slip("registry.register(FileLogger.self, scope: .protoype) { FileLogger() }", "member 'protoype'"),
            Slip("registry.register(scope: \"session\", FileLogger.init)", "no exact matches"),
            Slip("registry.regster(FileLogger.init)", "no member 'regster'"),
            Slip("registry.register((any Logger).self, qualifier: 3) { FileLogger() }", "argument type 'Qualifier'"),
            Slip("registry.register(qualifier: \"file\", FileLogger.self, FileLogger.init)", "must precede"),
            Slip(
                "registry.register(Users.self, parameterQualifiers: \"file\", Users.init)",
                "argument type '[Qualifier?]'"),
            Slip("registry.register((any Logger).self) { Users(logger: $0) }", "closure result type 'any Logger'"),
            Slip("registry.register(Users.self) { Users() }", "missing argument for parameter 'logger'"),
            Slip("registry.register(Users.self) { Users(loger: $0) }", "have 'loger:', expected 'logger:'"),
            Slip("registry.register(Users.self) { a, b in Users(logger: a) }", "infer type of closure parameter 'b'"),
            Slip(
                """
                registry.register(Users.self) { (logger: any Logger) in
                    let users = Users(logger: logger)
                    print(users.nam) // here
                    return users
                }
                """, "no member 'nam'"),
            Slip("registry.register(Missing.init)", "cannot find 'Missing' in scope"),
            Slip("registry.register { Missing() }", "cannot find 'Missing' in scope"),
            Slip("registry.register(FileLogger.self, FileLogger())", "an existing object needs its label"),
            Slip("registry.register(FileLogger)", "the closure that creates an instance is missing"),
            Slip("registry.register(FileLogger.init).alias((any Logger).self)", "the closure is missing"),
            Slip("registry.register(FileLogger.init).primary", "function is unused"),
            Slip("registry.register(FileLogger.init).onDispse { _ in }", "no member 'onDispse'"),
            Slip(
                "registry.register(scope: .prototype, Basket.init).onDispose { _ in }",
                "the context does not retain these instances"),
            Slip(
                "registry.factory(Users.self) { Users(logger: FileLogger()) }",
                "'factory(_:qualifier:_:)' is unavailable"),
            Slip("registry.decorate((any Logger).self) { FileLogger() }", "(any Logger, repeat each Parameter)"),
            Slip("registry.input(Users.self)", "missing argument for parameter 'scope'"),
            Slip("registry.requires(\"server.url\", type: String.self)", "extra argument 'type'"),
            Slip("registry.register(Screen.init)", "loses global actor 'MainActor'"),
            Slip("registry.register(Screen.self) { Screen(logger: $0) }", "call to main actor-isolated initializer"),
            Slip(
                """
                let name = "file"
                registry.register(qualifier: name, FileLogger.init) // here
                """, "argument type 'Qualifier'"),
            Slip(outside: "Module(\"M\", whn: .profile(\"prod\")) { _ in }", "whn"),
            Slip(outside: "Module(\"M\", properties: [\"a\": FileLogger()]) { _ in }", "type 'JSONValue'"),
            Slip(outside: "Module(\"M\", components: [FileLogger.self])", "type 'any Component.Type'"),
            Slip(outside: "Module(\"M\", including: Module(\"N\") { _ in }) { _ in }", "type '[Module]'"),
            Slip(outside: "Module(\"M\") { register(FileLogger.init) }", "cannot find 'register' in scope"),
            Slip(outside: "Module { registry in }", "missing argument for parameter #1"),
        ]

    @Test func mistakes_areReportedWhereTheyAre() throws {
        try check(Self.slips, languageMode: 6)
    }

    @Test func mistakesThatSwift5Accepts_areReported() throws {
        try check(Self.quietInSwift5, languageMode: 5)
    }

    private func check(_ slips: [Slip], languageMode: Int) throws {
        var lines = Self.cast.split(separator: "\n").map(String.init)
        var places: [(line: Int, slip: Slip)] = []
        for (number, slip) in slips.enumerated() {
            let own = slip.lines(number: number)
            let marked = own.firstIndex { $0.hasSuffix("// here") } ?? (slip.isInModule ? 2 : 0)
            places.append((lines.count + marked + 1, slip))
            lines += own
        }
        let messages = try Compiler.messages(in: lines.joined(separator: "\n"), languageMode: languageMode)
        for (line, slip) in places {
            let own = messages.filter { $0.line == line }
            #expect(own.contains { $0.isError }, "\(slip.source): \(own.map(\.text))")
            #expect(own.contains { $0.text.contains(slip.message) }, "\(slip.source): \(own.map(\.text))")
        }
        let elsewhere = messages.filter { message in message.isError && !places.contains { $0.line == message.line } }
        #expect(elsewhere.map { "\(lines[$0.line - 1]): \($0.text)" } == [])
    }
}
