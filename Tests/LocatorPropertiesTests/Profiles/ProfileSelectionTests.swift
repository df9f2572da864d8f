import LocatorProperties
import Testing

private let files = [
    "": #"{"name":"base"}"#, "dev": #"{"name":"dev"}"#, "prod": #"{"name":"prod"}"#, "metrics": #"{"metrics":true}"#,
    "eu.west-1_a": #"{"name":"eu"}"#,
]

@Suite("Profiles come from the program, then LOCATOR_PROFILE, then the defaults; otherwise there are none")
struct ProfileSelectionTests {
    @Test(
        "Where the profiles come from",
        arguments: [
            (nil, nil, [], [], "base"),
            (nil, nil, ["dev"], ["dev"], "dev"),
            (nil, "prod", ["dev"], ["prod"], "prod"),
            (nil, "prod,metrics", [], ["prod", "metrics"], "prod"),
            (nil, "  prod ,\tmetrics\n", [], ["prod", "metrics"], "prod"),
            (nil, "metrics,prod,dev", [], ["metrics", "prod", "dev"], "dev"),
            (nil, "eu.west-1_a", [], ["eu.west-1_a"], "eu"),
            (["dev"], "prod", ["metrics"], ["dev"], "dev"),
            ([], "prod", ["dev"], [], "base"),
            ("dev, prod", nil, [], ["dev", "prod"], "prod"),
        ] as [(ProfileList?, String?, ProfileList, [String], String)])
    func selection(
        profiles: ProfileList?, variable: String?, defaults: ProfileList, expected: [String], name: String
    ) throws {
        let environment = variable.map { ["LOCATOR_PROFILE": $0] } ?? [:]
        let properties = try load(files, profiles: profiles, default: defaults, environment: environment)
        #expect(properties.profiles == expected)
        #expect(properties["name"] == .string(name))
    }

    @Test("If the variable has another name, LOCATOR_PROFILE is ignored")
    func variable_isRenamed() throws {
        var source = PropertiesSource(
            .folder("Config"), profileVariable: "SHOP_PROFILE",
            environment: ["SHOP_PROFILE": "dev", "LOCATOR_PROFILE": "prod"])
        source.fileSystem = .inMemory(["Config/application.json": "{}", "Config/application-dev.json": "{}"])
        #expect(try source.load().profiles == ["dev"])
    }

