import LocatorProperties
import LocatorTool
import Testing

@Suite("`locator env` lists the variables that override settings")
struct EnvCommandTests {
    private func run(
        _ words: String..., files: FileSystem = ShopFiles.all, environment: [String: String] = [:]
    ) -> Outcome {
        locator(words: ["env", "--prefix", "SHOP_"] + words) {
            $0.fileSystem = files
            $0.environment = environment
        }
    }

    @Test func table_namesVariableAndOrigin_andWhatOnlyOtherProfilesHave() {
        #expect(
            run("--profile", "dev", environment: ["SHOP_SERVER__PORT": "9090"])
                == Outcome(
                    output: """
                        variable                               setting                   value from
                        SHOP_SERVER__HOST                      server.host               application.json:3:23
                        SHOP_SERVER__PORT                 set  server.port               environment variable SHOP_SERVER__PORT
                        SHOP_SERVER__URL                       server.url                application.json:3:57
                        SHOP_ORDERS__RETRIES                   orders.retries            application.json:4:26
                        SHOP_ORDERS__DATABASE__URL             orders.database.url       application.json:4:50
                        SHOP_ORDERS__DATABASE__PASSWORD        orders.database.password  application.json:4:99
                        SHOP_ORDERS__DATABASE__POOL_SIZE       orders.database.poolSize  application-dev.json:2:41
                        SHOP_LANGUAGES                         languages                 application.json:5:16
                        SHOP_DEBUG__QUERIES                    debug.queries             application.json:6:25

                        """))
        let prod = run("--profile", "prod").output
        #expect(prod.contains("SHOP_DEBUG__QUERIES                 debug.queries             only in dev\n"))
    }

    @Test func dotenv_hasALineForEachSetting_andMasksSecrets() {
        #expect(
            run("--format", "dotenv", "--profile", "prod")
                == Outcome(
                    output: """
                        # Variables that override settings, with the values of prod.
                        SHOP_SERVER__HOST=shop.example.com
                        SHOP_SERVER__PORT=443
                        # SHOP_SERVER__URL=http://shop.example.com:443  # built from ${server.host}, ${server.port}
                        SHOP_ORDERS__RETRIES=3
                        # SHOP_ORDERS__DATABASE__URL=  # secret
                        # SHOP_ORDERS__DATABASE__PASSWORD=  # secret
                        SHOP_ORDERS__DATABASE__POOL_SIZE=32
                        SHOP_LANGUAGES='["de","en","fr"]'
                        # SHOP_DEBUG__QUERIES=  # only in dev

                        """))
    }

    @Test func json_isReadByPrograms() {
        let files = FileSystem.config([
            "application.json": #"{ "a": [1], "b": { "token": "hunter2" }, "ß": 1 }"#,
            "application-dev.json": #"{ "c": true }"#,
        ])
        #expect(
            run("--format=json", files: files, environment: ["SHOP_A": "[2]"])
                == Outcome(
                    output: """
                        {
                          "profiles": [],
                          "settings": {
                            "a": {
                              "variable": "SHOP_A",
                              "set": true,
                              "value": [
                                2
                              ],
                              "from": "environment variable SHOP_A:1:1"
                            },
                            "b.token": {
                              "variable": "SHOP_B__TOKEN",
                              "set": false,
                              "value": "<secret>",
                              "from": "application.json:1:29",
                              "secret": true
                            },
                            "ß": {
                              "variable": null,
                              "set": false,
                              "value": 1,
                              "from": "application.json:1:47"
                            },
                            "c": {
                              "variable": "SHOP_C",
                              "set": false,
                              "profiles": [
                                "dev"
                              ]
                            }
                          }
                        }

                        """))
    }

    @Test func build_addsWhatOnlyTheSourcesName_andWhatTheyCallSecret() {
        let outcome = locator("env", "Build", "--prefix", "SHOP_", "--format", "dotenv") {
            $0.fileSystem = ShopProgram.files.fileSystem
            $0.folder = "/Shop"
        }
        #expect(
            outcome
                == Outcome(
                    output: """
                        # Variables that override settings, with the values of no profile.
                        SHOP_SERVER__PORT=8080
                        # SHOP_SERVER__URL=http://localhost  # built from ${host}
                        SHOP_SERVER__HOSTS='["a"]'
                        SHOP_LEVEL=info
                        SHOP_THEME__COLOR=red
                        # SHOP_THEME__ACCOUNTS=  # secret
                        # SHOP_THEME__TOKEN=  # secret
                        SHOP_THEME__EXTRA=1.5
                        SHOP_THEME__NESTED__ON=true
                        SHOP_HOST=localhost
                        SHOP_MIXED=1
                        # SHOP_THEME__SIZES__A=  # only in dev
                        # SHOP_ONLY__DEV=  # only in dev
                        # SHOP_LOGGER__KIND=  # no value; read by Shop.swift:10
                        # SHOP_SERVER__API_KEY=  # secret, no value; read by Shop.swift:6
                        # SHOP_SERVER__RETRIES=  # no value; read by Shop.swift:3
                        # SHOP_SERVER__TIMEOUT=  # no value; read by Shop.swift:4
                        # SHOP_THEME__PRICE=  # no value; read by Shop.swift:31
                        # SHOP_THEME__SHELVES=  # no value; read by Shop.swift:31
                        # SHOP_THEME__SIZES=  # no value; read by Shop.swift:31
                        # SHOP_THEME__WRAPPED=  # no value; read by Shop.swift:31

                        """))
    }

    @Test func settingsThatNoVariableCanAdd_haveNone() {
        var files = BuiltFiles()
        files.add("Config/application.json", #"{ "db": { "user_name": "shop", "port": 1 } }"#)
        files.add(
            "/Shop/Shop.swift",
            types: [
                ConstantValues.type(
                    "Shop.Store", ConstantValues.property("db.pool_size", "Swift.Int", line: 1),
                    ConstantValues.property("db.timeout", "Swift.Int", line: 2),
                    ConstantValues.property("db.userName", "Swift.String", line: 3),
                    ConstantValues.property("db.port.number", "Swift.Int", line: 4))
            ])
        for (command, expected) in [
            (
                ["env", "Build"],
                """
                variable              setting         value from
                SHOP_DB__USER_NAME    db.user_name    application.json:1:24
                SHOP_DB__PORT         db.port         application.json:1:40
                (none)                db.pool_size    no value; read by Shop.swift:1
                (none)                db.port.number  no value; read by Shop.swift:4
                SHOP_DB__TIMEOUT      db.timeout      no value; read by Shop.swift:2
                (none)                db.userName     no value; read by Shop.swift:3

                """
            ),
            (
                ["reference", "Build"],
                """
                | Setting | Type | Default | Variable | Read by | application.json |
                | --- | --- | --- | --- | --- | --- |
                | `db.user_name` | string |  | `SHOP_DB__USER_NAME` |  | `"shop"` |
                | `db.port` | number |  | `SHOP_DB__PORT` |  | `1` |
                | `db.pool_size` | `Int` | required |  | `Shop.swift:1` |  |
                | `db.port.number` | `Int` | required |  | `Shop.swift:4` |  |
                | `db.timeout` | `Int` | required | `SHOP_DB__TIMEOUT` | `Shop.swift:2` |  |
                | `db.userName` | `String` | required |  | `Shop.swift:3` |  |

                """
            ),
        ] {
            let outcome = locator(words: command + ["--prefix", "SHOP_"]) {
                $0.fileSystem = files.fileSystem
                $0.folder = "/Shop"
            }
            #expect(outcome == Outcome(output: expected))
        }
    }

    /// Values that a shell, a dotenv file, or a terminal could misinterpret.
    private static let odd = [
        "", " ", "a b", "it's", "\"", "$HOME", "`id`", "$(id)", "\\", "\\n", "a\nSHOP_X=1", "#x", "a #b", "=", "!x",
        "é",
        "it's $HOME", "'", "''\"", "*", "~", "a;b", "&", "-n", "${a}", "\t",
    ]

    @Test func dotenv_isReadByAShellAsItIs() throws {
        let object = JSONObject(Self.odd.enumerated().map { ("v\($0.offset)", JSONValue.string($0.element)) })
        let text = JSONValue.object(object).text().replacing("${a}", with: "$${a}")
        let dotenv = run("--format", "dotenv", files: .config(["application.json": text]))
        #expect(dotenv.status == 0, "\(dotenv.errors)")
        let print = Self.odd.indices.map { "printf '%s\\0' \"$SHOP_V\($0)\"\n" }.joined()
        let result = try Subprocess.run(
            "/bin/sh", ["-s"], input: dotenv.output + print, environment: ["HOME": "/nowhere"])
        #expect(result.errors == "")
        let values = result.output.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
        // A tab is a control character, and not all programs read the others unchanged. Each becomes a comment.
        let comments = ["\t", "it's $HOME", "${a}", "\\"]
        #expect(values == Self.odd.map { comments.contains($0) ? "" : $0 })
    }

    /// Texts that a shell, Docker Compose, and python-dotenv must read in the same way, and how they are written.
    private static let quoted = [
        ("a b", "'a b'"), ("it's", #""it's""#), ("say \"it's\"", #""say \"it's\"""#), ("C:\\x", #""C:\\x""#),
        ("\\n", #""\\n""#), ("it's !x", #""it's !x""#), ("$5", "'$5'"), ("`id`", "'`id`'"), ("größe", "'größe'"),
        ("\u{3000}a", "'\u{3000}a'"), ("a\u{2003}", "'a\u{2003}'"), ("a\u{A0}", "'a\u{A0}'"),
    ]

    @Test(arguments: quoted)
    func dotenv_quotesInAFormThatAllReadersKnow(text: String, expected: String) {
        let file = JSONValue.object(["a": .string(text)]).text()
        let outcome = run("--format", "dotenv", files: .config(["application.json": file]))
        #expect(outcome.output.split(separator: "\n").last.map(String.init) == "SHOP_A=\(expected)")
    }

    @Test(arguments: ["it's $5", "it's `x`", "a$\\", "a\\", "$${x}"])
    func dotenv_leavesOutWhatReadersTakeForDifferentValues(text: String) {
        let file = JSONValue.object(["a": .string(text)]).text()
        let outcome = run("--format", "dotenv", files: .config(["application.json": file]))
        #expect(
            outcome.output.split(separator: "\n").last.map(String.init)
                == "# SHOP_A=\(text.replacing("$${", with: "${"))  "
                + "# a shell and other readers of such files take it for different values")
    }

    @Test func controlCharacters_areEscaped() {
        let files = FileSystem.config([
            "application.json": #"{ "a": "x\u001b[31m\nSHOP_B=2", "b\u0007": 1, "c": "${a}" }"#
        ])
        #expect(
            run("--format", "dotenv", files: files)
                == Outcome(
                    output: #"""
                        # Variables that override settings, with the values of no profile.
                        # SHOP_A=x\u{1B}[31m\nSHOP_B=2  # has characters that no such file can have
                        SHOP_B=1
                        # SHOP_C=x\u{1B}[31m\nSHOP_B=2  # has characters that no such file can have

                        """#))
        let table = run(files: files).output
        #expect(!table.contains("\u{7}") && table.contains(#"\u{7}"#))
    }

    @Test func prefixWithoutAnUnderscore_isReported() {
        #expect(
            locator(words: ["env", "--prefix", "SHOP"]) { $0.fileSystem = ShopFiles.all }.errors
                == "warning: the prefix \"SHOP\" does not end with \"_\"; did you mean \"SHOP_\"?\n")
    }

    @Test func mistakes_areReported() {
        #expect(
            locator("env")
                == Outcome(
                    errors: """
                        error: the option --prefix is missing: --prefix PREFIX
                        Try: locator env --help

                        """, status: 2))
        #expect(run("--profile", "pord").status == 1)
        #expect(run("Build").errors == "error: Build: there is no such folder\n")
    }
}
