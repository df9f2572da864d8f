import Locator
import LocatorTesting
import Testing

protocol Mailer: Sendable { var name: String { get } }
struct RealMailer: Mailer { let name = "real" }
struct FakeMailer: Mailer { let name = "fake" }
final class Account: Sendable {
    let mailer: any Mailer
    init(mailer: any Mailer) { self.mailer = mailer }
}
final class Connection: Sendable {}

private let base: AppContext = {
    let context = AppContext()
    let real = Module("Real", properties: ["server.url": "https://example.com", "server.retries": 3]) { registry in
        registry.register((any Mailer).self) { RealMailer() }
        registry.register(Account.init)
        registry.register(Connection.self, async: { Connection() })
    }
    do { try context.load(real) } catch { Issue.record(error) }
    return context
}()

extension Module {
    static let fakes = Module("Fakes") { $0.register((any Mailer).self) { FakeMailer() } }
    static let allFakes = Module("All fakes", including: [.fakes]) { $0.register(Account.init) }
}

@Suite(.locator(.fakes, properties: ["server.url": "http://localhost"], base: base))
struct `A suite with the trait` {
    @Dependency var account: Account
    @Dependency var connection: Connection
    @PropertyValue("server.url") var url: String
    @PropertyValue("server.retries") var retries: Int

    @Test func `has the modules and the properties of the trait`() {
        #expect(account.mailer.name == "fake")
        #expect(url == "http://localhost")
        #expect(retries == 3)
    }

    @Test func `is started`() {
        #expect($connection.context.existing(Connection.self) === connection)
    }

    @Test func `leaves the base as it is`() throws {
        _ = account
        #expect(AppContext.current !== base)
        #expect(try base.resolve(Account.self).mailer.name == "real")
    }

    @Test(.locator(properties: ["server.retries": 7], base: base))
    func `lets a test add to what the suite says`() {
        #expect(retries == 7)
        #expect(url == "http://localhost")
    }

    @Test(arguments: 0..<20)
    func `gives each case of a parameterized test a context of its own`(number: Int) async throws {
        let settings = Module("Case \(number)", properties: ["server.retries": JSONValue(number)]) {
            $0.register((any Mailer).self) { NumberedMailer(number: number) }
        }
        try AppContext.current.push(settings)
        await Task.yield()
        #expect(retries == number)
        #expect(account.mailer.name == "\(number)")
        AppContext.current.pop()
    }
}

@Suite(.locator(.fakes))
struct `A suite with the trait but no base` {
    @Test(.locator(base: base))
    func `lets a test say the base`() throws {
        #expect(try AppContext.current.value("server.retries", as: Int.self) == 3)
        #expect(try AppContext.current.resolve((any Mailer).self).name == "fake")
    }
}

@Suite(.locator(base: base))
struct `A suite with a base` {
    @Test(.locator(base: AppContext()))
    func `keeps it for a test that says another one`() throws {
        #expect(try AppContext.current.resolve((any Mailer).self).name == "real")
    }
}

struct NumberedMailer: Mailer {
    let number: Int
    var name: String { "\(number)" }
}

