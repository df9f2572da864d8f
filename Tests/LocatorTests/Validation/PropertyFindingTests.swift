import Locator
import TestSupport
import Testing

private let file: StaticString = "Shop/Shop.swift"

private struct Server: ConfigProperty {
    static let path = "server"
    let host: String
    let port: Int
}

private struct Client: Sendable {}
private protocol Logger: Sendable {}
private struct FileLogger: Logger {}

@Suite("Validation finds settings that are missing or have the wrong type")
struct PropertyFindingTests {
    private func report(
        _ properties: [String: JSONValue], _ register: @escaping @Sendable (Registry) -> Void
    ) throws -> String {
        let settings = Module("Settings", properties: properties)
        return try LocatorTests.report(on: settings, Module("Shop", register))
    }

    @Test func configProperty_isMissing() throws {
        let text = try report(["serve.port": 80]) { registry in
            registry.register(Client.self, fileID: file, line: 2) { (_: Server) in Client() }
            registry.register(Int.self, fileID: file, line: 3) { (_: Client) in 1 }
        }
        #expect(
            text == """
                Shop/Shop.swift:2: error: Client needs Server: the setting \
                server is missing (expected Server); did you mean serve?
                Shop/Shop.swift:3: note: Int needs Client
                  fix: rename serve (module "Settings") to server, correct Server.path, or add it
                1 error in 2 registrations
                """)
    }

    @Test("A placeholder of a module is checked even if nothing reads its setting, and reported once")
    func placeholders_areChecked() throws {
        let text = try report([
            "server.port": 80, "url": "http://x:${server.prot}", "self": "${self}", "fine": "${nowhere:1}",
        ]) { registry in
            registry.requires("url", as: String.self, fileID: file, line: 2)
        }
        #expect(
            text == """
                Shop/Shop.swift:2: error: module "Shop" requires a setting: url: ${server.prot} needs server.prot, which is missing; did you mean server.port? (module "Settings")
                  fix: correct the placeholder, or set what it needs
                error: the setting self: placeholders form a cycle: self -> self (module "Settings")
                  fix: correct the placeholder, or set what it needs
                2 errors in 0 registrations
                """)
    }

    @Test("The similar paths of many missing settings are searched together, up to a limit")
    func nearPaths_areLimited() throws {
        let others = (0..<1998).map { ("aSettingWithALongName\($0)", JSONValue($0)) }
        let text = try report(["port": 80, "others": .object(JSONObject(others))]) { registry in
            for line in 1...1000 { registry.requires("prot", as: Int.self, fileID: file, line: UInt(line)) }
        }
        let lines = text.split(separator: "\n").filter { $0.contains("prot is missing (expected Int)") }
        #expect(lines.count == 1000)
        #expect(lines.count { $0.hasSuffix("; did you mean port?") } == 500)
    }

    @Test func configProperty_isOfAnotherType_orLacksAKey() throws {
        let wrong = try report(["server.host": "here", "server.port": "x"]) { registry in
            registry.register(Client.self, fileID: file, line: 2) { (_: Lazy<Server>) in Client() }
        }
        #expect(
            wrong == """
                Shop/Shop.swift:2: error: Client needs Server: the setting \
                server.port: expected Int, found string "x" (module "Settings")
                  fix: correct its value, or the type that the program expects
                1 error in 1 registration
                """)
        let incomplete = try report(["server.hots": "here", "server.port": 80]) { registry in
            registry.register(Client.self, fileID: file, line: 2) { Client() }.injecting { (_: Client, _: Server) in }
        }
        #expect(
            incomplete == """
                Shop/Shop.swift:2: error: Client needs Server: the setting \
                server.host is missing (expected String); did you mean server.hots?
                  fix: rename server.hots (module "Settings") to server.host, correct the name in Server, or add it
                1 error in 1 registration
                """)
    }

    @Test func configProperty_isCheckedForEachRequest_andOnlyIfThereIsOne() throws {
        let text = try report(["server.host": "here", "server.port": "x"]) { registry in
            registry.register(Client.self, fileID: file, line: 2) { (_: Server, _: Server?) in Client() }
            registry.decorate(Client.self, fileID: file, line: 3) { (base: Client, _: Server) in base }
        }
        let rest = """
            needs Server: the setting \
            server.port: expected Int, found string "x" (module "Settings")
            """
        #expect(
            text == """
                Shop/Shop.swift:3: error: the decorator of Client \(rest)
                Shop/Shop.swift:2: note: Client needs it, too
                  fix: correct its value, or the type that the program expects
                1 error in 1 registration
                """)
        #expect(
            try report(["server.port": "x"]) { $0.register(Client.self) { Client() } }
                == "nothing found in 1 registration")
    }

    @Test func configProperty_thatIsRegistered_needsNoProperty() throws {
        let text = try report([:]) { registry in
            registry.register(Server.self) { Server(host: "here", port: 80) }
            registry.register(Client.self) { (_: Server) in Client() }
        }
        #expect(text == "nothing found in 2 registrations")
    }

    @Test func secret_isNotShown() throws {
        struct Access: ConfigProperty {
            static let path = "access"
            let password: Int
        }
        let text = try report(["access.password": "hunter2"]) { registry in
            registry.register(Client.self, fileID: file, line: 2) { (_: Access) in Client() }
        }
        #expect(
            text == """
                Shop/Shop.swift:2: error: Client needs Access: the setting \
                access.password: expected Int, found a string that is not shown, because it is secret (module "Settings")
                  fix: correct its value, or the type that the program expects
                1 error in 1 registration
                """)
    }

    // MARK: Optionals

    @Test func optionalConfigProperty_isNilWhereNothingIsThere_andWrongWhereSomethingIs() throws {
        let nothing = try report(["shop.name": "Corner"]) { registry in
            registry.register(Client.self) { (_: Server?, _: Lazy<Server?>) in Client() }
        }
        #expect(nothing == "nothing found in 1 registration")
        let wrong = try report(["server": 1]) { registry in
            registry.register(Client.self, fileID: file, line: 2) { (_: Server?) in Client() }
        }
        #expect(
            wrong == """
                Shop/Shop.swift:2: error: Client needs Server: the setting \
                server: expected Server (an object), found number 1 (module "Settings")
                  fix: correct its value, or the type that the program expects
                1 error in 1 registration
                """)
    }

    @Test func optionalConfigProperty_thatNothingAnswers_whileANearPathDoes() throws {
        let text = try report(["servers.host": "here", "servers.port": 80]) { registry in
            registry.register(Client.self, fileID: file, line: 2) { (_: Server?) in Client() }
        }
        #expect(
            text == """
                Shop/Shop.swift:2: warning: Client gets nil for Server: no setting has the path "server", \
                although a similar path exists
                note: near: servers (module "Settings")
                  fix: correct the path of Server, or the key in the profile file
                1 warning in 1 registration
                """)
    }

    // MARK: Requirements and qualifiers

    @Test func requirement_isMissing_orOfAnotherType() throws {
        let text = try report(["server.prot": 80, "server.hosts": ["a", 1]]) { registry in
            registry.requires("server.port", as: Int.self, fileID: file, line: 2)
            registry.requires("server.prot", as: String.self, fileID: file, line: 3)
            registry.requires("server.hosts", as: [String].self, fileID: file, line: 4)
            registry.requires("server.prot", as: Int.self, fileID: file, line: 5)
            registry.requires("server..port", as: Int.self, fileID: file, line: 6)
        }
        let fix = "  fix: correct the path to server.prot, or rename that setting (module \"Settings\")"
        #expect(
            text == """
                Shop/Shop.swift:2: error: module "Shop" requires a setting: server.port is missing (expected Int); \
                did you mean server.prot?
                \(fix)
                Shop/Shop.swift:3: error: module "Shop" requires a setting: server.prot: expected String, found number 80 (module "Settings")
                  fix: correct its value, or the type that the program expects
                Shop/Shop.swift:4: error: module "Shop" requires a setting: server.hosts[1]: expected String, found number 1 (module "Settings")
                  fix: correct its value, or the type that the program expects
                Shop/Shop.swift:6: error: module "Shop" requires a setting: malformed path "server..port": \
                expected a key at column 8, found "."
                  fix: correct the path
                4 errors in 0 registrations
                """)
    }

    @Test func qualifierFromAProperty_isMissing_orOfAnotherType() throws {
        let text = try report(["logger.sotrage": "file", "logger.sink": 1]) { registry in
            registry.register((any Logger).self, qualifier: "file", fileID: file, line: 2) { FileLogger() }
            registry.register(Client.self, parameterQualifiers: [.property("logger.storage")], fileID: file, line: 3) {
                (_: any Logger) in Client()
            }
            registry.register(Int.self, parameterQualifiers: [.property("logger.sink")], fileID: file, line: 4) {
                (_: (any Logger)?) in 1
            }
        }
        #expect(
            text == """
                Shop/Shop.swift:3: error: Client needs any Logger, whose qualifier comes from a setting: logger.storage is missing (expected String); did you mean logger.sotrage?
                  fix: correct the path to logger.sotrage, or rename that setting (module "Settings")
                Shop/Shop.swift:4: error: Int needs any Logger, whose qualifier comes from a setting: logger.sink: expected String, found number 1 (module "Settings")
                  fix: set "logger.sink" to the name of a qualifier in each profile: "file"
                2 errors in 3 registrations
                """)
    }

    @Test func qualifierFromAProperty_whosePathIsMalformed() throws {
        let text = try report([:]) { registry in
            registry.register(Client.self, parameterQualifiers: [.property("logger[")], fileID: file, line: 3) {
                (_: any Logger) in Client()
            }
        }
        #expect(
            text == """
                Shop/Shop.swift:3: error: Client needs any Logger, whose qualifier comes from a setting: malformed path "logger[": expected an index or a quoted key at column 8, found the end
                  fix: correct the path
                1 error in 1 registration
                """)
    }

    // MARK: Environment

    @Test(arguments: ["server.prot", "server['prot']"])
    func variable_thatAddsAKeyThatIsRead(_ path: String) throws {
        let folder = try TemporaryFolder(["application.json": #"{ "server": { "port": 80 } }"#])
        let modules = [
            Module("Requiring") { $0.requires(path, as: String.self) },
            Module("Conditional", when: .property(path)) { _ in },
            Module("Qualified") { registry in
                registry.register((any Logger).self, qualifier: "file") { FileLogger() }
                registry.register(Client.self, parameterQualifiers: [.property(path)]) { (_: any Logger) in Client() }
            },
        ]
        for module in modules {
            let context = try AppContext().loadProperties(
                from: folder.path, environment: ["SHOP_SERVER__PROT": "file"], overrides: .environment(prefix: "SHOP_")
            ).load(module)
            #expect(context.validate().findings.isEmpty, "\(module)")
        }
    }

    @Test func variable_thatAddsAKeyCloseToAnExistingOne() throws {
        let folder = try TemporaryFolder(["application.json": #"{ "server": { "port": 80 } }"#])
        let context = try AppContext().loadProperties(
            from: folder.path,
            environment: ["SHOP_SERVER__PROT": "90", "SHOP_SERVER__PORT": "91", "SHOP_MAIL__KEY": "x"],
            overrides: .environment(prefix: "SHOP_"))
        #expect(
            context.validate().description == """
                warning: SHOP_SERVER__PROT overrides nothing and adds server.prot; \
                did you mean SHOP_SERVER__PORT for server.port?
                  fix: correct the name, or add the setting to a profile file
                1 warning in 0 registrations
                """)
    }

    @Test func prefix_withoutUnderscore() throws {
        let context = try AppContext().loadProperties(
            files: [], environment: [:], overrides: .environment(prefix: "SHOP."))
        #expect(
            context.validate().description == """
                warning: the prefix "SHOP." of the environment variables does not end with "_"; did you mean "SHOP_"?
                  fix: correct the name or the prefix, or unset the variable
                1 warning in 0 registrations
                """)
    }
}
