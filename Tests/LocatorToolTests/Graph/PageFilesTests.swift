import Foundation
import LocatorTool
import Testing

/// Pages to look at: `LOCATOR_PAGES=/tmp/pages swift test --filter PageFiles`.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["LOCATOR_PAGES"] != nil))
struct PageFilesTests {
    @Test(arguments: [0, 10, 30, 100, 500, 2000]) func areWritten(count: Int) throws {
        let folder = try #require(ProcessInfo.processInfo.environment["LOCATOR_PAGES"])
        let graph = count == 0 ? SampleGraph.small : SampleGraph.program(of: count)
        let html = locator("graph", "--format", "html", input: graph.json)
        #expect(html.errors == "")
        try Data(html.output.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(count).html"))
        try Data(graph.json.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(count).json"))
    }
}
