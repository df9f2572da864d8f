import Foundation
import LocatorProperties
import TestSupport
import Testing

@Suite("Later folders override earlier ones, and a variable may name others")
struct FoldersTests {
    private func source(
        _ folders: [String], _ files: [String: String], profiles: ProfileList? = nil,
        environment: [String: String] = [:], variable: String? = PropertiesSource.folderVariable
    ) -> PropertiesSource {
        var source = PropertiesSource(
            .folders(folders), profiles: profiles, environment: environment, folderVariable: variable)
        source.fileSystem = .inMemory(files)
        source.hasRaisedRights = { false }
        return source
    }

    private let files = [
        "A/application.json": #"{"a": "A", "b": "A", "c": "A", "o": {"x": 1}}"#,
        "A/application-dev.json": #"{"b": "A dev", "c": "A dev"}"#,
        "B/application.json": #"{"c": "B", "o": {"y": 2}}"#,
        "B/application-prod.json": #"{"a": "B prod"}"#,
        "C/application-dev.json": #"{"d": "C dev"}"#,
    ]

    @Test("All of a later folder overrides an earlier one; a profile needs a file in one of them")
    func folders_areMerged() throws {
        let properties = try source(["A", "B", "C"], files, profiles: "dev,prod").load()
        #expect(properties.resolvedText == #"a="B prod" b="A dev" c="B" o.x=1 o.y=2 d="C dev""#)
        #expect(properties.profiles == ["dev", "prod"])
        #expect(
            properties.explain("c").description == """
                c = "B"
                  from B/application.json:1:7 "B"
                  over A/application-dev.json:1:21 "A dev"
                  over A/application.json:1:27 "A"
                """)
        #expect(properties.places == ["A", "B", "C"])
    }

    @Test("Folders that are loaded one after another are also distinguished")
    func loads_areToldApart() throws {
        let loads = try ["A", "B", "A", "C"].map { folder in
            try source([folder], files.merging(["C/application.json": "{}"]) { $1 }, profiles: []).load()
        }
        let same = try loads[0].overlaid(by: loads[2])
        #expect(
            same.explain("c").layers.map(\.origin.description) == ["application.json:1:27", "application.json:1:27"])
        let properties = try loads[0].overlaid(by: loads[1]).overlaid(by: loads[3])
        #expect(
            properties.explain("c").layers.map(\.origin.description) == [
                "B/application.json:1:7", "A/application.json:1:27",
            ])
    }

    @Test("Files of a single folder are called only by their names")
    func folder_isOne() throws {
        let properties = try source(["A"], files, profiles: "dev").load()
        #expect(properties.explain("b").origin?.description == "application-dev.json:1:7")
    }

    @Test("An empty list of folders is an error, with or without a profile")
    func noFolders_areRefused() throws {
        for profiles in [nil, [], "prod"] as [ProfileList?] {
            #expect(
                message { _ = try source([], files, profiles: profiles).load() }
                    == "the list of folders is empty; name a folder")
        }
        #expect(
            message { _ = try source([], files, environment: ["LOCATOR_CONFIG": ""]).load() }
                == "the environment variable LOCATOR_CONFIG is empty; set it to a folder, or unset it")
        #expect(try source([], files, environment: ["LOCATOR_CONFIG": "A"]).load()["a"] == "A")
    }

    @Test("Files that are missing in all folders, or in one")
    func file_isMissing() {
        func failure(_ folders: [String], _ files: [String: String]? = nil, profiles: ProfileList? = nil) -> String? {
            message { _ = try source(folders, files ?? self.files, profiles: profiles).load() }
        }
        func without(_ folder: String, has files: String) -> String {
            """
            \(folder)/application.json: there is no such file; its folder has \(files). Add it (an empty object {} will do), \
            or list the files to load: files: […]
            """
        }
        #expect(
            failure(["A", "B"], profiles: "pro") == """
                the list of requested profiles names profile "pro", but there is no file application-pro.json in A or B; did you \
                mean "prod"? profiles that exist: dev, prod
                """)
        #expect(failure(["C"]) == without("C", has: "application-dev.json"))
        #expect(failure(["C", "C"]) == without("C", has: "application-dev.json"))
        #expect(failure(["A", "D"])?.hasPrefix("D: there is no such folder; it was looked for at /") == true)
        #expect(
            failure(["A", "E"], files.merging(["E/readme.txt": ""]) { $1 })
                == without("E", has: "no JSON files"))
        #expect(
            failure(["A", "F"], files.merging(["F/application.json": "{"]) { $1 }, profiles: "dev")?
                .hasPrefix("F/application.json:1:2: expected a key") == true)
    }

    @Test("The groups of all folders apply; a later group replaces one of the same name")
    func groups_areMerged() throws {
        func base(_ groups: String) -> String { #"{"locator": {"profiles": {"groups": \#(groups)}}}"# }
        let files = [
            "A/application.json": base(#"{"g": ["a"], "h": ["b"], "i": ["a"]}"#), "A/application-a.json": #"{"a": 1}"#,
            "B/application.json": base(#"{"h": ["g", "c"], "i": null}"#), "B/application-b.json": "{}",
            "B/application-c.json": #"{"c": 1}"#,
        ]
        #expect(try source(["A", "B"], files, profiles: "h").load().profiles == ["a", "c"])
        #expect(try source(["B", "A"], files, profiles: "h").load().profiles == ["b"])
        #expect(message { _ = try source(["A", "B"], files, profiles: "i").load() } != nil)
        let removed = files.merging(["B/application.json": base("null")]) { $1 }
        #expect(message { _ = try source(["A", "B"], removed, profiles: "g").load() } != nil)
        #expect(try source(["A", "B"], removed, profiles: "a").load().profiles == ["a"])
        let cycle = files.merging(["B/application.json": base(#"{"a": ["g"]}"#)]) { $1 }
        #expect(
            message { _ = try source(["A", "B"], cycle, profiles: "a").load() } == """
                locator.profiles.groups: profile groups contain each other: a -> g -> a (B/application.json:1:43)
                """)
    }

    @Test("A variable names other folders than the program, and explain says so")
    func variable_choosesFolders() throws {
        let environment = ["LOCATOR_CONFIG": "B", "CONFIG": "A:C", "LOCATOR_CONFG": "x"]
        let chosen = try source(["A"], files, environment: environment).load()
        #expect(chosen.resolvedText == #"c="B" o.y=2"#)
        #expect(
            chosen.explain("c").description == """
                c = "B"
                  from B/application.json:1:7 (folder from LOCATOR_CONFIG) "B"
                """)
        #expect(chosen.places == ["B (LOCATOR_CONFIG)"])
        #expect(chosen.profileWarnings == [])
        let two = try source(["B"], files, profiles: "dev", environment: environment, variable: "CONFIG").load()
        #expect(two.resolvedText == #"a="A" b="A dev" c="A dev" o.x=1 d="C dev""#)
        let none = try source(["A"], files, environment: environment, variable: nil).load()
        #expect(none["c"] == "A")
        let slip = try source(["A"], files, environment: ["LOCATOR_CONFG": "x"]).load()
        #expect(
            slip.profileWarnings == [
                "the environment variable LOCATOR_CONFG chooses no folder; did you mean LOCATOR_CONFIG?"
            ])
    }

    @Test("A variable that names nothing, or a folder that is missing, is an error")
    func variable_isWrong() {
        func failure(_ text: String) -> String? {
            message { _ = try source(["A"], files, environment: ["LOCATOR_CONFIG": text]).load() }
        }
        #expect(failure("") == "the environment variable LOCATOR_CONFIG is empty; set it to a folder, or unset it")
        #expect(failure("A::B") == "item 2 of the environment variable LOCATOR_CONFIG is empty")
        #expect(failure("A:") == "item 2 of the environment variable LOCATOR_CONFIG is empty")
        #expect(
            failure("/nowhere") == """
                /nowhere: there is no such folder; the environment variable LOCATOR_CONFIG names it, and it was looked for at \
                /nowhere
                """)
    }

    @Test("A program that runs with more rights than its user ignores the variable, with a warning")
    func variable_isIgnored_whenRightsAreRaised() throws {
        var source = source(["A"], files, environment: ["LOCATOR_CONFIG": "B"])
        source.hasRaisedRights = { true }
        let properties = try source.load()
        #expect(properties["c"] == "A")
        #expect(
            properties.profileWarnings == [
                "the environment variable LOCATOR_CONFIG is ignored: the program runs with more privileges than the user who started it"
            ])
        #expect(!ProcessRights.areRaised)
    }

    @Test("The variable is not a setting, even if its name has the prefix of overrides")
    func variable_isNotASetting() throws {
        var source = source(["B"], files, environment: ["LOCATOR_CONFIG": "A", "LOCATOR_A": "x"])
        source.overrides = .environment(prefix: "LOCATOR_")
        let properties = try source.load()
        #expect(properties["config"] == nil)
        #expect(properties["a"] == "x")
    }

    @Test("Folders are read from disk")
    func folders_areOnDisk() throws {
        let folders = try [
            TemporaryFolder(["application.json": #"{"a": 1}"#]), TemporaryFolder(["application.json": #"{"a": 2}"#]),
        ]
        let paths = folders.map(\.path)
        #expect(try Properties.load(from: paths, environment: [:])["a"] == 2)
        let environment = ["LOCATOR_CONFIG": paths.reversed().joined(separator: ":")]
        let properties = try Properties.load(
            from: "Config", environment: environment, folderVariable: PropertiesSource.folderVariable)
        #expect(properties["a"] == 1)
    }
}
