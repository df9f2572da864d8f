import Locator
import Testing

private struct Server: ConfigProperty {
    static let path = "server"
    let host: String
    let port: Int
}

@Suite("The fix of a finding about a setting fits what is wrong with it")
struct SettingFixTests {
    @Test("A null in place of a value has to be replaced, because settings under it have no effect")
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

    @Test("A missing key of an element has to be added, although the array exists")
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
                  fix: add it to a profile file or to the `properties:` of a module
                1 error in 1 registration
                """)
    }

    @Test("A setting that only registrations need which nothing requests is not an error")
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
