extension Properties {
    /// Returns the paths for which a missing path is probably a mistake.
    ///
    /// An explanation also names others, such as `mail.enabled` for `audit.enabled`. Both may be intended.
    package func misspellings(of path: String) -> [String] {
        guard let parsed = try? PropertyPath(parsing: path) else { return [] }
        if let element = storage.element(parsed) { return [element] }
        return explain(path).near.filter { near in
            (try? PropertyPath(parsing: near)).map { parsed.isMistaken(for: $0) } ?? false
        }
    }
}
