extension KeyForms {
    /// Returns the problems of merged settings with keys that differ only in their Unicode form.
    static func problems(in storage: PropertiesStorage) -> [PropertiesProblem] {
        guard storage.layers.contains(where: \.scan.hasWideKeys) else { return [] }
        var problems: [PropertiesProblem] = []
        storage.mergedTree.forEachNode { value, path in
            guard case .object(let object) = value.storage, object.keys.contains(where: isWide) else { return }
            var first: [String: String] = [:]
            for key in object.keys where problems.count < Limits.problems {
                guard let other = first[key] else {
                    first[key] = key
                    continue
                }
                let place = storage.origin(of: path.appending(.key(other)))
                let origin = storage.origin(of: path.appending(.key(key)))
                problems.append(
                    .value(.otherForm(key, of: other, first: place?.description ?? "another source")),
                    path: path.appending(.key(key)).text, file: origin?.name, position: origin?.position)
            }
        }
        return problems
    }
}
