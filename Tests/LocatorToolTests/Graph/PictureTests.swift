import Foundation
import LocatorTool
import Testing

@Suite("A graph as one SVG file")
struct PictureTests {
    private static func picture(_ graph: SampleGraph) -> String {
        locator("graph", "--format", "svg", input: graph.json).output
    }

    /// Every element is closed, and every text is escaped, whatever the name.
    @Test(arguments: [SampleGraph.small, .program(of: 100), SampleGraph()]) func picture_isXML(graph: SampleGraph)
        throws
    {
        let picture = Self.picture(graph)
        #expect(XMLProblem.first(in: picture) == nil)
        #expect(picture.contains("prefers-color-scheme: dark"))
        #expect(picture.components(separatedBy: "<g class=\"node ").count - 1 == graph.nodes.count)
        #expect(picture.components(separatedBy: "<path class=\"line ").count - 1 == graph.edges.count)
    }

    @Test func picture_hasNothingToClick_andNeedsNoNetwork() {
        let picture = Self.picture(.small)
        for word in ["<script", "tabindex", "role=\"button\"", "https:", "href", "@import"] {
            #expect(!picture.contains(word), "\(word)")
        }
        #expect(picture.components(separatedBy: "http:").count == 2, "only the name of the format")
    }

    @Test func picture_isTheSameEachTime() {
        let pictures = Set((0..<3).map { _ in Self.picture(.program(of: 100)) })
        #expect(pictures.count == 1)
    }

    /// Few nodes are drawn by what they need; many also by module.
    @Test(arguments: [(30, []), (100, ["Catalog", "Core", "Order", "Price", "Settings", "Shop"])])
    func many_areArrangedByModule(count: Int, names: [String]) {
        let parts = Self.picture(.program(of: count)).components(separatedBy: "<text class=\"group-name\"").dropFirst()
        let found = parts.compactMap { part in
            part.components(separatedBy: "</text>").first?.components(separatedBy: ">").last
        }
        #expect(found.sorted() == names)
    }
}

/// Finds what keeps a text from being XML: an element that is not closed, or a character that must be escaped.
private enum XMLProblem {
    static func first(in text: String) -> String? {
        var open: [Substring] = []
        for part in text.split(separator: "<", omittingEmptySubsequences: true) {
            guard let end = part.firstIndex(of: ">") else { return "no end: \(part.prefix(40))" }
            let tag = part[..<end]
            if part[part.index(after: end)...].contains(">"), open.last != "style" { return "not escaped: \(part)" }
            let entities = part.components(separatedBy: "&").dropFirst()
            for entity in entities where !["amp;", "lt;", "gt;", "quot;", "#39;"].contains(where: entity.hasPrefix) {
                return "not escaped: &\(entity)"
            }
            if tag.hasPrefix("/") {
                guard open.popLast() == tag.dropFirst() else { return "closed too early: \(tag)" }
            } else if !tag.hasSuffix("/") {
                open.append(tag.prefix { $0 != " " })
            }
        }
        return open.isEmpty ? nil : "not closed: \(open)"
    }
}
