import Foundation
import LocatorTool
import TestSupport
import Testing

@Suite("`locator graph` reads a graph, or says why it cannot")
struct GraphCommandTests {
    @Test(arguments: [
        ("", ":1:1: expected a value, found an empty text"),
        (#"{ "version": 1,, }"#, ":1:16: expected a key in double quotes, found ','; the comma is one too many"),
        ("[]", ": this is not a graph; write one with: try context.graph().json()"),
        (
            #"{ "version": 3, "nodes": [] }"#,
            ": the graph has version 3 of the format, and this command reads up to 2; "
                + "use the command of the library that wrote it"
        ),
        (
            #"{ "version": 1, "nodes": 7 }"#,
            ": the graph does not follow the format: profiles is missing (expected [String]) (line 1, column 1), "
                + "and 4 more"
        ),
    ])
    func wrongInput_isAnError(input: String, message: String) {
        #expect(locator("graph", input: input) == Outcome(errors: "error: standard input\(message)\n", status: 1))
    }

    @Test func numbersThatBelongToNothing_areErrors() {
        var graph = SampleGraph.small
        graph.connect(0, 77)
        #expect(
            locator("graph", input: graph.json).errors
                == "error: standard input: the graph names a node 77, but has no node with that number\n")
        graph = .small
        graph.problems[0].nodes = [78]
        #expect(
            locator("graph", input: graph.json).errors
                == "error: standard input: the graph names a node 78, but has no node with that number\n")
        graph = .small
        graph.nodes[3].id = 2
        #expect(
            locator("graph", input: graph.json).errors
                == "error: standard input: two nodes of the graph have the number 2\n")
    }

    @Test func missingFile_isAnError() {
        #expect(
            locator("graph", "nowhere/wiring.json")
                == Outcome(errors: "error: nowhere/wiring.json: there is no such file\n", status: 1))
    }

    @Test func terminalAsInput_isAskedForAFile() {
        let outcome = locator("graph") { $0.isInputTerminal = true }
        #expect(
            outcome
                == Outcome(
                    errors: """
                        error: there is nothing to read: name a file, or pipe the JSON of a graph into it
                        Try: locator graph --help

                        """, status: 2))
    }

    @Test(arguments: [
        ("wiring.html", "<!DOCTYPE html>"), ("wiring.dot", "digraph wiring {"), ("wiring.gv", "digraph"),
        ("wiring.svg", "<svg xmlns="),
    ])
    func endingOfTheOutput_choosesTheFormat(name: String, beginning: String) throws {
        let folder = try TemporaryFolder(["graph.json": SampleGraph.small.json])
        let result = try Subprocess.run(
            Built.locator, ["graph", "\(folder.path)/graph.json", "--output", "\(folder.path)/\(name)"])
        #expect(result == .init(output: "", errors: "", status: 0))
        #expect(try folder.text(of: name).hasPrefix(beginning))
    }

    @Test func text_andMermaid_areTheLibrarys() {
        let graph = SampleGraph.small.json
        #expect(locator("graph", input: graph).output.hasPrefix("any Sellable"))
        #expect(locator("graph", "--format", "mermaid", input: graph).output.hasPrefix("flowchart"))
    }

    @Test func outputThatCannotBeWritten_isAnError() throws {
        let result = try Subprocess.run(
            Built.locator, ["graph", "-", "--format=dot", "--output=/nowhere/at/all.dot"], input: SampleGraph.small.json
        )
        #expect(
            result
                == .init(
                    output: "", errors: "error: /nowhere/at/all.dot: cannot be written: No such file or directory\n",
                    status: 1))
    }

    @Test func reader_mayGoAway() throws {
        let folder = try TemporaryFolder(["graph.json": SampleGraph.program(of: 100).json])
        let result = try Subprocess.run(
            "/bin/sh", ["-c", "'\(Built.locator)' graph --format html '\(folder.path)/graph.json' | head -n 1"])
        #expect(result == .init(output: "<!DOCTYPE html>\n", errors: "", status: 0))
    }
}
