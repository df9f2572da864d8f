import Foundation
import LocatorProperties
import TestSupport
import Testing

@Suite("What a load has read shows whether another load would read something else")
struct FileReadsTests {
    private func disk() throws -> SettingsDisk {
        let disk = try SettingsDisk(#"{"a": 1}"#, ["b": "2", ".hidden": "x", "f/c": "3"])
        try disk.write("1", to: "secrets/..v1/d")
        try disk.link("secrets/..data", to: "..v1")
        return disk
    }

    @Test(
        "Changes that are noticed",
        arguments: [
            ("nothing", false), ("file rewritten", false), ("file", true), ("profile", true), ("other file", false),
            ("secret", true), ("new secret", true), ("gone", true), ("nested", true), ("swap", true), ("version", true),
            ("hidden", true),
        ])
    func change_isNoticed(change: String, expected: Bool) throws {
        let disk = try disk()
        var reads = FileReads()
        let source = disk.source()
        _ = try source.load(noting: &reads)
        #expect(reads.isUnchanged)
        switch change {
        case "file rewritten": try disk.write(#"{"a": 1}"#, to: "Config/application.json")
        case "file": try disk.write(#"{"a": 2}"#, to: "Config/application.json")
        // If nothing is wrong, the folder is not listed, and the file is not opened.
        case "other file": try disk.write("", to: "Config/notes")
        case "profile": try disk.remove("Config/application.json")
        case "secret": try disk.write("3", to: "secrets/b")
        case "new secret": try disk.write("3", to: "secrets/e")
        case "gone": try disk.remove("secrets/b")
        case "nested": try disk.write("4", to: "secrets/f/c")
        case "swap":
            try disk.write("1", to: "secrets/..v2/d")
            try disk.link("secrets/..data", to: "..v2")
        case "version": try disk.write("2", to: "secrets/..v1/d")
        case "hidden": try disk.write("x", to: "secrets/.other")
        default: break
        }
        #expect(reads.isUnchanged == !expected)
    }

    @Test("A failed load and missing files are also recorded")
    func failure_isRecorded() throws {
        let disk = try disk()
        var source = disk.source()
        source.profiles = "dev"
        var reads = FileReads()
        #expect(message { _ = try source.load(noting: &reads) } != nil)
        #expect(reads.isUnchanged)
        try disk.write("{", to: "Config/application-dev.json")
        #expect(!reads.isUnchanged)
        reads = FileReads()
        #expect(message { _ = try source.load(noting: &reads) } != nil)
        #expect(reads.isUnchanged)
        try disk.write("{}", to: "Config/application-dev.json")
        #expect(!reads.isUnchanged)
    }

    @Test("Several loads are recorded together")
    func loads_areAdded() throws {
        let (first, second) = (try disk(), try disk())
        var reads = FileReads()
        _ = try first.source().load(noting: &reads)
        _ = try second.source().load(noting: &reads)
        try first.write("9", to: "secrets/b")
        #expect(!reads.isUnchanged)
    }
}
