import LocatorProperties
import LocatorTool
import Testing

@Suite("`locator diff` shows how two profiles differ")
struct DiffCommandTests {
    private func run(_ words: String..., files: FileSystem = ShopFiles.all) -> Outcome {
        locator(words: ["diff"] + words) { $0.fileSystem = files }
    }

    @Test func differences_areListed_andSecretsMasked() {
        #expect(
            run("dev", "prod")
                == Outcome(
                    output: """
                                                     dev                      prod
                        ~  server.host               "localhost"              "shop.example.com"
                        ~  server.port               8080                     443
                        ~  server.url                "http://localhost:8080"  "http://shop.example.com:443"
                        ~  orders.database.password  "<secret>"               "<secret>"
                        ~  orders.database.poolSize  2                        32
                        ~  languages                 ["de","en"]              ["de","en","fr"]
                        -  debug                     {"queries":true}

                        6 values differ, 1 key only in dev

                        """))
    }

    @Test func sameProfile_isAlike() {
        #expect(run("dev", "dev") == Outcome(output: "dev and dev have no differences\n"))
    }

    @Test func oneProfile_isComparedWithTheBaseFile() {
        let expected = Outcome(
            output: """
                                             application.json         prod
                ~  server.host               "localhost"              "shop.example.com"
                ~  server.port               8080                     443
                ~  server.url                "http://localhost:8080"  "http://shop.example.com:443"
                ~  orders.database.password  "<secret>"               "<secret>"
                +  orders.database.poolSize                           32
                ~  languages                 ["de","en"]              ["de","en","fr"]
                -  debug                     {"queries":true}

                5 values differ, 1 key only in application.json, 1 key only in prod

                """)
        #expect(run("prod") == expected)
        // The base has no profiles, even if the environment chooses some.
        let chosen = locator("diff", "prod") {
            $0.fileSystem = ShopFiles.all
            $0.environment = ["LOCATOR_PROFILE": "dev"]
        }
        #expect(chosen == expected)
        let plain = FileSystem.config(["application.json": "{}", "application-dev.json": "{}"])
        #expect(run("dev", files: plain) == Outcome(output: "application.json and dev have no differences\n"))
    }

    @Test func types_andMissingKeys_areMarked() {
        let files = FileSystem.config([
            "application.json": #"{ "port": 8080, "on": true, "list": [1], "made": "${port}" }"#,
            "application-one.json": #"{ "cache": { "size": 3 }, "only": { "here": 1, "too": 2 } }"#,
            "application-two.json":
                #"{ "port": "8080", "on": "${on2:true}", "list": ["1"], "cache": false, "new": [], "made": 1 }"#,
        ])
        #expect(
            run("one", "two", files: files)
                == Outcome(
                    output: """
                                  one                 two
                        !  port   8080                "8080"  a number, then a text
                        ~  on     true                "true"
                        !  list   [1]                 ["1"]   an array of numbers, then an array of texts
                        ~  made   8080                1
                        !  cache  {"size":3}          false   an object, then a boolean
                        -  only   {"here":1,"too":2}
                        +  new                        []

                        2 values differ, 3 types differ, 1 key only in one, 1 key only in two

                        """))
    }

    @Test("An array from a variable is compared as an array, whether or not a file has it")
    func arrayOfAVariable_isAnArray() {
        let files = FileSystem.config([
            "application.json": "{}", "application-one.json": #"{ "hosts": ["a"] }"#, "application-two.json": "{}",
        ])
        let outcome = locator("diff", "one", "two", "--prefix", "SHOP_") {
            $0.fileSystem = files
            $0.environment = ["SHOP_HOSTS": #"["x"]"#]
        }
        #expect(outcome == Outcome(output: "one and two have no differences\n"))
    }

    @Test func mistakes_areReported() {
        #expect(
            run()
                == Outcome(
                    errors: """
                        error: the argument FIRST is missing
                        Try: locator diff --help

                        """, status: 2))
        #expect(
            run("dev", "prod", "staging")
                == Outcome(
                    errors: """
                        error: the argument "staging" is one too many
                        Try: locator diff --help

                        """, status: 2))
        #expect(
            run("dev", "pord")
                == Outcome(
                    errors: """
                        error: the list of requested profiles names profile "pord", but there is no file Config/application-pord.json; did you mean "prod"? profiles that exist: dev, prod

                        """, status: 1))
    }
}
