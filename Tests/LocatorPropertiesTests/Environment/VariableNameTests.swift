import LocatorProperties
import Testing

@Suite("A key and its environment variable name each other")
struct VariableNameTests {
    @Test(
        "The variable of a path",
        arguments: [
            ("server.port", "SHOP_SERVER__PORT"),
            ("server.maxConnections", "SHOP_SERVER__MAX_CONNECTIONS"),
            ("server.max_connections", "SHOP_SERVER__MAX_CONNECTIONS"),
            ("server.max-connections", "SHOP_SERVER__MAX_CONNECTIONS"),
            ("mail.apiURL", "SHOP_MAIL__API_URL"),
            ("logging['com.shop'].level", "SHOP_LOGGING__COM_SHOP__LEVEL"),
            ("http2", "SHOP_HTTP2"),
            ("a.b.c.d", "SHOP_A__B__C__D"),
        ])
    func name(path: String, expected: String) throws {
        #expect(VariableName.name(of: try PropertyPath(parsing: path), prefix: "SHOP_") == expected)
    }

    @Test("An element of an array has no variable", arguments: ["servers[0]", "servers[0].name"])
    func name_isNil_withIndex(path: String) throws {
        #expect(VariableName.name(of: try PropertyPath(parsing: path), prefix: "SHOP_") == nil)
    }

    @Test(
        "The keys that a variable adds",
        arguments: [
            ("SERVER__MAX_CONNECTIONS", ["server", "maxConnections"]),
            ("DATABASE_PASSWORD", ["databasePassword"]),
            ("MAIL__API_URL", ["mail", "apiUrl"]),
            ("A__B__C", ["a", "b", "c"]),
            ("HTTP2__PORT_8080", ["http2", "port8080"]),
        ])
    func keys(variable: String, expected: [String]) {
        #expect(VariableName.segments(of: variable[...])?.map(VariableName.key) == expected)
    }

    @Test(
        "Names that match no key",
        arguments: ["", "_", "__", "A__", "__A", "A___B", "_A", "A_", "a", "Server__PORT", "A-B", "A.B", "Ä"])
    func segments_areNil(variable: String) {
        #expect(VariableName.segments(of: variable[...]) == nil)
    }
}