    @Test("A profile is active by its name, and so is a group that was chosen")
    func isProfileActive() throws {
        let base = #"{"locator":{"profiles":{"groups":{"cloud":["prod","metrics"]}}}}"#
        let properties = try load(files.merging(["": base]) { $1 }, profiles: "cloud")
        #expect(
            ["cloud", "prod", "metrics", "dev", ""].map(properties.isProfileActive) == [true, true, true, false, false])
    }

    @Test(
        "Invalid lists",
        arguments: [
            ("", "the environment variable LOCATOR_PROFILE is empty; name a profile, or leave it out"),
            ("  ", "the environment variable LOCATOR_PROFILE is empty; name a profile, or leave it out"),
            (
                ",",
                "item 1 of the environment variable LOCATOR_PROFILE is empty\nitem 2 of the environment variable LOCATOR_PROFILE is empty"
            ),
            ("dev,", "item 2 of the environment variable LOCATOR_PROFILE is empty"),
            ("dev,,prod", "item 2 of the environment variable LOCATOR_PROFILE is empty"),
            ("dev,prod, dev", #"the environment variable LOCATOR_PROFILE names profile "dev" twice"#),
            (".", malformed(".")),
            ("..", malformed("..")),
            ("../dev", malformed("../dev")),
            ("/etc/passwd", malformed("/etc/passwd")),
            ("a/b", malformed("a/b")),
            (#"a\b"#, malformed(#"a\b"#)),
            ("dev prod", malformed("dev prod") + "; a list has commas: dev,prod"),
            ("dev; prod", malformed("dev; prod") + "; a list has commas: dev,prod"),
            ("größe", malformed("größe")),
            ("dev%2e", malformed("dev%2e")),
            ("dev\u{0}", malformed(#"dev\u{0}"#)),
        ])
    func list_isRefused(text: String, expected: String) {
        #expect(message { _ = try load(files, environment: ["LOCATOR_PROFILE": text]) } == expected)
    }

    @Test(
        "Profiles without a file",
        arguments: [
            (
                "prdo",
                #"the list of requested profiles names profile "prdo", but there is no file Config/application-prdo.json; did you mean "prod"? profiles that exist: dev, eu.west-1_a, metrics, prod"#
            ),
            (
                "Prod",
                #"the list of requested profiles names profile "Prod", but there is no file Config/application-Prod.json; did you mean "prod"? profiles that exist: dev, eu.west-1_a, metrics, prod"#
            ),
            (
                "application-prod",
                #"the list of requested profiles names profile "application-prod", but there is no file Config/application-application-prod.json; did you mean "prod"? profiles that exist: dev, eu.west-1_a, metrics, prod"#
            ),
            (
                "application-dev.json",
                #"the list of requested profiles names profile "application-dev.json", but there is no file Config/application-application-dev.json.json; did you mean "dev"? profiles that exist: dev, eu.west-1_a, metrics, prod"#
            ),
            (
                "dev.json",
                #"the list of requested profiles names profile "dev.json", but there is no file Config/application-dev.json.json; did you mean "dev"? profiles that exist: dev, eu.west-1_a, metrics, prod"#
            ),
            (
                "elsewhere",
                #"the list of requested profiles names profile "elsewhere", but there is no file Config/application-elsewhere.json; profiles that exist: dev, eu.west-1_a, metrics, prod"#
            ),
        ])
    func profile_isUnknown(name: String, expected: String) {
        #expect(message { _ = try load(files, profiles: ProfileList([name])) } == expected)
    }

    @Test(
        "A file that was probably intended for the profile",
        arguments: [
            ("application.prod.json", "rename it to"), ("application_prod.json", "rename it to"),
            ("Application-prod.json", "rename it to"), ("appliction-prod.json", "rename it to"),
            ("application-prod.JSON", "rename it to"), ("prod.json", "rename it to"),
            ("application-prod.yaml", "write it in JSON, as"),
        ])
    func profile_hasAMisnamedFile(file: String, fix: String) {
        var source = PropertiesSource(.folder("Config"), profiles: "prod", environment: [:])
        source.fileSystem = .inMemory([
            "Config/application.json": "{}", "Config/application-dev.json": "{}", "Config/\(file)": "{}",
        ])
        #expect(
            message { _ = try source.load() }
                == #"the list of requested profiles names profile "prod", but there is no file "#
                + "Config/application-prod.json; did you mean \(file)? \(fix) application-prod.json; "
                + "profiles that exist: dev")
    }

    @Test("If the base file is missing, the profiles are not searched")
    func base_isMissing() {
        #expect(
            message { _ = try load(["dev": "{}"], profiles: "dev,prdo") }
                == "Config/application.json: there is no such file; its folder has application-dev.json. "
                + "Add it (an empty object {} will do), or list the files to load: files: […]")
    }

    @Test("If there are no profile files, the error says so")
    func profile_isUnknown_whenThereAreNone() {
        #expect(
            message { _ = try load(["": "{}"], default: "dev") }
                == #"the list of default profiles names profile "dev", but there is no file Config/application-dev.json; there are no profiles"#
        )
    }

    private static func malformed(_ name: String) -> String {
        #"the environment variable LOCATOR_PROFILE names "\#(name)", which cannot be a profile; "#
            + #"names consist of letters, digits, ".", "_" and "-""#
    }
}

