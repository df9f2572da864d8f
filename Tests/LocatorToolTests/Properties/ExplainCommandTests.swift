import LocatorProperties
import LocatorTool
import Testing

@Suite("`locator explain` shows where a setting comes from")
struct ExplainCommandTests {
    private func run(_ words: String...) -> Outcome {
        locator(words: ["explain"] + words) { $0.fileSystem = ShopFiles.all }
    }

    @Test func setting_isExplainedWithAllLayers() {
        #expect(
            run("server.url", "--profile", "prod")
                == Outcome(
                    output: """
                        server.url = "http://shop.example.com:443"
                          from application.json:3:57 "http://${server.host}:${server.port}"
                            ${server.host} = "shop.example.com" (application-prod.json:2:23)
                            ${server.port} = 443 (application-prod.json:2:51)

                        """))
    }

    @Test func secret_isMaskedEverywhere() {
        #expect(
            run("orders.database", "--profile", "prod")
                == Outcome(
                    output: """
                        orders.database = {"url":"postgres://shop:<secret>@db/orders","password":"<secret>","poolSize":32}
                          part from application-prod.json:3:27 {"password":"<secret>","poolSize":32}
                            ${env:SHOP_PASSWORD} is missing, its default is used
                          part from application.json:4:41 {"url":"postgres://shop:<secret>@db/orders","password":"<secret>"}

                        """))
    }

    @Test func removedSetting_isExplained() {
        #expect(
            run("debug", "--profile", "prod")
                == Outcome(
                    output: """
                        debug is removed
                          removed by application-prod.json:5:12
                          over application.json:6:12 {"queries":true}

                        """))
    }

    @Test func partOfAValueWithoutParts_isAnError() {
        #expect(
            run("server.port.tcp", "--profile", "prod")
                == Outcome(
                    errors: """
                        error: server.port.tcp is missing
                          replaced by application-prod.json:2:51 443
                          over application.json:3:44 8080

                        """, status: 1))
    }

    @Test func mistypedKey_isAnErrorWithASuggestion() {
        #expect(
            run("server.prot")
                == Outcome(
                    errors: """
                        error: server.prot is missing; did you mean server.port?

                        """, status: 1))
        #expect(
            run("server..port")
                == Outcome(
                    errors: """
                        error: the argument KEY takes the path of a setting: malformed path "server..port": expected a key at \
                        column 8, found "."
                        Try: locator explain --help

                        """, status: 2))
        #expect(
            run()
                == Outcome(
                    errors: """
                        error: the argument KEY is missing
                        Try: locator explain --help

                        """, status: 2))
    }
}
