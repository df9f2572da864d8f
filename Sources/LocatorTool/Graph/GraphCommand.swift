import Locator

/// `locator graph`: draws the JSON of a graph.
enum GraphCommand: Command {
    enum Format: String, CaseIterable {
        case text, mermaid, dot, html, svg

        /// Creates a format from the extension of a file name.
        init?(endingOf file: String) {
            guard let dot = file.lastIndex(of: ".") else { return nil }
            switch file[dot...].dropFirst() {
            case "txt": self = .text
            case "mmd", "mermaid": self = .mermaid
            case "dot", "gv": self = .dot
            case "html", "htm": self = .html
            case "svg": self = .svg
            default: return nil
            }
        }
    }

    static let syntax = Syntax(
        name: "graph", summary: "Draw the JSON of context.graph(): what is registered, and what needs what",
        arguments: [
            .init(
                name: "FILE", summary: "The JSON of the graph; - or no argument reads the standard input",
                isRequired: false)
        ],
        options: [
            .init(
                name: "format", placeholder: "FORMAT", choices: Format.allCases.map(\.rawValue),
                summary: "What to draw; default: the format of the output's extension, or else text"),
            Surroundings.outputOption,
        ],
        notes: [
            "--format html writes a page that needs no network: search, select, and zoom.",
            "--format svg writes a picture, for example for a README.",
            "Graphviz draws other kinds: locator graph wiring.json --format dot | dot -Tpng > wiring.png",
        ])

    static func run(_ arguments: Arguments, in surroundings: Surroundings) throws(ToolError) -> Outcome {
        let file = arguments.positional.first ?? "-"
        let graph =
            file == "-"
            ? try GraphReading.graph(from: try input(of: surroundings), file: "standard input")
            : try GraphReading.graph(inFile: file, surroundings)
        let output = arguments["output"]
        let format =
            arguments["format"].flatMap(Format.init(rawValue:)) ?? output.flatMap(Format.init(endingOf:)) ?? .text
        return try surroundings.outcome(of: drawing(of: graph, as: format), output: output == "-" ? nil : output)
    }

    private static func drawing(of graph: ContextGraph, as format: Format) -> String {
        switch format {
        case .text: endingInLineBreak(graph.text)
        case .mermaid: endingInLineBreak(graph.mermaid)
        case .dot: DotDrawing(graph: graph).text
        case .html: GraphPage(graph: graph).text
        case .svg: SVGDrawing(graph: graph).text
        }
    }

    private static func endingInLineBreak(_ text: String) -> String {
        text.hasSuffix("\n") ? text : text + "\n"
    }

    private static func input(of surroundings: Surroundings) throws(ToolError) -> [UInt8] {
        if surroundings.isInputTerminal {
            throw .usage(.nothingToRead(hint: "name a file, or pipe the JSON of a graph into it"), command: syntax.name)
        }
        return surroundings.readInput()
    }
}
