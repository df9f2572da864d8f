#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Locator

/// A graph as a single HTML page that needs no network and no other files.
///
/// The drawing is part of the page. The script adds search, highlighting, details, and zoom, and reads the graph from
/// its JSON in the page.
struct GraphPage {
    let graph: ContextGraph

    var text: String {
        let picture = GraphPicture(graph)
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta http-equiv="Content-Security-Policy" \
            content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
            <title>Wiring: \(facts.escapedForHTML)</title>
            <style>
            \(PageStyle.text)
            </style>
            </head>
            <body>
            \(header)
            <main>
            <div id="canvas" tabindex="0" role="application" aria-label="The drawing" aria-describedby="keys">
            <svg id="drawing" width="100%" height="100%" data-width="\(picture.size.width.short)" \
            data-height="\(picture.size.height.short)">
            <defs>\(GraphPicture.markers(["plain", "faint", "needs", "needed", "both", "fault"]))\(Self.bundleMarker)</defs>
            <g id="view">
            <g id="bundles" aria-hidden="true">
            \(picture.modulesLines)
            </g>
            <g id="groups" aria-hidden="true">
            \(picture.modules)
            </g>
            <g id="lines" aria-hidden="true">
            \(picture.lines)
            </g>
            <g id="nodes">
            \(picture.nodes)
            </g>
            </g>
            <g id="names" aria-hidden="true"></g>
            <g id="module-names" aria-hidden="true"></g>
            </svg>
            </div>
            <aside id="panel" aria-label="Details">
            <section id="details"></section>
            <section id="problems" aria-label="Problems"></section>
            <section id="modules" aria-label="Modules"></section>
            \(Self.keys)
            </aside>
            </main>
            \(legend)
            <p id="live" class="unseen" aria-live="polite"></p>
            <script type="application/json" id="graph">\(data)</script>
            <script>
            \(PageScript.text)
            </script>
            </body>
            </html>

            """
    }

    // MARK: Parts

    private var header: String {
        """
        <header>
        <h1>Wiring</h1>
        <p id="facts">\(facts.escapedForHTML)</p>
        <div id="finder" role="search">
        <input id="search" type="search" role="combobox" autocomplete="off" spellcheck="false" aria-label="Search" \
        placeholder="Search a name, qualifier or module" aria-expanded="false" aria-controls="hits" \
        aria-autocomplete="list">
        <kbd aria-hidden="true">/</kbd>
        <span id="count"></span>
        <ul id="hits" role="listbox" aria-label="Found" hidden></ul>
        </div>
        <div id="tools" role="toolbar" aria-label="Zoom">
        <button id="out" type="button" title="Zoom out (-)" aria-label="Zoom out">&minus;</button>
        <button id="fit" type="button" title="Show everything (0)">Fit</button>
        <button id="in" type="button" title="Zoom in (+)" aria-label="Zoom in">+</button>
        </div>
        </header>
        """
    }

    /// The counts and the profiles.
    private var facts: String {
        let errors = graph.problems.count { $0.severity == .error }
        let warnings = graph.problems.count { $0.severity == .warning }
        var parts = [count(graph.nodes.count, "node"), count(graph.modules.count, "module")]
        if errors > 0 { parts.append(count(errors, "error")) }
        if warnings > 0 { parts.append(count(warnings, "warning")) }
        if !graph.profiles.isEmpty {
            parts.append("profile\(graph.profiles.count == 1 ? "" : "s") \(graph.profiles.joined(separator: ", "))")
        }
        return parts.joined(separator: " · ")
    }

    /// The arrowhead of a line between modules, which grows with the line's width.
    private static let bundleMarker = """
        <marker id="tip-bundle" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="3.4" markerHeight="3.4" \
        orient="auto"><path class="tip plain" d="M0,0.5L7.5,4L0,7.5Z"/></marker>
        """

    private var legend: String {
        func item(_ swatch: String, _ meaning: String) -> String {
            "<li><span class=\"swatch \(swatch)\"></span>\(meaning)</li>"
        }
        let scopes = ScopeColors(graph).scopes.map { item("scope-\($0.number)", $0.name.escapedForHTML) }
        let occurring = Set(graph.edges.map { Look($0.kind) })
        let looks = Look.allCases.filter(occurring.contains).map { look in
            "<li><svg width=\"30\" height=\"10\" aria-hidden=\"true\"><path class=\"line \(look.name)\" d=\"M1,5H24\"/></svg>"
                + "\(look.meaning)</li>"
        }
        let marks = [
            item("selected", "selected"), item("needs", "what it needs"), item("needed", "what needs it"),
            item("both", "both, in a cycle"), item("error", "has a problem"),
            "<li><svg width=\"30\" height=\"10\" aria-hidden=\"true\"><circle class=\"state made\" cx=\"15\" cy=\"5\" r=\"4\"/>"
                + "</svg>instance exists</li>",
        ]
        return """
            <footer id="legend" aria-label="Legend">
            <ul>\(scopes.joined())</ul><ul>\(looks.joined())</ul><ul>\(marks.joined())</ul>
            </footer>
            """
    }

    private static let keys = """
        <section id="keys" aria-label="Keys"><h2>Keys</h2>
        <dl><dt><kbd>/</kbd></dt><dd>search, then <kbd>↓</kbd> <kbd>↑</kbd> <kbd>Enter</kbd> to step through</dd>
        <dt><kbd>Tab</kbd></dt><dd>into the drawing; arrows go to neighbors, <kbd>Enter</kbd> highlights</dd>
        <dt><kbd>Esc</kbd></dt><dd>clear</dd>
        <dt><kbd>+</kbd> <kbd>-</kbd> <kbd>0</kbd></dt><dd>zoom in, out, show everything</dd>
        <dt><kbd>f</kbd></dt><dd>show all that is highlighted</dd>
        <dt><kbd>←↑↓→</kbd></dt><dd>move the drawing (with <kbd>Shift</kbd> from a node)</dd></dl>
        </section>
        """

    /// The graph as JSON that cannot end the script element that contains it.
    private var data: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(graph) else {
            preconditionFailure("A graph has nothing but strings, numbers and Booleans, which can all be encoded")
        }
        return String(decoding: data, as: UTF8.self).replacing("<", with: "\\u003c")
    }
}
