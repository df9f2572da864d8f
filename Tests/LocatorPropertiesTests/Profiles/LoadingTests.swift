import Foundation
import LocatorProperties
import Testing

@Suite("One error lists all problems of the files")
struct LoadingProblemTests {
    @Test("Every broken file is reported, and every unknown profile")
    func files_areBroken() {
        let files = ["": #"{"a": 1,}"#, "p": #"{"b": 01}"#, "q": "[]", "r": "{}", "s": ""]
        #expect(
            message { _ = try load(files, profiles: "p,q,r,s") } == """
                application.json:1:9: expected another key after ',', found '}'; JSON has no trailing commas
                application-p.json:1:7: expected a number, found 01; a number in JSON has no leading zeros
                application-q.json:1:1: expected an object, found an array
                application-s.json: the file is empty; write {}
                """)
        #expect(
            message { _ = try load(["": "{}", "p": "nul"], profiles: "p,nope,nada") } == """
                application-p.json:1:1: expected a value, found the word nul; did you mean null?
                the list of requested profiles names profile "nope", but there is no file Config/application-nope.json; profiles that exist: p
                the list of requested profiles names profile "nada", but there is no file Config/application-nada.json; profiles that exist: p
                """)
    }

    @Test("Groups in another place do not exist")
    func groups_areMisplaced() {
        #expect(
            message { _ = try load(["": #"{"locator":{"groups":{"cloud":["p"]}}}"#, "p": "{}"], profiles: "cloud") }
                == "the list of requested profiles names profile \"cloud\", but there is no file "
                + "Config/application-cloud.json; locator.groups has no meaning: write the group in "
                + "locator.profiles.groups")
    }

    @Test("With a broken base file, the groups are unknown, so an unknown name is not a second error")
    func base_isBroken() {
        #expect(
            message { _ = try load(["": "{", "p": "[1"], profiles: "p,group") } == """
                application.json:1:2: expected a key in double quotes or '}', found the end of the text; the object from 1:1 is not closed
                application-p.json:1:3: expected ',' or ']', found the end of the text; the array from 1:1 is not closed
                """)
    }

    @Test(
        "A root that is not an object",
        arguments: [
            ("[]", "an array"), ("1", "a number"), ("null", "null"), (#""x""#, "a string"), ("true", "a boolean"),
        ])
    func root_isNotAnObject(text: String, kind: String) {
        #expect(message { _ = try load(["": text]) } == "application.json:1:1: expected an object, found \(kind)")
    }

    @Test("A file without read permission")
    func file_isUnreadable() {
        #expect(
            message {
                _ = try load(
                    ["": "{}", "p": "{}"], profiles: "p",
                    unreadable: [
                        "Config/application.json": .unreadable("Permission denied"),
                        "Config/application-p.json": .unreadable("Input/output error"),
                    ])
            } == """
                Config/application.json: cannot be read: Permission denied
                Config/application-p.json: cannot be read: Input/output error
                """)
    }

    @Test("Placeholders are checked only if all files could be read")
    func placeholders_waitForFiles() {
        let files = ["": #"{"a": "${b}"}"#, "p": "{"]
        #expect(
            message { _ = try load(files, profiles: "p") }
                == "application-p.json:1:2: expected a key in double quotes or '}', found the end of the text; the object from 1:1 is not closed"
        )
    }

    @Test("A tree in code must be an object, and no deeper than a file")
    func tree_isRefused() {
        #expect(
            message { _ = try Properties([1, 2], file: "defaults") } == "defaults: expected an object, found an array")
        var deep: JSONValue = 1
        for _ in 0..<100_000 { deep = ["a": deep] }
        #expect(
            message { _ = try Properties(deep, file: "defaults") }
                == "defaults: expected at most 128 levels of arrays and objects, found more")
    }
}

@Suite("Files are read from disk: by folder, by URL, or one by one")
struct DiskTests {
    /// A folder that is removed after the test.
    private final class Folder {
        let path: String

