import LocatorProperties
import Testing

private let base = #"""
    {
      "hosts": ["a", "b"],
      "nodes": [{"name": "n", "tags": ["t"]}, "x"],
      "ports": {"80": "http"},
      "pins": {"list": [1, [2, 3]]},
      "none": null
    }
    """#

@Suite("A variable with a number sets one element of a list")
struct ListElementTests {
    @Test(
        "What a variable changes",
        arguments: [
            (["S_HOSTS__0": "x"], "hosts", #"["x","b"]"#),
            (["S_HOSTS__1": "x", "S_HOSTS__2": "y", "S_HOSTS__3": "z"], "hosts", #"["a","x","y","z"]"#),
            (["S_HOSTS": #"["q"]"#, "S_HOSTS__1": "r"], "hosts", #"["q","r"]"#),
            (["S_NODES__0__NAME": "m"], "nodes[0]", #"{"name":"m","tags":["t"]}"#),
            (["S_NODES__0__MAX_SIZE": "1"], "nodes[0]", #"{"name":"n","tags":["t"],"maxSize":"1"}"#),
            (["S_NODES__0__TAGS__1": "u"], "nodes[0].tags", #"["t","u"]"#),
            (["S_NODES__2__NAME": "o", "S_NODES__2__TAGS__0": "v"], "nodes[2]", #"{"name":"o","tags":["v"]}"#),
            (["S_NODES__0": #"{"name": "m"}"#], "nodes[0]", #"{"name":"m","tags":["t"]}"#),
            (["S_PINS__LIST__1__1": "4"], "pins.list", #"[1,[2,"4"]]"#),
            (["S_PORTS__80": "x", "S_PORTS__8080": "y"], "ports", #"{"80":"x","8080":"y"}"#),
            (["S_NEW__0": "a", "S_NEW__1": "b"], "new", #"["a","b"]"#),
            (
                ["S_NEW__0__NAME": "a", "S_NEW__0__DEEP__X": "c", "S_NEW__1": "b"], "new",
                #"[{"deep":{"x":"c"},"name":"a"},"b"]"#
            ),
            (["S_NEW__0__0": "a", "S_NEW__0__1": "b"], "new", #"[["a","b"]]"#),
            (["S_NONE__0": "a"], "none", #"["a"]"#),
            (["S_NONE__X__0": "a"], "none", #"{"x":["a"]}"#),
            (["S_0": "a"], "['0']", #""a""#),
            (["S_NEW__01": "a"], "new", #"{"01":"a"}"#),
        ] as [([String: String], String, String)])
    func variable_setsElement(environment: [String: String], path: String, expected: String) throws {
        let properties = try load(["": base], environment: environment, prefix: "S_")
        #expect(properties[path]?.text() == expected)
    }

    @Test("Twelve elements come in the order of their numbers")
    func elements_areOrdered() throws {
        let names = (0..<12).map { ("S_NEW__\($0)", "\($0)") }
        let properties = try load(["": "{}"], environment: Dictionary(uniqueKeysWithValues: names), prefix: "S_")
        #expect(try properties.value("new", as: [Int].self) == Array(0..<12))
    }

    @Test("Elements convert like other variables, and other elements are unchanged")
    func element_converts() throws {
        let properties = try load(
            ["": #"{"ports": [1, 2], "flags": ["${x}", "a"], "x": true}"#],
            environment: ["S_PORTS__1": "3", "S_FLAGS__1": "${x}"], prefix: "S_")
        #expect(try properties.value("ports", as: [Int].self) == [1, 3])
        #expect(properties["flags"] == [true, "${x}"])
    }

    @Test("A null in the JSON of an element stays, and one in the JSON of an object outside of arrays removes")
    func null_staysInElement() throws {
        let environment = ["S_NODES__2": #"{"a": null}"#, "S_NEW": #"{"a": null, "b": 1}"#]
        let properties = try load(["": base], environment: environment, prefix: "S_")
        #expect(try properties.value("nodes[2]", as: [String: Int?].self) == ["a": nil])
        #expect(properties["nodes[2].a"] == .some(.null))
        #expect(try properties.value("new", as: [String: Int?].self) == ["b": 1])
        #expect(properties["new.a"] == nil)
    }

    @Test(
        "A gap, and a number for a value without elements, are errors",
        arguments: [
            (
                ["S_HOSTS__3": "x"],
                "S_HOSTS__3 is for element 3 of hosts, which has 2 so far; the next one is S_HOSTS__2"
            ),
            (
                ["S_HOSTS__2": "x", "S_HOSTS__4": "y"],
                "S_HOSTS__4 is for element 4 of hosts, which has 3 so far; the next one is S_HOSTS__3"
            ),
            (
                ["S_NEW__8080": "x"],
                "S_NEW__8080 is for element 8080 of new, which has none so far; the next one is S_NEW__0. Where the number is a key, write new as an object in a profile file"
            ),
            (
                ["S_NEW__0__1": "x"],
                "S_NEW__0__1 is for element 1 of new[0], which has none so far; the next one is S_NEW__0__0. Where the number is a key, write new[0] as an object in a profile file"
            ),
            (
                ["S_PINS__LIST__1__3": "x"],
                "S_PINS__LIST__1__3 is for element 3 of pins.list[1], which has 2 so far; the next one is S_PINS__LIST__1__2"
            ),
            (
                ["S_HOSTS__3__3": "x"],
                "S_HOSTS__3__3 is for element 3 of hosts, which has 2 so far; the next one is 2"
            ),
            (
                ["S_HOSTS__0__X": "x"],
                "hosts[0].x: S_HOSTS__0__X names a part of hosts[0], which is a string; set hosts[0] as a whole"
            ),
            (
                ["S_NODES__0_NAME": "x"],
                #"nodes.0Name: S_NODES__0_NAME names no part of an element, because "__" separates the keys of a path; did you mean S_NODES__0__NAME?"#
            ),
            (["S_HOSTS__X": "x"], "hosts.x: S_HOSTS__X names a part of hosts, which is an array; set hosts as a whole"),
            (
                ["S_HOSTS__01": "x"],
                "hosts.01: S_HOSTS__01 names a part of hosts, which is an array; set hosts as a whole"
            ),
            (
                ["S_HOSTS__99999999999999999999": "x"],
                "hosts.99999999999999999999: S_HOSTS__99999999999999999999 names a part of hosts, which is an array; set hosts as a whole"
            ),
            (
                ["S_NODES__0": "x"],
                #"nodes[0]: expected an object as JSON, such as S_NODES__0='{"key": "value"}', found text that is not JSON (environment variable S_NODES__0)"#
            ),
        ])
    func variable_isRefused(environment: [String: String], expected: String) {
        #expect(message { _ = try load(["": base], environment: environment, prefix: "S_") } == expected)
    }

    @Test("The error for an array that a variable has begun says how to use numbers as keys")
    func numbersAsKeys() throws {
        let properties = try load(["": "{}"], environment: ["S_PORTS__0": "80"], prefix: "S_")
        #expect(
            message { _ = try properties.value("ports", as: [Int: Int].self) }
                == "ports: expected [Int: Int] (an object), found an array; a number in the name of a variable is an index, unless a profile file has an object there (environment variable S_PORTS__0)"
        )
        let object = try load(["": #"{"ports": {}}"#], environment: ["S_PORTS__0": "80"], prefix: "S_")
        #expect(try object.value("ports", as: [Int: Int].self) == [0: 80])
    }

    @Test("Explain says where each element comes from")
    func elements_areExplained() throws {
        let environment = ["S_HOSTS__1": "x", "S_NODES__0__TAGS__1": "u", "S_NEW__0": "n"]
        let properties = try load(["": base], environment: environment, prefix: "S_")
        #expect(
            properties.explain("hosts").description == """
                hosts = ["a","x"]
                  part from environment variable S_HOSTS__1 {"[1]":"x"}
                  part from application.json:2:12 ["a","b"]
                """)
        #expect(properties.explain("hosts[0]").origin?.description == "application.json:2:13")
        #expect(
            properties.explain("hosts[1]").description == """
                hosts[1] = "x"
                  from environment variable S_HOSTS__1 "x"
                  over application.json:2:18 "b"
                """)
        #expect(
            properties.explain("nodes[0]").description == """
                nodes[0] = {"name":"n","tags":["t","u"]}
                  part from environment variable S_NODES__0__TAGS__1 {"tags":{"[1]":"u"}}
                  part from application.json:3:13 {"name":"n","tags":["t"]}
                """)
        #expect(
            properties.explain("new").description == """
                new = ["n"]
                  part from environment variable S_NEW__0 {"[0]":"n"}
                """)
    }

    @Test("Explain says that an array of another layer or file is replaced as a whole")
    func replacedArray_isExplained() throws {
        let files = ["": #"{"nodes": [{"a": 1}]}"#, "prod": #"{"nodes": [{"b": 2}]}"#]
        #expect(
            try load(files, profiles: "prod").explain("nodes[0]").description == """
                nodes[0] = {"b":2}
                  from application-prod.json:1:12 {"b":2}
                  over application.json:1:12 {"a":1}
                """)
        let changed = try load(files, profiles: "prod", environment: ["S_NODES__0__C": "x"], prefix: "S_")
        #expect(
            changed.explain("nodes[0]").description == """
                nodes[0] = {"b":2,"c":"x"}
                  part from environment variable S_NODES__0__C {"c":"x"}
                  part from application-prod.json:1:12 {"b":2}
                  over application.json:1:12 {"a":1}
                """)
        let module = try Properties(overrides: ["new": ["a", "b"], "nodes": [["d": 4]]], name: "module Shop")
        let base = try load(["": "{}"], environment: ["S_NEW__0": "n", "S_NODES__0__C": "x"], prefix: "S_")
        let stacked = Properties.stacked(above: [], base: base, below: [module])
        #expect(
            stacked.explain("new").description == """
                new = ["n"]
                  part from environment variable S_NEW__0 {"[0]":"n"}
                  over module Shop ["a","b"]
                """)
        #expect(
            stacked.explain("nodes[0]").description == """
                nodes[0] = {"c":"x"}
                  from environment variable S_NODES__0__C {"c":"x"}
                  over module Shop {"d":4}
                """)
    }

    @Test("An element of a list of secrets counts, and a secret element is masked")
    func element_isSecret() throws {
        let base = #"{"locator": {"secrets": ["pins[1]"]}, "pins": ["1", "2"], "code": "AB"}"#
        let properties = try load(
            ["": base], environment: ["S_LOCATOR__SECRETS__1": "code", "S_PINS__1": "3"], prefix: "S_"
        )
        #expect(properties.resolvedText.hasSuffix(#"pins[0]="1" pins[1]="<secret>" code="<secret>""#))
        #expect(
            message {
                _ = try load(["": base], environment: ["S_LOCATOR__SECRETS__1": "a..b"], prefix: "S_")
            } == """
                locator.secrets[1]: malformed path "a..b": expected a key at column 3, found "." (environment variable \
                S_LOCATOR__SECRETS__1)
                """)
        let slip = try load(
            ["": #"{"nodes": [{"name": "n"}]}"#], environment: ["S_NODES__0__PASSWRD": "x"], prefix: "S_")
        #expect(slip["nodes"]?.text() == #"[{"name":"n","passwrd":"<secret>"}]"#)
    }

    @Test("A list that a typo adds is a warning, and an element is not")
    func list_isNear() throws {
        let environment = ["S_HOTS__0": "x", "S_HOTS__1": "y", "S_HOSTS__2": "z"]
        let properties = try load(["": base], environment: environment, prefix: "S_")
        #expect(
            properties.environmentWarnings.map(\.description) == [
                "S_HOTS__0 overrides nothing and adds hots[0]; did you mean S_HOSTS for hosts?"
            ])
    }

    @Test(
        "A variable with other underscores is meant for the element",
        arguments: [
            ("S_HOSTS_0", "S_HOSTS__0 for hosts[0]"), ("S_HOSTS_7", "S_HOSTS__7 for hosts[7]"),
            ("S_NODES_0_NAME", "S_NODES__0__NAME for nodes[0].name"),
            ("S_NODES_0__NAME", "S_NODES__0__NAME for nodes[0].name"),
            ("S_NODES_0_TAGS_1", "S_NODES__0__TAGS__1 for nodes[0].tags[1]"),
            ("S_NODES_4_NAME", "S_NODES__4__NAME for nodes[4].name"),
            ("S_PINS_LIST_0", "S_PINS__LIST__0 for pins.list[0]"),
            ("S_PINS_LIST_1_0", "S_PINS__LIST__1__0 for pins.list[1][0]"),
            ("S_NO_ELEMENTS_0", "S_NO_ELEMENTS__0 for noElements[0]"),
            ("S_RULES_80_1", "S_RULES__80__1 for rules.80[1]"), ("S_NODES_NAME", nil),
            ("S_0", nil),
        ] as [(String, String?)])
    func otherUnderscores_areReported(variable: String, meant: String?) throws {
        let files = base.dropLast(2) + #", "noElements": [], "rules": {"80": ["a"]}}"#
        let properties = try load(["": String(files)], environment: [variable: "x"], prefix: "S_")
        let warnings = properties.environmentWarnings.map(\.description)
        let ends = meant.map { ["; did you mean \($0)?"] } ?? []
        #expect(warnings.count == ends.count && zip(warnings, ends).allSatisfy { $0.hasSuffix($1) }, "\(warnings)")
    }

    @Test(
        "A key that a variable adds to an element is a probable typo if the element has a similar one",
        arguments: [
            ("S_NODES__0__NAEM", "S_NODES__0__NAME for nodes[0].name"), ("S_NODES__0__PORT", nil),
            ("S_NODES__2__NAEM", nil), ("S_NODES__2__NAME", nil), ("S_HOSTS__2", nil), ("S_MANY__101__NAME", nil),
        ] as [(String, String?)])
    func partOfElement_isNear(variable: String, meant: String?) throws {
        let many = repeatElement(#"{"name": "n"}"#, count: 101).joined(separator: ", ")
        let files = base.dropLast(2) + ", \"many\": [\(many)]}"
        let properties = try load(["": String(files)], environment: [variable: "x"], prefix: "S_")
        let warnings = properties.environmentWarnings.map(\.description)
        let ends = meant.map { ["; did you mean \($0)?"] } ?? []
        #expect(warnings.count == ends.count && zip(warnings, ends).allSatisfy { $0.hasSuffix($1) }, "\(warnings)")
    }

    @Test("The cost of setting ten thousand elements grows in proportion")
    func elements_areMany() throws {
        let names = (0..<10_000).map { ("S_NEW__\($0)__NAME", "\($0)") }
        let properties = try load(["": "{}"], environment: Dictionary(uniqueKeysWithValues: names), prefix: "S_")
        #expect(properties["new[9999].name"] == "9999")
    }
}
