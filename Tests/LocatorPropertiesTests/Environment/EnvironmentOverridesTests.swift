import LocatorProperties
import Testing

private let base = #"""
    {
      "server": {"host": "localhost", "port": 8080, "maxConnections": 64, "keepAlive": true},
      "tags": ["a", "b"],
      "shelves": [{"name": "novels"}],
      "logging": {"com.shop": {"level": "info"}},
      "nothing": null
    }
    """#

@Suite("A variable with the prefix overrides its key, or adds the key if it is missing")
struct EnvironmentOverridesTests {
    @Test(
        "What a variable changes",
        arguments: [
            (["SHOP_SERVER__PORT": "9090"], "server.port", #""9090""#),
            (["SHOP_SERVER__MAX_CONNECTIONS": "128"], "server.maxConnections", #""128""#),
            (["SHOP_SERVER__KEEP_ALIVE": "false"], "server.keepAlive", #""false""#),
            (["SHOP_SERVER__HOST": ""], "server.host", #""""#),
            (["SHOP_SERVER__HOST": "a,b {c} \"d\""], "server.host", #""a,b {c} \"d\"""#),
            (["SHOP_LOGGING__COM_SHOP__LEVEL": "debug"], "logging['com.shop'].level", #""debug""#),
            (["SHOP_TAGS": #"["x"]"#], "tags", #"["x"]"#),
            (["SHOP_TAGS": #" [ 1 , 2 ] "#], "tags", "[1,2]"),
            (
                ["SHOP_SERVER": #"{"port": 1, "tls": true}"#], "server",
                #"{"host":"localhost","port":1,"maxConnections":64,"keepAlive":true,"tls":true}"#
            ),
            (
                ["SHOP_SERVER": #"{"port": null}"#], "server",
                #"{"host":"localhost","maxConnections":64,"keepAlive":true}"#
            ),
            (["SHOP_SERVER": #"{"port": 1}"#, "SHOP_SERVER__PORT": "2"], "server.port", #""2""#),
            (
                ["SHOP_SERVER": #"{"http2": {"maxStreams": 1}}"#, "SHOP_SERVER__HTTP2__MAX_STREAMS": "2"],
                "server.http2", #"{"maxStreams":"2"}"#
            ),
            (["SHOP_NOTHING": "something"], "nothing", #""something""#),
            (["SHOP_NOTHING__AT_ALL": "something"], "nothing", #"{"atAll":"something"}"#),
            (["SHOP_DATABASE_PASSWORD": "pw"], "databasePassword", #""pw""#),
            (["SHOP_DATABASE__PASSWORD": "pw"], "database.password", #""pw""#),
            (["SHOP_SERVER__TLS__CIPHER_SUITE": "x"], "server.tls.cipherSuite", #""x""#),
            (["SHOP_SERVER__HOST": "${server.port} $${x}"], "server.host", #""${server.port} $${x}""#),
            (["OTHER_SERVER__PORT": "1", "SERVER__PORT": "2"], "server.port", "8080"),
            (["shop_SERVER__PORT": "1"], "server.port", "8080"),
        ])
    func variable_overrides(environment: [String: String], path: String, expected: String) throws {
        let properties = try load(["": base], environment: environment, prefix: "SHOP_")
        #expect(properties[path]?.text(showingSecrets: true) == expected)
    }

    @Test("Its text converts to the requested type; JSON text replaces an array or object")
    func text_converts() throws {
        let environment = [
            "SHOP_SERVER__PORT": "9090", "SHOP_SERVER__KEEP_ALIVE": "false", "SHOP_TIMEOUT": "250ms",
            "SHOP_LIST": "[1,2]", "SHOP_RATES": #"{"de": 0.19}"#,
        ]
        let properties = try load(["": base], environment: environment, prefix: "SHOP_")
        #expect(try properties.value("server.port", as: Int.self) == 9090)
        #expect(try properties.value("server.port", as: String.self) == "9090")
        #expect(try properties.value("server.keepAlive", as: Bool.self) == false)
        #expect(try properties.value("timeout", as: Duration.self) == .milliseconds(250))
        #expect(try properties.value("list", as: [Int].self) == [1, 2])
        #expect(try properties.value("list[1]", as: Int.self) == 2)
        #expect(try properties.value("rates", as: [String: Double].self) == ["de": 0.19])
        #expect(try properties.value("rates.de", as: Double.self) == 0.19)
        #expect(
            message { _ = try properties.value("server.port", as: [Int].self) }
                == #"server.port: expected [Int] (an array), found text "9090" (environment variable SHOP_SERVER__PORT)"#
        )
    }

    @Test("A null in the JSON of a variable removes, whether or not a file has the object")
    func null_removes() throws {
        let environment = ["SHOP_DB": #"{"pool": null, "user": {"name": null}, "tags": [null, {"x": null}]}"#]
        for base in ["{}", #"{"db": {}}"#, #"{"db": {"pool": 1, "user": {"name": "u"}}}"#] {
            let properties = try load(["": base], environment: environment, prefix: "SHOP_")
            #expect(properties["db.pool"] == nil, "\(base)")
            #expect(try properties.value("db.pool", as: Int?.self) == nil, "\(base)")
            #expect(try properties.value("db.pool", default: 5) == 5, "\(base)")
            #expect(properties["db.user"]?.text() == "{}", "\(base)")
            #expect(properties["db.user.name"] == nil, "\(base)")
            // In an array, it is an element.
            #expect(properties["db.tags"]?.text() == #"[null,{"x":null}]"#, "\(base)")
            #expect(properties["db.tags[0]"]?.text() == "null", "\(base)")
            #expect(properties["db.tags[1].x"]?.text() == "null", "\(base)")
            let keys = try properties.value("db", as: [String: JSONValue].self).keys.sorted()
            #expect(keys == ["tags", "user"], "\(base)")
        }
    }

    @Test("Unless the program enables overrides, no variable changes anything")
    func overrides_areOnRequest() throws {
        let properties = try load(["": base], environment: ["SHOP_SERVER__PORT": "1", "SERVER__PORT": "2"])
        #expect(properties["server.port"] == 8080)
    }

    @Test("The variable that chooses the profiles is not an override")
    func profileVariable_isNotAnOverride() throws {
        let environment = ["LOCATOR_PROFILE": "dev", "LOCATOR_SERVER__PORT": "1"]
        let properties = try load(["": base, "dev": "{}"], environment: environment, prefix: "LOCATOR_")
        #expect(properties["profile"] == nil)
        #expect(properties["server.port"] == "1")
    }

    @Test(
        "Invalid variables",
        arguments: [
            (
                ["SHOP_": "x"],
                "SHOP_ names no setting; after the prefix, use capital letters and digits, with \"_\" between words and \"__\" between the keys of a path"
            ),
            (
                ["SHOP_server__port": "x"],
                "SHOP_server__port names no setting; after the prefix, use capital letters and digits, with \"_\" between words and \"__\" between the keys of a path"
            ),
            (
                ["SHOP_SERVER__PORT__TCP": "x"],
                "server.port.tcp: SHOP_SERVER__PORT__TCP names a part of server.port, which is a number; set server.port as a whole"
            ),
            (
                ["SHOP_SHELVES__FIRST__NAME": "x"],
                "shelves.first.name: SHOP_SHELVES__FIRST__NAME names a part of shelves, which is an array; set shelves as a whole"
            ),
            (
                ["SHOP_TAGS": "x,y"],
                #"tags: expected an array as JSON, such as SHOP_TAGS='["a", "b"]', found text that is not JSON (environment variable SHOP_TAGS)"#
            ),
            (
                ["SHOP_TAGS": ""],
                #"tags: expected an array as JSON, such as SHOP_TAGS='["a", "b"]', found text that is not JSON (environment variable SHOP_TAGS)"#
            ),
            (
                ["SHOP_TAGS": "[x]"],
                "tags: expected a value or ']', found the word x; write text in double quotes (environment variable SHOP_TAGS:1:2)"
            ),
            (
                ["SHOP_SERVER": "port=1"],
                #"server: expected an object as JSON, such as SHOP_SERVER='{"key": "value"}', found text that is not JSON (environment variable SHOP_SERVER)"#
            ),
            (["SHOP_TAGS": "{}"], "tags: expected an array, found an object (environment variable SHOP_TAGS)"),
            (["SHOP_SERVER": "1"], "server: expected an object, found a number (environment variable SHOP_SERVER)"),
        ])
    func variable_isRefused(environment: [String: String], expected: String) {
        #expect(message { _ = try load(["": base], environment: environment, prefix: "SHOP_") } == expected)
    }

    @Test("An empty prefix, which would turn every variable into a setting, is an error")
    func prefix_isEmpty() {
        #expect(
            message { _ = try load(["": base], environment: ["PATH": "x"], prefix: "") }
                == "environment overrides need a prefix: without one every variable would become a setting")
    }

    @Test(
        "Two keys that share a variable are an error, whether it is set or not",
        arguments: [
            (
                #"{"maxConnections": 1, "max_connections": 2}"#,
                "SHOP_MAX_CONNECTIONS stands for two keys, maxConnections (application.json:1:20) and max_connections (application.json:1:42); rename one of them"
            ),
            (
                #"{"a": {"b.c": 1, "x": 0, "b-c": 2}}"#,
                "SHOP_A__B_C stands for two keys, a['b.c'] (application.json:1:15) and a.b-c (application.json:1:33); rename one of them"
            ),
            (
                #"{"server": {"x": 1}, "Server": {"x": 2}}"#,
                "SHOP_SERVER stands for two keys, server (application.json:1:12) and Server (application.json:1:32); rename one of them"
            ),
            (
                #"{"hosts": [1, {"maxSize": 1, "max_size": 2}]}"#,
                "SHOP_HOSTS__1__MAX_SIZE stands for two keys, hosts[1].maxSize (application.json:1:27) and hosts[1].max_size (application.json:1:42); rename one of them"
            ),
            (
                #"{"a": {"b": [[], [{"c": {"x": 1, "X": 2}}]]}}"#,
                "SHOP_A__B__1__0__C__X stands for two keys, a.b[1][0].c.x (application.json:1:31) and a.b[1][0].c.X (application.json:1:39); rename one of them"
            ),
        ])
    func keys_collide(base: String, expected: String) {
        #expect(message { _ = try load(["": base], prefix: "SHOP_") } == expected)
        #expect(message { _ = try load(["": base]) } == nil)
    }

    @Test("Keys of different objects, and keys that differ in more than case, do not collide")
    func keys_doNotCollide() throws {
        let base = #"{"ab": 1, "aB": 2, "a": {"b": 3}, "x": {"b": 4}, "--": 5, "++": 6, "list": [{"a": 1}, {"A": 2}]}"#
        let properties = try load(["": base], environment: ["SHOP_AB": "x", "SHOP_A_B": "y"], prefix: "SHOP_")
        #expect(properties.resolvedText == #"ab="x" aB="y" a.b=3 x.b=4 --=5 ['++']=6 list[0].a=1 list[1].A=2"#)
    }

    @Test("The error for a secret that is not valid JSON does not show it")
    func secret_isNotShown() {
        let base = #"{"credentials": {"user": "u"}}"#
        #expect(
            message { _ = try load(["": base], environment: ["SHOP_CREDENTIALS": "hunter2"], prefix: "SHOP_") }
                == "credentials: expected an object as JSON, found a secret that is not JSON (environment variable SHOP_CREDENTIALS)"
        )
    }

    @Test(
        "A variable is a probable typo if its path is similar",
        arguments: [
            ("SHOP_SERVER__HOST", nil), ("SHOP_SERVER__PROT", "SHOP_SERVER__PORT"),
            ("SHOP_SERVER_PORT", "SHOP_SERVER__PORT"), ("SHOP_SEVER__PROT", "SHOP_SERVER__PORT"),
            ("SHOP_SERVER__PORTS", "SHOP_SERVER__PORT"), ("SHOP_SERVICE__PORT", nil), ("SHOP_MAIL__PORT", nil),
        ] as [(String, String?)])
    func addition_isNear_asAPath(variable: String, near: String?) throws {
        let properties = try load(["": #"{"server":{"port":1}}"#], environment: [variable: "1"], prefix: "SHOP_")
        #expect(properties.environmentWarnings.flatMap { $0.near.map(\.variable) } == (near.map { [$0] } ?? []))
    }

    @Test("Explain finds the variables at, above, and below a path among many")
    func explain_findsVariables_amongMany() throws {
        var environment = ["SHOP_A": #"{"b":{"c":1,"d":2}}"#, "SHOP_A__B__C": "3"]
        for number in 0..<50 { environment["SHOP_X__N\(number)"] = "1" }
        let properties = try load(["": #"{"a":{"b":{"c":0}}}"#], environment: environment, prefix: "SHOP_")
        #expect(
            properties.explain("a.b").description == #"""
                a.b = {"c":"3","d":2}
                  part from environment variable SHOP_A__B__C {"c":"3"}
                  part from environment variable SHOP_A:1:6 {"c":1,"d":2}
                  part from application.json:1:11 {"c":0}
                """#)
        #expect(properties.explain("x.n7").origin?.description == "environment variable SHOP_X__N7")
    }

    @Test("A variable that adds a key close to an existing one is a warning")
    func addition_isSuspicious() throws {
        let environment = [
            "SHOP_SERVER__MAX_CONECTIONS": "1", "SHOP_SEVER__PORT": "2", "SHOP_DATABASE_PASSWORD": "3",
            "SHOP_SERVER__HOST": "4", "SHOP_MAIL__API_URL": "5",
        ]
        let properties = try load(["": base], environment: environment, prefix: "SHOP_")
        let defaults = try Properties(overrides: ["mail.apiURL": "x", "mail.apiURI": "y"], name: "module Mail")
        let stacked = Properties.stacked(above: [], base: properties, below: [defaults])
        for properties in [properties, stacked] {
            #expect(
                properties.environmentWarnings.map(\.description) == [
                    "SHOP_SERVER__MAX_CONECTIONS overrides nothing and adds server.maxConections; did you mean SHOP_SERVER__MAX_CONNECTIONS for server.maxConnections?",
                    "SHOP_SEVER__PORT overrides nothing and adds sever.port; did you mean SHOP_SERVER__PORT for server.port?",
                ])
        }
    }

    @Test("A variable that overrides a setting of a lower layer is not a typo of another one")
    func overrideOfALowerLayer_isNotSuspicious() throws {
        let environment = ["SHOP_MAIL__HOSTS": #"["b"]"#, "SHOP_MAIL__PORTS": "1"]
        let files = try load(["": #"{"mail": {"host": "h", "port": 2}}"#], environment: environment, prefix: "SHOP_")
        #expect(files.environmentWarnings.map(\.path) == ["mail.hosts", "mail.ports"])
        let defaults = try Properties(overrides: ["mail.hosts": ["a"]], name: "module Mail")
        let properties = Properties.stacked(above: [], base: files, below: [defaults])
        #expect(properties.environmentWarnings.map(\.path) == ["mail.ports"])
    }

    @Test("Variables override all profiles, and are added in the order of their names")
    func variables_areAboveProfiles() throws {
        let environment = ["SHOP_Z": "1", "SHOP_M": "2", "SHOP_B": "3", "SHOP_SERVER__PORT": "4"]
        let files = ["": #"{"server": {"port": 1}}"#, "p": #"{"server": {"port": 2}}"#]
        for _ in 0..<20 {
            let properties = try load(files, profiles: "p", environment: environment, prefix: "SHOP_")
            #expect(properties.resolvedText == #"server.port="4" b="3" m="2" z="1""#)
        }
    }
}
