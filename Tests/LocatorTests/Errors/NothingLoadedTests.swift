import Locator
import TestSupport
import Testing

private struct Settings: ConfigProperty {
    static let path = "server"
    let port: Int
}

private struct Screen {
    @PropertyValue("server.port", fileID: "Shop/Screen.swift", line: 5) var port: Int
    @Dependency(fileID: "Shop/Screen.swift", line: 6) var settings: Settings
    @Dependency(qualifierBy: "logger", fileID: "Shop/Screen.swift", line: 7) var logger: String
    @PropertyValue("server.retries", default: 3) var retries: Int
    @PropertyValue("server.proxy") var proxy: String?
}

@Suite("Reading a setting before any are loaded is reported")
struct NothingLoadedTests {
    private static let advice = """
          no settings are loaded in this context
          fix: load them before the first access: try context.loadProperties(from: "Config"), or pass `properties:` to a module
        """

    private func text(_ context: AppContext, _ path: String = "server.port") -> String? {
        message { try context.value(path, as: Int.self, fileID: "Shop/Main.swift", line: 9) }
    }

    @Test func value() throws {
        let expected = "Shop/Main.swift:9: server.port is missing (expected Int)\n\(Self.advice)"
        let context = AppContext()
        #expect(text(context) == expected)
        // Modules without properties are not listed as settings.
        try context.load(Module("M") { $0.register(Int.self) { 1 } })
        #expect(text(context) == expected)
        #expect(try text(context.child()) == expected)
        #expect(try text(context.fork()) == expected)
    }

    @Test func wrappers() throws {
        let context = AppContext()
        defer { withExtendedLifetime(context) {} }
        let screen = AppContext.withContext(context) { Screen() }
        #expect(
            message { try screen.$port.resolved() }
                == "Shop/Screen.swift:5: server.port is missing (expected Int)\n\(Self.advice)")
        #expect(
            message { try screen.$settings.resolved() }
                == "Shop/Screen.swift:6: server is missing (expected Settings)\n\(Self.advice)")
        #expect(
            message { try screen.$logger.resolved() } == """
                Shop/Screen.swift:7: logger is missing (expected String)
                  no settings are loaded in this context
                  its value is the qualifier of String
                  fix: load them before the first access: try context.loadProperties(from: "Config"), or pass `properties:` to a module
                """)
        #expect(screen.retries == 3)
        #expect(screen.proxy == nil)
    }

    @Test func validation_beforeAnythingIsLoaded() throws {
        let context = AppContext()
        for context in [context, try context.child()] {
            #expect(
                "\(context.validate())" == """
                    warning: nothing is loaded, so nothing was checked
                      fix: load the modules, then validate: try context.load(…).validate()
                    1 warning in 0 registrations
                    """)
        }
        #expect(context.validate().findings.map(\.kind) == [.nothingLoaded])
        // Settings alone can be checked, and a module that is off or registers nothing is loaded.
        let folder = try TemporaryFolder(["application.json": "{}"])
        #expect(try AppContext().loadProperties(from: folder.path).validate().findings.isEmpty)
        let off = Module("Off", when: .profile("off")) { $0.register(Int.self) { 1 } }
        for module in [off, Module("Empty")] {
            #expect(!(try AppContext().load(module).validate()).findings.contains { $0.kind == .nothingLoaded })
        }
    }

    @Test func validation() throws {
        let module = Module("Shop") { registry in
            registry.register(Int.self, fileID: "Shop/Shop.swift", line: 3) { (settings: Settings) in settings.port }
            registry.requires("server.url", as: String.self, fileID: "Shop/Shop.swift", line: 4)
        }
        let report = try AppContext().load(module).validate()
        #expect(
            "\(report)" == """
                Shop/Shop.swift:3: error: Int needs Settings: the setting server is missing (expected Settings)
                note: no settings are loaded
                  fix: load them before the first access: try context.loadProperties(from: "Config"), or pass `properties:` to a module
                Shop/Shop.swift:4: error: module "Shop" requires a setting: server.url is missing (expected String)
                note: no settings are loaded
                  fix: load them before the first access: try context.loadProperties(from: "Config"), or pass `properties:` to a module
                2 errors in 1 registration
                """)
        // An empty file also counts as loaded.
        let folder = try TemporaryFolder(["application.json": "{}"])
        let loaded = try AppContext().load(module).loadProperties(from: folder.path).validate()
        #expect(!"\(loaded)".contains("no settings are loaded") && loaded.errors.count == 2)
    }

    @Test func otherSettings_areSettings() throws {
        let context = try AppContext().load(Module("M", properties: ["server.name": "x"]))
        let ordinary = """
            Shop/Main.swift:9: server.port is missing (expected Int)
              fix: add it to a profile file or to the `properties:` of a module, or use an optional or a default value
            """
        #expect(text(context) == ordinary)
        #expect(try text(context.child()) == ordinary)
    }

    @Test("A module that removes all settings of others has settings")
    func removedSettings_areSettings() throws {
        let module = Module("M", properties: ["server.port": 1]) { registry in
            registry.register(Int.self, fileID: "Shop/Shop.swift", line: 3) { (settings: Settings) in settings.port }
        }
        let context = try AppContext().load(module)
        try context.push(Module("Removing", properties: ["server": nil]))
        #expect(
            text(context) == """
                Shop/Main.swift:9: server.port: expected Int, found null, which removes it (module "Removing")
                  fix: replace the null with a value, or remove it
                """)
        #expect(
            "\(context.validate())".hasPrefix(
                """
                Shop/Shop.swift:3: error: Int needs Settings: the setting server: expected Settings, found null, which \
                removes it (module "Removing")
                  fix: replace the null with a value, or remove it
                """))
    }

    @Test func theFix_worksWhenItIsFollowed() throws {
        let context = AppContext()
        defer { withExtendedLifetime(context) {} }
        let screen = AppContext.withContext(context) { Screen() }
        #expect(text(context) != nil)
        try context.load(Module("M", properties: ["server.port": 8080]))
        #expect(try context.value("server.port", as: Int.self) == 8080)
        #expect(screen.port == 8080)
        #expect(screen.settings.port == 8080)
    }
}
