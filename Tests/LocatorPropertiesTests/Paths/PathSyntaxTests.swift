import LocatorProperties
import TestSupport
import Testing

@Suite("A value has one path, and the error of a malformed path points at the place")
struct PathSyntaxTests {
    @Test(
        "Paths that are read",
        arguments: [
            ("server", [.key("server")], "server"),
            ("server.port", [.key("server"), .key("port")], "server.port"),
            ("a.b.c.d", [.key("a"), .key("b"), .key("c"), .key("d")], "a.b.c.d"),
            ("max-connections", [.key("max-connections")], "max-connections"),
            ("max_connections", [.key("max_connections")], "max_connections"),
            ("größe.名前", [.key("größe"), .key("名前")], "größe.名前"),
            ("http2.9lives", [.key("http2"), .key("9lives")], "http2.9lives"),
            ("servers[0]", [.key("servers"), .index(0)], "servers[0]"),
            ("servers[0].name", [.key("servers"), .index(0), .key("name")], "servers[0].name"),
            ("servers[12][3]", [.key("servers"), .index(12), .index(3)], "servers[12][3]"),
            ("[0].name", [.index(0), .key("name")], "[0].name"),
            ("a[9223372036854775807]", [.key("a"), .index(.max)], "a[9223372036854775807]"),
            (
                "logging['com.shop'].level", [.key("logging"), .key("com.shop"), .key("level")],
                "logging['com.shop'].level"
            ),
            (#"a["b"].c"#, [.key("a"), .key("b"), .key("c")], "a.b.c"),
            ("['a']", [.key("a")], "a"),
            ("['a']['b']", [.key("a"), .key("b")], "a.b"),
            ("['']", [.key("")], "['']"),
            ("a['']", [.key("a"), .key("")], "a['']"),
            (#"a['it\'s']"#, [.key("a"), .key("it's")], #"a['it\'s']"#),
            (#"a["it's"]"#, [.key("a"), .key("it's")], #"a['it\'s']"#),
            (#"a['say "x"']"#, [.key("a"), .key(#"say "x""#)], #"a['say "x"']"#),
            (#"a["say \"x\""]"#, [.key("a"), .key(#"say "x""#)], #"a['say "x"']"#),
            (#"a['back\\slash']"#, [.key("a"), .key(#"back\slash"#)], #"a['back\\slash']"#),
            ("a['0']", [.key("a"), .key("0")], "a.0"),
            ("a.0", [.key("a"), .key("0")], "a.0"),
            ("a['x y'][1]", [.key("a"), .key("x y"), .index(1)], "a['x y'][1]"),
            ("a['[]']", [.key("a"), .key("[]")], "a['[]']"),
            ("a['${b}']", [.key("a"), .key("${b}")], "a['${b}']"),
            ("a['\n']", [.key("a"), .key("\n")], #"a['\u{A}']"#),
            (#"a['\u{9b}\u{0041}']"#, [.key("a"), .key("\u{9B}A")], #"a['\u{9B}A']"#),
            ("a.\u{9B}", [.key("a"), .key("\u{9B}")], #"a['\u{9B}']"#),
            ("a.x\u{202E}y", [.key("a"), .key("x\u{202E}y")], #"a['x\u{202E}y']"#),
            ("a.\u{301}e", [.key("a"), .key("\u{301}e")], #"a['\u{301}e']"#),
            ("['\u{301}']", [.key("\u{301}")], #"['\u{301}']"#),
            ("['\\'\u{301}']", [.key("'\u{301}")], "['\\'\u{301}']"),
            ("['\\\\\u{FE0F}']", [.key("\\\u{FE0F}")], "['\\\\\u{FE0F}']"),
            ("a.\u{200D}b", [.key("a"), .key("\u{200D}b")], #"a['\u{200D}b']"#),
            ("a.👩‍👩‍👧", [.key("a"), .key("👩‍👩‍👧")], "a.👩‍👩‍👧"),
        ] as [(String, [PropertyPath.Step], String)])
    func path_isReadAndWritten(text: String, steps: [PropertyPath.Step], canonical: String) throws {
        let path = try PropertyPath(parsing: text)
        #expect(path.steps == steps)
        #expect(path.text == canonical)
        #expect(try PropertyPath(parsing: canonical) == path)
    }

    @Test(
        "Invalid paths",
        arguments: [
            ("", "the path is empty; write the keys of a setting, such as server.port"),
            (".", #"malformed path ".": expected a key at column 1, found ".""#),
            (".a", #"malformed path ".a": expected a key at column 1, found ".""#),
            ("a.", #"malformed path "a.": expected a key at column 3, found the end"#),
            ("server..port", #"malformed path "server..port": expected a key at column 8, found ".""#),
            (
                "server port",
                #"malformed path "server port": expected "." or "[" at column 7, found " "; a key that contains it is written ['…']"#
            ),
            (
                " a",
                #"malformed path " a": expected a key at column 1, found " "; a key that contains it is written ['…']"#
            ),
            (
                "a.$b",
                #"malformed path "a.$b": expected a key at column 3, found "$"; a key that contains it is written ['…']"#
            ),
            (
                "a/b",
                #"malformed path "a/b": expected "." or "[" at column 2, found "/"; keys are separated by dots, and a key that contains it is written ['…']"#
            ),
            (
                "server:port",
                #"malformed path "server:port": expected "." or "[" at column 7, found ":"; keys are separated by dots, and a key that contains it is written ['…']"#
            ),
            (
                "server.host:localhost",
                #"malformed path "server.host:localhost": expected "." or "[" at column 12, found ":"; a path has no default value; write @PropertyValue("server.host", default: "localhost")"#
            ),
            (
                "server.port:80",
                #"malformed path "server.port:80": expected "." or "[" at column 12, found ":"; a path has no default value; write @PropertyValue("server.port", default: 80)"#
            ),
            (
                "${server.port}",
                #"malformed path "${server.port}": expected a key at column 1, found "$"; a path is written without ${ and }, which are for values"#
            ),
            (
                "prices.${region}",
                #"malformed path "prices.${region}": expected a key at column 8, found "$"; a path cannot contain a placeholder; only the default of a placeholder can"#
            ),
            ("a.[0]", #"malformed path "a.[0]": expected a key at column 3, found "[""#),
            (
                "a[0]b",
                #"malformed path "a[0]b": expected "." or "[" at column 5, found "b"; a key that contains it is written ['…']"#
            ),
            ("a]", #"malformed path "a]": expected "." or "[" at column 2, found "]""#),
            ("a[", #"malformed path "a[": expected an index or a quoted key at column 3, found the end"#),
            ("a[]", #"malformed path "a[]": expected an index or a quoted key at column 3, found "]""#),
            ("a[b]", #"malformed path "a[b]": expected an index or a quoted key at column 3, found "b""#),
            ("a[-1]", #"malformed path "a[-1]": expected an index or a quoted key at column 3, found "-""#),
            ("a[+1]", #"malformed path "a[+1]": expected an index or a quoted key at column 3, found "+""#),
            ("a[01]", #"malformed path "a[01]": expected an index without a leading zero at column 3, found "0""#),
            ("a[1", #"malformed path "a[1": expected "]" at column 4, found the end"#),
            ("a[1.5]", #"malformed path "a[1.5]": expected "]" at column 4, found ".""#),
            ("a[1e3]", #"malformed path "a[1e3]": expected "]" at column 4, found "e""#),
            (
                "a[9223372036854775808]",
                #"malformed path "a[9223372036854775808]": expected a smaller index at column 3, found "9""#
            ),
            ("a[٣]", #"malformed path "a[٣]": expected an index or a quoted key at column 3, found "٣""#),
            ("a['b", #"malformed path "a['b": expected the closing quote ' at column 5, found the end"#),
            ("a['b\"]", "malformed path \"a['b\"]\": expected the closing quote ' at column 7, found the end"),
            ("a['b'", #"malformed path "a['b'": expected "]" at column 6, found the end"#),
            ("a['b'x]", #"malformed path "a['b'x]": expected "]" at column 6, found "x""#),
            (
                #"a['\n']"#,
                #"malformed path "a['\n']": expected a quote, a backslash or u{…} after the backslash at column 5, found "n""#
            ),
            (
                #"a['\"#,
                #"malformed path "a['\": expected a quote, a backslash or u{…} after the backslash at column 5, found the end"#
            ),
            (
                #"a['\u{d800}']"#,
                #"malformed path "a['\u{d800}']": expected a quote, a backslash or u{…} after the backslash at column 5, found "u""#
            ),
            (
                "a['\u{301}'\u{301}",
                "malformed path \"a['\u{301}'\u{301}\": expected \"]\" at column 6, found \"\u{301}\""
            ),
            ("a\u{9B}b[x", #"malformed path "a\u{9B}b[x": expected an index or a quoted key at column 5, found "x""#),
            ("é.", #"malformed path "é.": expected a key at column 3, found the end"#),
        ])
    func path_isRefused_withThePlace(text: String, expected: String) throws {
        // An empty key has to be quoted in a path.
        let properties = try Properties(["": ["a": 1], "a": ["": 1], "server": ["": ["port": 1]]] as JSONValue)
        #expect(message { _ = try properties.value(text, as: Int.self) } == expected)
    }

    @Test("Any keys and indexes make a path that reads back")
    func path_readsBack_whateverTheKeys() throws {
        var generator = SeededGenerator(for: #function)
        let letters: [Unicode.Scalar] = [
            "a", "Z", "0", "_", "-", ".", "[", "]", "'", "\"", "\\", " ", "é", "\n", "$", "{", "}", "u", "\u{301}",
            "\u{200D}", "\u{FE0F}", "\u{9B}", "\u{202E}", "\u{2028}", "\u{0}", "\u{1F600}",
        ]
        for _ in 0..<TestScale.count(50_000) {
            let steps = (0..<Int.random(in: 1...4, using: &generator)).map { _ -> PropertyPath.Step in
                if Bool.random(using: &generator) { return .index(Int.random(in: 0...1000, using: &generator)) }
                let length = Int.random(in: 0...6, using: &generator)
                var key = String.UnicodeScalarView()
                key.append(contentsOf: (0..<length).compactMap { _ in letters.randomElement(using: &generator) })
                return .key(String(key))
            }
            let path = PropertyPath(steps)
            try #require(try PropertyPath(parsing: path.text) == path, "\(path.text)")
            try #require(!path.text.unicodeScalars.contains { $0.properties.generalCategory == .control })
        }
    }

    @Test(
        "A change at one path affects readers of paths above and below it",
        arguments: [
            ("server", "server.port", true),
            ("server.port", "server", true),
            ("server.port", "server.port", true),
            ("server['port']", "server.port", true),
            ("server.port", "server.host", false),
            ("serve", "server", false),
            ("servers[1]", "servers[10]", false),
            ("servers[1].name", "servers[1]", true),
        ])
    func paths_areRelated(first: String, second: String, expected: Bool) throws {
        #expect(try PropertyPath(parsing: first).isRelated(to: PropertyPath(parsing: second)) == expected)
    }
}