@Suite struct `A mistake in a test with the trait` {
    @Test(arguments: [Module.allFakes, .fakes])
    func `is reported where a push is left behind`(second: Module) async throws {
        let line = #line + 2
        let findings = try await LocatorTrait.locator(base: base).findings {
            try AppContext.current.push(.fakes)
            try AppContext.current.push(second)
            AppContext.current.pop()
        }
        #expect(
            findings.map(\.description) == [
                """
                LocatorTestingTests/TraitTests.swift:\(line): module "Fakes" was pushed in the test and not popped
                  fix: pop it with what push returns: let push = try context.push(…); defer { push.pop() }
                """
            ])
    }

    @Test func `is an error of the trait where a setting has a malformed path`() async {
        await #expect {
            _ = try await LocatorTrait.locator(properties: ["server..url": 1], base: base).findings {}
        } throws: { error in
            "\(error)" == """
                the test trait: module "settings of the test trait": malformed path "server..url": expected a key at \
                column 8, found "."
                """
        }
    }

    @Test func `is reported where a setting of the trait is another spelling of one that exists`() async throws {
        let base = try AppContext().load(Module("M", properties: ["server.maxPort": 1, "server.min-port": 1]))
        let findings = try await LocatorTrait.locator(
            properties: ["server.max-port": 2, "server.minPort": 2, "server.minPorts": 3, "server.maxPort": 4],
            base: base
        ).findings {}
        #expect(
            findings.map(\.description) == [
                """
                the setting server.max-port of the trait overrides nothing; did you mean server.maxPort?
                """,
                """
                the setting server.minPort of the trait overrides nothing; did you mean server.min-port?
                """,
                """
                the setting server.minPorts of the trait overrides nothing; did you mean server.min-port?
                """,
            ])
        #expect(findings.map(\.isWarning) == [false, false, true])
    }

    @Test func `is a warning where a setting of the trait is nearly one that exists`() async throws {
        let base = try AppContext().load(
            Module("M", properties: ["server.port": 1, "pool.maxSize": 1, "database1.host": "a"]))
        let findings = try await LocatorTrait.locator(
            properties: ["server.prot": 2, "server.host": "h", "pool.minSize": 2, "database2.host": "b", "new": 1],
            base: base
        ).findings {}
        #expect(
            findings.map(\.description) == [
                "the setting server.prot of the trait overrides nothing; did you mean server.port?"
            ])
        #expect(findings.map(\.isWarning) == [true])
    }

    @Test func `is reported where a nested setting of the trait is another spelling of one that exists`() async throws {
        let base = try AppContext().load(Module("M", properties: ["server.maxPort": 1]))
        let findings = try await LocatorTrait.locator(properties: ["server": ["max-port": 2]], base: base).findings {}
        #expect(
            findings.map(\.description) == [
                "the setting server.max-port of the trait overrides nothing; did you mean server.maxPort?"
            ])
    }

    @Test func `is reported where the settings of the trait are popped, and the base has no modules`() async throws {
        let findings = try await LocatorTrait.locator(properties: ["a": 1], base: AppContext()).findings {
            AppContext.current.pop()
        }
        #expect(findings.count == 1)
        #expect(findings.first?.description.hasPrefix("pop() was called in the test without a push") == true)
    }

    @Test func `is not reported where everything is unloaded`() async throws {
        let module = Module("App") { $0.register { 1 } }
        let base = try AppContext().load(module)
        let findings = try await LocatorTrait.locator(.fakes, base: base).findings {
            try AppContext.current.unloadAll()
            try AppContext.current.load(module)
        }
        #expect(findings.isEmpty)
    }

    @Test func `is reported where a module of the trait is popped`() async throws {
        let findings = try await LocatorTrait.locator(.fakes, base: base).findings {
            try AppContext.current.push(.allFakes)
            AppContext.current.pop()
            AppContext.current.pop()
        }
        #expect(
            findings.map(\.description) == [
                """
                pop() was called in the test without a push, so it popped settings or modules of the trait
                  fix: pop it with what push returns: let push = try context.push(…); defer { push.pop() }
                """
            ])
        // What a test ends on purpose is no mistake.
        let ends: [@Sendable (AppContext) throws -> Void] = [
            { try $0.unloadAll() }, { try $0.pop(.fakes) },
            { context in
                try context.unloadAll()
                try context.load(Module("Other"))
            },
        ]
        for end in ends {
            let findings = try await LocatorTrait.locator(.fakes, base: base).findings { try end(.current) }
            #expect(findings.isEmpty)
            let pushing = try await LocatorTrait.locator(.fakes, base: base).findings {
                try end(.current)
                try AppContext.current.push(.allFakes)
            }
            #expect(pushing.count { $0.description.contains("was pushed in the test and not popped") } == 1)
        }
    }

    @Test func `is reported where a strict test uses what no module of the trait answers`() async throws {
        let line = #line + 2
        let findings = try await LocatorTrait.locator(.fakes, strict: true, base: base).findings {
            _ = try AppContext.current.resolve(Account.self)
        }
        #expect(
            findings.map(\.description) == [
                """
                LocatorTestingTests/TraitTests.swift:\(line): Account was resolved from module "Real" \
                (LocatorTestingTests/TraitTests.swift:18), which is not a module of the trait
                  fix: register it in a module of the trait, or remove `strict`
                """
            ])
    }

    @Test func `is none where a strict test uses what included modules answer`() async throws {
        let findings = try await LocatorTrait.locator(.allFakes, strict: true, base: base).findings {
            let account = try AppContext.current.resolve(Account.self)
            #expect(account.mailer.name == "fake")
        }
        #expect(findings.isEmpty)
    }

    @Test func `is reported where a dispose hook fails`() async throws {
        struct Refusal: Error, CustomStringConvertible { let description = "no disk" }
        let module = Module("Broken") {
            $0.register(Connection.self, fileID: "Shop/Broken.swift", line: 1) { Connection() }
                .onDispose { _ in throw Refusal() }
        }
        let findings = try await LocatorTrait.locator(module, base: base).findings {
            _ = try AppContext.current.resolve(Connection.self)
        }
        #expect(
            findings.map(\.description) == [
                """
                1 hook failed:
                    disposing of Connection (Shop/Broken.swift:1): no disk
                """
            ])
    }

    @Test func `ends the test where the fork cannot be started`() async {
        struct Refusal: Error {}
        let broken = Module("Broken") {
            $0.register(Connection.self, async: { () throws -> Connection in throw Refusal() })
        }
        // Not `#expect(throws:)`, whose expansion crashes under the thread sanitizer.
        do {
            _ = try await LocatorTrait.locator(broken, base: base).findings { Issue.record("the test runs") }
            Issue.record("the fork was started")
        } catch {
            #expect(error is LocatorError)
        }
    }
}