@Suite("A group stands for its members")
struct ProfileGroupTests {
    @Test(
        "Expansion",
        arguments: [
            (#"{"cloud":["prod","metrics"]}"#, "cloud", ["prod", "metrics"]),
            (#"{"prod":["prod","metrics"]}"#, "prod", ["prod", "metrics"]),
            (#"{"prod":["metrics","prod"]}"#, "prod", ["metrics", "prod"]),
            (#"{"a":["b","dev"],"b":["prod","metrics"]}"#, "a", ["prod", "metrics", "dev"]),
            (#"{"a":["prod","metrics"],"b":["metrics","dev"]}"#, "a,b", ["prod", "metrics", "dev"]),
            // The last place counts.
            (#"{"a":["prod","metrics"]}"#, "metrics,a", ["prod", "metrics"]),
            (#"{"a":["prod","dev"]}"#, "a,prod", ["dev", "prod"]),
            (#"{"a":["prod","dev"]}"#, "prod,a", ["prod", "dev"]),
            (#"{"a":["prod","dev"],"b":["metrics","prod"]}"#, "b,a", ["metrics", "prod", "dev"]),
            (#"{"a":["b","prod"],"b":["prod","dev"]}"#, "a", ["dev", "prod"]),
            // Several groups may contain the same one.
            (#"{"a":["c","prod"],"b":["c","metrics"],"c":["dev"]}"#, "a,b", ["prod", "dev", "metrics"]),
            (#"{"a":["b","c"],"b":["d","prod"],"c":["d"],"d":["dev"]}"#, "a", ["prod", "dev"]),
            (#"{"a":["prod"]}"#, "dev", ["dev"]),
            (#"{"a":[]}"#, "a", []),
            ("null", "dev", ["dev"]),
            (#"{"a":null}"#, "dev", ["dev"]),
            (#"{"a":["b"],"b":["b","c"],"c":["dev"]}"#.replacing("\"b\",", with: ""), "a", ["dev"]),
        ])
    func expansion(groups: String, chosen: String, expected: [String]) throws {
        let base = #"{"locator":{"profiles":{"groups":\#(groups)}}}"#
        let properties = try load(files.merging(["": base]) { $1 }, profiles: ProfileList(chosen))
        #expect(properties.profiles == expected)
    }

    @Test(
        "Invalid groups",
        arguments: [
            (
                #"{"a":["b"],"b":["a"]}"#,
                "locator.profiles.groups: profile groups contain each other: a -> b -> a (application.json:1:41)"
            ),
            (
                #"{"a":["b"],"b":["c"],"c":["b"]}"#,
                "locator.profiles.groups: profile groups contain each other: b -> c -> b (application.json:1:51)"
            ),
            (
                #"{"a":["dev","nope"]}"#,
                #"application.json:1:48: the profile group "a" names profile "nope", but there is no file Config/application-nope.json; profiles that exist: dev, eu.west-1_a, metrics, prod"#
            ),
            (
                #"{"a":["dev","dev"]}"#,
                #"locator.profiles.groups.a: the profile group "a" names profile "dev" twice (application.json:1:41)"#
            ),
            (
                #"{"a":["../x"]}"#,
                #"locator.profiles.groups.a: the profile group "a" names "../x", which cannot be a profile; names consist of letters, digits, ".", "_" and "-" (application.json:1:41)"#
            ),
            (
                #"{"a b":["dev"]}"#,
                #"locator.profiles.groups['a b']: "a b" cannot be a profile group; names consist of letters, digits, ".", "_" and "-" (application.json:1:43)"#
            ),
            (
                #"{"a":"dev"}"#,
                "locator.profiles.groups.a: expected an array of profile names, found a string (application.json:1:41)"
            ),
            (
                #"{"a":["dev",7]}"#,
                "locator.profiles.groups.a[1]: expected the name of a profile, found a number (application.json:1:48)"
            ),
            (
                #"["dev"]"#,
                "locator.profiles.groups: expected an object of arrays, found an array (application.json:1:36)"
            ),
        ])
    func groups_areRefused(groups: String, expected: String) {
        let base = #"{"locator":{"profiles":{"groups":   \#(groups)}}}"#.replacing("   ", with: "  ")
        #expect(message { _ = try load(files.merging(["": base]) { $1 }, profiles: "a") } == expected)
    }

    @Test(
        "A value where the groups must be is an error",
        arguments: [
            (#"{"locator":3}"#, "locator: expected an object, found a number (application.json:1:12)"),
            (
                #"{"locator":{"profiles":["dev"]}}"#,
                "locator.profiles: expected an object, found an array (application.json:1:24)"
            ),
        ])
    func groups_areRefused_behindAValue(base: String, expected: String) {
        #expect(message { _ = try load(files.merging(["": base]) { $1 }, profiles: "a") } == expected)
    }

    @Test("A group in a profile file is an error")
    func groups_areRefused_inProfileFile() {
        let late = #"{"locator":{"profiles":{"groups":{"a":["dev"]}}}}"#
        #expect(
            message { _ = try load(files.merging(["dev": late]) { $1 }, profiles: "dev") }
                == "locator.profiles.groups: profile groups belong in the base file: this file is read only when its profile is active (application-dev.json:1:34)"
        )
    }
}
