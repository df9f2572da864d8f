import Foundation
import Locator
import TestSupport
import Testing

private struct Database: ConfigProperty, Equatable {
    static let path = "db"
    let password: String
}

private final class Client: Sendable {
    let password: String
    init(_ database: Database) { password = database.password }
}

private let client = Module("Client") { registry in
    registry.register(Client.self, Client.init)
}

private let feature = Module("Feature", when: .property("feature.mail", equals: true)) { registry in
    registry.register(String.self, qualifier: "mail") { "on" }
}

@Suite("A context takes settings from several folders and from a directory with a file for each")
struct SettingSourcesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["A", "B", "secrets"] {
            try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
        }
        try folder.write(
            #"{"db": {"password": "none"}, "feature": {"mail": false}, "from": "A"}"#, to: "A/application.json")
        try folder.write(#"{"from": "B"}"#, to: "B/application.json")
        try folder.write("one\n", to: "secrets/db.password")
    }

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    private func context() throws -> AppContext {
        try AppContext()
            .loadProperties(
                from: [path("A"), path("B")], environment: ["S_FROM": "variable"],
                overrides: [.directory(path("secrets")), .environment(prefix: "S_")]
            )
            .load(client, feature)
    }

    @Test("A reload reads the directory again, and replaces what was made from it")
    func reload_readsDirectory() throws {
        let context = try context()
        let first = try context.resolve(Client.self)
        #expect(first.password == "one")
        try context.reloadProperties()
        #expect(try context.resolve(Client.self) === first)
        try folder.write("two\n", to: "secrets/db.password")
        #expect(try context.resolve(Client.self) === first)
        try context.reloadProperties()
        #expect(try context.resolve(Client.self).password == "two")
    }

    @Test("A reload that fails because of the directory changes nothing")
    func reload_fails() throws {
        let context = try context()
        let first = try context.resolve(Client.self)
        try folder.write("two", to: "secrets/DB__PASSWORD")
        #expect(message { try context.reloadProperties() } != nil)
        #expect(try context.resolve(Client.self) === first)
    }

    @Test("A condition reads the text of a file as a value")
    func condition_readsFile() throws {
        let context = try context()
        #expect(try context.resolve(String?.self, qualifier: "mail") == nil)
        try folder.write("true\n", to: "secrets/feature.mail")
        try context.reloadProperties()
        #expect(try context.resolve(String?.self, qualifier: "mail") == "on")
    }

    @Test("A load's event names folders and directories, and the folder that a variable chose")
    func event_namesPlaces() throws {
        let log = Log()
        let context = AppContext()
        let observation = context.observe { log("\($0)") }
        try context.loadProperties(
            from: "Nowhere", environment: ["LOCATOR_CONFIG": path("B")], overrides: .directory(path("secrets")),
            folderVariable: PropertiesSource.folderVariable)
        #expect(
            log.entries == ["loaded settings from \(path("B")) (LOCATOR_CONFIG), \(path("secrets")), no profile"])
        withExtendedLifetime(observation) {}
        #expect(try context.value("from", as: String.self) == "B")
    }

    @Test("The later source wins, and validation warns of a file with a near name")
    func sources_haveAnOrder() throws {
        try folder.write("x", to: "secrets/db.pasword")
        let context = try context()
        #expect(try context.value("from", as: String.self) == "variable")
        let warning =
            "\(path("secrets"))/db.pasword overrides nothing and adds db.pasword; did you mean db.password?"
        #expect(context.validate().description.contains(warning))
    }
}