        init(_ files: [String: String]) throws {
            path = NSTemporaryDirectory() + "locator-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            for (name, text) in files { try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)")) }
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    @Test("For a base file in another format, the error says to write it in JSON")
    func base_isInAnotherFormat() throws {
        let folder = try Folder(["application.yml": "a: 1", "other.json": "{}"])
        #expect(
            message { _ = try Properties.load(from: folder.path, environment: [:]) }
                == "\(folder.path)/application.json: there is no such file; did you mean application.yml? "
                + "write it in JSON")
    }

    @Test("A folder, with or without a trailing slash, or as a URL")
    func folder_isRead() throws {
        let folder = try Folder([
            "application.json": #"{"name": "base", "a": 1}"#, "application-prod.json": #"{"name": "prod"}"#,
        ])
        let loaded = [
            try Properties.load(from: folder.path, default: "prod", environment: [:]),
            try Properties.load(from: folder.path + "/", default: "prod", environment: [:]),
            try Properties.load(from: URL(fileURLWithPath: folder.path), default: "prod", environment: [:]),
        ]
        for properties in loaded {
            #expect(properties.resolvedText == #"name="prod" a=1"#)
            #expect(properties.explain("name").origin?.description == "application-prod.json:1:10")
        }
    }

    @Test("Explicit files, each of which overrides those before it")
    func files_areRead() throws {
        let folder = try Folder([
            "one.json": #"{"a": 1, "b": 1, "locator": {"profiles": {"groups": {"g": ["x", "y"]}}}}"#,
            "two.json": #"{"b": 2}"#,
        ])
        let files = ["\(folder.path)/one.json", "\(folder.path)/two.json"]
        let properties = try Properties.load(files: files, default: "g", environment: [:])
        #expect([properties["a"], properties["b"]] == [1, 2])
        #expect(properties.profiles == ["x", "y"])
        #expect(properties.explain("b").origin?.description == "\(folder.path)/two.json:1:7")
        #expect(
            message {
                _ = try Properties.load(
                    files: ["\(folder.path)/one.json", "\(folder.path)/three.json"], environment: [:])
            }
                == "\(folder.path)/three.json: there is no such file; its folder has one.json, two.json. Correct the path, or add the file"
        )
        #expect(try Properties.load(files: [], environment: [:]).paths == [])
    }

    @Test("The error for a missing file suggests a similar name, or lists the files of its folder")
    func file_isMissing() throws {
        let folder = try Folder(["application.json": "{}", "a.txt": "", "shop.conf": "{}", ".hidden.json": "{}"])
        func failure(_ files: String...) -> String? {
            message { _ = try Properties.load(files: files.map { "\(folder.path)/\($0)" }, environment: [:]) }?
                .replacingOccurrences(of: folder.path, with: "…")
        }
        #expect(
            failure("aplication.json", "Application.json", "shop.cnf", "hidden.json", "other.json") == """
                …/aplication.json: there is no such file; did you mean …/application.json?
                …/Application.json: there is no such file; did you mean …/application.json?
                …/shop.cnf: there is no such file; did you mean …/shop.conf?
                …/hidden.json: there is no such file; its folder has application.json. Correct the path, or add the file
                …/other.json: there is no such file; its folder has application.json. Correct the path, or add the file
                """)
        #expect(
            failure("Config/shop.json") == """
                …/Config/shop.json: there is no such folder; it was looked for at …/Config. Copy it there (in a container, \
                into the image), start the program in the folder that contains it, or give an absolute path or the URL of a \
                folder in the bundle
                """)
        #expect(
            failure("a.txt/shop.json")
                == "…/a.txt/shop.json: expected a folder, found a file; give the folder that contains it")
        for number in 0..<8 { try Data("{}".utf8).write(to: URL(fileURLWithPath: "\(folder.path)/\(number).json")) }
        #expect(
            failure("other.json") == """
                …/other.json: there is no such file; its folder has 0.json, 1.json, 2.json, 3.json, 4.json and 4 others. \
                Correct the path, or add the file
                """)
        let empty = try Folder([:])
        #expect(
            message { _ = try Properties.load(files: ["\(empty.path)/a.json"], environment: [:]) }
                == "\(empty.path)/a.json: there is no such file; its folder has no JSON files. Correct the path, or add the file"
        )
        #expect(
            message { _ = try Properties.load(files: ["nowhere.json"], environment: [:]) }?
                .hasPrefix("nowhere.json: there is no such file; its folder has ") == true)
    }

    @Test("The error for a folder without a base file lists the files that it has")
    func base_isMissing() throws {
        func failure(_ name: String) throws -> String? {
            let folder = try Folder([name: "{}"])
            return message { _ = try Properties.load(from: folder.path, environment: [:]) }?
                .replacingOccurrences(of: folder.path, with: "…")
        }
        #expect(
            try failure("aplication.json")
                == "…/application.json: there is no such file; did you mean …/aplication.json?")
        #expect(
            try failure("settings.json") == """
                …/application.json: there is no such file; its folder has settings.json. Add it (an empty object {} will do), \
                or list the files to load: files: […]
                """)
    }

    @Test("The error for a missing folder suggests a folder with a similar name")
    func folder_hasASimilarName() throws {
        let folder = try Folder(["file": "{}"])
        try FileManager.default.createDirectory(
            atPath: folder.path + "/Config", withIntermediateDirectories: true)
        func failure(_ path: String) -> String? {
            message { _ = try Properties.load(from: path, environment: [:]) }?
                .replacingOccurrences(of: folder.path, with: "…")
        }
        for name in ["Confg", "Konfig/"] {
            #expect(
                failure("\(folder.path)/\(name)")
                    == "…/\(name): there is no such folder; did you mean …/Config? It was looked for at …/\(name)")
        }
        // Where file names have no case, the folder is found.
        #expect(
            failure("\(folder.path)/config")?.hasPrefix("…/config: there is no such folder; did you mean …/Config? ")
                == !FileManager.default.fileExists(atPath: "\(folder.path)/config"))
        // Something else than a folder is not meant.
        #expect(failure("\(folder.path)/fil")?.contains("did you mean") == false)
        #expect(
            failure("~/nowhere") == """
                ~/nowhere: there is no such folder; it was looked for at \
                \(FileManager.default.currentDirectoryPath)/~/nowhere. A program does not replace ~ as a shell does; give an \
                absolute path
                """)
    }

    @Test("Missing files, and folders instead of files")
    func folder_isMissing() throws {
        let folder = try Folder(["application-prod.json": "{}", "file": "{}"])
        let other = try Folder(["x.json": "{}"])
        try FileManager.default.createDirectory(
            atPath: other.path + "/application.json", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: other.path + "/link.json", withDestinationPath: other.path + "/nowhere.json")
        let web = try #require(URL(string: "https://user:pw@example.com/Config"))
        let cases: [(() throws -> Properties, String)] = [
            (
                { try Properties.load(from: folder.path + "/nope", environment: [:]) },
                "\(folder.path)/nope: there is no such folder; it was looked for at \(folder.path)/nope. Copy it there (in a container, into the image), start the program in the folder that contains it, or give an absolute path or the URL of a folder in the bundle"
            ),
            (
                { try Properties.load(from: folder.path, environment: [:]) },
                "\(folder.path)/application.json: there is no such file; its folder has application-prod.json. Add it (an empty object {} will do), or list the files to load: files: […]"
            ),
            (
                { try Properties.load(from: folder.path + "/file", environment: [:]) },
                "\(folder.path)/file: expected a folder, found a file; give the folder that contains it"
            ),
            (
                { try Properties.load(from: other.path, environment: [:]) },
                "\(other.path)/application.json: expected a file, found a folder"
            ),
            (
                { try Properties.load(files: [other.path], environment: [:]) },
                "\(other.path): expected a file, found a folder; pass it as `from:` instead of `files:`"
            ),
            (
                { try Properties.load(files: [other.path + "/link.json"], environment: [:]) },
                "\(other.path)/link.json: it is a link to \(other.path)/nowhere.json, which does not exist"
            ),
            (
                { try Properties.load(from: web, environment: [:]) },
                "https://user:<secret>@example.com/Config: expected the URL of a file"
            ),
        ]
        for (load, expected) in cases {
            #expect(message { _ = try load() } == expected)
        }
    }

    @Test("Loading a source again reads the current files")
    func source_isLoadedAgain() throws {
        let folder = try Folder(["application.json": #"{"a": 1}"#])
        let source = PropertiesSource(.folder(folder.path), environment: [:])
        let first = try source.load()
        try Data(#"{"a": 2}"#.utf8).write(to: URL(fileURLWithPath: folder.path + "/application.json"))
        #expect(try source.load()["a"] == 2)
        #expect(first["a"] == 1)
    }

    @Test("A large file is read completely")
    func file_isLarge() throws {
        let keys = (0..<20_000).map { #""key\#($0)": "\#($0)""# }
        let folder = try Folder(["application.json": "{\(keys.joined(separator: ","))}"])
        let properties = try Properties.load(from: folder.path, environment: [:])
        #expect(properties.paths.count == 20_000)
        #expect(properties["key19999"] == "19999")
    }

    @Test("If no environment is passed, that of the process is used")
    func environment_isThatOfTheProcess() throws {
        let folder = try Folder(["application.json": #"{"path": "${env:PATH}"}"#])
        let path = try #require(ProcessInfo.processInfo.environment["PATH"])
        #expect(try Properties.load(from: folder.path)["path"] == .string(path))
    }
}
