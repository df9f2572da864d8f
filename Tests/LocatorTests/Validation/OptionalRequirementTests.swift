import Locator
import Testing

private struct Mail: ConfigProperty {
    static let path = "mail"
    let from: String
    let maxRetries: Int?
    let server: Server?
    let servers: [Server]?
}

private struct Server: Codable, Sendable {
    let host: String?
    let hosts: [String]?
}

private struct Client: Sendable {}

/// Is decoded from the same object as its base.
private struct Link: Decodable {
    private enum CodingKeys: CodingKey { case urls }

    struct Base: Decodable {
        let url: String?
    }

    let urls: [String]?
    let base: Base

    init(from decoder: any Decoder) throws {
        urls = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent([String].self, forKey: .urls)
        base = try Base(from: decoder)
    }
}

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

    @Test func optionalPartNearAKey_isReported() throws {
        let context = try AppContext().load(
            Module(
                "Settings",
                properties: [
                    "mail": [
                        "from": "a", "maxretries": 9, "server": ["hots": "x", "hosts": ["y"]],
                        "servers": [["hosts": []], ["host": "x", "Hosts": []]],
                    ]
                ]),
            Module("Mail") { registry in
                registry.register(Client.self, fileID: "Shop/Shop.swift", line: 3) { (_: Mail) in Client() }
                registry.register(Int.self, fileID: "Shop/Shop.swift", line: 4) { (_: Mail?) in 1 }
                registry.requires("mail.servers", as: [Server].self, fileID: "Shop/Shop.swift", line: 5)
            })
        let hosts = """
            no setting has the path "mail.servers[1].hosts", although a similar path exists
            """
        #expect(
            context.validate().description == """
                Shop/Shop.swift:3: warning: Client needs Mail, but no setting has the path "mail.maxRetries", \
                although a similar path exists
                Shop/Shop.swift:4: note: Int needs it, too
                  fix: rename mail.maxretries (module "Settings") to mail.maxRetries, correct the name in Mail, or add it
                Shop/Shop.swift:3: warning: Client needs Mail, but no setting has the path "mail.server.host", \
                although a similar path exists
                Shop/Shop.swift:4: note: Int needs it, too
                  fix: rename mail.server.hots (module "Settings") to mail.server.host, correct the name in Mail, or add it
                Shop/Shop.swift:3: warning: Client needs Mail, but \(hosts)
                Shop/Shop.swift:4: note: Int needs it, too
                  fix: rename mail.servers[1].Hosts (module "Settings") to mail.servers[1].hosts, correct the name in Mail, or add it
                Shop/Shop.swift:5: warning: module "Mail" requires [Server], but \(hosts)
                  fix: rename mail.servers[1].Hosts (module "Settings") to mail.servers[1].hosts, correct the name in [Server], or add it
                4 warnings in 2 registrations
                """)
    }

    @Test("A similar key that the type reads is none that was meant")
    func optionalPartNearAnotherPart_isNotReported() throws {
        let context = try AppContext().load(
            Module(
                "Settings",
                properties: [
                    "mail": ["from": "a", "servers": [["host": "x"], ["hosts": ["x"]], ["port": 1]]],
                    "link.urls": ["x"],
                ]),
            Module("Mail") { registry in
                registry.register(Client.self) { (_: Mail) in Client() }
                registry.requires("mail.servers", as: [Server].self)
                registry.requires("mail", as: [String: JSONValue].self)
                registry.requires("link", as: Link.self)
            })
        #expect(context.validate().description == "nothing found in 1 registration")
    }

    enum Reader: CaseIterable { case type, requirement, requiredType, condition }

    @Test("A similar key that something else reads is none that was meant", arguments: Reader.allCases)
    func optionalPartNearWhatOthersRead_isNotReported(reader: Reader) throws {
        struct Sender: ConfigProperty {
            static let path = "mail"
            let user: String?
        }
        struct Users: ConfigProperty {
            static let path = "mail"
            let users: [String]
        }
        let context = try AppContext().load(
            Module("Settings", properties: ["mail": ["users": ["x"]]]),
            Module("Mail") { registry in
                registry.register(Client.self) { (_: Sender) in Client() }
                switch reader {
                case .type: registry.register(Int.self) { (_: Users) in 1 }
                case .requirement: registry.requires("mail.users", as: [String].self)
                case .requiredType: registry.requires("mail", as: Users.self)
                case .condition: break
                }
            })
        if reader == .condition { try context.load(Module("Users", when: .property("mail['users']")) { _ in }) }
        #expect(context.validate().findings.isEmpty, "\(context.validate())")
    }
}
