import Foundation
import LocatorTool
import Testing

@Suite("`locator --version`")
struct VersionTests {
    @Test func version_isThatOfTheChangelog() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let changelog = try String(contentsOf: folder.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
        let headings = changelog.split(separator: "\n").filter { $0.hasPrefix("## [") }
        let releases = headings.compactMap { $0.firstMatch(of: /\[(\d+)\.(\d+)\.(\d+)\]/)?.output }
            .map { [$0.1, $0.2, $0.3].compactMap { Int($0) } }
        let version = Tool.version.split(separator: "-")
        let numbers = version[0].split(separator: ".").compactMap { Int($0) }
        let latest = try #require(releases.first)
        if headings[0] == "## [Unreleased]" {
            #expect(latest.lexicographicallyPrecedes(numbers) && version.last == "dev")
        } else {
            #expect(latest == numbers && version.count == 1)
        }
        #expect(locator("--version") == Outcome(output: "locator \(Tool.version)\n"))
    }

    @Test func more_isAMistake() {
        #expect(
            locator("--version", "check")
                == Outcome(
                    errors: """
                        error: the argument "check" is one too many
                        Try: locator --help

                        """, status: 2))
    }
}
