import Locator
import Testing

@Suite("Validation finds settings that are nil because of a misspelled path")
struct OptionalRequirementTests {
    @Test func requirementNearAPath_isReported() throws {
        let context = try AppContext().load(
            Module("Settings", properties: ["server.port": 1]),
            Module("Server") { registry in
                registry.requires("server.prot", as: Int?.self, fileID: "Shop/Shop.swift", line: 3)
                registry.requires("server.port", as: Int?.self)
                registry.requires("cache.size", as: Int?.self)
            })
        #expect(
            context.validate().description == """
                Shop/Shop.swift:3: warning: module "Server" gets nil for Int?: no setting has the path "server.prot", \
                although a similar path exists
                note: near: server.port (module "Settings")
                  fix: correct the path, or the key in the profile file
                1 warning in 0 registrations
                """)
    }
}
