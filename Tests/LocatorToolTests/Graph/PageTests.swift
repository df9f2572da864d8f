import Foundation
import LocatorTool
import Testing

@Suite("The page of a graph is self-contained")
struct PageTests {
    private let page = locator("graph", "--format", "html", input: SampleGraph.small.json).output

    @Test func page_needsNoNetwork() {
        #expect(!page.contains("http:") && !page.contains("https:"))
        #expect(
            !page.contains("src=") && !page.contains("<link") && !page.contains("@import") && !page.contains("fetch("))
        #expect(page.contains("default-src 'none'"))
    }

    @Test func page_isTheSameEachTime() {
        for count in [10, 100] {
            let json = SampleGraph.program(of: count).json
            let pages = Set((0..<3).map { _ in locator("graph", "--format", "html", input: json).output })
            #expect(pages.count == 1)
        }
    }

    @Test func texts_areEscaped() {
        #expect(page.components(separatedBy: "</script>").count == 3)
        #expect(page.contains("<title>any Clock&lt;&quot;&amp;&#39;</title>"))
        #expect(!page.contains("alert(\"1\")"))
    }

    /// Text and background have a contrast of at least 4.5, as WCAG requires.
    @Test(arguments: ["light", "dark"]) func texts_canBeRead(theme: String) throws {
        let blocks = page.components(separatedBy: ":root {")
        try #require(blocks.count == 3)
        let colors = Colors(declaredIn: blocks[theme == "light" ? 1 : 2])
        let pairs = [
            ("ink", "back"), ("ink", "panel"), ("ink", "box"), ("soft", "back"), ("soft", "panel"), ("soft", "box"),
            ("error", "panel"), ("error", "error-box"), ("warning", "warning-box"), ("panel", "error"),
            ("panel", "warning"), ("ink", "needs-box"), ("soft", "needs-box"), ("ink", "needed-box"),
            ("soft", "needed-box"), ("error", "needs-box"), ("error", "needed-box"), ("ink", "edge"),
        ]
        for (text, ground) in pairs {
            let contrast = try #require(colors.contrast(text, ground))
            #expect(contrast >= 4.5, "\(text) on \(ground) in \(theme): \(contrast)")
        }
        // A box has the color of its scope.
        for scope in 0...9 {
            for text in ["ink", "soft"] {
                let contrast = try #require(colors.contrast(text, "box", tintedWith: "scope-\(scope)", by: 0.09))
                #expect(contrast >= 4.5, "\(text) on scope \(scope) in \(theme): \(contrast)")
            }
        }
    }
}
