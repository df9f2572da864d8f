import LocatorProperties
import LocatorTool
import Testing

@Suite("Profiles with many settings, or in many groups, are compared in time that follows their size")
struct WideComparisonTests {
    /// So many that comparing each name with each other one would not end.
    private static let count = 20_000

    @Test("Keys that only one of two profiles has are not compared with those of the other")
    func diff_ofOneSidedKeys_comparesNoNames() {
        func profile(_ name: String) -> String {
            "{\((0..<Self.count).map { #""\#(name)\#($0)":1"# }.joined(separator: ","))}"
        }
        let files = FileSystem.config([
            "application.json": "{}", "application-a.json": profile("left"), "application-b.json": profile("right"),
        ])
        let outcome = locator("diff", "a", "b") { $0.fileSystem = files }
        #expect(outcome.status == 0)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 2 * Self.count + 2)
        #expect(lines.last == "\(Self.count) keys only in a, \(Self.count) keys only in b")
    }
}
