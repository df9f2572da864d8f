import LocatorProperties
import Testing

@Suite("A key in a variable's JSON that may be a typo of a secret key is masked")
struct SlipTests {
    @Test(
        "Printed texts",
        arguments: [
            ("{}", #"{"passwrd":"ZX","n":1}"#, "a.passwrd", #""<secret>""#),
            ("{}", #"{"passwrd":"ZX","n":1}"#, "a.n", "1"),
            ("{}", #"{"db":{"passwrd":{"x":"ZX"}}}"#, "a.db", #"{"passwrd":{"x":"<secret>"}}"#),
            ("{}", #"[{"passwrd":"ZX"}]"#, "a[0].passwrd", #""<secret>""#),
            (#"{"a":{"n":0}}"#, #"{"passwrd":"ZX","n":1}"#, "a", #"{"n":1,"passwrd":"<secret>"}"#),
            (#"{"a":[{"n":0}]}"#, #"[{"passwrd":"ZX","n":1}]"#, "a", #"[{"passwrd":"<secret>","n":1}]"#),
            (#"{"a":{"l":{"m":1}}}"#, #"{"l":{"pim":"ZX"}}"#, "a", #"{"l":{"m":1,"pim":"<secret>"}}"#),
            // A name in a file is not a typo.
            (#"{"a":{"passwrd":""}}"#, #"{"passwrd":"shown"}"#, "a", #"{"passwrd":"shown"}"#),
            (#"{"a":[{"passwrd":""}]}"#, #"[{"passwrd":"shown"}]"#, "a", #"[{"passwrd":"shown"}]"#),
            ("{}", #"{"host":"shown"}"#, "a.host", #""shown""#),
        ])
    func value_isPrinted(file: String, json: String, path: String, expected: String) throws {
        let properties = try load(["": file], environment: ["T_A": json], prefix: "T_", secrets: ["a.l.pin"])
        #expect(properties.explain(path).value?.text() == expected)
        #expect(properties[path]?.description == expected)
        if expected != "1", !expected.contains("shown") {
            #expect(!properties.explain("a").description.contains("ZX"))
            #expect(!properties.description.contains("ZX"))
        }
    }

    @Test("The program gets the actual value, and an error does not quote it")
    func value_isRead() throws {
        let properties = try load(["": "{}"], environment: ["T_A": #"{"passwrd":"ZX79"}"#], prefix: "T_")
        #expect(try properties.value("a.passwrd", as: String.self) == "ZX79")
        #expect(try properties.value("a", as: [String: String].self) == ["passwrd": "ZX79"])
        let errors = [
            message { _ = try properties.value("a.passwrd", as: Int.self) },
            message { _ = try properties.value("a", as: [String: Int].self) },
        ]
        #expect(
            errors == [
                "a.passwrd: expected Int, found a string that is not shown, because it is secret (environment variable T_A)",
                "a.passwrd: expected Int, found a string that is not shown, because it is secret (environment variable T_A)",
            ])
    }

    @Test(
        "A text that has lost its quotes in a shell is masked if it may contain a secret",
        arguments: [
            ("{password:ZX}", []), ("{db: {pwd : ZX}}", []), ("[{passwrd: ZX}]", []), ("{'token': 'ZX'}", []),
            ("{l:{pin:ZX}}", ["a.l.pin"]),
        ] as [(String, [String])])
    func text_isMasked_withoutQuotes(text: String, secrets: [String]) throws {
        let properties = try load(["": "{}"], environment: ["T_A": text], prefix: "T_", secrets: secrets)
        #expect(try properties.value("a", as: String.self) == text)
        #expect(properties.explain("a").value == "<secret>")
        #expect(properties.description == #"{"a":"<secret>"}"#)
    }

    @Test("A new member of an object whose name may be a typo of a secret key is masked")
    func member_isMasked() throws {
        let properties = try load(
            ["": #"{"passwrd": {"n": 0, "o": {"m": 1}}}"#],
            environment: ["T_PASSWRD": #"{"n": 1, "new": "ZX", "o": {"new": "ZX"}}"#], prefix: "T_")
        #expect(properties.description == #"{"passwrd":{"n":1,"o":{"m":1,"new":"<secret>"},"new":"<secret>"}}"#)
    }

    @Test(
        "The error of a text that is not JSON does not quote what may be a secret",
        arguments: [
            (#"{"a": {"n": 0}}"#, #"{"passwrd": ZX}"#, false),
            (#"{"a": {"n": 0}}"#, #"{"l": {"pim": ZX}}"#, false),
            ("{}", #"{"passwrd": ZX}"#, false),
            (#"{"a": {"password": ""}}"#, #"{"password": ZX}"#, false),
            (#"{"a": {"l": {"pin": ""}}}"#, #"{"l": {"pin": ZX}}"#, false),
            // The text may be one of the secrets that it replaces.
            (#"{"a": {"password": "x"}}"#, "{ZX", false),
            (#"{"a": {"n": 0}}"#, "{ZX", true),
            (#"{"a": {"passwrd": ""}}"#, #"{"passwrd": ZX}"#, true),
            (#"{"a": {"n": 0}}"#, #"{"n": ZX}"#, true),
        ])
    func text_isNotQuoted(file: String, json: String, isShown: Bool) {
        let message = message {
            let properties = try load(["": file], environment: ["T_A": json], prefix: "T_", secrets: ["a.l.pin"])
            _ = try properties.value("a", as: [String: String].self)
        }
        #expect(message?.contains("ZX") == isShown, "\(message ?? "")")
    }

    @Test(
        "Any other text that is not JSON is shown",
        arguments: ["{host:shown}", "[INFO] tokenizer: a", "password: shown"])
    func text_isShown(text: String) throws {
        let properties = try load(["": "{}"], environment: ["T_A": text], prefix: "T_", secrets: ["b.pin"])
        #expect(properties.explain("a").value == .string(text))
    }

    @Test(
        "A variable is masked in every layer if its name or text may have a typo of a path that a module lists",
        arguments: [
            (
                "databse.url",
                """
                databse.url = "<secret>"
                  from environment variable T_DATABSE__URL "<secret>"
                """
            ),
            (
                "databse",
                """
                databse = {"url":"<secret>"}
                  from environment variable T_DATABSE__URL {"url":"<secret>"}
                """
            ),
            (
                "a.kod",
                """
                a.kod = "<secret>"
                  from environment variable T_A "<secret>"
                """
            ),
            (
                "c.kod",
                """
                c.kod = "<secret>"
                  from environment variable T_C:1:9 "<secret>"
                """
            ),
            // A name in a file is not a typo.
            (
                "d.kod",
                """
                d.kod = "shown"
                  from environment variable T_D__KOD "shown"
                  over application.json:1:30 "shown too"
                """
            ),
            (
                "e",
                """
                e = {"kod":"shown","new":"<secret>"}
                  part from environment variable T_E:1:1 {"kod":"shown","new":"<secret>"}
                  part from application.json:1:49 {"kod":"shown too"}
                """
            ),
            (
                "port",
                """
                port = "8080"
                  from environment variable T_PORT "8080"
                """
            ),
            (
                "b",
                #"""
                b = "{\"host\": \"h\"}"
                  from environment variable T_B "{\"host\": \"h\"}"
                """#
            ),
        ])
    func variable_isMasked_inEveryLayer(path: String, expected: String) throws {
        let variables = [
            "T_DATABSE__URL": "ZX", "T_A": #"{"kod": "ZX", "n": 1}"#, "T_C": #"{"kod": "ZX"}"#, "T_D__KOD": "shown",
            "T_E": #"{"kod": "shown", "new": "ZX"}"#, "T_PORT": "8080", "T_B": #"{"host": "h"}"#,
            "T_SHOWN__PATHS__0": "port",
        ]
        let file = #"{"c": {"n": 0}, "d": {"kod": "shown too"}, "e": {"kod": "shown too"}}"#
        let loaded = try load(["": file], environment: variables, prefix: "T_")
        let paths: JSONValue = ["database.url", "a.kode", "c.kode", "d.kode", "e.kode", "e.news"]
        let list = try Properties(overrides: ["locator.secrets": paths], name: "module Lists")
        let stacked = Properties.stacked(above: [], base: loaded, below: [list])
        #expect(stacked.explain(path).description == expected)
    }

    @Test(
        "A part that is read by its path is masked as in the whole, which may be secret itself",
        arguments: [false, true])
    func part_isMasked_asInTheWhole(isSecret: Bool) throws {
        let json = #"""
            {"host": "h", "passwrd": {"x": {"y": "ZX"}}, "db": {"TOKEN": ["ZX"], "l": {"pim": "ZX", "m": 1}},
            "lines": ["-----BEGIN PRIVATE KEY-----", "ZX", "-----END PRIVATE KEY-----", {"PWD": "ZX", "n": null}],
            "url": "https://me:ZX@h/", "x": [[{"secrts": "ZX"}], "shown"]}
            """#
        // The exact name of a secret makes the whole text one.
        let (token, pwd) = isSecret ? ("token", "pwd") : ("tokns", "apikys")
        let properties = try load(
            ["": "{}"],
            environment: [
                "T_A": json.replacing("TOKEN", with: token).replacing("PWD", with: pwd),
                "T_LOCATOR": #"{"secrets": ["b.pin"]}"#,
            ], prefix: "T_", secrets: ["a.db.l.pin"])
        let whole = JSONValue.object(
            JSONObject(try properties.value("a", as: [String: JSONValue].self).map { ($0, $1) }))
        let parts = [
            "host", "passwrd", "passwrd.x", "passwrd.x.y", "db", "db.\(token)", "db.\(token)[0]", "db.l", "db.l.pim",
            "db.l.m", "lines",
            "lines[0]", "lines[1]", "lines[3]", "lines[3].\(pwd)", "lines[3].n", "url", "x", "x[0][0].secrts", "x[1]",
        ]
        for part in parts {
            let wholeOfPart = try Properties(["a": whole])["a.\(part)"]?.description
            #expect(properties["a.\(part)"]?.description == wholeOfPart, "\(part)")
            #expect(wholeOfPart?.contains("ZX") == false, "\(part)")
        }
        #expect(properties["a.host"]?.description == (isSecret ? "\"<secret>\"" : "\"h\""))
        #expect(properties["a.nothing"] == nil && properties["a.lines[4]"] == nil && properties["a.host.x"] == nil)
        #expect(properties["locator.secrets"]?.description == #"["b.pin"]"#)
    }
}
