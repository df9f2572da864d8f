import LocatorProperties
import TestSupport
import Testing

private func module(_ name: String, _ overrides: [String: JSONValue]) throws -> Properties {
    try Properties(overrides: overrides, name: "module \(name)")
}

@Suite("Layers are merged leaf by leaf, and the first one wins")
struct StackedTests {
    @Test("Above, then the environment, then files, then below")
    func layers_inOrder() throws {
        let base = try load(
            ["": #"{"a": "file", "b": "file", "c": "file"}"#], environment: ["SHOP_B": "environment"], prefix: "SHOP_")
        let stacked = Properties.stacked(
            above: [try module("First", ["a": "first"]), try module("Second", ["a": "second", "x": "second"])],
            base: base,
            below: [
                try module("Third", ["c": "third", "d": "third"]),
                try module("Fourth", ["d": "fourth", "e": "fourth"]),
            ])
        #expect(
            ["a", "b", "c", "d", "e", "x"].map { stacked[$0] } == [
                "first", "environment", "file", "third", "fourth", "second",
            ])
        #expect(stacked.paths == ["d", "e", "c", "a", "b", "x"])
    }

    @Test("Objects merge over all layers, null removes, everything else is replaced")
    func objects_merge() throws {
        let base = try load(["": #"{"server": {"host": "h", "port": 1, "tags": [1, 2]}}"#])
        let stacked = Properties.stacked(
            above: [try module("Up", ["server.port": 2, "server.host": nil, "server.tags": [3]])], base: base,
            below: [try module("Down", ["server.timeout": "1s", "server.host": "below"])])
        #expect(stacked["server"]?.text() == #"{"timeout":"1s","port":2,"tags":[3]}"#)
        #expect(stacked["server.host"] == nil)
        #expect(stacked["server.tags[1]"] == nil)
        let empty = Properties.stacked(above: [try module("Up", ["server": nil])], base: base, below: [])
        #expect(empty.paths == [])
        #expect(empty["server.port"] == nil)
        #expect(
            message { _ = try empty.value("server.port", as: Int.self) }
                == "server.port: expected Int, found null, which removes it (module Up)")
    }

    @Test(
        "A value that replaces or removes an object also hides the parts that layers below it have",
        arguments: [
            (["a": ["x": 1]], ["a": 5], ["a": ["y": 2]], #"{"x":1}"#),
            (["a": ["x": 1]], ["a": nil], ["a": ["y": 2]], #"{"x":1}"#),
            (["a": ["x": 1]], ["a": [5]], ["a": ["y": 2]], #"{"x":1}"#),
            (["a": ["x": 1]], [:], ["a": 5], #"{"x":1}"#),
            (["a": ["x": ["z": 1]]], ["a": 5], ["a": ["x": ["y": 2]]], #"{"x":{"z":1}}"#),
            (["a": ["x": ["z": 1]]], ["a": nil], ["a": ["x": ["y": 2]]], #"{"x":{"z":1}}"#),
            (["a": [[:]]], [:], ["a": [["y": 2]]], "[{}]"),
            (["a": [["x": 1]]], ["a": ["y": 1]], ["a": [["y": 2], 3]], #"[{"x":1}]"#),
            ([:], ["a": ["x": nil]], ["a": ["x": 1, "y": 2]], #"{"y":2}"#),
            (["a": ["x": ["z": 1]]], ["a": ["x": 5]], ["a": ["x": ["y": 2], "w": 3]], #"{"x":{"z":1},"w":3}"#),
        ] as [([String: JSONValue], [String: JSONValue], [String: JSONValue], String)])
    func parts_areHidden(
        first: [String: JSONValue], second: [String: JSONValue], third: [String: JSONValue], expected: String
    ) throws {
        let below = [try module("Third", third)]
        let layers = Properties.stacked(
            above: [try module("First", first)], base: try module("Second", second), below: below)
        // Two files of one load are one layer.
        func text(_ values: [String: JSONValue]) -> String {
            "{\(values.map { "\"\($0)\": \($1.text())" }.joined(separator: ", "))}"
        }
        let files = try load(["": text(second), "prod": text(first)], profiles: ["prod"])
        let merged = try JSONValue(parsing: expected)
        for stacked in [layers, Properties.stacked(above: [], base: files, below: below)] {
            #expect(stacked["a"] == merged)
            let whole = try Properties(["a": merged])
            for path in ["a.x", "a.y", "a.w", "a.x.y", "a.x.z", "a[0]", "a[0].x", "a[0].y", "a[1]"] {
                #expect(stacked[path] == whole[path], "\(path)")
            }
        }
    }

    @Test("An object also hides the parts that a placeholder below it leads to")
    func parts_ofAPlaceholderAreHidden() throws {
        let stacked = Properties.stacked(
            above: [try module("Test", ["mail.host": "localhost"])],
            base: try load(["": ##"{"mail": "${prod.mail}", "prod": {"mail": {"host": "smtp", "password": "pw"}}}"##]),
            below: [])
        #expect(stacked["mail"] == ["host": "localhost"])
        #expect(stacked["mail.password"] == nil)
        #expect(stacked.paths == ["mail.host", "prod.mail.host", "prod.mail.password"])
    }

    @Test("A variable whose object replaces a null hides the parts that layers below it have")
    func variable_hidesParts() throws {
        let base = try load(["": #"{"mail": null}"#], environment: ["SHOP_MAIL__HOST": "smtp"], prefix: "SHOP_")
        let stacked = Properties.stacked(
            above: [], base: base, below: [try module("Down", ["mail.host": "dev", "mail.copy": "dev@x"])])
        #expect(stacked["mail"] == ["host": "smtp"])
        #expect(stacked["mail.copy"] == nil)
        #expect(stacked.paths == ["mail.host"])
        #expect(
            stacked.explain("mail.copy").description == """
                mail.copy is removed
                  removed by application.json:1:10
                  over module Down "dev@x"
                """)
    }

    @Test("No null is left in an object that is merged from several layers")
    func nulls_areRemoved() throws {
        let base = try load(["": #"{"o": {"a": 5, "b": {"x": null, "y": {"z": null}}, "l": [{"x": null}]}}"#])
        let up = try module("Up", ["o": ["a": ["x": nil, "y": 1], "c": ["x": ["y": nil]]]])
        let stacked = Properties.stacked(above: [up], base: base, below: [])
        #expect(stacked["o"]?.text() == #"{"a":{"y":1},"b":{"y":{}},"l":[{"x":null}],"c":{"x":{}}}"#)
    }

    @Test("A null in a file also removes the value of a layer below")
    func null_reachesBelow() throws {
        let base = try load(["": #"{"debug": null, "mail": {"url": null}}"#])
        let stacked = Properties.stacked(
            above: [], base: base, below: [try module("Down", ["debug": true, "mail.url": "x", "mail.from": "y"])])
        #expect(stacked.resolvedText == #"mail.from="y""#)
    }

    @Test("Variables override values that only a layer below has")
    func environment_reachesBelow() throws {
        let environment = ["SHOP_MAIL__API_URL": "https://mail", "SHOP_MAIL__RETRIES": "7", "SHOP_LIMIT": "9"]
        let base = try load(["": #"{"name": "shop"}"#], environment: environment, prefix: "SHOP_")
        let defaults = try module("Mail", ["mail.apiURL": "http://localhost", "mail.retries": 3, "mail.from": "x"])
        let stacked = Properties.stacked(above: [try module("Up", ["limit": 1])], base: base, below: [defaults])
        #expect(stacked["mail.apiURL"] == "https://mail")
        #expect(try stacked.value("mail.retries", as: Int.self) == 7)
        #expect(stacked["mail.from"] == "x")
        #expect(stacked["limit"] == 1)
        let mail = try #require(stacked["mail"])
        #expect([mail["apiURL"], mail["retries"], mail["from"]] == ["https://mail", "7", "x"])
        #expect(
            stacked.explain("mail.APIUrl").description
                == "mail.APIUrl is missing; did you mean mail.apiURL or mail.apiUrl?")
        #expect(
            stacked.explain("mail.apiURL").description == """
                mail.apiURL = "https://mail"
                  from environment variable SHOP_MAIL__API_URL "https://mail"
                  over module Mail "http://localhost"
                """)
    }

    @Test(
        "A variable matches the keys of layers below as it matches those of files",
        arguments: [
            (["SHOP_A_B": "x"], ["a-b": 1], ["a-b": "x", "aB": "x"]),
            (["SHOP_A_B__C": "x"], ["a-b": ["c": 1, "d": 2]], ["a-b": ["c": "x", "d": 2], "aB": ["c": "x"]]),
            (["SHOP_A_B__E": "x"], ["a-b": ["d": 2]], ["a-b": ["d": 2, "e": "x"], "aB": ["e": "x"]]),
            (
                ["SHOP_A_B": #"{"c": 3, "e": 4}"#], ["A_B": ["c": 1, "d": 2]],
                ["A_B": ["c": 3, "d": 2, "e": 4], "A_B.c": 3, "A_B.d": 2, "A_B.e": 4, "aB": #"{"c": 3, "e": 4}"#]
            ),
            (["SHOP_A": #"{"c": 3, "e": 4}"#], ["a": ["c": 1, "d": 2]], ["a": ["c": 3, "d": 2, "e": 4], "a.d": 2]),
            (["SHOP_A__B": #"{"c": 3}"#], ["a": ["b": ["d": 2]]], ["a": ["b": ["c": 3, "d": 2]]]),
            (["SHOP_A": #"{"c": 3}"#, "SHOP_B": "4"], ["a": ["d": 2]], ["a": ["c": 3, "d": 2], "b": "4"]),
            (["SHOP_A": "text"], ["a": ["c": 1]], ["a": "text"]),
            (["SHOP_A": #"{"c": 3}"#], ["a": [1]], ["a": #"{"c": 3}"#]),
            (["SHOP_A": #"{"c": 3}"#], ["a": 1], ["a": #"{"c": 3}"#]),
            (["SHOP_A": "[3]"], ["a": [1, 2]], ["a": "[3]", "a[0]": 3, "a[1]": nil]),
            (["SHOP_A_B": "[3]"], ["a-b": [1, 2]], ["a-b": [3], "aB": "[3]"]),
            (["SHOP_A__0": "x", "SHOP_A__1": "y"], ["a": [1, 2, 3]], ["a": ["x", "y"]]),
            (["SHOP_A_B__0": "x", "SHOP_A_B__1": "y"], ["a-b": [1, 2, 3]], ["a-b": ["x", "y"], "aB": ["x", "y"]]),
            (["SHOP_A_B__0__C": "x"], ["a-b": [["c": 1, "d": 2]]], ["a-b": [["c": "x"]]]),
            (["SHOP_FILE_B": "x"], ["file-b": 1], ["file_b": "x", "file-b": 1]),
            (["SHOP_A_B__E__F": "x"], ["a-b": ["d": 2]], ["a-b": ["d": 2, "e": ["f": "x"]], "aB": ["e": ["f": "x"]]]),
            (["SHOP_A_B__E__F__0": "x"], ["a-b": ["d": 2]], ["a-b": ["d": 2, "e": ["f": ["x"]]]]),
            (["SHOP_C__A_B__E__F": "x"], ["c": ["a-b": ["d": 2]]], ["c.a-b": ["d": 2, "e": ["f": "x"]]]),
            (["SHOP_A_B": "text"], ["a-b": ["c": 1]], ["a-b": "text", "a-b.c": nil, "aB": "text"]),
            (["SHOP_A_B": #"{"c": 3"#], ["a-b": ["c": 1]], ["a-b": #"{"c": 3"#, "a-b.c": nil]),
            (["SHOP_A_B": "[3]"], ["a-b": ["c": 1]], ["a-b": "[3]", "a-b.c": nil]),
            (["SHOP_A_B__C__D": "x"], ["a-b": ["c": 1]], ["a-b": ["c": ["d": "x"]]]),
            (["SHOP_A_B__C__D": "x"], ["a-b": ["c": [1]]], ["a-b": ["c": ["d": "x"]]]),
        ] as [([String: String], [String: JSONValue], [String: JSONValue?])])
    func environment_matchesKeysBelow(
        environment: [String: String], defaults: [String: JSONValue], expected: [String: JSONValue?]
    ) throws {
        let base = try load(["": #"{"file_b": 0}"#], environment: environment, prefix: "SHOP_")
        let below = try module("M", defaults)
        let other = try module("Other", ["z": 1])
        // It does not matter how often the files are loaded.
        for base in [base, try base.overlaid(by: base)] {
            for stacked in [
                Properties.stacked(above: [], base: base, below: [below]),
                Properties.stacked(above: [], base: base, below: [other, below]),
                Properties.stacked(above: [other], base: base, below: [below]),
            ] {
                for (path, value) in expected { #expect(stacked[path] == value, "\(path)") }
            }
        }
    }

    @Test("Of the variables that two sources have for one key, the later one wins above every layer")
    func variablesOfTwoSources_areInOrder() throws {
        let module = try module("M", ["client": ["host": "h", "port": 1], "http-client": ["host": "h"]])
        func stacked(_ environment: [String: String]) throws -> Properties {
            var source = PropertiesSource(
                .folder("Config"), environment: environment,
                overrides: [.environment(prefix: "A_"), .environment(prefix: "B_")])
            source.fileSystem = .inMemory(["Config/application.json": "{}"])
            return Properties.stacked(above: [], base: try source.load(), below: [module])
        }
        let both = try stacked([
            "A_CLIENT": #"{"port": 2, "user": "a"}"#, "B_CLIENT": #"{"port": 3}"#,
            "A_HTTP_CLIENT": #"{"port": 2}"#, "B_HTTP_CLIENT": #"{"port": 3}"#,
            "A_NAME": "a", "B_NAME": "b",
            "A_LIST__0": "a", "B_LIST__1": "b",
        ])
        #expect(both["client"] == ["host": "h", "port": 3, "user": "a"])
        #expect(both["http-client"] == ["host": "h", "port": 3])
        #expect(both["name"] == "b")
        #expect(both["list"] == ["a", "b"])
        #expect(try stacked(["A_CLIENT": #"{"port": 2}"#, "B_CLIENT": "none"])["client"] == "none")
        let merged: JSONValue = ["host": "h", "port": 2]
        #expect(try stacked(["A_CLIENT": "none", "B_CLIENT": #"{"port": 2}"#])["client"] == merged)
    }

    @Test("A JSON object of a variable stays a text where a layer in between hides the object it is merged with")
    func environmentObject_isNotHidden() throws {
        let base = try load(["": "{}"], environment: ["SHOP_A": #"{"c": 3}"#], prefix: "SHOP_")
        let object = try module("Object", ["a": ["c": 1, "d": 2]])
        for hiding in [["a": [1]], ["a": nil], ["a": true]] as [[String: JSONValue]] {
            let stacked = Properties.stacked(above: [], base: base, below: [try module("Hiding", hiding), object])
            #expect(stacked["a.c"] == 3)
            #expect(stacked["a.d"] == nil)
        }
        // What is hidden itself does not matter.
        for hidden in [["a": [1]], ["a": nil], ["a": true]] as [[String: JSONValue]] {
            let below = [object, try module("Hidden", hidden), object]
            let stacked = Properties.stacked(above: [], base: base, below: below)
            #expect(stacked["a"] == ["c": 3, "d": 2])
        }
        let two = Properties.stacked(above: [], base: base, below: [try module("Top", ["a": ["e": 5]]), object])
        #expect(two["a"] == ["c": 3, "d": 2, "e": 5])
        #expect(
            two.explain("a.c").description == """
                a.c = 3
                  from environment variable SHOP_A:1:7 3
                  over module Object 1
                """)
        #expect(
            two.explain("a").description == """
                a = {"c":3,"d":2,"e":5}
                  part from environment variable SHOP_A:1:1 {"c":3}
                  part from module Top {"e":5}
                  part from module Object {"c":1,"d":2}
                """)
    }

    @Test(
        "A variable that does not fit the value of a layer below is an error of that value",
        arguments: [
            (
                ["SHOP_HTTP_CLIENT": "oops"],
                #"http-client: expected [String: Int] as JSON, such as {"key": "value"}, found text that is not JSON (environment variable SHOP_HTTP_CLIENT)"#
            ),
            (
                ["SHOP_HTTP_CLIENT": #"{"port": 2"#],
                "http-client: expected [String: Int] as JSON, found text that is not JSON: 1:11: expected ',' or '}', found the end of the text; the object from 1:1 is not closed (environment variable SHOP_HTTP_CLIENT)"
            ),
            (
                ["SHOP_HTTP_CLIENT": "[1]"],
                #"http-client: expected [String: Int] (an object), found text "[1]" (environment variable SHOP_HTTP_CLIENT)"#
            ),
            (
                ["SHOP_HTTP_CLIENT__PORT__X": "5"],
                "http-client.port: expected Int, found an object (environment variable SHOP_HTTP_CLIENT__PORT__X)"
            ),
        ])
    func misfit_isAnError(environment: [String: String], expected: String) throws {
        let base = try load(["": "{}"], environment: environment, prefix: "SHOP_")
        // The spelling of the key does not matter.
        for key in ["http-client", "httpClient"] {
            let stacked = Properties.stacked(
                above: [], base: base, below: [try module("HTTP", [key: ["port": 1]])])
            #expect(
                message { _ = try stacked.value(key, as: [String: Int].self) }
                    == expected.replacing("http-client", with: key))
        }
    }

    @Test("A secret in a variable that does not fit the value of a layer below is not shown")
    func misfit_isMasked() throws {
        for text in [#"{"password": "hunter2""#, #"{"code": "hunter2""#] {
            let base = try load(
                ["": #"{"locator": {"secrets": ["a-b.code"]}}"#], environment: ["SHOP_A_B": text], prefix: "SHOP_")
            let defaults = try module("M", ["a-b": ["code": "", "password": ""]])
            let stacked = Properties.stacked(above: [], base: base, below: [defaults])
            #expect(stacked["a-b"]?.text(showingSecrets: true).contains("hunter2") == true)
            #expect(!stacked.explain("a-b").description.contains("hunter"))
            #expect(!"\(stacked)".contains("hunter"))
            #expect(message { _ = try stacked.value("a-b", as: [String: String].self) }?.contains("hunter") == false)
        }
    }

    @Test("A secret that a variable sets in a layer below is masked")
    func environmentSecret_isMasked() throws {
        let base = try load(
            ["": #"{"locator": {"secrets": ["a-b.code"]}}"#],
            environment: ["SHOP_A_B": #"{"code": "hunter2", "password": "hunter3", "c": "shown"}"#], prefix: "SHOP_")
        let defaults = try module("M", ["a-b": ["code": "", "password": "", "c": ""]])
        let stacked = Properties.stacked(above: [], base: base, below: [defaults])
        #expect(stacked["a-b.code"] == "hunter2")
        for path in ["a-b", "a-b.code", "a-b.password", "aB", "aB.code"] {
            #expect(!stacked.explain(path).description.contains("hunter"), "\(stacked.explain(path))")
        }
        #expect(stacked.explain("a-b.c").description.contains("shown"))
    }

    @Test("Placeholders lead to the whole stack, and are resolved when read")
    func placeholders_seeTheStack() throws {
        let base = try load(["": #"{"url": "http://${host}:${port:80}", "host": "file"}"#])
        let up = try module("Up", ["host": "up", "mine": "${url}/x"])
        let down = try module("Down", ["port": 1, "broken": "${nowhere}", "fine": "${broken:no}"])
        let stacked = Properties.stacked(above: [up], base: base, below: [down])
        #expect(base["url"] == "http://file:80")
        #expect(stacked["url"] == "http://up:1")
        #expect(stacked["mine"] == "http://up:1/x")
        #expect(
            message { _ = try stacked.value("broken", as: String.self) }
                == "broken: ${nowhere} needs nowhere, which is missing (module Down)")
        #expect(
            stacked.problems().map(\.description) == [
                "broken: ${nowhere} needs nowhere, which is missing (module Down)"
            ])
    }

    @Test("Stacks over the same layers each mask what they themselves list")
    func lists_areOfEachStack() throws {
        let base = try load(["": #"{"x": "ZX", "y": "ZY"}"#])
        let stacks = try ["x", "y", "x"].map { path in
            let list = try module("Lists \(path)", ["locator.secrets": [.string(path)]])
            return Properties.stacked(above: [list], base: base, below: [])
        }
        #expect(stacks.map { $0["x"]?.text() } == ["\"<secret>\"", "\"ZX\"", "\"<secret>\""])
        #expect(stacks.map { $0["y"]?.text() } == ["\"ZY\"", "\"<secret>\"", "\"ZY\""])
        #expect(base.description == #"{"x":"ZX","y":"ZY"}"#)
    }

    @Test("Loads over the same layer each override it with their own variables")
    func environments_areOfEachStack() throws {
        var below = LayerList(isLatestFirst: false)
        below.append(try module("Down", ["a-b": 1, "c-d": 2]))
        let texts = try ["SHOP_A_B", "SHOP_C_D", "SHOP_A_B"].map { name in
            let base = try load(["": "{}"], environment: [name: "9"], prefix: "SHOP_")
            let stacked = Properties.stacked(above: [], base: base, below: [below])
            return ["a-b", "c-d"].compactMap { stacked[$0]?.text() }
        }
        #expect(texts == [["\"9\"", "2"], ["1", "\"9\""], ["\"9\"", "2"]])
    }

    @Test("A null with an override of a part replaces an object by the part, in any order")
    func overrides_replaceObject() throws {
        let base = try load(["": #"{"server": {"host": "h", "port": 1}}"#])
        for _ in 0..<20 {
            let up = try module("Up", ["server": nil, "server.port": 2])
            let stacked = Properties.stacked(above: [up], base: base, below: [])
            #expect(stacked.resolvedText == "server.port=2")
            #expect(stacked["server.host"] == nil && stacked["server.port"] == 2)
        }
    }

    @Test("A lookup names every path that a placeholder led to")
    func lookup_namesWhatItConsulted() throws {
        let base = try load([
            "": #"{"a": "${b}-${c:x}", "b": "${d.e}", "d": {"e": "${env:HOME:h}"}, "f": {"g": "${b}"}, "h": 1}"#
        ])
        let stacked = Properties.stacked(above: [try module("Up", ["h": 2])], base: base, below: [])
        for properties in [base, stacked] {
            #expect(properties.lookup("a").consulted == ["b", "d.e", "c"])
            #expect(properties.lookup("f").consulted == ["b", "d.e"])
            #expect(properties.lookup("h").consulted == [])
            #expect(properties.lookup("d['e']").path == "d.e")
            #expect(properties.lookup("nowhere").consulted == [])
        }
    }

    @Test("A lookup names a text on its path that a layer above replaces by an object")
    func lookup_namesWhatItsPathLedThrough() throws {
        let base = try load(["": #"{"a": "${b}", "b": {"x": 1}, "c": "${a.x:none}"}"#])
        let stacked = Properties.stacked(above: [try module("Up", ["a": ["y": 2]])], base: base, below: [])
        #expect(stacked["a.x"] == nil)
        #expect(stacked["c"] == "none")
        #expect(stacked.lookup("a.x").consulted.contains("a"))
        #expect(Set(stacked.lookup("c").consulted) == ["a.x", "a"])
        #expect(Set(base.lookup("a.x").consulted) == ["a", "b"])
        #expect(Set(base.lookup("c").consulted) == ["a.x", "a", "b"])
    }

    @Test("Two stacks give the same answer at a path if the value, the absence, or the error is the same")
    func answers_compare() throws {
        let base = try load(
            ["": #"{"a": 1, "text": "8080", "url": "${host}", "host": "h", "o": {"x": 1, "y": 2}}"#],
            environment: ["SHOP_ENV": "8080"], prefix: "SHOP_")
        let same = Properties.stacked(
            above: [try module("Up", ["a": 1, "host": "h", "o": ["y": 2, "x": 1], "b": nil])], base: base, below: [])
        for path in ["a", "url", "host", "o", "b", "c", "o.x", "a..b"] {
            #expect(same.hasSameAnswer(as: base, at: path), "\(path)")
        }
        let other = Properties.stacked(
            above: [try module("Up", ["a": 2, "host": "i", "o.x": 2, "b": 1, "text": nil, "env": "8080"])], base: base,
            below: [])
        for path in ["a", "url", "host", "o", "b", "o.x", "text", "env"] {
            #expect(!other.hasSameAnswer(as: base, at: path), "\(path)")
        }
        // The same value, which not every type reads in the same way, or which is masked.
        let form = Properties.stacked(
            above: [try module("Up", ["a": 1.0, "locator.secrets": ["host"]])], base: base, below: [])
        for path in ["a", "url", "host"] { #expect(!form.hasSameAnswer(as: base, at: path), "\(path)") }
        #expect(other.hasSameAnswer(as: base, at: "o.y"))
    }

    @Test("What a layer defines or removes, by path")
    func overriddenPaths() throws {
        let properties = try module(
            "M", ["server.port": 1, "server.tls": ["a": [1, 2], "b": [:]], "debug": nil, "a['x.y']": 1, "e": []])
        #expect(
            properties.overriddenPaths.sorted() == [
                "a['x.y']", "debug", "e", "server.port", "server.tls.a[0]", "server.tls.a[1]", "server.tls.b",
            ])
    }

    @Test("What a layer affects includes objects that a variable with the same words may extend")
    func affectedPaths() throws {
        let properties = try module("M", ["http-client": ["port": 1], "httpServer": ["port": 1], "api_key": 2])
        #expect(properties.affectedPaths.sorted() == ["api_key", "http-client", "http-client.port", "httpServer.port"])
    }

    @Test("An override of a part wins over one of the whole, in any order")
    func overrides_nest() throws {
        for _ in 0..<20 {
            let properties = try module("M", ["server.port": 2, "server": ["port": 1, "host": "h"], "z": 1, "a": 1])
            #expect(properties.resolvedText == #"a=1 server.port=2 server.host="h" z=1"#)
        }
    }

    @Test(
        "Invalid overrides",
        arguments: [
            (
                ["a": ["b": 2], "a.b.c": 3],
                "a.b.c: expected an object at a.b, found a number; keep one of them (module M)"
            ),
            (["a..b": 1], #"module M: malformed path "a..b": expected a key at column 3, found ".""#),
            (
                ["servers[0].name": 1],
                "servers[0].name: expected a path of keys, found an index; an array is overridden as a whole (module M)"
            ),
            (
                ["": 1, "b c": 2],
                """
                module M: the path is empty; write the keys of a setting, such as server.port
                module M: malformed path "b c": expected "." or "[" at column 2, found " "; a key that contains it is written ['…']
                """
            ),
        ] as [([String: JSONValue], String)])
    func overrides_areRefused(overrides: [String: JSONValue], expected: String) {
        #expect(message { _ = try module("M", overrides) } == expected)
    }

    @Test("The cost of a stack depends on the number of layers, not on their size")
    func stack_isCheap() throws {
        let keys = (0..<50_000).map { #""key\#($0)": \#($0)"# }
        let base = try load(["": "{\(keys.joined(separator: ","))}"])
        let override = try module("Fakes", ["key7": -7])
        let count = TestScale.count(1_000_000)
        var sum = 0
        for _ in 0..<count {
            let stacked = Properties.stacked(above: [override], base: base, below: [])
            sum += try stacked.value("key7", as: Int.self)
        }
        #expect(sum == -7 * count)
    }

    @Test("Any number of modules over a stack reads like one stack of all of them")
    func stack_isCovered() throws {
        var random = SeededGenerator(seed: RandomRun.seed)
        for _ in 0..<RandomRun.count(40) {
            let base = try load(
                ["": #"{"a": {"b": 1, "c": "${d:none}"}, "s": "x", "locator": {"secrets": ["s"]}}"#],
                environment: ["SHOP_D": #"{"e": 1}"#], prefix: "SHOP_")
            let below = try module("Below", ["d": ["f": 2], "z": 1])
            var above: [Properties] = []
            var covering = Properties.stacked(above: [], base: base, below: [below])
            var list = LayerList(isLatestFirst: true)
            for number in 0..<Int.random(in: 1...80, using: &random) {
                var values: [String: JSONValue] = [:]
                for _ in 0...Int.random(in: 0...2, using: &random) {
                    let path = ["a", "a.b", "a.c", "d", "d.e", "s", "x"].randomElement(using: &random) ?? "x"
                    let text = JSONValue(stringLiteral: "text \(number)")
                    let choices: [JSONValue] = [text, 1, .null, "${s}", "${a}", ["b": text], [text]]
                    values[path] = choices.randomElement(using: &random)
                }
                if number == 50 { values["locator.secrets"] = ["a.b"] }
                guard let upper = try? module("M\(number)", values) else { continue }
                above.insert(upper, at: 0)
                let all = Properties.stacked(above: above, base: base, below: [below])
                covering = Properties.stacked(above: [upper], base: covering, below: [])
                list.append(upper)
                var under = LayerList(isLatestFirst: false)
                under.append(below)
                for other in [covering, Properties.stacked(above: [list], base: base, below: [under])] {
                    #expect("\(other)" == "\(all)", "seed \(RandomRun.seed)")
                    for path in ["a", "a.b", "s", "d.e", "x", "z"] {
                        #expect("\(other.explain(path))" == "\(all.explain(path))", "seed \(RandomRun.seed)")
                        #expect(other.isSecret(path) == all.isSecret(path), "seed \(RandomRun.seed)")
                    }
                }
            }
        }
    }

    @Test("Each of many layers is found by its keys, also after others were added to its list")
    func layers_areFound() throws {
        var random = SeededGenerator(seed: RandomRun.seed)
        let base = try load(["": #"{"key1": "file"}"#])
        // Two lists over the files and two under them. The latest layer comes first in the first one of each, and last in
        // the other.
        let isLatestFirst = [true, false, true, false]
        var lists = isLatestFirst.map(LayerList.init)
        var added: [[[String: JSONValue]]] = [[], [], [], []]
        var stacks: [(stack: Properties, expected: [String: JSONValue])] = []
        for number in 1...1000 {
            var values: [String: JSONValue] = [:]
            for _ in 0...Int.random(in: 0...3, using: &random) {
                values["key\(Int.random(in: 0..<500, using: &random))"] = JSONValue(stringLiteral: "text \(number)")
            }
            let list = Int.random(in: 0..<4, using: &random)
            lists[list].append(try module("M\(number)", values))
            added[list].append(values)
            if number % 100 > 0 { continue }
            var inOrder = zip(added, isLatestFirst).map { $1 ? $0.reversed() : $0 }
            inOrder.insert([["key1": "file"]], at: 2)
            var expected: [String: JSONValue] = [:]
            for values in inOrder.joined() { expected.merge(values) { first, _ in first } }
            let stack = Properties.stacked(above: Array(lists[..<2]), base: base, below: Array(lists[2...]))
            stacks.append((stack, expected))
        }
        for (stack, expected) in stacks {
            #expect(Set(stack.paths) == Set(expected.keys), "seed \(RandomRun.seed)")
            for number in 0..<500 {
                #expect(stack["key\(number)"] == expected["key\(number)"], "seed \(RandomRun.seed)")
            }
        }
    }

    @Test("Stacks of stacks read like one stack")
    func stacks_nest() throws {
        let base = try load(["": #"{"a": 1, "b": 1, "c": 1}"#])
        let inner = Properties.stacked(above: [try module("Inner", ["a": 2, "b": 2])], base: base, below: [])
        let outer = Properties.stacked(
            above: [try module("Outer", ["a": 3])], base: inner, below: [try module("Down", ["d": 4])])
        #expect(["a", "b", "c", "d"].map { outer[$0] } == [3, 2, 1, 4])
    }
}

@Suite("A later load overrides an earlier one")
struct OverlayTests {
    @Test("Its files override the earlier files, the environment overrides all, and explain shows every layer")
    func later_overEarlier() throws {
        let first = try load(
            ["": #"{"a": 1, "b": 1, "c": 1}"#, "dev": #"{"b": 2}"#], profiles: "dev", environment: ["SHOP_C": "9"],
            prefix: "SHOP_")
        let second = try load(["": #"{"a": 3, "c": 3, "d": "${b}"}"#.replacing("${b}", with: "x")], environment: [:])
        let both = try first.overlaid(by: second)
        #expect(both.resolvedText == #"a=3 b=2 c="9" d="x""#)
        #expect(both.profiles == ["dev"])
        #expect(
            both.explain("c").description == """
                c = "9"
                  from environment variable SHOP_C "9"
                  over application.json:1:15 3
                  over application.json:1:23 1
                """)
    }

    @Test("Variables are matched again: one that added a key may now override one")
    func variables_areMatchedAnew() throws {
        let first = try load(["": "{}"], environment: ["SHOP_API_URL": "env"], prefix: "SHOP_")
        #expect(first["apiUrl"] == "env")
        let both = try first.overlaid(by: try load(["": #"{"apiURL": "file"}"#]))
        #expect(both.resolvedText == #"apiURL="env""#)
    }

    @Test("A placeholder in any file reads the variable of the latest load that has it")
    func variablesOfPlaceholders_areThoseOfAllLoads() throws {
        let first = try load(["": #"{"a": "${env:A}", "b": "${env:B}"}"#], environment: ["A": "1", "B": "1"])
        let second = try load(["": #"{"c": "${env:B}", "d": "${env:D:none}"}"#], environment: ["B": "2"])
        #expect(try first.overlaid(by: second).resolvedText == #"a="1" b="2" c="2" d="none""#)
    }

    @Test("The profiles, groups, places, warnings, and secrets of both loads count")
    func settings_areThoseOfBoth() throws {
        func load(_ name: String) throws -> Properties {
            try LocatorPropertiesTests.load(
                [
                    "": #"{"locator": {"\#(name)": 1, "profiles": {"groups": {"g\#(name)": ["\#(name)", "dev"]}}}}"#,
                    name: #"{"\#(name)": "Z\#(name)"}"#, "dev": "{}",
                ],
                profiles: ["g\(name)"], prefix: "\(name)_",
                // A path is secret in both loads.
                secrets: [name == "a" ? "b" : "a"])
        }
        let both = try load("a").overlaid(by: try load("b"))
        #expect(both.profiles == ["a", "dev", "b"])
        #expect(["ga", "gb", "a", "b", "dev"].allSatisfy(both.isProfileActive))
        #expect(both.places == ["Config", "Config"])
        #expect(both.fileWarnings.map(\.message).filter { $0.contains("locator.a ") }.count == 1)
        #expect(both.fileWarnings.map(\.message).filter { $0.contains("locator.b ") }.count == 1)
        #expect(both["a"]?.description == "\"<secret>\"")
        #expect(both["b"]?.description == "\"<secret>\"")
    }

    @Test("A placeholder for a file may name those that either load has declared")
    func files_areThoseOfBoth() throws {
        let disks = [try SettingsDisk("{}", ["pin": "1"]), try SettingsDisk("{}", ["pin": "2"])]
        for (disk, key) in zip(disks, ["a", "b"]) {
            let file = #"{"\#(key)": "${file:\#(disk.secrets)/pin} ${file:\#(disk.secrets)/none:none}"}"#
            try disk.write(file, to: "Config/application.json")
        }
        let loads = try disks.map { try $0.load(.directory($0.secrets, secret: false, settings: false)) }
        let both = try loads[0].overlaid(by: loads[1])
        #expect(try both.value("a", as: String.self) == "1 none")
        #expect(try both.value("b", as: String.self) == "2 none")
    }

    @Test("A problem of the combined loads is an error")
    func overlay_isChecked() throws {
        let first = try load(["": #"{"a": "${b}", "b": 1}"#])
        let second = try load(["": #"{"b": null}"#])
        #expect(
            message { _ = try first.overlaid(by: second) } == "a: ${b} needs b, which is missing (application.json:1:7)"
        )
    }

    @Test("Combining a load with nothing leaves it unchanged")
    func nothing() throws {
        let load = try load(["": #"{"a": 1}"#])
        #expect(try Properties().overlaid(by: load).resolvedText == "a=1")
        #expect(try load.overlaid(by: Properties()).resolvedText == "a=1")
    }
}
