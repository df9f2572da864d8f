import LocatorProperties
import Testing

@Suite("The words of a key do not depend on its style")
struct WordsTests {
    @Test(
        "Words",
        arguments: [
            ("port", ["port"]),
            ("maxConnections", ["max", "connections"]),
            ("max_connections", ["max", "connections"]),
            ("max-connections", ["max", "connections"]),
            ("MAX_CONNECTIONS", ["max", "connections"]),
            ("MaxConnections", ["max", "connections"]),
            ("apiURL", ["api", "url"]),
            ("URLPath", ["url", "path"]),
            ("HTTPServerURL", ["http", "server", "url"]),
            ("http2Server", ["http2", "server"]),
            ("sha256", ["sha256"]),
            ("com.shop.orders", ["com", "shop", "orders"]),
            ("_leading__and__trailing_", ["leading", "and", "trailing"]),
            ("größe", ["größe"]),
            ("größteLänge", ["größte", "länge"]),
            ("a", ["a"]),
            ("A", ["a"]),
            ("AB", ["ab"]),
            ("aB", ["a", "b"]),
            ("", []),
            ("--", []),
        ])
    func words(key: String, expected: [String]) {
        #expect(Words.split(key) == expected)
    }
}

@Suite("Suggestions come nearest first, and only if a typo explains the difference")
struct NearNamesTests {
    @Test(
        "Similar names",
        arguments: [
            ("prdo", ["dev", "prod", "test"], ["prod"]),
            ("prod", ["dev", "prod", "test"], []),
            ("pro", ["dev", "prod", "prop"], ["prod", "prop"]),
            ("Prod", ["dev", "prod"], ["prod"]),
            ("server.prot", ["server.port", "server.host", "logger.port"], ["server.port"]),
            ("server.max_connections", ["server.maxConnections"], ["server.maxConnections"]),
            ("completely", ["different"], []),
            ("ab", ["xy"], []),
            ("", ["a", "bb"], []),
            ("b", ["a", "B", "bb"], ["B"]),
            ("staging", ["stagging", "staging2", "stage", "stging"], ["stagging", "staging2", "stging"]),
        ])
    func nearest(name: String, among: [String], expected: [String]) {
        #expect(NearNames.nearest(to: name, among: among) == expected)
    }
}
