import Locator
import TestSupport
import Testing

// Developers log to a file, production to the console, and the profile files say so: the qualifier of the logger is a
// property. The server's settings arrive as one struct.

private protocol Logger: Sendable {
    var target: String { get }
}

private struct FileLogger: Logger {
    let target = "file"
}

private struct ConsoleLogger: Logger {
    let target = "console"
}

private struct ServerSettings: ConfigProperty, Equatable {
    static let path = "server"

    let url: String
    let retries: Int
    let timeout: Duration
}

private final class Client: Sendable {
    let settings: ServerSettings

    init(settings: ServerSettings) {
        self.settings = settings
    }
}

private final class Program {
    @Dependency(qualifierBy: "logger.storage") var logger: any Logger
    @Dependency var client: Client
    @PropertyValue("server.url") var url: String
    @PropertyValue("server.proxy") var proxy: String?
    @PropertyValue("server.retries", default: 3) var retries: Int
}

extension Module {
    fileprivate static let program = Module("Program") { registry in
        registry.register((any Logger).self, qualifier: "file", FileLogger.init)
        registry.register((any Logger).self, qualifier: "console", ConsoleLogger.init)
        registry.register(Client.init)
    }
}

private let files = [
    "application.json": """
    {
      "logger": { "storage": "console" },
      "server": { "host": "localhost", "url": "http://${server.host}", "retries": 1, "timeout": "5s" }
    }
    """,
    "application-dev.json": #"{ "logger": { "storage": "file" } }"#,
    "application-prod.json": #"{ "server": { "host": "shop.example.com", "timeout": "250ms" } }"#,
]

@Suite("Environments: profile files choose the logger and the server")
struct EnvironmentsScenario {
    private let folder: TemporaryFolder
    private let context = AppContext()

    init() throws {
        folder = try TemporaryFolder(files)
    }

    private func start(_ environment: [String: String]) throws -> Program {
        try context
            .loadProperties(from: folder.path, environment: environment, overrides: .environment(prefix: "SHOP_"))
            .load(.program)
        return AppContext.withContext(context) { Program() }
    }

    @Test func developers_logToAFile() throws {
        let program = try start(["LOCATOR_PROFILE": "dev"])
        #expect(program.logger.target == "file")
        #expect(program.url == "http://localhost")
        #expect(
            program.client.settings == ServerSettings(url: "http://localhost", retries: 1, timeout: .seconds(5)))
    }

    @Test func production_logsToTheConsole() throws {
        let program = try start(["LOCATOR_PROFILE": "prod"])
        #expect(program.logger.target == "console")
        let expected = ServerSettings(url: "http://shop.example.com", retries: 1, timeout: .milliseconds(250))
        #expect(program.client.settings == expected)
        #expect(program.proxy == nil)
    }

    @Test func environment_overridesTheFiles() throws {
        let program = try start(["LOCATOR_PROFILE": "prod", "SHOP_SERVER__RETRIES": "7"])
        #expect(program.retries == 7)
        #expect(program.client.settings.retries == 7)
    }

    @Test func test_overridesBoth_andGivesThemBack() throws {
        let program = try start(["LOCATOR_PROFILE": "dev"])
        let client = program.client
        try context.push(Module("Fakes", properties: ["server.retries": 0, "logger.storage": "console"]))
        #expect(program.client.settings.retries == 0)
        #expect(program.logger.target == "console")
        context.pop()
        #expect(program.client === client)
        #expect(program.logger.target == "file")
    }
}
