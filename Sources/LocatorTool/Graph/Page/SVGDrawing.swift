import Locator

/// A graph as a static SVG file, for example for a README.
///
/// It follows the light or dark appearance of the reader's system.
struct SVGDrawing {
    let graph: ContextGraph

    var text: String {
        let picture = GraphPicture(graph, isInteractive: false)
        let (width, height) = (picture.size.width.short, picture.size.height.short)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" \
            role="img">
            <title>\(title.escapedForHTML)</title>
            <style>
            \(PageStyle.colors)
            \(PageStyle.drawing)
            </style>
            <defs>\(GraphPicture.markers(["plain", "fault"]))</defs>
            <rect width="100%" height="100%" rx="12" fill="var(--back)"/>
            \([picture.modules, picture.lines, picture.nodes].filter { !$0.isEmpty }.joined(separator: "\n"))
            </svg>

            """
    }

    private var title: String {
        let profiles = graph.profiles.isEmpty ? "" : ", profiles: \(graph.profiles.joined(separator: ", "))"
        return "What is registered, and what needs what\(profiles)"
    }
}
