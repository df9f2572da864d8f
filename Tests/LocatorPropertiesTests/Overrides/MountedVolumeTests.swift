import Foundation
import LocatorProperties
import TestSupport
import Testing

@Suite("A load sees one version of a mounted volume, which changes by a link")
struct MountedVolumeTests {
    /// A volume as Kubernetes mounts it, with two files in a version.
    private func volume(in folder: String = "secrets") throws -> SettingsDisk {
        let disk = try SettingsDisk("{}")
        try write("1", to: disk, folder)
        try disk.link("\(folder)/user", to: "..data/user")
        try disk.link("\(folder)/pin", to: "..data/pin")
        try disk.makeFolder("\(folder)/..2026_01_01_1/tls")
        try disk.write("1", to: "\(folder)/..2026_01_01_1/tls/key")
        try disk.link("\(folder)/tls", to: "..data/tls")
        return disk
    }

    private func write(_ version: String, to disk: SettingsDisk, _ folder: String = "secrets") throws {
        for name in ["user", "pin"] { try disk.write(version, to: "\(folder)/..2026_01_01_\(version)/\(name)") }
        try disk.link("\(folder)/..data", to: "..2026_01_01_\(version)")
    }

    @Test("Each file is one setting, regardless of the links that lead to it")
    func volume_isRead() throws {
        let disk = try volume()
        let properties = try disk.load(.directory(disk.secrets, secret: false))
        #expect(properties.resolvedText == #"pin="1" tls.key="1" user="1""#)
        #expect(properties.explain("tls.key").origin?.description == "\(disk.secrets)/tls/key")
    }

    @Test("Volumes may be mounted in folders")
    func volume_isInAFolder() throws {
        let disk = try volume(in: "secrets/db")
        let properties = try disk.load(.directory(disk.secrets, secret: false))
        #expect(properties.resolvedText == #"db.pin="1" db.tls.key="1" db.user="1""#)
    }

    @Test("A file without a link yet is read, and a leftover link is ignored")
    func links_areBehind() throws {
        let disk = try volume()
        try disk.write("1", to: "secrets/..2026_01_01_1/new")
        try disk.link("secrets/old", to: "..data/old")
        try disk.link("secrets/renamed", to: "..data/user")
        try disk.write("1", to: "secrets/beside")
        let properties = try disk.load()
        #expect(properties.paths.sorted() == ["beside", "new", "pin", "renamed", "tls.key", "user"])
    }

    @Test("A link to a version outside the directory is not followed")
    func version_isOutside() throws {
        let disk = try SettingsDisk()
        try disk.write("x", to: "elsewhere/pin")
        try disk.link("secrets/..data", to: "../elsewhere")
        #expect(
            disk.failure()
                == "…/secrets: it is a link to ../elsewhere, outside of the directory; put the file itself there")
    }

    @Test("A link to a version that does not exist is named")
    func version_isMissing() throws {
        let disk = try SettingsDisk()
        try disk.write("x", to: "secrets/beside")
        try disk.link("secrets/..data", to: "..missing")
        try disk.link("secrets/pin", to: "..data/pin")
        #expect(disk.failure() == "…/secrets/..data: it is a link to ..missing, which does not exist")
    }

    /// A volume that changes while it is read: when the link is read, or when a file is read.
    private final class Volume: @unchecked Sendable {
        // Used by one load, on one thread.
        var version = 1
        var readings = 0
        /// How often it changes.
        var changes: Int

        init(changes: Int) { self.changes = changes }

        func change() {
            guard changes > 0 else { return }
            changes -= 1
            version += 1
        }
    }

    private func source(_ volume: Volume, keepsOld: Bool) -> PropertiesSource {
        var source = PropertiesSource(.files([]), environment: [:], overrides: .directory("/s", secret: false))
        var system = FileSystem(
            read: { path throws(FileProblem) in
                let version = String(volume.version)
                volume.readings += 1
                if volume.readings.isMultiple(of: 2) { volume.change() }
                guard keepsOld || path.hasPrefix("/s/..v\(version)/") else { throw .noFile }
                return Array(path.dropFirst(6).prefix { $0 != "/" }.utf8)
            },
            list: { path throws(FileProblem) in
                switch path {
                case "/s": ["..data", "a", "b", "c"]
                case "/s/..v\(volume.version)": ["a", "b", "c"]
                default: keepsOld ? ["a"] : []
                }
            })
        system.link = { path in
            switch path {
            case "/s/..data": "..v\(volume.version)"
            case "/s/a", "/s/b", "/s/c": "..data/" + path.suffix(1)
            default: nil
            }
        }
        source.fileSystem = system
        return source
    }

    @Test("If the volume changes during the load, all files are read again", arguments: [true, false])
    func volume_changes(keepsOld: Bool) throws {
        for changes in 0...3 {
            let volume = Volume(changes: changes)
            let properties = try source(volume, keepsOld: keepsOld).load()
            let last = changes + 1
            #expect(properties.resolvedText == #"a="\#(last)" b="\#(last)" c="\#(last)""#)
        }
    }

    @Test("A volume that keeps changing is an error")
    func volume_neverRests() {
        #expect(
            message { _ = try source(Volume(changes: 1_000), keepsOld: true).load() }
                == "/s: its files were replaced each time they were read; load again")
    }

    @Test("While a thread swaps the volume, each load sees one version")
    func volume_isSwappedByAnother() async throws {
        let disk = try volume()
        try disk.remove("secrets/tls")
        let swaps = Task.detached {
            for version in 2..<200 {
                let name = "..2026_01_01_\(version)"
                for file in ["user", "pin"] { try disk.write("\(version)", to: "secrets/\(name)/\(file)") }
                try disk.link("secrets/..data_tmp", to: name)
                try #require(rename(disk.path("secrets/..data_tmp"), disk.path("secrets/..data")) == 0)
                try disk.remove("secrets/..2026_01_01_\(version - 1)")
            }
        }
        for _ in 0..<300 {
            do {
                let properties = try disk.load()
                let user = try properties.value("user", as: Int.self)
                #expect(try properties.value("pin", as: Int.self) == user)
            } catch {
                // Only under a storm of changes.
                #expect("\(error)".hasSuffix("its files were replaced each time they were read; load again"))
            }
        }
        try await swaps.value
        #expect(try disk.load().value("user", as: Int.self) == 199)
    }
}
