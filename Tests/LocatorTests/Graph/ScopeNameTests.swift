import Locator
import Testing

@Suite("A graph has the names of scopes")
struct ScopeNameTests {
    @Test(arguments: [
        ("request", ".request", ".request"),
        ("http-request", "Scope(\"http-request\")", "Scope(#quot;http-request#quot;)"),
    ])
    func scope(name: String, inText: String, inMermaid: String) throws {
        let graph = try AppContext().load(
            Module("Shop") { registry in
                registry.register(Int.self, scope: Scope(name), fileID: "Shop/Shop.swift", line: 2) { 1 }
            }
        ).graph()
        #expect(graph.nodes.map(\.scope) == [name])
        #expect(graph.text == "Int \(inText) (Shop/Shop.swift:2)")
        #expect(
            graph.mermaid == """
                flowchart LR
                    subgraph m0["Shop"]
                        n0["Int<br/>\(inMermaid)"]
                    end
                """)
    }
}
