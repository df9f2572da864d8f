import Foundation
import LocatorProperties
import LocatorTool
import Testing

@Suite("`locator properties` lists the settings as the program reads them")
struct PropertiesCommandTests {
    private func run(_ words: String..., configure: (inout Surroundings) -> Void = { _ in }) -> Outcome {
        locator(words: ["properties"] + words) {
            $0.fileSystem = ShopFiles.all
            configure(&$0)
        }
    }

    @Test func table_namesValuesAndPlaces_andMasksSecrets() {
        #expect(
            run()
                == Outcome(
                    output: """
                        locator.profiles.groups.staging  ["prod","dev"]                        application.json:2:53
                        server.host                      "localhost"                           application.json:3:23
                        server.port                      8080                                  application.json:3:44
                        server.url                       "http://localhost:8080"               application.json:3:57
                        orders.retries                   3                                     application.json:4:26
                        orders.database.url              "postgres://shop:<secret>@db/orders"  application.json:4:50
                        orders.database.password         "<secret>"                            application.json:4:99
                        languages                        ["de","en"]                           application.json:5:16
                        debug.queries                    true                                  application.json:6:25

                        """))
    }

    @Test func profile_isChosenByOptionOrEnvironment() {
        let option = run("--profile", "prod")
        let variable = run { $0.environment = ["LOCATOR_PROFILE": "prod"] }
        #expect(option == variable)
        #expect(option.output.contains("\"http://shop.example.com:443\""))
        #expect(!option.output.contains("hunter"))
    }

    @Test func json_isReadByPrograms() {
        #expect(
            run("--format", "json", "--profile=staging")
                == Outcome(
                    output: """
                        {
                          "profiles": [
                            "prod",
                            "dev"
                          ],
                          "properties": {
                            "locator.profiles.groups.staging": {
                              "value": [
                                "prod",
                                "dev"
                              ],
                              "from": "application.json:2:53"
                            },
                            "server.host": {
                              "value": "shop.example.com",
                              "from": "application-prod.json:2:23"
                            },
                            "server.port": {
                              "value": 443,
                              "from": "application-prod.json:2:51"
                            },
                            "server.url": {
                              "value": "http://shop.example.com:443",
                              "from": "application.json:3:57"
                            },
                            "orders.retries": {
                              "value": 3,
                              "from": "application.json:4:26"
                            },
                            "orders.database.url": {
                              "value": "postgres://shop:<secret>@db/orders",
                              "from": "application.json:4:50"
                            },
                            "orders.database.password": {
                              "value": "<secret>",
                              "from": "application-prod.json:3:41",
                              "secret": true
                            },
                            "orders.database.poolSize": {
                              "value": 2,
                              "from": "application-dev.json:2:41"
                            },
                            "languages": {
                              "value": [
                                "de",
                                "en",
                                "fr"
                              ],
                              "from": "application-prod.json:4:16"
                            }
                          }
                        }

                        """))
    }

    @Test func variables_overrideWhereThePrefixIsGiven() {
        let environment = ["SHOP_SERVER__PORT": "9090"]
        #expect(run { $0.environment = environment } == run())
        let outcome = run("--prefix", "SHOP_") { $0.environment = environment }
        #expect(outcome.output.contains("\"9090\""))
    }

    @Test func terminal_hasColors_unlessTheyAreRefused() {
        let colored = run { $0.isOutputTerminal = true }
        #expect(colored.output.contains("\u{1B}[1mserver.port\u{1B}[0m"))
        for environment in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
            let plain = run {
                $0.isOutputTerminal = true
                $0.environment = environment
            }
            #expect(plain == run())
        }
    }

    @Test func mistakes_areReported() {
        #expect(
            run("--profile", "prd")
                == Outcome(
                    errors: """
                        error: the list of requested profiles names profile "prd", but there is no file Config/application-prd.json; did you mean "prod"? profiles that exist: dev, prod

                        """, status: 1))
        #expect(
            run("--config", "Confg")
                == Outcome(
                    errors: """
                        error: Confg: there is no such folder; it was looked for at \(FileManager.default.currentDirectoryPath)/Confg. Copy it there (in a container, into the image), start the program in the folder that contains it, or give an absolute path or the URL of a folder in the bundle

                        """, status: 1))
    }
}
