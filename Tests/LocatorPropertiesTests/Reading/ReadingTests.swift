import Foundation
import LocatorProperties
import Testing

private let properties: Properties = [
    "server": ["host": "localhost", "port": 8080, "url": "http://localhost", "timeout": "250ms"],
    "servers": [["name": "a", "weights": [1, 2]], ["name": "b"]],
    "logging": ["com.shop": ["level": "info"]],
    "empty": [:],
    "none": [],
    "elements": [nil, 1],
]

@Suite("A value is read by path, as the requested type or not at all")
struct ReadingTests {
    @Test("Values of any type")
    func value_isDecoded() throws {
        struct Server: Decodable, Equatable {
            let name: String
            let weights: [Int]?
        }
        #expect(try properties.value("server.port", as: Int.self) == 8080)
        #expect(try properties.value("server.host") == "localhost")
        #expect(try properties.value("server.timeout", as: Duration.self) == .milliseconds(250))
        #expect(try properties.value("server.url", as: URL.self) == URL(string: "http://localhost"))
        #expect(try properties.value("servers[0].name", as: String.self) == "a")
        #expect(try properties.value("logging['com.shop'].level", as: String.self) == "info")
        #expect(
            try properties.value("servers", as: [Server].self)
                == [Server(name: "a", weights: [1, 2]), Server(name: "b", weights: nil)])
        #expect(try properties.value("logging", as: [String: [String: String]].self) == ["com.shop": ["level": "info"]])
        #expect(try properties.value("server['port']", as: JSONValue.self) == 8080)
    }

    @Test("A missing value is nil for an optional type, the default if there is one, or else an error")
    func value_isMissing() throws {
        #expect(try properties.value("server.retries", as: Int?.self) == nil)
        #expect(try properties.value("server.retries", default: 3) == 3)
        #expect(try properties.value("server.port", as: Int?.self) == 8080)
        #expect(try properties.value("server.port", default: 3) == 8080)
        #expect(try properties.value("elements[0]", as: Int?.self) == nil)
        #expect(try properties.value("nowhere", as: Int?.self, default: 7) == 7)
        let cases: [(String, String)] = [
            ("server.prot", "server.prot is missing (expected Int); did you mean server.port?"),
            ("port", "port is missing (expected Int); did you mean server.port?"),
            (
                "server.port.tcp",
                "server.port.tcp is missing (expected Int), because server.port has no such part: "
                    + "found number 8080 (settings in code)"
            ),
            (
                "servers[2]",
                "servers[2] is missing (expected Int), because servers has 2 elements (settings in code)"
            ),
            ("[0]", "[0] is missing (expected Int), because the settings are an object (settings in code)"),
            (
                "elements['x']",
                "elements.x is missing (expected Int), because elements has no such part: "
                    + "found an array (settings in code)"
            ),
            ("elsewhere", "elsewhere is missing (expected Int)"),
        ]
        for (path, expected) in cases {
            #expect(message { _ = try properties.value(path, as: Int.self) } == expected)
        }
    }

    @Test("The error about a part of a secret does not show the secret")
    func value_isPartOfASecret() {
        let properties: Properties = ["accessToken": "s3cret"]
        #expect(
            message { _ = try properties.value("accessToken.value", as: Int.self) }
                == "accessToken.value is missing (expected Int), because accessToken has no such part: "
                + "found a string that is not shown, because it is secret (settings in code)")
    }

    @Test("A value of another type is an error, regardless of the default")
    func value_isOfAnotherType() {
        let expected = #"server.host: expected Int, found string "localhost" (settings in code)"#
        #expect(message { _ = try properties.value("server.host", as: Int.self) } == expected)
        #expect(message { _ = try properties.value("server.host", as: Int?.self) } == expected)
        #expect(message { _ = try properties.value("server.host", default: 1) } == expected)
        #expect(
            message { _ = try properties.value("a..b", default: 1) }
                == #"malformed path "a..b": expected a key at column 3, found ".""#)
        #expect(
            message { _ = try properties.value("elements[0]", as: Int.self) }
                == "elements[0]: expected Int, found null (settings in code)")
    }

    @Test("The error names the file and place, also within arrays and across layers")
    func error_namesThePlace() throws {
        let files = ["": #"{"a": {"b": [1, "x"]}, "c": 1}"#, "p": "{\n  \"c\": \"80a\"\n}"]
        let properties = try load(files, profiles: "p")
        let stacked = Properties.stacked(
            above: [try Properties(overrides: ["x": 1], name: "module M")], base: properties, below: [])
        for properties in [properties, stacked] {
            #expect(
                message { _ = try properties.value("c", as: Int.self) }
                    == #"c: expected Int, found string "80a" (application-p.json:2:8)"#)
            #expect(
                message { _ = try properties.value("a.b", as: [Int].self) }
                    == #"a.b[1]: expected Int, found string "x" (application.json:1:17)"#)
        }
    }

    @Test("The subscript returns nil if the value is missing or cannot be resolved")
    func subscripts() throws {
        #expect(properties["server.port"] == 8080)
        #expect(properties["server"]?["host"] == "localhost")
        #expect(properties["servers[1].name"] == "b")
        #expect(properties["elements[0]"] == .null)
        #expect(properties["nowhere"] == nil)
        #expect(properties["a..b"] == nil)
    }

    @Test("All paths, in the order of the file")
    func paths() throws {
        #expect(
            properties.paths == [
                "server.host", "server.port", "server.url", "server.timeout", "servers[0].name",
                "servers[0].weights[0]", "servers[0].weights[1]", "servers[1].name", "logging['com.shop'].level",
                "empty", "none", "elements[0]", "elements[1]",
            ])
        for path in properties.paths { #expect(properties[path] != nil, "\(path)") }
        #expect(Properties().paths == [])
    }

    @Test("A part is read by shorter paths, and still knows its full paths")
    func subtree() throws {
        let server = try properties.properties(at: "server")
        #expect(try server.value("port", as: Int.self) == 8080)
        #expect(server.paths == ["host", "port", "url", "timeout"])
        #expect(server["host"] == "localhost")
        #expect(server.explain("port").path == "server.port")
        #expect(
            message { _ = try server.value("host", as: Int.self) }
                == #"server.host: expected Int, found string "localhost" (settings in code)"#)
        #expect(
            message { _ = try server.value("hots", as: Int.self) }
                == "server.hots is missing (expected Int); did you mean server.host?")
        let first = try properties.properties(at: "servers[0]").properties(at: "weights")
        #expect(first.paths == ["[0]", "[1]"])
        #expect(try first.value("[1]", as: Int.self) == 2)
        #expect(try properties.properties(at: "nowhere").paths == [])
        #expect(try properties.properties(at: "server.port").paths == [])
        #expect(
            message { _ = try properties.properties(at: "a.") }
                == #"malformed path "a.": expected a key at column 3, found the end"#)
    }

    @Test("A missing setting is nil for an optional, and an error for any other type")
    func missing_isNilForOptional() throws {
        #expect(try properties.value("nowhere", as: JSONValue?.self) == nil)
        #expect(try properties.value("nowhere", as: Int?.self) == nil)
        #expect(
            message { _ = try properties.value("nowhere", as: JSONValue.self) }
                == "nowhere is missing (expected JSONValue)")
    }

    @Test("A part does not read what has the same path at the root")
    func subtree_readsItsOwn() throws {
        let file = #"{"port": 1, "o": {"x": 1}, "server": {"port": 2, "o": {"x": "${server.port}"}}}"#
        let base = try load(["": file.replacing("${server.port}", with: "2")])
        let stacked = Properties.stacked(above: [try Properties(["a": 1])], base: try load(["": file]), below: [])
        for properties in [base, stacked] {
            let server = try properties.properties(at: "server")
            #expect(server["port"] == 2)
            #expect(try server.value("port", as: Int.self) == 2)
            #expect(try server.value("port", as: Int.self, default: 3) == 2)
            #expect(try server.value("host", as: Int.self, default: 3) == 3)
            #expect(server.lookup("port").path == "server.port")
            #expect(try server.lookup("o").result.get()?["x"]?.description.contains("2") == true)
        }
    }

    @Test("A type with a path is decoded from there; one error lists everything missing")
    func configProperty() throws {
        struct ServerConfig: ConfigProperty, Equatable {
            static let path = "server"
            let host: String
            let port: Int
            let timeout: Duration
        }
        #expect(
            try properties.decode(ServerConfig.self)
                == ServerConfig(host: "localhost", port: 8080, timeout: .milliseconds(250)))
        let broken = try load(["": #"{"server": {"prot": 1, "timeout": "soon"}}"#])
        #expect(
            message { _ = try broken.decode(ServerConfig.self) } == """
                server.host is missing (expected String)
                server.port is missing (expected Int); did you mean server.prot?
                server.timeout: expected Duration (such as "250ms" or "1h30m"), found string "soon" (application.json:1:35)
                """)
        #expect(
            message { _ = try Properties().decode(ServerConfig.self) } == "server is missing (expected ServerConfig)"
        )
    }

    @Test("The result does not depend on how the path is written")
    func lookup_isTheSame_howeverWritten() throws {
        let file = try load(["": #"{"a": {"b": {"c": 1}}, "a.b": 2, "": {"": 3}, "é": {"ü": 4}, "l": [[5]]}"#])
        for path in ["a.b.c", "a['b'].c", #"['a']["b"]['c']"#] { #expect(file[path] == 1) }
        #expect(file["['a.b']"] == 2)
        #expect(file["['']['']"] == 3)
        #expect(file["é.ü"] == 4)
        #expect(file["l[0][0]"] == 5)
        #expect(file["a.b.c.d"] == nil)
        #expect(file["a.b.x"] == nil)
    }

    @Test("Conditions compare a value with one written in code")
    func hasValue() throws {
        let file = try load(
            ["": #"{"mail": true, "n": 1, "s": "true", "o": {"x": 1}}"#],
            environment: ["SHOP_ENV": "true", "SHOP_NUMBER": "1.0"], prefix: "SHOP_")
        let same: [(String, JSONValue)] = [
            ("mail", true), ("n", 1.0), ("s", "true"), ("env", true), ("env", "true"), ("number", 1), ("o", ["x": 1]),
        ]
        for (path, value) in same { #expect(try file.hasValue(value, at: path), "\(path) \(value)") }
        let other: [(String, JSONValue)] = [
            ("mail", "true"), ("s", true), ("n", "1"), ("env", false), ("nowhere", nil), ("nowhere", false), ("o", [:]),
        ]
        for (path, value) in other { #expect(try !file.hasValue(value, at: path), "\(path) \(value)") }
    }
}
