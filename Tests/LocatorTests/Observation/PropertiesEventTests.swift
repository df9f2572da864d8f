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

    private struct Refusal: Error, CustomStringConvertible {
        let description = "the disk is full"
    }

    private final class Store: Sendable {}

    private struct Load: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable (AppContext, MemoryFiles) async throws -> Void
    }

    private static let loads = [
        Load(testDescription: "loadProperties") { context, files in try context.loadProperties(files.source) },
        Load(testDescription: "reloadProperties") { context, _ in try context.reloadProperties() },
        Load(testDescription: "reloadAndStart") { context, _ in try await context.reloadAndStart() },
    ]

    @Test("The event is sent once, even if a dispose hook fails", arguments: loads)
    private func failingHook_doesNotPreventIt(load: Load) async throws {
        let context = AppContext()
        let log = Log()
        let files = MemoryFiles(#"{ "size": 1 }"#)
        try context.loadProperties(files.source).load(
            Module("Shop") { registry in
                registry.register(Store.self) { (resolver: Resolver) in
                    _ = try resolver.value("size", as: Int.self)
                    return Store()
                }
                .onDispose { _ in throw Refusal() }
            })
        _ = try context.resolve(Store.self)
        let observation = context.observe { event in
            switch event {
            case .propertiesLoaded: log("loaded")
            case .hookFailed: log("\(event)")
            default: break
            }
        }
        defer { observation.end() }
        files.content = #"{ "size": 2 }"#
        let error = await locatorError { try await load.run(context, files) }
        guard case .hooksFailed(let failures)? = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failures.count == 1)
        #expect(log.entries == ["a hook of Store failed: the disk is full", "loaded"])
        #expect(try context.value("size") == 2)
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
