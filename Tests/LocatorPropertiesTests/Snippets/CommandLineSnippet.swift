import LocatorProperties
import Testing

// The README shows what stands between the two lines with scissors.

// ✂ begin
struct ServerConfig: ConfigProperty {
    static let path = "server"
    let host: String
    let port: Int
    let timeout: Duration
}

func run(config folder: String, environment: [String: String]? = nil) throws(PropertiesError) -> String {
    let properties = try Properties.load(
        from: folder,  // application.json, then application-<profile>.json
        default: "dev",  // unless LOCATOR_PROFILE=prod
        environment: environment,  // that of the process, unless a test gives another
        overrides: .environment(prefix: "SHOP_"))  // SHOP_SERVER__PORT=9090

    let server = try properties.decode(ServerConfig.self)
    let languages = try properties.value("catalog.languages", as: [String].self)
    let retries = try properties.value("orders.retries", default: 3)
    return """
        \(server.host):\(server.port), \(languages.count) languages, \(retries) retries
        \(properties.explain("server.url"))
        """
}
// ✂ end

@Suite("The snippet of the README does what it says, on the settings of the demo")
struct CommandLineSnippet {
    private let folder = #filePath.split(separator: "Tests/LocatorPropertiesTests")[0] + "Config"

    @Test("In dev")
    func dev() throws {
        #expect(
            try run(config: String(folder), environment: [:]) == """
                localhost:8080, 3 languages, 3 retries
                server.url = "http://localhost:8080"
                  from application.json:21:12 "${server.scheme}://${server.host}:${server.port}"
                    ${server.scheme} = "http" (application.json:18:15)
                    ${server.host} = "localhost" (application.json:19:13)
                    ${server.port} = 8080 (application.json:20:13)
                """)
    }

    @Test("In prod, with a port from the environment")
    func prod() throws {
        #expect(
            try run(config: String(folder), environment: ["LOCATOR_PROFILE": "prod", "SHOP_SERVER__PORT": "9090"])
                == """
                shop.example.com:9090, 4 languages, 3 retries
                server.url = "https://shop.example.com:9090"
                  from application.json:21:12 "${server.scheme}://${server.host}:${server.port}"
                    ${server.scheme} = "https" (application-prod.json:3:15)
                    ${server.host} = "shop.example.com" (application-prod.json:4:13)
                    ${server.port} = "9090" (environment variable SHOP_SERVER__PORT)
                """)
    }

    @Test(
        "Every profile and group of the demo loads and shows no secret",
        arguments: [[], ["dev"], ["prod"], ["staging"]])
    func profiles(names: [String]) throws {
        let properties = try Properties.load(
            from: String(folder), profiles: ProfileList(names),
            environment: ["SHOP_DATABASE_PASSWORD": "hunter2", "MAIL_API_KEY": "k3y"])
        #expect(properties.profiles == (names == ["staging"] ? ["prod", "dev"] : names))
        #expect(properties.paths.count > 40)
        for path in properties.paths {
            #expect(properties.explain(path).problem == nil)
            #expect(
                ["hunter2", "k3y", "postgres:postgres"].allSatisfy {
                    !properties.explain(path).description.contains($0)
                })
        }
        #expect(try properties.value("catalog.refresh", as: Duration.self) > .zero)
        #expect(properties["debug.showQueries"] == (names == ["prod"] ? nil : names == [] ? false : true))
    }
}
