import Foundation
import LocatorProperties
import LocatorTool
import Testing

@Suite("`locator check` finds what is wrong with files and profiles")
struct CheckCommandTests {
    private func run(_ words: String..., files: FileSystem, environment: [String: String] = [:]) -> Outcome {
        locator(words: ["check"] + words) {
            $0.fileSystem = files
            $0.environment = environment
        }
    }

    @Test func soundFolder_hasNotesAtMost() {
        #expect(
            run(files: ShopFiles.all)
                == Outcome(
                    output: """
                        Config/application.json:6:12: note: debug is in dev; prod, staging remove it (application-prod.json:5:12)
                        1 note in 3 files (dev, prod, staging)

                        """))
    }

    @Test func brokenFiles_areAllNamed() {
        let files = FileSystem.config([
            "application.json": "{ \"a\": 1,\n  \"a\": 2 }",
            "application-dev.json": "{ \"a\": tru }",
            "application-prod.json": "[]",
        ])
        #expect(
            run(files: files)
                == Outcome(
                    output: """
                        Config/application.json:2:3: error: expected a new key, found "a" again; it is first at 1:3
                        Config/application-dev.json:1:8: error: expected a value, found the word tru; did you mean true?
                        Config/application-prod.json:1:1: error: expected an object, found an array
                        3 errors in 3 files (dev, prod)

                        """, status: 1))
    }

    @Test func profilesThatCannotBeLoaded_areNamedWithTheProblem() {
        let files = FileSystem.config([
            "application.json": """
            {
              "locator": { "profiles": { "groups": { "all": ["dev", "prd"] } } },
              "url": "http://${host}"
            }
            """,
            "application-dev.json": #"{ "host": "localhost" }"#,
            "application-prod.json": "{}",
            "application-test.json": "{}",
        ])
        #expect(
            run(files: files)
                == Outcome(
                    output: """
                        Config/application.json:3:10: error: url: ${host} needs host, which is missing [prod, test]
                        Config/application.json:2:57: error: the profile group "all" names profile "prd", but there is no file Config/application-prd.json; did you mean "prod"? profiles that exist: dev, prod, test [all]
                        2 errors in 4 files (dev, prod, test, all)

                        """, status: 1))
    }

    @Test func profilesThatDoNotFitTogether_areCompared() {
        let files = FileSystem.config([
            "application.json": #"{ "server": { "port": 8080, "host": "a" }, "mail": { "on": true } }"#,
            "application-dev.json": #"{ "server": { "timeout": 5 }, "logger": { "level": "debug", "file": "x" } }"#,
            "application-prod.json": #"{ "server": { "timeout": "5s", "prot": 443 }, "mail": null, "logger": {} }"#,
            "application-test.json": #"{ "server": { "timeout": 1.5 }, "logger": { "levle": "info", "file": "y" } }"#,
        ])
        #expect(
            run(files: files)
                == Outcome(
                    output: """
                        Config/application-dev.json:1:26: error: server.timeout is a number in dev, test (application-dev.json:1:26), a text in prod (application-prod.json:1:26)
                        Config/application-prod.json:1:40: warning: server.prot is in prod, and not in dev, test; did you mean server.port?
                        Config/application-dev.json:1:52: warning: logger.level is in dev, and not in prod, test
                        Config/application-dev.json:1:69: warning: logger.file is in dev, test, and not in prod
                        Config/application-test.json:1:54: warning: logger.levle is in test, and not in dev, prod; did you mean logger.level?
                        Config/application.json:1:52: note: mail is in dev, test; prod removes it (application-prod.json:1:55)
                        1 error, 4 warnings, 1 note in 4 files (dev, prod, test)

                        """, status: 1))
    }

    @Test(
        "A misspelled section is a warning, even if there is only one profile",
        arguments: [
            (#"{ "Server": { "host": "x" } }"#, "Server", "server"), (#"{ "sever": { "new": 1 } }"#, "sever", "server"),
            (#"{ "servr": {} }"#, "servr", "server"), (#"{ "mial": { "on": true } }"#, "mial", "mail"),
            (#"{ "mail": { "stmp": { "port": 1 } } }"#, "mail.stmp", "mail.smtp"),
        ])
    func misspelledSection_isAWarning(profile: String, path: String, meant: String) {
        let base = #"{ "server": { "port": 1, "host": "h" }, "mail": { "on": false, "smtp": { "port": 25 } } }"#
        let place = path.contains(".") ? "1:21" : "1:\(path.utf8.count + 7)"
        for others in [[:], ["application-prod.json": "{}"]] {
            let files = ["application.json": base, "application-dev.json": profile].merging(others) { $1 }
            let outcome = run(files: .config(files))
            let (other, summary) =
                others.isEmpty ? ("application.json", "2 files (dev)") : ("prod", "3 files (dev, prod)")
            #expect(
                outcome
                    == Outcome(
                        output: """
                            Config/application-dev.json:\(place): warning: \(path) is in dev, and not in \(other); did you mean \(meant)?
                            1 warning in \(summary)

                            """))
        }
    }

    @Test("A setting that a profile adds is not a misspelling of one next to it")
    func addedSetting_isNoMisspelling() {
        let files = FileSystem.config([
            "application.json": #"{ "server": { "port": 1 }, "pool": { "maxSize": 1, "shard1": 1 } }"#,
            "application-dev.json": #"{ "server": { "host": "h" }, "pool": { "minSize": 1, "shard2": 1 } }"#,
        ])
        #expect(run(files: files) == Outcome(output: "nothing found in 2 files (dev)\n"))
    }

    @Test("An object that a profile adds is not a misspelling of one next to it")
    func addedSection_isNoMisspelling() {
        let files = FileSystem.config([
            "application.json": """
            { "clients": { "eu": { "on": true } }, "database1": { "port": 1 }, "data": { "host": "h" }, "logger": 1 }
            """,
            "application-dev.json": """
            { "clients": { "us": { "on": true } }, "database2": { "port": 2 }, "data": { "x": { "y": 1 } }, "loggr": { "x": 1 } }
            """,
        ])
        #expect(run(files: files) == Outcome(output: "nothing found in 2 files (dev)\n"))
    }

    @Test(
        "A file whose name is not quite that of a profile's file is a warning",
        arguments: [
            ("application.prod.json", "never read", "prod", ""), ("application_prod.json", "never read", "prod", ""),
            ("appliction-prod.json", "never read", "prod", ""),
            ("application-prod.yaml", "never read", "prod", ", in JSON"),
            ("application-eu.prod.yml", "never read", "eu.prod", ", in JSON"),
            ("application-prod.json5", "never read", "prod", ", in JSON"),
            ("Application-qa.json", "not read where the case of names counts", "qa", ""),
            ("application-prod.JSON", "not read where the case of names counts", "prod", ""),
        ])
    func misnamedFile_isAWarning(file: String, reading: String, profile: String, format: String) {
        #expect(
            run(files: .config(["application.json": "{}", file: "{}"]))
                == Outcome(
                    output: """
                        Config/\(file): warning: this file is \(reading); the file of the profile \(profile) is application-\(profile).json\(format)
                        1 warning in 1 file

                        """))
    }

    @Test("The files of other programs are not reported")
    func fileOfAnotherProgram_isNotReported() {
        let names = [
            "package.json", "README.json", "prod.json", "app-prod.json", "application.schema.json",
            "application.json.bak", "application.example.json", "applications-eu.json", "replication-eu.json",
            "application.yaml", "application-dev.yaml", "appsettings.dev.json", "application.json5",
            "application-.yaml",
        ]
        var files = Dictionary(uniqueKeysWithValues: names.map { ($0, "{}") })
        files["application.json"] = "{}"
        files["application-dev.json"] = "{}"
        #expect(run(files: .config(files)) == Outcome(output: "nothing found in 2 files (dev)\n"))
    }

    @Test func brokenFile_doesNotHideWhatIsWrongElsewhere() {
        let files = FileSystem.config([
            "application.json": #"{ "url": "${host}" }"#,
            "application-dev.json": "{",
            "application-prod.json": "{}",
            "application-test.json": #"{ "host": "test" }"#,
        ])
        #expect(
            run(files: files)
                == Outcome(
                    output: """
                        Config/application-dev.json:1:2: error: expected a key in double quotes or '}', found the end of the text; the object from 1:1 is not closed
                        Config/application.json:1:10: error: url: ${host} needs host, which is missing [prod]
                        2 errors in 4 files (dev, prod, test)

                        """, status: 1))
    }

    @Test func numberWithAFraction_isNoted() {
        let files = FileSystem.config([
            "application.json": #"{ "rate": 1, "steps": [1, 2.5] }"#, "application-dev.json": #"{ "rate": 0.5 }"#,
            "application-prod.json": #"{ "steps": [1] }"#,
        ])
        #expect(
            run(files: files)
                == Outcome(
                    output: """
                        Config/application-dev.json:1:11: note: rate has a fraction in dev, and is whole in prod
                        1 note in 3 files (dev, prod)

                        """))
    }

    @Test("A whole number is whole in any size", arguments: ["100000000000000000000", "1e60", "-1.0", "1e40000"])
    func largeNumber_hasNoFraction(number: String) {
        let files = FileSystem.config([
            "application.json": "{}", "application-dev.json": #"{ "a": 1 }"#,
            "application-prod.json": "{ \"a\": \(number) }",
        ])
        #expect(run(files: files) == Outcome(output: "nothing found in 3 files (dev, prod)\n"))
    }

    @Test("Arrays are compared with each other, in any order of the profiles")
    func arrays_areCompared_inAnyOrder() {
        let values = ["[]", "[1]", "[\"s\"]", "[[]]", "[null]"]
        func outcome(_ values: [String]) -> Outcome {
            let profiles = zip(["a", "b", "c"], values).map { ("application-\($0).json", "{ \"x\": \($1) }") }
            return run(files: .config(["application.json": "{}"].merging(profiles) { $1 }))
        }
        func error(_ first: String, _ second: String) -> Outcome {
            Outcome(
                output: """
                    Config/\(first.split(separator: "(")[1].dropLast()): error: x is \(first), \(second)
                    1 error in 4 files (a, b, c)

                    """, status: 1)
        }
        let nothing = Outcome(output: "nothing found in 4 files (a, b, c)\n")
        #expect(
            outcome([values[0], values[1], values[2]])
                == error(
                    "an array of numbers in a, b (application-b.json:1:8)",
                    "an array of texts in c (application-c.json:1:8)"))
        #expect(
            outcome([values[1], values[2], values[0]])
                == error(
                    "an array of numbers in a, c (application-a.json:1:8)",
                    "an array of texts in b (application-b.json:1:8)"))
        #expect(
            outcome([values[3], values[1], values[0]])
                == error(
                    "an array of arrays in a, c (application-a.json:1:8)",
                    "an array of numbers in b (application-b.json:1:8)"))
        for first in values {
            for second in values {
                let conflicts = Set([first, second]).subtracting(["[]", "[null]"]).count == 2
                for order in [[first, second, "[]"], ["[]", first, second], [first, "[null]", second]] {
                    #expect((outcome(order) != nothing) == conflicts, "\(order)")
                }
            }
        }
    }

    @Test(
        "A null in an array says nothing about the kind of the elements",
        arguments: [
            ("[null]", "[1]"), ("[1]", "[null]"), ("[null, 1]", "[2]"), ("[null, \"s\", null]", "[\"t\"]"),
            ("[null]", "[]"), ("[[null]]", "[[1]]"), ("[[], [1]]", "[[2]]"),
        ])
    func null_fitsAnyElement(first: String, second: String) {
        let files = FileSystem.config([
            "application.json": "{}", "application-dev.json": "{ \"a\": \(first) }",
            "application-prod.json": "{ \"a\": \(second) }",
        ])
        #expect(run(files: files) == Outcome(output: "nothing found in 3 files (dev, prod)\n"))
    }

    @Test func nullInTheJSONOfAVariable_isNoSetting() {
        let files = FileSystem.config([
            "application.json": "{}", "application-dev.json": "{}", "application-prod.json": "{}",
        ])
        #expect(
            run("--prefix", "SHOP_", files: files, environment: ["SHOP_DB": #"{"a": null, "b": {"c": null}}"#])
                == Outcome(output: "nothing found in 3 files (dev, prod)\n"))
    }

    @Test func textThatIsReadAsJSON_fitsAnArrayOrObject() {
        func findings(_ setting: String, _ other: String) -> Outcome {
            let files = FileSystem.config([
                "application.json": "{}", "application-dev.json": "{ \"a\": \(setting) }",
                "application-prod.json": "{ \"a\": \(other) }",
            ])
            return run(files: files, environment: ["LIST": #"["x"]"#, "OBJECT": #"{"b": 1}"#, "TEXT": "[x"])
        }
        let nothing = Outcome(output: "nothing found in 3 files (dev, prod)\n")
        #expect(findings(#"["y"]"#, #""${env:LIST}""#) == nothing)
        #expect(findings(#""${env:NONE:[]}""#, #"["y"]"#) == nothing)
        #expect(findings(#"{ "b": 2 }"#, #""${env:OBJECT}""#) == nothing)
        #expect(
            findings(#"{ "b": 2, "c": 3 }"#, #""${env:OBJECT}""#)
                == Outcome(
                    output: """
                        Config/application-dev.json:1:23: warning: a.c is in dev, and not in prod
                        1 warning in 3 files (dev, prod)

                        """))
        // The text is no JSON, has elements of another type, or is not from outside.
        for (text, kind) in [(#""${env:TEXT}""#, "a text"), (#""[\"x\"]""#, "a text")] {
            #expect(
                findings("[1]", text)
                    == Outcome(
                        output: """
                            Config/application-dev.json:1:8: error: a is an array of numbers in dev (application-dev.json:1:8), \
                            \(kind) in prod (application-prod.json:1:8)
                            1 error in 3 files (dev, prod)

                            """, status: 1))
        }
    }

    @Test func strict_takesWarningsForErrors() {
        let files = FileSystem.config([
            "application.json": "{}", "application-dev.json": #"{ "a": 1 }"#, "application-prod.json": "{}",
        ])
        let outcome = run(files: files)
        #expect(
            outcome
                == Outcome(
                    output: """
                        Config/application-dev.json:1:8: warning: a is in dev, and not in prod
                        1 warning in 3 files (dev, prod)

                        """))
        #expect(run("--strict", files: files) == Outcome(output: outcome.output, status: 1))
    }

    @Test func variableCloseToASetting_isAWarning() {
        let outcome = run(
            "--prefix", "SHOP_", files: ShopFiles.all,
            environment: ["SHOP_SERVER__PROT": "1", "SHOP_ORDERS__RETRIES": "4"])
        #expect(
            outcome
                == Outcome(
                    output: """
                        warning: SHOP_SERVER__PROT overrides nothing and adds server.prot; did you mean SHOP_SERVER__PORT for server.port? [dev, prod, staging]
                        Config/application.json:6:12: note: debug is in dev; prod, staging remove it (application-prod.json:5:12)
                        1 warning, 1 note in 3 files (dev, prod, staging)

                        """))
    }

    @Test("A variable whose text is of another type than the value in a file is a warning that does not show the text")
    func variableOfAnotherType_isAWarning() {
        let files = FileSystem.config([
            "application.json": #"{ "server": { "port": 8080 }, "debug": true, "wait": 0, "name": "x" }"#,
            "application-dev.json": "{}",
        ])
        func warnings(_ environment: [String: String]) -> Outcome {
            run("--prefix", "SHOP_", files: files, environment: environment)
        }
        #expect(
            warnings(["SHOP_SERVER__PORT": "80a", "SHOP_DEBUG": "yes", "SHOP_WAIT": "5s"])
                == Outcome(
                    output: """
                        warning: debug is a Boolean in application.json:1:40, but the text of SHOP_DEBUG is neither true nor false [dev]
                        warning: server.port is a number in application.json:1:23, but the text of SHOP_SERVER__PORT is not a number [dev]
                        warning: wait is a number in application.json:1:54, but the text of SHOP_WAIT is not a number [dev]
                        3 warnings in 2 files (dev)

                        """))
        #expect(
            warnings(["SHOP_SERVER__PORT": "80", "SHOP_DEBUG": "FALSE", "SHOP_WAIT": "5", "SHOP_NAME": "1"])
                == Outcome(output: "nothing found in 2 files (dev)\n"))
    }

    @Test("A placeholder whose default hides a misspelled path is a warning")
    func misspelledPlaceholderWithDefault_isAWarning() {
        let files = FileSystem.config([
            "application.json": """
            {
              "server": { "port": 80 },
              "url": "http://${server.host:localhost}:${server.prot:8080}",
              "urls": ["${env:URL:${server.prt:1}}", "${PORT:1}", "${ENV:HOME}", "${env.PORT:1}"]
            }
            """,
            "application-dev.json": #"{ "proxy": "${sever.port:1}" }"#,
        ])
        #expect(
            run(files: files)
                == Outcome(
                    output: """
                        Config/application.json:3:10: warning: url: no profile has server.prot, so the default in ${server.prot:…} is always used; did you mean server.port?
                        Config/application.json:4:12: warning: urls[0]: no profile has server.prt, so the default in ${server.prt:…} is always used; did you mean server.port?
                        Config/application.json:4:42: warning: urls[1]: no profile has PORT, so the default in ${PORT:…} is always used; did you mean ${env:PORT:…}?
                        Config/application.json:4:55: warning: urls[2]: no profile has ENV, so the default in ${ENV:…} is always used; did you mean ${env:…}?
                        Config/application.json:4:70: warning: urls[3]: no profile has env.PORT, so the default in ${env.PORT:…} is always used; did you mean ${env:PORT:…}?
                        Config/application-dev.json:1:12: warning: proxy: no profile has sever.port, so the default in ${sever.port:…} is always used; did you mean server.port?
                        6 warnings in 2 files (dev)

                        """))
    }

    @Test("A placeholder with a default may name a setting that no file has")
    func placeholderForAnOptionalSetting_isNoMisspelling() {
        let files = FileSystem.config([
            "application.json": """
            {
              "pool": { "maxSize": 8, "smallest": "${pool.minSize:1}" }, "port": "${prot:80}",
              "database1": { "host": "a" }, "other": "${database2.host:b}", "next": "${server.port:1}",
              "removed": null, "kept": "${removed:1}", "text": "$${pool.maxSise:1}", "none": "${pool.max:-1}"
            }
            """
        ])
        #expect(run(files: files) == Outcome(output: "nothing found in 1 file\n"))
    }

    @Test("A default in the syntax of a shell is a note")
    func defaultOfAShell_isNoted() {
        let files = FileSystem.config([
            "application.json": """
            {
              "level": "${env:LEVEL:-info}", "offset": "${env:OFFSET:-3}",
              "port": "${env:WEB:-8080}", "url": "http://localhost:${env:HTTP_PORT:-80}",
              "adminPort": "${env:ADMIN:-1}", "ports": "${env:PORT_OFFSET:-10}"
            }
            """
        ])
        #expect(
            run(files: files)
                == Outcome(
                    output: """
                        Config/application.json:2:12: note: level: the default in ${env:LEVEL:…} begins with "-"; if ":-" is meant as in a shell, write ":"
                        Config/application.json:3:11: note: port: the default in ${env:WEB:…} begins with "-"; if ":-" is meant as in a shell, write ":"
                        Config/application.json:3:38: note: url: the default in ${env:HTTP_PORT:…} begins with "-"; if ":-" is meant as in a shell, write ":"
                        3 notes in 1 file

                        """))
    }

    @Test func folderWithoutProfiles_isCheckedAlone() {
        #expect(
            run(files: .config(["application.json": #"{ "a": "${b}" }"#]))
                == Outcome(
                    output: """
                        Config/application.json:1:8: error: a: ${b} needs b, which is missing
                        1 error in 1 file

                        """, status: 1))
        #expect(run(files: .config(["application.json": "{}"])) == Outcome(output: "nothing found in 1 file\n"))
    }

    @Test func missingFolderOrBase_isAnError() {
        #expect(
            run("--config", "Nowhere", files: ShopFiles.all)
                == Outcome(
                    errors: """
                        error: Nowhere: there is no such folder; it was looked for at \(FileManager.default.currentDirectoryPath)/Nowhere. Copy it there (in a container, into the image), start the program in the folder that contains it, or give an absolute path or the URL of a folder in the bundle

                        """, status: 1))
        #expect(
            run(files: .config(["application-dev.json": "{}"]))
                == Outcome(
                    output: """
                        Config/application.json: error: there is no such file; its folder has application-dev.json. Add it (an empty object {} will do), or list the files to load: files: […]
                        1 error in 1 file

                        """, status: 1))
        #expect(
            run(files: .config(["aplication.json": "{}", "application-dev.json": "{}"]))
                == Outcome(
                    output: """
                        Config/application.json: error: there is no such file; did you mean Config/aplication.json?
                        1 error in 1 file

                        """, status: 1))
    }
}
