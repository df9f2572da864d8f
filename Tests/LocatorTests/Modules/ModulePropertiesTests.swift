import Locator
import TestSupport
import Testing

@Suite("A module's properties are defaults below the files, and overrides above them")
struct ModulePropertiesTests {
    private let context = AppContext()

    private func loadFiles() throws {
        let folder = try TemporaryFolder(["application.json": #"{ "server": { "host": "file", "port": 1 } }"#])
        try context.loadProperties(
            from: folder.path, environment: ["SHOP_SERVER__PORT": "2"], overrides: .environment(prefix: "SHOP_"))
    }

    @Test(
        "The position of the module decides",
        arguments: [
            (Priority.low, "file", 2),
            (.normal, "file", 2),
            (.profile, "file", 2),
            (751, "module", 3),
            (.high, "module", 3),
        ])
    func priority_decides(priority: Priority, host: String, port: Int) throws {
        try loadFiles()
        let module = Module("Settings", properties: ["server.host": "module", "server.port": 3])
        try context.load(module, priority: priority)
        #expect(try context.value("server.host", as: String.self) == host)
        #expect(try context.value("server.port", as: Int.self) == port)
    }

    @Test func defaults_serveWhereTheFilesHaveNothing() throws {
        try loadFiles()
        try context.load(Module("Settings", properties: ["server.timeout": "5s", "logger.level": "info"]))
        #expect(try context.value("server.timeout", as: Duration.self) == .seconds(5))
        #expect(try context.value("server.host", as: String.self) == "file")
        #expect(try context.value("logger.level", as: String.self) == "info")
    }

    @Test func objectInPlaceOfNull_changesAllPartsForTheirReaders() throws {
        struct Holder {
            @PropertyValue("mail.copy") var copy: String?
        }
        try context.load(Module("Mail", properties: ["mail": ["host": "dev", "copy": "dev@x"]]))
        let holder = AppContext.withContext(context) { Holder() }
        #expect(holder.copy == "dev@x")
        try context.push(Module("Prod", properties: ["mail": nil, "mail.host": "smtp"]))
        #expect(holder.copy == nil)
        #expect(try context.value("mail", as: [String: String].self) == ["host": "smtp"])
        context.pop()
        #expect(holder.copy == "dev@x")
    }

    @Test func modules_areMergedLeafByLeaf_inLookupOrder() throws {
        try context.load(
            Module("First", properties: ["a": ["x": 1]]), Module("Second", properties: ["a": ["x": 2, "y": 2]]))
        #expect(try context.value("a", as: [String: Int].self) == ["x": 1, "y": 2])
    }

    @Test func placeholders_seeOtherModules() throws {
        try loadFiles()
        try context.load(Module("Settings", properties: ["server.url": "http://${server.host}:${server.port}"]))
        #expect(try context.value("server.url", as: String.self) == "http://file:2")
        try context.push(Module("Fakes", properties: ["server.host": "fake"]))
        #expect(try context.value("server.url", as: String.self) == "http://fake:2")
        context.pop()
        #expect(try context.value("server.url", as: String.self) == "http://file:2")
    }

    @Test("A pushed module whose settings a variable extends changes what was made without them")
    func push_changesWhatVariablesAdd() throws {
        let folder = try TemporaryFolder(["application.json": "{}"])
        try context.loadProperties(
            from: folder.path, environment: ["SHOP_HTTP_CLIENT__RETRIES": "5", "SHOP_CACHE": #"{"size": 7}"#],
            overrides: .environment(prefix: "SHOP_"))
        try context.load(
            Module("Texts") { registry in
                registry.register(String.self) { (resolver: Resolver) throws in
                    let retries = try resolver.value("http-client.retries", as: Int?.self)
                    let name = try resolver.value("cache.name", as: String?.self)
                    let size = try resolver.value("cache.size", as: Int?.self)
                    return "\(retries ?? 0) \(name ?? "-") \(size ?? 0)"
                }
            })
        #expect(try context.resolve(String.self) == "0 - 7")
        let push = try context.push(
            Module("Defaults", properties: ["http-client": ["port": 1], "cache": ["name": "main", "size": 1]]),
            priority: .low)
        #expect(try context.resolve(String.self) == "5 main 7")
        push.pop()
        #expect(try context.resolve(String.self) == "0 - 7")
    }

    private func load(_ file: String, variables: [String: String]) throws {
        let folder = try TemporaryFolder(["application.json": file])
        try context.loadProperties(
            from: folder.path, environment: variables, overrides: .environment(prefix: "SHOP_"))
    }

    @Test("A variable for an element applies to the array of an earlier load, also after a reload")
    func variable_setsElement_ofEarlierLoad() throws {
        let folder = try TemporaryFolder([
            "hosts.json": #"{ "hosts": ["a", "b"] }"#, "port.json": #"{ "port": 1 }"#, "more.json": "{}",
        ])
        func load(_ name: String, in context: AppContext) throws {
            try context.loadProperties(
                files: ["\(folder.path)/\(name).json"], environment: ["SHOP_HOSTS__1": "x"],
                overrides: .environment(prefix: "SHOP_"))
        }
        for name in ["hosts", "port", "more"] { try load(name, in: context) }
        #expect(try context.value("hosts", as: [String].self) == ["a", "x"])
        try context.reloadProperties()
        #expect(try context.value("hosts", as: [String].self) == ["a", "x"])
        // The last load does not lack the array of the first any longer.
        try folder.write("{}", to: "hosts.json")
        let gap = """
            SHOP_HOSTS__1 is for element 1 of hosts, which has none so far; the next one is SHOP_HOSTS__0. Where the \
            number is a key, write hosts as an object in a profile file
            """
        #expect(message { try context.reloadProperties() }?.hasPrefix(gap) == true)
        #expect(message { try load("port", in: AppContext()) }?.hasPrefix(gap) == true)
    }

    @Test("A variable with JSON is merged with the object of a module, no matter what other modules set next to it")
    func variable_isMerged_besideOtherModules() throws {
        try load("{}", variables: ["SHOP_SERVER__CLIENT": #"{"port": 2}"#])
        try context.load(Module("Client", properties: ["server.client": ["host": "h", "port": 1]]))
        let merged: [String: JSONValue] = ["host": "h", "port": 2]
        #expect(try context.value("server.client") == merged)
        for priority in [Priority.low, .normal, .high] {
            try context.push(Module("Name", properties: ["server.name": "a"]), priority: priority)
            #expect(try context.value("server.client") == merged)
            context.pop()
        }
    }

    @Test("A variable adds no second key if a module sets something next to the key that it matches")
    func variable_addsNoSecondKey_besideOtherModules() throws {
        try load(
            #"{ "clients": { "http-client": { "host": "a" } } }"#,
            variables: ["SHOP_CLIENTS__HTTP_CLIENT__TIMEOUT": "5s"])
        try context.load(Module("Files", properties: ["clients.ftp.host": "f"]))
        let clients: [String: [String: String]] = [
            "http-client": ["host": "a", "timeout": "5s"], "ftp": ["host": "f"],
        ]
        #expect(try context.value("clients") == clients)
    }

    @Test("A variable stays if the files hide the module's object that it matches")
    func variable_stays_aboveHiddenObject() throws {
        let folder = try TemporaryFolder([
            "application.json": #"{ "r": null }"#, "application-dev.json": #"{ "r": { "a": 1 } }"#,
        ])
        try context.loadProperties(
            from: folder.path, profiles: "dev", environment: ["SHOP_R__P": #"{"z": 1}"#],
            overrides: .environment(prefix: "SHOP_"))
        try context.load(Module("Low", properties: ["r.p.q": 1]), priority: .low)
        #expect(try context.value("r.p", as: [String: Int].self) == ["z": 1])
    }

    @Test func unloading_takesThemAway() throws {
        let module = Module("Settings", properties: ["size": 3])
        try context.load(module)
        #expect(try context.value("size", as: Int?.self) == 3)
        try context.unload(module)
        #expect(try context.value("size", as: Int?.self) == nil)
    }

    @Test func malformedPath_isAnErrorAtLoad() throws {
        let module = Module("Settings", properties: ["a..b": 3], fileID: "Shop/Shop.swift", line: 7)
        #expect(
            message { try context.load(module) }
                == "Shop/Shop.swift:7: module \"Settings\": malformed path \"a..b\": expected a key at column 3, found \".\""
        )
        #expect(message { try context.unload(module) } != nil)
    }

    @Test func pathWrittenInTwoWays_isAnErrorAtLoad() {
        let module = Module("Settings", properties: ["x.y": 1, "x['y']": 2], fileID: "Shop/Shop.swift", line: 7)
        #expect(
            message { try context.load(module) }
                == #"x.y: "x.y" and "x['y']" both set it; keep one of them (Shop/Shop.swift:7: module "Settings")"#)
    }
}
