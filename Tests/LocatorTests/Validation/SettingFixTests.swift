import Foundation
import Locator
import TestSupport
import Testing

private struct Server: ConfigProperty {
    static let path = "server"
    let host: String
    let port: Int
}

@Suite("The fix of a finding about a setting fits the mistake")
struct SettingFixTests {
    @Test("For a null instead of a value, the fix is to replace it, because settings below it have no effect")
    func null() throws {
        let settings = Module("Settings", properties: ["server": ["host": "a", "port": nil]])
        let shop = Module("Shop") { registry in
            registry.register(Bool.self, fileID: "Shop/Shop.swift", line: 2) { (_: Server) in true }
            registry.requires("server.port", as: Int.self, fileID: "Shop/Shop.swift", line: 3)
        }
        let context = try AppContext().load(settings, priority: .high).load(shop)
        #expect(
            context.validate().description == """
                Shop/Shop.swift:2: error: Bool needs Server: the setting server.port: expected Int, found null, which \
                removes it (module "Settings")
                  fix: replace the null with a value, or remove it
                Shop/Shop.swift:3: error: module "Shop" requires a setting: server.port: expected Int, found null, \
                which removes it (module "Settings")
                  fix: replace the null with a value, or remove it
                2 errors in 1 registration
                """)
        #expect(
            message { try context.resolve(Server.self, fileID: "Shop/Shop.swift", line: 4) } == """
                Shop/Shop.swift:4: server.port: expected Int, found null, which removes it (module "Settings")
                  it is part of Server, which is decoded from "server"
                  fix: replace the null with a value, or remove it
                """)
    }

    @Test("For a missing key of an element, the fix is to add it, even though the array exists")
    func missingInElement() throws {
        struct Cluster: ConfigProperty {
            static let path = "cluster"
            let servers: [Server]
        }
        let settings = Module(
            "Settings", properties: ["cluster.servers": [["host": "a", "port": 1], ["host": "b"]]])
        let shop = Module("Shop") { registry in
            registry.register(Bool.self, fileID: "Shop/Shop.swift", line: 2) { (_: Cluster) in true }
        }
        #expect(
            try report(on: settings, shop) == """
                Shop/Shop.swift:2: error: Bool needs Cluster: the setting cluster.servers[1].port is missing (expected \
                Int) (module "Settings")
                  fix: add it to a profile file or to the `properties:` of a module, or declare it as Int?
                1 error in 1 registration
                """)
    }

    @Test("A setting is not an error if only registrations need it that nothing requests")
    func unreachable() throws {
        let shop = Module("Shop") { registry in
            registry.register(Bool.self) { (_: Server?) in true }
            registry.register(Int.self) { (_: Bool) in 1 }
        }
        let old = Module("Old") { registry in registry.register(Bool.self) { (_: Server) in true } }
        let context = try AppContext().load(shop, old)
        #expect(context.validate().errors.isEmpty)
    }

    @Test("A value of the wrong type already exists, so the fix does not add it")
    func wrongType() throws {
        let settings = Module("Settings", properties: ["server": ["port": "80"]])
        let shop = Module("Shop") { registry in
            registry.register(Bool.self, fileID: "Shop/Shop.swift", line: 2) { (_: Server) in true }
            registry.requires("server.port", as: Int.self, fileID: "Shop/Shop.swift", line: 3)
        }
        #expect(
            try report(on: settings, shop) == """
                Shop/Shop.swift:2: error: Bool needs Server: the setting server.host is missing (expected String)
                  fix: add it to a profile file or to the `properties:` of a module, or declare it as String?
                Shop/Shop.swift:2: error: Bool needs Server: the setting server.port: expected Int, found string \
                "80"; drop the quotes (module "Settings")
                  fix: correct its value, or the type that the program expects
                Shop/Shop.swift:3: error: module "Shop" requires a setting: server.port: expected Int, found string \
                "80"; drop the quotes (module "Settings")
                  fix: correct its value, or the type that the program expects
                3 errors in 1 registration
                """)
    }

    private func context(_ json: String, _ environment: [String: String] = [:]) throws -> AppContext {
        let folder = try TemporaryFolder(["application.json": json])
        return try AppContext().loadProperties(
            from: folder.path, environment: environment, overrides: .environment(prefix: "SHOP_")
        ).load(
            Module("Shop") { registry in
                registry.register(Bool.self, fileID: "Shop/Shop.swift", line: 2) { (_: Server) in true }
            })
    }

    @Test(
        "The fix renames a similar name, wherever it is",
        arguments: [
            (
                #"{ "server": { "Host": "a", "port": 1 } }"#, [:],
                "server.host is missing (expected String); did you mean server.Host?",
                "rename server.Host (application.json:1:23) to server.host, correct the name in Server, or add it"
            ),
            (
                #"{ "server": { "host": "a" } }"#, ["SHOP_SERVER_PORT": "1"],
                "server.port is missing (expected Int); did you mean serverPort?",
                "rename SHOP_SERVER_PORT to SHOP_SERVER__PORT"
            ),
            (
                #"{ "server": { "host": "a" }, "server.port": 1 }"#, [:],
                "server.port is missing (expected Int); did you mean ['server.port']? a key in a file is not a path: "
                    + "write nested objects",
                "replace ['server.port'] (application.json:1:45) with nested objects"
            ),
            (
                #"{ "server": { "host": "a" }, "db": { "port": 1 } }"#, [:],
                "server.port is missing (expected Int)",
                "add it to a profile file or to the `properties:` of a module, or declare it as Int?"
            ),
        ] as [(String, [String: String], String, String)])
    func misspelling(json: String, environment: [String: String], problem: String, fix: String) throws {
        let context = try context(json, environment)
        #expect(
            context.validate().errors.map(\.description) == [
                """
                Shop/Shop.swift:2: error: Bool needs Server: the setting \(problem)
                  fix: \(fix)
                """
            ])
        #expect(
            message { try context.resolve(Server.self, fileID: "Shop/Shop.swift", line: 4) } == """
                Shop/Shop.swift:4: \(problem)
                  it is part of Server, which is decoded from "server"
                  fix: \(fix)
                """)
    }

    @Test("Several problems have their fixes together")
    func severalProblems() throws {
        let context = try context(#"{ "server": { "Host": "a", "port": "1" } }"#)
        #expect(
            message { try context.resolve(Server.self, fileID: "Shop/Shop.swift", line: 4) } == """
                Shop/Shop.swift:4: server.host is missing (expected String); did you mean server.Host?
                server.port: expected Int, found string "1"; drop the quotes (application.json:1:36)
                  fix: server.host: rename server.Host (application.json:1:23) to server.host, correct the name in \
                Server, or add it
                """)
    }

    @Test(
        "Several missing settings are renamed if they have similar names",
        arguments: [
            (
                #"{ "server": { "Host": "a", "Port": 1 } }"#,
                """
                server.host: rename server.Host (application.json:1:23) to server.host, correct the name in Server, or \
                add it; server.port: rename server.Port (application.json:1:36) to server.port, correct the name in \
                Server, or add it
                """
            ),
            (
                #"{ "server": { "Host": "a" } }"#,
                """
                server.host: rename server.Host (application.json:1:23) to server.host, correct the name in Server, or \
                add it; server.port: add it to a profile file or to the `properties:` of a module, or declare it as Int?
                """
            ),
            (
                #"{ "server": {} }"#,
                "add them to a profile file or to the `properties:` of a module, or declare them as optionals"
            ),
        ])
    func severalMissing(json: String, fix: String) throws {
        let context = try context(json)
        let text = message { try context.resolve(Server.self, fileID: "Shop/Shop.swift", line: 4) }
        #expect(text?.components(separatedBy: "\n").last == "  fix: \(fix)")
    }

    @Test("A decoded type that is missing as a whole may be optional; a default argument has no effect")
    func missingAsAWhole() throws {
        let context = try context("{}")
        #expect(
            message { try context.resolve(Server.self, fileID: "Shop/Shop.swift", line: 4) } == """
                Shop/Shop.swift:4: server is missing (expected Server)
                  fix: add it to a profile file or to the `properties:` of a module, or take Server?
                """)
    }

    @Test("A value that nearly fits")
    func nearlyFits() throws {
        let context = try context(#"{ "wait": 5, "day": "2026-11-21", "port": 1 }"#, ["SHOP_PORT": ""])
        func fix<Value: Decodable>(_ path: String, as type: Value.Type) -> String? {
            message { try context.value(path, as: type) }?.split(separator: "\n").last.map(String.init)
        }
        #expect(fix("wait", as: Duration.self) == #"  fix: write it with a unit, such as "5s" or "5ms""#)
        #expect(fix("day", as: Date.self) == #"  fix: add the time, such as "2026-11-21T00:00:00Z""#)
        #expect(fix("port", as: Int.self) == "  fix: give it a value, or remove it")
        #expect(fix("day", as: Bool.self) == "  fix: correct its value, or the type that the program expects")
    }

    @Test(
        "A value that other formats read as a Bool",
        arguments: [
            ("\"yes\"", "true"), ("\"On\"", "true"), ("1", "true"), ("\"no\"", "false"), ("\"OFF\"", "false"),
            ("0", "false"),
        ])
    func truth(value: String, meant: String) throws {
        let context = try context("{ \"mail\": \(value) }")
        let text = message { try context.value("mail", as: Bool.self, fileID: "Shop/Shop.swift", line: 4) }
        let found = value.hasPrefix("\"") ? "string \(value)" : "number \(value)"
        #expect(
            text == """
                Shop/Shop.swift:4: mail: expected Bool, found \(found) (application.json:1:11)
                  fix: write \(meant)
                """)
        #expect(try self.context("{ \"mail\": \(meant) }").value("mail") == (meant == "true"))
    }

    @Test func truthOfAVariable() throws {
        let context = try context("{}", ["SHOP_MAIL": "1"])
        #expect(
            message { try context.value("mail", as: Bool.self, fileID: "Shop/Shop.swift", line: 4) } == """
                Shop/Shop.swift:4: mail: expected Bool, found text "1" (environment variable SHOP_MAIL)
                  fix: write true
                """)
    }
}
