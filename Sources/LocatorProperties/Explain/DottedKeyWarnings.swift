extension Properties {
    /// The warnings about keys such as `server.port` that override nothing, although there is a setting with this path.
    package var dottedKeyWarnings: [FileWarning] {
        let tree = storage.mergedTree
        var warnings: [FileWarning] = []
        for path in tree.leafPaths() {
            for case (let position, .key(let key)) in path.steps.enumerated() where key.utf8.contains(UInt8(ascii: "."))
            {
                guard let read = try? PropertyPath(parsing: key) else { continue }
                let meant = path.steps[..<position] + read.steps + path.steps[(position + 1)...]
                guard TreeWalk(tree, meant).node != nil else { continue }
                warnings.append(
                    FileWarning(
                        dottedKeyIn: path.text, meant: PropertyPath(Array(meant)).text,
                        place: explain(path.text, searchesNear: false).origin.map { " (\($0))" } ?? ""))
            }
        }
        return warnings
    }
}
