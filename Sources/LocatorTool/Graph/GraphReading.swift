import Locator

/// Reads the JSON of a graph and checks that it can be drawn.
enum GraphReading {
    /// Returns the graph from the bytes of a file, whose name is for errors.
    static func graph(from bytes: [UInt8], file: String) throws(ToolError) -> ContextGraph {
        let tree = try ToolError.wrapping { () throws(PropertiesError) in try JSONValue(parsing: bytes, file: file) }
        guard let version = tree["version"]?.numberValue?.integer(as: Int.self), tree["nodes"] != nil else {
            throw .graph(.noGraph, file: file)
        }
        guard version <= ContextGraph.currentVersion else { throw .graph(.newerVersion(version), file: file) }
        let graph: ContextGraph
        do throws(PropertiesError) {
            graph = try tree.decode()
        } catch {
            throw .graph(.otherForm(error.problems), file: file)
        }
        try checkNumbers(of: graph, file: file)
        return graph
    }

    static func graph(inFile file: String, _ surroundings: Surroundings) throws(ToolError) -> ContextGraph {
        let bytes: [UInt8]
        do throws(FileProblem) {
            bytes = try surroundings.fileSystem.readStream(file)
        } catch {
            throw .file(error, file)
        }
        return try graph(from: bytes, file: file)
    }

    private static func checkNumbers(of graph: ContextGraph, file: String) throws(ToolError) {
        var numbers: Set<Int> = []
        for node in graph.nodes where !numbers.insert(node.id).inserted {
            throw .graph(.nodeTwice(node.id), file: file)
        }
        let named = graph.edges.flatMap { [$0.from, $0.to] } + graph.problems.flatMap(\.nodes)
        let unknown = named.first { !numbers.contains($0) }
        if let unknown { throw .graph(.noNode(unknown), file: file) }
    }
}
