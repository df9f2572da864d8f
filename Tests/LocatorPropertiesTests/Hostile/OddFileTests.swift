import Foundation
import LocatorProperties
import Testing

@Suite("Anything that is not a settings file is an error, and never blocks")
struct OddFileTests {
    /// A folder that is removed after the test.
    private final class Folder {
        let path = NSTemporaryDirectory() + "locator-\(UUID().uuidString)"

        init(_ files: [String: String] = [:]) throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            for (name, text) in files { try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)")) }
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private func refusal(_ files: String...) -> String? {
        message { _ = try Properties.load(files: files, environment: [:]) }
    }

    @Test("A pipe that nobody writes to, a device, a socket")
    func file_isNotARegularFile() throws {
        let folder = try Folder()
        let pipe = folder.path + "/pipe.json"
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(refusal(pipe) == "\(pipe): expected a file, found a pipe")
        #expect(refusal("/dev/zero") == "/dev/zero: expected a file, found a device")
        #expect(refusal("/dev/null") == "/dev/null: expected a file, found a device")
        let link = folder.path + "/application.json"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "pipe.json")
        #expect(
            message { _ = try Properties.load(from: folder.path, environment: [:]) }
                == "\(link): expected a file, found a pipe")
    }

    @Test("A file of a terabyte without content")
    func file_isSparse() throws {
        let folder = try Folder(["application.json": ""])
        let path = folder.path + "/application.json"
        try #require(truncate(path, 1 << 40) == 0)
        #expect(refusal(path) == "\(path): expected a file of at most 16 MiB, found a larger one")
    }

    @Test("A path with a null character is not the path before it")
    func path_hasNullCharacter() throws {
        let folder = try Folder(["application.json": "{}"])
        let path = folder.path + "/application.json\u{0}x"
        #expect(refusal(path) == folder.path + #"/application.json\u{0}x: the path has a null character"#)
        #expect(
            message { _ = try Properties.load(from: folder.path + "\u{0}x", environment: [:]) }
                == folder.path + #"\u{0}x/application.json: the path has a null character"#)
    }

    @Test("Links that lead nowhere, in place of a file and of the folder")
    func link_isDangling() throws {
        let folder = try Folder(["application.json": "{}"])
        let file = folder.path + "/application-dev.json"
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "gone.json")
        #expect(
            message { _ = try Properties.load(from: folder.path, profiles: "dev", environment: [:]) }
                == "\(file): it is a link to gone.json, which does not exist")
        let link = folder.path + "/config"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/nowhere/at/all")
        #expect(
            message { _ = try Properties.load(from: link, environment: [:]) }
                == "\(link): it is a link to /nowhere/at/all, which does not exist")
    }

    @Test("A folder instead of a profile file, and a file name without a profile")
    func name_hasNoProfile() throws {
        let folder = try Folder(["application.json": "{}", "application-.json": "{}"])
        let path = folder.path + "/application-dev.json"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(
            message { _ = try Properties.load(from: folder.path, profiles: "dev", environment: [:]) }
                == "\(path): expected a file, found a folder")
        #expect(
            message { _ = try Properties.load(from: folder.path, profiles: "prod", environment: [:]) } == """
                the list of requested profiles names profile "prod", but there is no file \
                \(folder.path)/application-prod.json; profiles that exist: dev
                """)
    }

    @Test("The error for a missing folder names the working directory")
    func folder_isMissing() {
        let text = message { _ = try Properties.load(from: "Nowhere", environment: [:]) }
        #expect(
            text == """
                Nowhere: there is no such folder; it was looked for at \
                \(FileManager.default.currentDirectoryPath)/Nowhere. Copy it there (in a container, into the image), \
                start the program in the folder that contains it, or give an absolute path or the URL of a folder in the bundle
                """)
    }

    @Test("A file that begins with a byte order mark is read")
    func file_beginsWithByteOrderMark() throws {
        let folder = try Folder(["application.json": "\u{FEFF}{\"a\":1}"])
        let properties = try Properties.load(from: folder.path, environment: [:])
        #expect(properties.explain("a").origin?.description == "application.json:1:6")
    }

    @Test("The error for a file in Latin-1 says so")
    func file_isLatin1() throws {
        let folder = try Folder()
        let path = folder.path + "/application.json"
        try Data(#"{"a":"Größe"}"#.unicodeScalars.map { UInt8($0.value) }).write(to: URL(fileURLWithPath: path))
        #expect(
            refusal(path) == """
                \(path):1:9: expected UTF-8, found the byte 0xF6, which UTF-8 never contains; the file is in another \
                encoding, Latin-1 perhaps: save it as UTF-8
                """)
    }
}
