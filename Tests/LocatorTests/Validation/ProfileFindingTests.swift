import Locator
import TestSupport
import Testing

private let file: StaticString = "Shop/Shop.swift"

private struct Server: ConfigProperty {
    static let path = "server"
    let port: Int
}

private struct Client: Sendable {}
private struct Mailer: Sendable {}
private struct Mail: Sendable {}

@Suite("Validation checks every requested profile")
struct ProfileFindingTests {
    /// A context with these files.
    ///
    /// Texts call the folder `Config`.
    private func report(
        _ files: [String: String], profiles: [ProfileList], _ modules: Module...
    ) throws -> String {
        let folder = try TemporaryFolder(files)
        let context = try AppContext().loadProperties(from: folder.path, environment: [:])
        for module in modules { try context.load(module) }
        return context.validate(profiles: profiles).description.replacing(folder.path, with: "Config")
    }

    private let client = Module("Shop") { registry in
        registry.register(Client.self, fileID: file, line: 2) { (_: Server) in Client() }
    }

    private let fix = "  fix: add it to a profile file or to the `properties:` of a module, or take Server?"

    @Test func sameInAll_isOneFinding_withAllProfiles() throws {
        let text = try report(
            ["application.json": "{}", "application-dev.json": "{}", "application-prod.json": "{}"],
            profiles: ["dev", "prod"], client)
        #expect(
            text == """
                Shop/Shop.swift:2: error: Client needs Server: the setting \
                server is missing (expected Server) [dev, prod]
                \(fix)
                1 error in 1 registration (dev, prod)
                """)
    }

    @Test func sameWithOtherNotesOrAnotherFix_isAFindingOfItsOwn() throws {
        let shop = Module("Shop") { registry in
            registry.register(Mailer.self, parameterQualifiers: ["mail"], fileID: file, line: 2) { (_: Mail) in Mailer()
            }
            registry.requires("server.port", as: Int.self, fileID: file, line: 3)
        }
        let dev = Module("Dev", when: .profile("dev")) { registry in
            registry.register(Mail.self, qualifier: "mailx", fileID: "Shop/Dev.swift", line: 2) { Mail() }
        }
        let prod = Module("Prod", when: .profile("prod")) { registry in
            registry.register(Mail.self, qualifier: "email", fileID: "Shop/Prod.swift", line: 2) { Mail() }
        }
        let files = [
            "application.json": "{}",
            "application-dev.json": #"{ "server": { "prot": 1 } }"#,
            "application-prod.json": "{\n  \"server\": { \"prot\": 2 }\n}",
        ]
        let fix = "correct the path to server.prot, or rename that setting"
        #expect(
            try report(files, profiles: ["dev", "prod"], shop, dev, prod) == """
                Shop/Shop.swift:2: error: Mailer needs Mail "mail", which is not registered [dev]
                Shop/Dev.swift:2: note: near: Mail "mailx"
                  fix: change the qualifier to "mailx"
                Shop/Shop.swift:3: error: module "Shop" requires a setting: \
                server.port is missing (expected Int); did you mean server.prot? [dev]
                  fix: \(fix) (application-dev.json:1:23)
                Shop/Shop.swift:2: error: Mailer needs Mail "mail", which is not registered [prod]
                Shop/Prod.swift:2: note: near: Mail "email"
                  fix: change the qualifier to "email"
                Shop/Shop.swift:3: error: module "Shop" requires a setting: \
                server.port is missing (expected Int); did you mean server.prot? [prod]
                  fix: \(fix) (application-prod.json:2:23)
                4 errors in 2 registrations (dev, prod)
                """)
    }

    @Test func foundInOneProfile_namesIt_withThePlaceInItsFile() throws {
        let files = [
            "application.json": "{}",
            "application-dev.json": #"{ "server": { "port": 80 } }"#,
            "application-prod.json": """
            {
              "server": { "port": "x" }
            }
            """,
        ]
        #expect(
            try report(files, profiles: ["dev", "prod"], client) == """
                Shop/Shop.swift:2: error: Client needs Server: the setting \
                server.port: expected Int, found string "x" (application-prod.json:2:23) [prod]
                  fix: correct its value, or the type that the program expects
                1 error in 1 registration (dev, prod)
                """)
    }

    @Test func filesOfOneProfile_areMissingOrBroken_andTheOthersAreChecked() throws {
        let files = [
            "application.json": "{}",
            "application-dev.json": "{}",
            "application-prod.json": "{\n  \"server\": { \"port\": 80, }\n}",
            "application-broken.json": #"{ "a": "${b}", "c": "${d}" }"#,
        ]
        #expect(
            try report(files, profiles: ["prod", "prdo", "broken", "dev", "a/b"], client) == """
                application-prod.json:2:27: error: expected another key after ',', found '}'; \
                JSON has no trailing commas [prod]
                error: the list of requested profiles names profile "prdo", but there is no file Config/application-prdo.json; \
                did you mean "prod"? profiles that exist: broken, dev, prod [prdo]
                application-broken.json:1:8: error: a: ${b} needs b, which is missing [broken]
                  fix: correct the placeholder, or set what it needs
                application-broken.json:1:21: error: c: ${d} needs d, which is missing [broken]
                  fix: correct the placeholder, or set what it needs
                Shop/Shop.swift:2: error: Client needs Server: the setting \
                server is missing (expected Server) [dev]
                \(fix)
                error: the list of requested profiles names "a/b", which cannot be a profile; \
                names consist of letters, digits, ".", "_" and "-" [a/b]
                6 errors in 1 registration (prod, prdo, broken, dev, a/b)
                """)
    }

    @Test func filesThatSaySomethingInVain_areWarnings() throws {
        let files = [
            "application.json":
                #"{ "locator": { "profiles": { "active": "dev", "groups": { "prod": ["dev"] } }, "secret": ["a"] } }"#,
            "application-dev.json": "{}",
            "application-prod.json": "{}",
        ]
        let removing = "remove it; the variable LOCATOR_PROFILE or the argument `profiles:` chooses profiles"
        #expect(
            try report(files, profiles: ["dev", "prod"]) == """
                warning: locator.secret has no meaning; did you mean locator.secrets? (application.json:1:90) [dev, prod]
                  fix: correct the key, or remove it
                warning: locator.profiles.active has no meaning (application.json:1:40) [dev, prod]
                  fix: \(removing)
                warning: application-prod.json is not read, because the group prod does not contain prod [prod]
                  fix: add it to the group, or remove the file
                3 warnings in 0 registrations (dev, prod)
                """)
    }

    @Test func keyWithDots_thatOverridesNothing_isAWarning() throws {
        let files = [
            "application.json":
                #"{ "server": { "port": 80, "tls": { "on": true } }, "levels": { "com.shop": "info", "com": 1 } }"#,
            "application-dev.json": #"{ "server.port": 81, "server": { "tls.on": false }, "server.host": "a" }"#,
        ]
        #expect(
            try report(files, profiles: ["dev"]) == """
                warning: server['tls.on'] does not override server.tls.on: it is one key and not a path \
                (application-dev.json:1:44) [dev]
                  fix: write nested objects
                warning: ['server.port'] does not override server.port: it is one key and not a path \
                (application-dev.json:1:18) [dev]
                  fix: write nested objects
                2 warnings in 0 registrations (dev)
                """)
    }

    @Test func modules_holdInSomeProfiles() throws {
        let shop = Module("Shop") { registry in
            registry.register(Mailer.self, fileID: file, line: 2) { (_: Mail) in Mailer() }
        }
        let mail = Module("Mail", when: .profile("prod")) { registry in
            registry.register(Mail.self, fileID: "Shop/Mail.swift", line: 2) { (_: Client) in Mail() }
        }
        #expect(
            try report(
                ["application.json": "{}", "application-dev.json": "{}", "application-prod.json": "{}"],
                profiles: ["dev", "prod"], shop, mail) == """
                    Shop/Shop.swift:2: error: Mailer needs Mail, which is not registered [dev]
                    Shop/Mail.swift:2: note: module "Mail" registers Mail, but is off unless profile "prod" is active
                      fix: make the condition true, or register it in a loaded module: registry.register(Mail.self) { … }
                    Shop/Mail.swift:2: error: Mail needs Client, which is not registered [prod]
                    Shop/Shop.swift:2: note: Mailer needs Mail
                      fix: register it in a loaded module: registry.register(Client.self) { … }
                    2 errors in 2 registrations (dev, prod)
                    """)
    }

    @Test func severalProfilesTogether_groups_andNoProfile() throws {
        let files = [
            "application.json": #"{ "locator": { "profiles": { "groups": { "staging": ["prod", "dev"] } } } }"#,
            "application-dev.json": #"{ "server": { "port": 80 } }"#,
            "application-prod.json": "{}",
        ]
        #expect(
            try report(files, profiles: ["prod,dev", "staging", "prod", []], client) == """
                Shop/Shop.swift:2: error: Client needs Server: the setting \
                server is missing (expected Server) [prod, no profile]
                \(fix)
                1 error in 1 registration (prod,dev, staging, prod, no profile)
                """)
        #expect(
            try report(files, profiles: ["dev", "dev", "prod", "prod"], client) == """
                Shop/Shop.swift:2: error: Client needs Server: the setting \
                server is missing (expected Server) [prod]
                \(fix)
                1 error in 1 registration (dev, prod)
                """)
    }

    @Test func withoutFiles_profilesDecideConditionsOnly() throws {
        let context = try AppContext().load(
            .text("always"),
            Module("Prod", when: .profile("prod")) { registry in
                registry.register(Mail.self, fileID: file, line: 2) { (_: Client) in Mail() }
            })
        #expect(
            context.validate(profiles: ["dev", "prod"]).description == """
                Shop/Shop.swift:2: error: Mail needs Client, which is not registered [prod]
                  fix: register it in a loaded module: registry.register(Client.self) { … }
                1 error in 2 registrations (dev, prod)
                """)
    }

    @Test func filesAreReadAsTheyAreNow_andTheContextKeepsItsOwn() throws {
        let folder = try TemporaryFolder(["application.json": "{}", "application-dev.json": #"{ "name": "old" }"#])
        let context = try AppContext().loadProperties(from: folder.path, profiles: "dev")
        try context.load(Module("Shop") { $0.requires("name", as: Int.self, fileID: file, line: 2) })
        try folder.write(#"{ "name": 1 }"#, to: "application-dev.json")
        #expect(context.validate(profiles: ["dev"]).description == "nothing found in 0 registrations (dev)")
        #expect(try context.value("name", as: String.self) == "old")
        #expect(context.validate().errors.count == 1)
    }
}
