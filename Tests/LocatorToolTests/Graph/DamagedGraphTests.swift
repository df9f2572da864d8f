import LocatorTool
import TestSupport
import Testing

/// Files from elsewhere.
///
/// Whatever they contain, the result is a drawing or an error, and never a crash.
@Suite("A damaged graph is drawn or rejected")
struct DamagedGraphTests {
    @Test(arguments: 0..<20) func damagedBytes_doNotCrash(run: UInt64) {
        var generator = SeededGenerator(seed: run)
        let whole = Array(SampleGraph.small.json.utf8)
        for _ in 0..<20 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let start = Int.random(in: 0..<bytes.count, using: &generator)
                let end = min(bytes.count, start + Int.random(in: 0...12, using: &generator))
                let insertion = Array("0123456789-{}[],:\"nulltrue<".utf8).shuffled(using: &generator).prefix(2)
                bytes.replaceSubrange(start..<end, with: insertion)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            for format in ["text", "mermaid", "dot", "html", "svg"] {
                let outcome = locator("graph", "--format", format, input: text)
                #expect(outcome.status == (outcome.errors.isEmpty ? 0 : 1))
                #expect(outcome.output.isEmpty != outcome.errors.isEmpty)
            }
        }
    }

    @Test func strangeGraphs_areDrawn() {
        var graph = SampleGraph()
        #expect(locator("graph", "--format", "html", input: graph.json).status == 0)
        // Numbers that are not positions, a node that depends on itself, duplicate dependencies, and an empty text.
        graph.add("")
        graph.add("A")
        graph.nodes[0].id = .max
        graph.nodes[1].id = .min
        for kind in ["direct", "direct", "lazy"] {
            graph.connect(.max, .max, kind)
            graph.connect(.max, .min, kind)
            graph.connect(.min, .max, kind)
        }
        for format in ["text", "mermaid", "dot", "html", "svg"] {
            let outcome = locator("graph", "--format", format, input: graph.json)
            #expect(outcome.status == 0 && !outcome.output.isEmpty)
        }
    }

    @Test func longChain_isDrawn() {
        var graph = SampleGraph()
        for _ in 0..<3_000 { graph.add("Link") }
        for link in 1..<3_000 { graph.connect(link - 1, link) }
        graph.connect(2_999, 0, "lazy")
        #expect(locator("graph", "--format", "html", input: graph.json).status == 0)
    }
}
