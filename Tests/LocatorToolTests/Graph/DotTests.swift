import LocatorTool
import Testing

@Suite("A graph as DOT")
struct DotTests {
    @Test func dot_groupsByModule_andEscapesEverything() {
        let outcome = locator("graph", "--format", "dot", input: SampleGraph.small.json)
        #expect(
            outcome.output == #"""
                digraph wiring {
                  graph [rankdir=LR, fontname="Helvetica", fontsize=11, ranksep=0.9, nodesep=0.2, tooltip=" "];
                  node [shape=box, style="rounded,filled", fontname="Helvetica", fontsize=11, margin="0.14,0.07"];
                  edge [fontname="Helvetica", fontsize=9, color="#57606a", fontcolor="#57606a", arrowsize=0.7];
                  subgraph cluster_0 {
                    graph [label="Shop", style="rounded", color="#afb8c1"];
                    n0 [label="Storefront\nprototype", fillcolor="#dcf5e0", color="#cf222e", fontcolor="#a40e26", penwidth=2, tooltip="Shop/Shop.swift:1: error: Storefront and Basket need each other\nShop/Shop.swift:1"];
                    n1 [label="any Catalog\nsingleton", fillcolor="#e7ecf4", color="#cf222e", fontcolor="#a40e26", penwidth=2, tooltip="Shop/Shop.swift:41: error: any Catalog needs any PriceList, which is not registered\n  fix: </script><script>alert(\"1\")</script> & more\nShop/Shop.swift:41"];
                    n2 [label="any Orders\nalways", fillcolor="#efe3fd", color="#57606a", tooltip="Shop/Shop.swift:1"];
                    n3 [label="any Logger\n\"file\" · singleton", fillcolor="#e7ecf4", color="#57606a", tooltip="Shop/Shop.swift:1"];
                    n5 [label="Invoice\nfactory · prototype", fillcolor="#dcf5e0", shape=cds, color="#57606a", tooltip="Shop/Shop.swift:1"];
                    n8 [label="Basket\nsession", fillcolor="#fce4f1", color="#cf222e", fontcolor="#a40e26", penwidth=2, tooltip="Shop/Shop.swift:1: error: Storefront and Basket need each other\nShop/Shop.swift:1"];
                    n9 [label="any Sellable\nalias · singleton", fillcolor="#e7ecf4", style="rounded,filled,dashed", color="#9a6700", penwidth=2, tooltip="Shop/Shop.swift:1: warning: nothing can ask for it\nShop/Shop.swift:1"];
                  }
                  subgraph cluster_1 {
                    graph [label="Fakes", style="rounded", color="#afb8c1"];
                    n4 [label="any Clock<\"&'\ninstance · singleton", fillcolor="#e7ecf4", peripheries=2, color="#57606a", tooltip="Shop/Shop.swift:1"];
                  }
                  subgraph cluster_2 {
                    graph [label="Settings", style="rounded", color="#afb8c1"];
                    n7 [label="server.url\nsetting · application.json:3:5", fillcolor="#f6f8fa", shape=note, color="#57606a", tooltip="application.json:3:5"];
                  }
                  n6 [label="any PriceList\nmissing", fillcolor="#ffebe9", shape=octagon, style="filled,dashed", color="#cf222e", fontcolor="#a40e26", penwidth=2, tooltip="Shop/Shop.swift:41: error: any Catalog needs any PriceList, which is not registered\n  fix: </script><script>alert(\"1\")</script> & more"];
                  n0 -> n1;
                  n0 -> n2;
                  n0 -> n5 [style=dotted, label="factory"];
                  n1 -> n3;
                  n1 -> n6 [color="#cf222e", fontcolor="#a40e26"];
                  n2 -> n1;
                  n2 -> n3 [penwidth=2, arrowhead=crow, label="collection"];
                  n2 -> n4 [style=dashed, label="optional"];
                  n5 -> n2 [style=dotted, label="lazy"];
                  n1 -> n7 [arrowhead=open, penwidth=0.7];
                  n9 -> n1 [arrowhead=empty, label="alias"];
                  n8 -> n0 [color="#cf222e", fontcolor="#a40e26"];
                  n0 -> n8 [color="#cf222e", fontcolor="#a40e26"];
                }

                """#)
        #expect(outcome.errors == "" && outcome.status == 0)
    }

    @Test func controlCharacters_areShownByNumber() {
        var graph = SampleGraph()
        graph.add("A\u{1B}[31mB\u{202E}C\r")
        let output = locator("graph", "--format", "dot", input: graph.json).output
        #expect(output.contains(#"label="A\\u{1B}[31mB\\u{202E}C\\r"#), "\(output)")
    }

    @Test func input_hasAShapeOfItsOwn() {
        var graph = SampleGraph()
        graph.add("RequestInfo", kind: "input", scope: "request")
        let node =
            ##"n0 [label="RequestInfo\ninput · request", fillcolor="#fce4f1", shape=invhouse, color="#57606a", "##
        #expect(locator("graph", "--format", "dot", input: graph.json).output.contains(node))
        #expect(locator("graph", "--format", "html", input: graph.json).output.contains("<g class=\"node input scope-"))
    }
}
