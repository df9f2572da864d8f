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

    /// The warnings about listed paths without a setting that lead through an array, or are close to one that is not
    /// secret.
    package var secretWarnings: [String] {
        let listed = storage.secrets.listed.withoutRepetitions
        if listed.isEmpty { return [] }
        let parts = printedPartsOfArrays
        return listed.compactMap { path in
            if let part = parts[path] {
                let array = PropertyPath(Array(part.stepsOutsideOfArrays)).text
                let warning =
                    "\(path.text) is listed as a secret, but is not a setting, because \(array) is an array; "
                    + "list \(array), or \(part.text) for one element"
                return warning.escapingHidden()
            }
            let near = explain(path.text).near.filter {
                guard let near = try? PropertyPath(parsing: $0) else { return false }
                return !storage.secrets.isSecret(near)
            }
            if near.isEmpty { return nil }
            return "\(path.text) is listed as a secret, but is not a setting\(NearNames.question(near))"
                .escapingHidden()
        }
    }

    /// The first part with a key of an array's elements that is not secret, by its path without indexes.
    private var printedPartsOfArrays: [PropertyPath: PropertyPath] {
        var parts: [PropertyPath: PropertyPath] = [:]
        storage.mergedTree.forEachNode { _, path in
            guard !path.isOutsideOfArrays, path.steps.last?.key != nil, !storage.secrets.isSecret(path) else { return }
            let keys = PropertyPath(path.steps.filter { $0.key != nil })
            if parts[keys] == nil { parts[keys] = path }
        }
        return parts
    }

    /// The warnings about variables whose text is not a number or a Boolean although a file has one in its place.
    ///
    /// Only the program knows whether it can read the text, and the text is not shown.
    package var variableKindWarnings: [String] {
        storage.layers.flatMap(\.overrides).flatMap(\.assignments).compactMap { assignment in
            guard case .environment(let variable) = assignment.origin, assignment.value.stringValue != nil,
                let (value, origin) = valueInFile(at: assignment.path)
            else { return nil }
            let place = "\(assignment.path.text) is"
            if value.boolean != nil, assignment.value.boolean == nil {
                return "\(place) a Boolean in \(origin), but the text of \(variable) is neither true nor false"
            }
            guard value.number != nil, assignment.value.number == nil else { return nil }
            return "\(place) a number in \(origin), but the text of \(variable) is not a number"
        }
    }

    /// Returns what the topmost file has at a path, and where, or nil if no file has a value there.
    private func valueInFile(at path: PropertyPath) -> (JSONValue, PropertyOrigin)? {
        for entry in storage.trace(path).entries {
            guard case .file = entry.origin.source else { continue }
            if case .value(let value) = entry.statement { return (value, entry.origin) }
            return nil
        }
        return nil
    }
}
