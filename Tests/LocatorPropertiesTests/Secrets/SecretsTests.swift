import LocatorProperties
import Testing

private let base = #"""
    {
      "locator": {"secrets": ["licence.code", "pins[1]"]},
      "database": {"host": "db.local", "password": "hunter2",
        "url": "postgres://shop:${database.password}@${database.host}/orders"},
      "copy": "${database}",
      "code": "<${licence.code}>",
      "licence": {"code": "AB-12", "owner": "shop"},
      "pins": ["1111", "2222"],
      "credentials": {"user": "u", "numbers": [1, 2], "flag": true},
      "tokenizer": "bpe",
      "home": "${env:API_TOKEN} ${env:HOME}",
      "proxy": "http://me:pw@proxy:3128",
      "listed": "by the program"
    }
    """#

private let everything = ["hunter2", "AB-12", "2222", "t0ken", "by the program"]

private func loadBase() throws -> Properties {
    try load(["": base], environment: ["API_TOKEN": "t0ken", "HOME": "/h"], secrets: ["listed"])
}

@Suite("A secret is read, but never printed")
struct SecretsTests {
    @Test(
        "The printed text of a value",
        arguments: [
            ("database.password", #""<secret>""#),
            ("database.host", #""db.local""#),
            ("database.url", #""<secret>""#),
            ("database", #"{"host":"db.local","password":"<secret>","url":"<secret>"}"#),
            ("copy", #"{"host":"db.local","password":"<secret>","url":"<secret>"}"#),
            ("copy.url", #""<secret>""#),
            ("code", #""<secret>""#),
            ("licence", #"{"code":"<secret>","owner":"shop"}"#),
            ("pins", #"["1111","<secret>"]"#),
            ("pins[1]", #""<secret>""#),
            ("credentials", #"{"user":"<secret>","numbers":["<secret>","<secret>"],"flag":"<secret>"}"#),
            ("tokenizer", #""bpe""#),
            ("home", #""<secret>""#),
            ("proxy", #""http://me:<secret>@proxy:3128""#),
            ("listed", #""<secret>""#),
            ("locator.secrets", #"["licence.code","pins[1]"]"#),
        ])
    func value_isMasked(path: String, expected: String) throws {
        let properties = try loadBase()
        #expect(properties.explain(path).value?.text() == expected)
        #expect(properties.explain(path).description.hasPrefix("\(path) = \(expected)"))
        if path != "proxy" { #expect(properties[path]?.description == expected) }
    }

    @Test("The program gets the actual value")
    func value_isReadInFull() throws {
        let properties = try loadBase()
        #expect(try properties.value("database.password", as: String.self) == "hunter2")
        #expect(try properties.value("copy.url", as: String.self) == "postgres://shop:hunter2@db.local/orders")
        #expect(properties["code"] == "<AB-12>")
        #expect(properties["pins"] == ["1111", "2222"])
        #expect(try properties.value("home", as: String.self) == "t0ken /h")
    }

    @Test("Which paths are secret")
    func path_isSecret() throws {
        let properties = try loadBase()
        let secret = [
            "database.password", "database.url", "copy.password", "code", "licence.code", "pins[1]", "credentials.user",
            "listed",
        ]
        let open = [
            "database.host", "copy.host", "licence.owner", "pins[0]", "tokenizer", "proxy", "nowhere", "locator",
            "locator.secrets", "locator.secrets[0]",
        ]
        #expect(secret.filter { !properties.isSecret($0) } == [])
        #expect(open.filter { properties.isSecret($0) } == [])
    }

    @Test("Descriptions, dumps, and reflection never show a secret")
    func nothing_isShown() throws {
        let properties = try loadBase()
        var texts = [properties.description, "\(properties)", String(reflecting: properties)]
        for path in [nil, "database", "copy", "pins", "credentials"] {
            var dumped = ""
            if let path {
                dump(properties[path], to: &dumped)
                dump(try properties.properties(at: path), to: &dumped)
                dump(properties.explain(path), to: &dumped)
            } else {
                dump(properties, to: &dumped)
            }
            texts.append(dumped)
        }
        for text in texts {
            #expect(everything.filter { text.contains($0) } == [], "\(text)")
        }
        #expect(texts[0].contains(#""password":"<secret>""#))
    }

    @Test(
        "Errors never show a secret",
        arguments: [
            (
                "database.password",
                "database.password: expected Int, found a string that is not shown, because it is secret (application.json:3:48)"
            ),
            (
                "copy.password",
                "copy.password: expected Int, found a string that is not shown, because it is secret (application.json:5:11)"
            ),
            (
                "code",
                "code: expected Int, found a text that is not shown, because it is secret (application.json:6:11)"
            ),
            (
                "licence.code",
                "licence.code: expected Int, found a string that is not shown, because it is secret (application.json:7:23)"
            ),
            (
                "listed",
                "listed: expected Int, found a string that is not shown, because it is secret (application.json:13:13)"
            ),
            ("proxy", #"proxy: expected Int, found string "http://me:<secret>@proxy:3128" (application.json:12:12)"#),
        ])
    func error_isMasked(path: String, expected: String) throws {
        let properties = try loadBase()
        #expect(message { _ = try properties.value(path, as: Int.self) } == expected)
    }

    @Test("A decoded type hides what it declares as secret")
    func decodedType_isMasked() throws {
        struct Database: ConfigProperty, Equatable {
            static let path = "database"
            let host: String
            let password: Secret<String>
            let pin: Secret<Int>?
        }
        let database = try loadBase().decode(Database.self)
        #expect(database == Database(host: "db.local", password: Secret("hunter2"), pin: nil))
        #expect(database.password.value == "hunter2")
        #expect("\(database)" == #"Database(host: "db.local", password: <secret>, pin: nil)"#)
        var dumped = ""
        dump(database, to: &dumped)
        #expect(!dumped.contains("hunter2"), "\(dumped)")
    }

    @Test("A copy is secret if its own path is listed, and the original stays readable")
    func copy_isSecretAtItsOwnPlace() throws {
        let file = #"{"locator": {"secrets": ["copy.host"]}, "db": {"host": "h", "port": 1}, "copy": "${db}"}"#
        let properties = try load(["": file])
        #expect(properties["copy"]?.description == #"{"host":"<secret>","port":1}"#)
        #expect(properties["copy.host"]?.description == #""<secret>""#)
        #expect(properties["db"]?.description == #"{"host":"h","port":1}"#)
        #expect(properties["copy"] == properties["db"])
    }

    @Test("A value that any layer marks as secret is secret in all layers")
    func secret_isOneInAllLayers() throws {
        let module = try Properties(overrides: ["licence.code": "XY-99", "pins": ["3333"]], name: "module Fakes")
        let list = try Properties(overrides: ["locator.secrets": ["pins"]], name: "module Lists")
        let stacked = Properties.stacked(above: [module], base: try loadBase(), below: [list])
        #expect(
            stacked.explain("licence.code").description == """
                licence.code = "<secret>"
                  from module Fakes "<secret>"
                  over application.json:7:23 "<secret>"
                """)
        #expect(stacked.explain("pins[0]").value == "<secret>")
    }

    /// The keys that variables add lie above the settings of modules, and the rest of the variables below them.
    @Test(
        "A setting that only a variable has is masked at a listed path and below it, whoever lists it",
        arguments: [
            (#"{"locator": {"secrets": ["licence.code", "desk"]}}"#, nil, []),
            ("{}", #"["licence.code", "desk"]"#, []),
            ("{}", nil, ["licence.code", "desk"]),
        ] as [(String, String?, [String])])
    func addition_isMasked(file: String, list: String?, secrets: [String]) throws {
        var environment = ["T_LICENCE__CODE": "ZX", "T_DESK__MAIN__0": "ZX", "T_LICENCE__OWNER": "shown"]
        environment["T_LOCATOR__SECRETS"] = list
        let properties = try load(["": file], environment: environment, prefix: "T_", secrets: secrets)
        for path in ["licence.code", "desk.main", "desk.main[0]"] {
            #expect(properties[path]?.text(showingSecrets: true).contains("ZX") == true)
            let texts = [properties[path]?.description ?? "", properties.explain(path).description]
            #expect(texts.allSatisfy { !$0.contains("ZX") && $0.contains("<secret>") }, "\(texts)")
        }
        #expect(!properties.description.contains("ZX") && properties.description.contains("shown"))
    }

    @Test("An element that a variable sets is masked if a module lists its array, also beside keys that variables add")
    func elementOfAListedArray_isMasked() throws {
        let variables = ["SHOP_PINS__0": "3333", "SHOP_MAIL__FROM": "shop"]
        let base = try load(["": #"{"pins": ["1111", "2222"]}"#], environment: variables, prefix: "SHOP_")
        let module = try Properties(
            overrides: ["locator.secrets": ["pins"], "mail.from": "none"], name: "module Defaults")
        let stacked = Properties.stacked(above: [], base: base, below: [module])
        #expect(try stacked.value("mail.from", as: String.self) == "shop")
        #expect(stacked["pins"]?.description == #"["<secret>","<secret>"]"#)
        let error = #expect(throws: PropertiesError.self) { try stacked.value("pins", as: [Bool].self) }
        #expect(error?.description.contains("3333") == false, "\(String(describing: error))")
    }

    @Test(
        "A path that a module lists is masked in the default of a placeholder, also in a file that another one hides",
        arguments: [
            (
                nil,
                """
                a = "<secret>"
                  from application.json:1:7 "<secret>"
                    ${licence.code} is missing, its default is used
                """
            ),
            (
                "p",
                """
                a = "shown"
                  from application-p.json:1:7 "shown"
                  over application.json:1:7 "<secret>"
                """
            ),
        ] as [(ProfileList?, String)])
    func default_isMasked(profiles: ProfileList?, expected: String) throws {
        let files = ["": #"{"a": "${licence.code:ZX}"}"#, "p": #"{"a": "shown"}"#]
        let list = try Properties(overrides: ["locator.secrets": ["licence.code"]], name: "module Lists")
        let stacked = Properties.stacked(above: [], base: try load(files, profiles: profiles), below: [list])
        #expect(stacked.explain("a").description == expected)
    }

    @Test(
        "An unreadable list does not expose a secret",
        arguments: [
            (
                #"{"locator": {"secrets": "a"}}"#,
                #"locator.secrets: expected an array of paths, found string "a" (application.json:1:25)"#
            ),
            (
                #"{"locator": {"secrets": ["a", 7]}}"#,
                "locator.secrets[1]: expected a path, found number 7 (application.json:1:31)"
            ),
            (
                #"{"locator": {"secrets": ["a..b"]}}"#,
                #"locator.secrets[0]: malformed path "a..b": expected a key at column 3, found "." (application.json:1:26)"#
            ),
        ])
    func list_isRefused(file: String, expected: String) {
        #expect(message { _ = try load(["": file]) } == expected)
    }

    @Test("A malformed path in the program's list is an error that names the list")
    func path_isRefused() {
        #expect(
            message { _ = try load(["": "{}"], secrets: ["a", "b..c", "users[*].pin"]) } == """
                secrets: malformed path "b..c": expected a key at column 3, found "."
                secrets: malformed path "users[*].pin": expected an index or a quoted key at column 7, found "*"
                """)
    }

    @Test("A listed path without a setting is a warning if it is close to one that is printed")
    func misspelledPath_isAWarning() throws {
        let file = #"{ "mail": { "pin": "7", "token": "x" }, "database": { "url": "u" } }"#
        let paths = ["databse.url", "mail.tokn", "mail.pinn", "other", "databse.url"]
        #expect(
            try load(["": file], secrets: paths).secretWarnings == [
                "databse.url is listed as a secret, but is not a setting; did you mean database.url?",
                "mail.pinn is listed as a secret, but is not a setting; did you mean mail.pin?",
            ])
        #expect(try load(["": file], secrets: ["database.url", "databse.url", "mail"]).secretWarnings == [])
    }

    @Test(
        "A listed path that leads through an array is a warning if a part of an element is printed",
        arguments: [
            (["users.pin"], "users.pin", "users", "users[0].pin"), (["users.card.code"], nil, "users", ""),
            (["users.card"], "users.card", "users", "users[1].card"),
            (["users[0].pin", "users.pin"], "users.pin", "users", "users[1].pin"),
            (["shop.rooms.doors.code"], "shop.rooms.doors.code", "shop.rooms", "shop.rooms[0].doors[1].code"),
            (["users", "users.pin"], nil, "", ""), (["users[0].pin"], nil, "", ""), (["users.password"], nil, "", ""),
            (["users.name.pin"], nil, "", ""), (["locator.secrets"], nil, "", ""), (["names"], nil, "", ""),
        ] as [([String], String?, String, String)])
    func pathThroughAnArray_isAWarning(listed: [String], path: String?, array: String, part: String) throws {
        let file = """
            {
              "users": [{"pin": "1", "name": "a", "password": "p"}, {"pin": "2", "card": {"number": 3}}],
              "shop": {"rooms": [{"doors": [{}, {"code": 4}]}]},
              "names": ["a", "b"]
            }
            """
        let expected = path.map {
            "\($0) is listed as a secret, but is not a setting, because \(array) is an array; list \(array), or \(part) for one element"
        }
        #expect(try load(["": file], secrets: listed).secretWarnings == [expected].compactMap(\.self))
        let list = listed.map { "\"\($0)\"" }.joined(separator: ", ")
        let listing = ["": file, "prod": "{\"locator\": {\"secrets\": [\(list)]}}"]
        #expect(try load(listing, profiles: "prod").secretWarnings == [expected].compactMap(\.self))
    }
}
