import Locator
import TestSupport
import Testing

@Suite("A load of settings reports the active profiles and folders")
struct PropertiesEventTests {
    @Test("An event, and a finding if the active profiles may not be the intended ones")
    func load_isReported() throws {
        let folder = try TemporaryFolder(["application.json": "{}", "application-dev.json": "{}"])
        let context = AppContext()
        let log = Log()
        let observation = context.observe { log("\($0)") }
        try context.loadProperties(
            from: folder.path, default: "dev", environment: ["LOCATOR_PROFILES": "prod"], requiresProfile: true)
        let warning = "the environment variable LOCATOR_PROFILES chooses no profile; did you mean LOCATOR_PROFILE?"
        #expect(log.entries == ["loaded settings from \(folder.path), profiles: dev; \(warning)"])
        try context.reloadProperties()
        #expect(log.entries.count == 2)
        #expect(context.validate().warnings.map(\.message) == [warning])
        withExtendedLifetime(observation) {}
    }

    @Test("A load that requires a profile and has none is an error")
    func load_isRefused() throws {
        let folder = try TemporaryFolder(["application.json": "{}", "application-dev.json": "{}"])
        let context = AppContext()
        #expect(throws: LocatorError.self) {
            try context.loadProperties(from: folder.path, environment: [:], requiresProfile: true)
        }
    }
}
