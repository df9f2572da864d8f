import Foundation
import LocatorProperties
import TestSupport
import Testing

@Suite("Anything unusual in a settings directory is an error, and never blocks")
struct OddDirectoryTests {
    @Test("Pipes, devices, links that lead nowhere or outside, and files that are not text")
    func file_isOdd() throws {
        let disk = try SettingsDisk("{}", ["good": "x"])
        try #require(mkfifo(disk.path("secrets/pipe"), 0o600) == 0)
        try disk.link("secrets/device", to: "/dev/zero")
        try disk.link("secrets/dangling", to: "gone")
        try disk.link("secrets/out", to: "../Config/application.json")
        try disk.link("secrets/circle", to: "circle")
        try disk.link("secrets/inside", to: "good")
        try disk.write([0xFF, 0xFE], to: "secrets/bytes")
        try disk.write("a\u{0}b", to: "secrets/null")
        try disk.write([UInt8](repeating: 0x61, count: (1 << 20) + 1), to: "secrets/large")
        try disk.write("", to: "secrets/sparse")
        try #require(truncate(disk.path("secrets/sparse"), 1 << 40) == 0)
        #expect(
            disk.failure() == """
                …/secrets/bytes: expected text in UTF-8, found other bytes
                …/secrets/circle: cannot be read: \(String(cString: strerror(ELOOP)))
                …/secrets/dangling: it is a link to gone, which does not exist
                …/secrets/device: it is a link to /dev/zero, outside of the directory; put the file itself there
                …/secrets/large: expected a file of at most 1 MiB, found a larger one
                …/secrets/null: expected text, found a null character
                …/secrets/out: it is a link to ../Config/application.json, outside of the directory; put the file itself there
                …/secrets/pipe: expected a file, found a pipe
                …/secrets/sparse: expected a file of at most 1 MiB, found a larger one
                """)
    }

    @Test("A file or folder whose name is not UTF-8 is an error that says so")
    func name_isNotUTF8() throws {
        let disk = try SettingsDisk("{}", ["good": "x"])
        let bytes = disk.secrets.utf8.map { CChar(bitPattern: $0) }
        let file = bytes + "/pass".utf8CString.dropLast() + [CChar(bitPattern: 0xE9), 0]
        try #require(close(open(file, O_CREAT | O_WRONLY, 0o600)) == 0)
        let folder = bytes + "/db".utf8CString.dropLast() + [CChar(bitPattern: 0xFF), 0]
        try #require(mkdir(folder, 0o700) == 0)
        #expect(
            disk.failure() == """
                …/secrets/db\u{FFFD}: the name is not UTF-8; rename it
                …/secrets/pass\u{FFFD}: the name is not UTF-8; rename it
                """)
    }

    @Test("A link to a file or folder inside is followed")
    func link_leadsInside() throws {
        let disk = try SettingsDisk("{}", [".all/password": "x", ".all/tls/key": "y"])
        try disk.link("secrets/db", to: ".all")
        try disk.link("secrets/copy", to: disk.secrets + "/.all/password")
        try disk.link("link", to: "secrets")
        let properties = try disk.load(.directory(disk.path("link")))
        #expect(properties.paths.sorted() == ["copy", "db.password", "db.tls.key"])
        #expect(properties.explain("db.tls.key").origin?.description == disk.path("link/db/tls/key"))
    }

    @Test("Folders that contain themselves end at a maximum depth")
    func folder_leadsIntoItself() throws {
        let disk = try SettingsDisk("{}", ["a/b": "x"])
        try disk.link("secrets/a/a", to: "../a")
        let text = try #require(disk.failure())
        #expect(text.hasSuffix("/a: expected at most 32 nested folders, found more"))
        #expect(text.split(separator: "\n").count == 1)
    }

    @Test("The error for an unreadable file or folder says so")
    func file_isForbidden() {
        let denied = FileProblem.unreadable("Permission denied")
        func failure(_ path: String) -> String? {
            var source = PropertiesSource(.files([]), environment: [:], overrides: .directory("/s"))
            source.fileSystem = FileSystem(
                read: { asked throws(FileProblem) in
                    if asked == path { throw denied }
                    if asked == "/s/folder" { throw .folderInsteadOfFile }
                    return []
                },
                list: { asked throws(FileProblem) in
                    if asked == path { throw denied }
                    return asked == "/s" ? ["a", "folder"] : ["b"]
                })
            return message { _ = try source.load() }
        }
        #expect(failure("/s") == "/s: cannot be read: Permission denied")
        #expect(failure("/s/a") == "/s/a: cannot be read: Permission denied")
        #expect(failure("/s/folder/b") == "/s/folder/b: cannot be read: Permission denied")
        #expect(failure("") == nil)
    }

    /// A directory `/s` that lists a number of files that do not exist.
    private func source(files count: Int, bytes: Int = 1, _ name: @escaping @Sendable (Int) -> String)
        -> PropertiesSource
    {
        var source = PropertiesSource(.files([]), environment: [:], overrides: .directory("/s", secret: false))
        source.fileSystem = FileSystem(
            read: { _ in [UInt8](repeating: 0x31, count: bytes) }, list: { _ in (0..<count).map(name) })
        return source
    }

    @Test("Ten thousand files are read, and one more is an error; so are too many bytes", .oneThread)
    func files_areMany() throws {
        for name in [{ "a.n\($0)" }, { "LIST__\($0)" }] as [@Sendable (Int) -> String] {
            #expect(try source(files: 10_000, name).load().paths.count == 10_000)
            #expect(
                message { _ = try source(files: 10_001, name).load() }
                    == "/s/\(name(10_000)): expected at most 10000 files and folders in all directories together, found more"
            )
        }
        #expect(
            message { _ = try source(files: 100, bytes: 1 << 20) { "n\($0)" }.load() }
                == "/s/n32: expected at most 32 MiB in all files together, found more")
    }

    @Test("The deepest folders and names fit a thread with a small stack")
    func depth_fitsSmallStack() throws {
        let name = (0..<120).map { "k\($0)" }.joined(separator: ".")
        let list = "L" + String(repeating: "__0", count: 127)
        let text = try onThread {
            message {
                let disk = try SettingsDisk()
                let deep = (0..<31).map { "f\($0)" }.joined(separator: "/")
                try disk.write("x", to: "secrets/\(deep)/leaf")
                let properties = try disk.load()
                #expect(properties.paths.count == 1)
                for name in [name, list] {
                    let properties = try source(files: 1) { _ in name }.load()
                    #expect(properties.paths.count == 1)
                    #expect(properties.explain(properties.paths[0]).layers.count == 1)
                }
            }
        }
        #expect(text == nil)
    }

    @Test("A name with more levels than a file may have is an error")
    func name_isDeep() throws {
        let names = [
            (0..<129).map { "k\($0)" }.joined(separator: "."), (0..<129).map { "K\($0)" }.joined(separator: "__"),
        ]
        for name in names {
            let text = message { _ = try source(files: 1) { _ in name }.load() }
            #expect(text?.hasSuffix("goes down more than 128 levels of arrays and objects") == true)
        }
    }
}