/// A task that outlives its test reads the same instances as before, because the trait always pushes.
@Suite struct `A holder that outlives its test` {
    @Test(arguments: [true, false])
    func `keeps what it has read`(isStrict: Bool) async throws {
        final class Outliving: Sendable {
            let account = Dependency<Account>()
            let mailer = Dependency<any Mailer>()
            let mailers = DependencyArray<any Mailer>()
            let url = PropertyValue<String>("server.url")
            var texts: [String] {
                [account().mailer.name, mailer().name] + mailers().map(\.name) + [url()]
            }
        }
        let trait: LocatorTrait = .locator(
            .allFakes, properties: ["server.url": "http://localhost"], strict: isStrict, base: base)
        let holder = Mutable<Outliving>()
        let findings = try await trait.findings {
            let outliving = Outliving()
            holder.value = outliving
            #expect(outliving.texts == ["fake", "fake", "fake", "real", "http://localhost"])
        }
        #expect(findings.isEmpty == !isStrict)
        #expect(holder.value?.texts == ["fake", "fake", "fake", "real", "http://localhost"])
    }

    private final class Mutable<Value: Sendable>: @unchecked Sendable {
        // Sendable: the test that changes it waits for the one that reads it.
        var value: Value?
    }
}

@Suite(
    .locator([
        Module("Numbers") { $0.register(Int.self) { 7 } }, Module("Texts") { $0.register(String.self) { "seven" } },
    ]))
struct `A trait with an array of modules` {
    @Test func `has all of them in front`() throws {
        #expect(try AppContext.current.resolve(Int.self) == 7)
        #expect(try AppContext.current.resolve(String.self) == "seven")
    }
}

/// A trait that pushes a setting on the context of the test.
private struct Signed: SuiteTrait, TestTrait, TestScoping {
    let user: String
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let push = try AppContext.current.push(Module("User", properties: ["user": JSONValue(user)]))
        defer { push.pop() }
        try await function()
    }
}

@Suite(.locator(properties: ["user": "nobody", "limit": 0], base: AppContext()), Signed(user: "Ada"))
struct `A trait after the trait of a suite` {
    @PropertyValue("user") var user: String
    @PropertyValue("limit") var limit: Int

    @Test func `finds the context of the test`() {
        #expect(user == "Ada")
        #expect(limit == 0)
    }

    @Test(.locator(properties: ["limit": 1]))
    func `finds it even if the test has the trait, too`() {
        #expect(user == "Ada")
        #expect(limit == 1)
    }
}
