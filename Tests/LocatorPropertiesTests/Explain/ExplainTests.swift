import LocatorProperties
import Testing

private let files = [
    "": #"""
    {
      "server": {"host": "localhost", "port": 8080, "url": "http://${server.host}:${server.port}"},
      "tags": ["a"],
      "debug": true,
      "home": "${env:HOME:/tmp}/${missing:x}",
      "database": {"password": "pw"},
      "broken": "fine"
    }
    """#,
    "prod": #"""
    {
      "server": {"host": "shop.example.com"},
      "tags": ["b", "c"],
      "debug": null
    }
    """#,
]

private func loadFiles() throws -> Properties {
    try load(
        files, profiles: "prod", environment: ["SHOP_SERVER__PORT": "443", "HOME": "/root"], prefix: "SHOP_")
}

@Suite("Explain shows a value, its source, what contributed to it, and what it hides")
struct ExplainTests {
    @Test(
        "The text",
        arguments: [
            (
                "server.host",
                """
                server.host = "shop.example.com"
                  from application-prod.json:2:22 "shop.example.com"
                  over application.json:2:22 "localhost"
                """
            ),
            (
                "server.port",
                """
                server.port = "443"
                  from environment variable SHOP_SERVER__PORT "443"
                  over application.json:2:43 8080
                """
            ),
            (
                "server.url",
                """
                server.url = "http://shop.example.com:443"
                  from application.json:2:56 "http://${server.host}:${server.port}"
                    ${server.host} = "shop.example.com" (application-prod.json:2:22)
                    ${server.port} = "443" (environment variable SHOP_SERVER__PORT)
                """
            ),
            (
                "server",
                """
                server = {"host":"shop.example.com","port":"443","url":"http://shop.example.com:443"}
                  part from environment variable SHOP_SERVER__PORT {"port":"443"}
                    ${server.host} = "shop.example.com" (application-prod.json:2:22)
                    ${server.port} = "443" (environment variable SHOP_SERVER__PORT)
                  part from application-prod.json:2:13 {"host":"shop.example.com"}
                  part from application.json:2:13 {"host":"localhost","port":8080,"url":"http://${server.host}:${server.port}"}
                """
            ),
            (
                "tags",
                """
                tags = ["b","c"]
                  from application-prod.json:3:11 ["b","c"]
                  over application.json:3:11 ["a"]
                """
            ),
            (
                "tags[0]",
                """
                tags[0] = "b"
                  from application-prod.json:3:12 "b"
                  over application.json:3:12 "a"
                """
            ),
            (
                "debug",
                """
                debug is removed
                  removed by application-prod.json:4:12
                  over application.json:4:12 true
                """
            ),
            (
                "home",
                """
                home = "/root/x"
                  from application.json:5:11 "${env:HOME:/tmp}/${missing:x}"
                    ${env:HOME} = "/root" (environment variable HOME)
                    ${missing} is missing, its default is used
                """
            ),
            (
                "database.password",
                """
                database.password = "<secret>"
                  from application.json:6:28 "<secret>"
                """
            ),
            ("server.prot", "server.prot is missing; did you mean server.port?"),
            ("nothing.like.it", "nothing.like.it is missing"),
            (
                "a..b", #"a..b has no value: malformed path "a..b": expected a key at column 3, found ".""#
            ),
        ])
    func text(path: String, expected: String) throws {
        #expect(try loadFiles().explain(path).description == expected)
    }

    @Test("The fields")
    func fields() throws {
        let url = try loadFiles().explain("server.url")
        #expect(url.path == "server.url")
        #expect(url.value == "http://shop.example.com:443")
        #expect(url.problem == nil)
        #expect(!url.isSecret)
        #expect(url.usesEnvironment)
        #expect(url.origin == PropertyOrigin(.file("application.json"), position: JSONPosition(line: 2, column: 56)))
        #expect(url.layers.map(\.effect) == [.decides])
        #expect(url.placeholders.map(\.target) == ["server.host", "server.port"])
        #expect(url.placeholders.map(\.value) == ["shop.example.com", "443"])

        let host = try loadFiles().explain("server.host")
        #expect(!host.usesEnvironment)
        #expect(host.layers.map(\.effect) == [.decides, .hidden])
        #expect(host.layers.map(\.value) == ["shop.example.com", "localhost"])
        #expect(host.placeholders == [])

        let server = try loadFiles().explain("server")
        #expect(server.layers.map(\.effect) == [.contributes, .contributes, .contributes])
        #expect(server.usesEnvironment)

        let debug = try loadFiles().explain("debug")
        #expect(debug.value == nil)
        #expect(debug.origin == nil)
        #expect(debug.layers.map(\.effect) == [.removes, .hidden])

        let missing = try loadFiles().explain("server.prot")
        #expect(missing.layers == [])
        #expect(missing.near == ["server.port"])
        #expect(try loadFiles().explain("database.password").isSecret)
    }

    @Test(
        "null removes a setting, but is an element of an array",
        arguments: [
            (
                "server.port", "server.port is removed\n  removed by settings in code",
                "server.port: expected Int, found null, which removes it (settings in code)"
            ),
            (
                "ports[0]", "ports[0] = null\n  from settings in code null",
                "ports[0]: expected Int, found null (settings in code)"
            ),
            (
                "ports[0].tls", "ports[0].tls is missing\n  replaced by settings in code null",
                "ports[0].tls is missing (expected Int), because ports[0] has no such part: found null (settings in code)"
            ),
        ])
    func null(path: String, explanation: String, error: String) throws {
        let properties = try Properties(["server": nil, "ports": [nil, 1]])
        #expect(properties.explain(path).description == explanation)
        let failure = #expect(throws: PropertiesError.self) { try properties.value(path, as: Int.self) }
        #expect(failure?.description == error)
    }

    @Test("Modules are also layers, and an error is reported, not thrown")
    func modules() throws {
        let up = try Properties(
            overrides: ["server.port": nil, "broken": "${nowhere}", "tags": ["x"]], name: "module Fakes")
        let down = try Properties(overrides: ["server": ["port": 1, "tls": true]], name: "module Defaults")
        let stacked = Properties.stacked(above: [up], base: try loadFiles(), below: [down])
        #expect(
            stacked.explain("server.port").description == """
                server.port is removed
                  removed by module Fakes
                  over environment variable SHOP_SERVER__PORT "443"
                  over application.json:2:43 8080
                  over module Defaults 1
                """)
        #expect(
            stacked.explain("server.tls").description == """
                server.tls = true
                  from module Defaults true
                """)
        #expect(
            stacked.explain("broken").description == """
                broken has no value: broken: ${nowhere} needs nowhere, which is missing (module Fakes)
                  from module Fakes "${nowhere}"
                    ${nowhere} is missing
                  over application.json:7:13 "fine"
                """)
        #expect(
            stacked.explain("tags").layers.map(\.origin.name) == [
                "module Fakes", "application-prod.json", "application.json",
            ])
    }

    @Test("A removal that a higher layer undoes is just a layer")
    func removal_isHidden() throws {
        let files = ["": #"{"a": 1}"#, "p": #"{"a": null}"#, "q": #"{"a": 3}"#]
        #expect(
            try load(files, profiles: "p,q").explain("a").description == """
                a = 3
                  from application-q.json:1:7 3
                  over a removal by application-p.json:1:7
                  over application.json:1:7 1
                """)
    }

    @Test("A value that replaces an object hides its parts, and a path through a placeholder leads on")
    func parts() throws {
        let files = ["": #"{"a": {"b": 1}, "c": "${a}"}"#, "p": #"{"a": 7}"#]
        #expect(
            try load(files, profiles: "p").explain("a.b").description == """
                a.b is missing
                  replaced by application-p.json:1:7 7
                  over application.json:1:13 1
                """)
        #expect(
            try load(files).explain("c.b").description == """
                c.b = 1
                  from application.json:1:22 "${a}"
                    ${a} = {"b":1} (application.json:1:7)
                """)
    }

    @Test("A long value is shortened, because its parts have their own explanations")
    func longValue() throws {
        let text = String(repeating: "x", count: 1_000)
        let description = try load(["": #"{"a": "\#(text)"}"#]).explain("a").description
        #expect(description.split(separator: "\n").allSatisfy { $0.count < 200 })
    }
}
