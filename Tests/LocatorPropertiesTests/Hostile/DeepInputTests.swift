import LocatorProperties
import TestSupport
import Testing

/// The error of a load on a thread with 512 KB, or its paths.
private func outcome(
    _ files: [String: String], profiles: ProfileList? = nil, environment: [String: String] = [:],
    prefix: String? = nil
) throws -> String {
    try onThread {
        do {
            let properties = try load(files, profiles: profiles, environment: environment, prefix: prefix)
            _ = properties.description
            _ = properties.paths.map { properties.explain($0).description }
            return "loaded \(properties.paths.count)"
        } catch {
            return "\(error)"
        }
    }
}

@Suite("Files, variables, and groups of any depth work on a thread with a 512 KB stack")
struct DeepInputTests {
    private static let limit = JSONValue.nestingLimit

    private static func chain(_ count: Int, below levels: Int) -> String {
        let open = String(repeating: "[", count: levels)
        let close = String(repeating: "]", count: levels)
        let members = (0..<count).map { #""a\#($0)":\#(open)"${a\#($0 + 1)}"\#(close)"# }
        return "{\(members.joined(separator: ",")),\"a\(count)\":1}"
    }

    @Test("A file with the maximum number of levels", arguments: ["[", "{\"a\":"])
    func levels_areRead_whenTheyAreAllowed(bracket: String) throws {
        let close = bracket == "[" ? "]" : "}"
        let count = Self.limit - 1
        let deep = String(repeating: bracket, count: count) + "\"${b}\"" + String(repeating: close, count: count)
        #expect(try outcome(["": "{\"a\":\(deep),\"b\":1}", "p": "{\"a\":\(deep)}"], profiles: "p") == "loaded 2")
    }

    @Test("A placeholder chain of maximum length", .oneThread)
    func chain_isResolved_whenItIsAllowed() throws {
        #expect(try outcome(["": Self.chain(256, below: 0)]) == "loaded 257")
    }

    @Test("A longer chain, and one through arrays, names the placeholder that goes too deep")
    func chain_ends() throws {
        #expect(
            try outcome(["": Self.chain(257, below: 0)])
                == "a256: placeholders lead to placeholders more than 256 deep (application.json:1:4143)")
        let wide = try outcome(["": Self.chain(100, below: 100)])
        #expect(
            wide.hasPrefix("a0[0]")
                && wide.contains(
                    ": placeholders build a value of more than 128 levels of arrays and objects (application.json:1:107)"
                ))
        let narrow = try outcome(["": Self.chain(100, below: 30)])
        #expect(
            narrow.hasSuffix(
                ": placeholders build a value of more than 128 levels of arrays and objects (application.json:1:7144)"))
    }

    @Test("Arrays of 400 levels are an error before anything is resolved")
    func chain_isRefused_whenArraysAreTooDeep() throws {
        let message = try outcome(["": Self.chain(100, below: 400)])
        #expect(
            message
                == "application.json:1:\(6 + Self.limit): expected at most 128 levels of arrays and objects, found another"
        )
    }

    @Test("Defaults within defaults")
    func defaults_end() throws {
        func text(_ count: Int) -> String {
            let open = (0..<count).map { "${n\($0):" }.joined()
            return #"{"a":"\#(open)x\#(String(repeating: "}", count: count))"}"#
        }
        #expect(try outcome(["": text(32)]) == "loaded 1")
        let message = try outcome(["": text(33)])
        #expect(
            message
                == "a: the placeholder has more than 32 nested defaults (application.json:1:6)")
        #expect(try outcome(["": text(100_000)]).hasPrefix("a: the placeholder has more than 32 nested defaults"))
    }

    @Test("Profile groups 20,000 deep", .oneThread)
    func groups_areExpanded() throws {
        let groups = (0..<20_000).map { #""g\#($0)":["g\#($0 + 1)"]"# }
        func base(_ last: String) -> String {
            #"{"locator":{"profiles":{"groups":{\#(groups.joined(separator: ",")),"g20000":["\#(last)"]}}}}"#
        }
        #expect(try outcome(["": base("p"), "p": "{}"], profiles: "g0").hasPrefix("loaded"))
        let message = try outcome(["": base("g7"), "p": "{}"], profiles: "g0")
        #expect(
            message == """
                locator.profiles.groups: profile groups contain each other: g7 -> g8 -> g9 -> g10 -> g11 -> g12 -> \
                … (19983 more) … -> g19996 -> g19997 -> g19998 -> g19999 -> g20000 -> g7 (application.json:1:124)
                """)
    }

    @Test("A variable of 40,000 segments, and one whose JSON is too deep at its place")
    func variable_isRefused() throws {
        let name = "S_" + String(repeating: "A__", count: 40_000) + "A"
        #expect(
            try outcome(["": "{}"], environment: [name: "1"], prefix: "S_")
                == "S_A__A__A__A__A__A__A__A__A__A__A__A__A__A__A__A__A__A__A__A__A_… goes down more than 128 levels of arrays and objects"
        )
        let deep = String(repeating: "[", count: Self.limit) + String(repeating: "]", count: Self.limit)
        let whole = try outcome(["": #"{"o":{"a":[]}}"#], environment: ["S_O__A": deep], prefix: "S_")
        #expect(whole == "o.a: S_O__A goes down more than 128 levels of arrays and objects")
        let segments = "S_" + Array(repeating: "A", count: Self.limit).joined(separator: "__")
        #expect(try outcome(["": "{}"], environment: [segments: "1"], prefix: "S_") == "loaded 1")
    }

    @Test("An override of a module whose path is too long")
    func override_isRefused() throws {
        let path = Array(repeating: "a", count: 40_000).joined(separator: ".")
        let text = try onThread { () -> String? in
            message { _ = try Properties(overrides: [path: 1], name: "module Deep") }
        }
        #expect(text == "module Deep: expected at most 128 levels of arrays and objects, found more")
    }

    private struct Tree: Decodable {
        let a: [Tree]
    }

    private struct Endless: Decodable {
        init(from decoder: any Decoder) throws { _ = try decoder.singleValueContainer().decode(Endless.self) }
    }

    @Test("Types that follow a tree, or themselves")
    func decoding_ends() throws {
        let deep = try onThread { () -> String in
            let text = String(repeating: #"{"a":["#, count: 60) + String(repeating: "]}", count: 60)
            let properties = try load(["": #"{"t":\#(text)}"#])
            _ = try properties.value("t", as: Tree.self)
            _ = try properties.value("t", as: JSONValue.self)
            return message { _ = try properties.value("t", as: Endless.self) } ?? ""
        }
        #expect(deep == "t: expected at most 128 levels of nested values, found another (application.json:1:6)")
    }
}
