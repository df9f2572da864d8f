import Locator
import Testing

private struct Server: ConfigProperty {
    static let path = "server"
    let host: String
    let port: Int
}

@Suite("The fix of a finding about a setting fits what is wrong with it")
struct SettingFixTests {
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
                  fix: add it to a profile file or to the `properties:` of a module
                Shop/Shop.swift:2: error: Bool needs Server: the setting server.port: expected Int, found string \
                "80"; drop the quotes (module "Settings")
                  fix: correct its value, or the type that the program expects
                Shop/Shop.swift:3: error: module "Shop" requires a setting: server.port: expected Int, found string \
                "80"; drop the quotes (module "Settings")
                  fix: correct its value, or the type that the program expects
                3 errors in 1 registration
                """)
    }
}
