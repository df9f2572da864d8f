extension KeyForms {
    /// Returns the problems of merged settings with keys that differ only in their Unicode form.
    static func problems(in storage: PropertiesStorage) -> [PropertiesProblem] {
        guard storage.layers.contains(where: \.hasWideKeys) else { return [] }
        var problems: [PropertiesProblem] = []
        var path = PropertyPath.root
        collect(in: storage.mergedTree, at: &path, storage, into: &problems)
        return problems
    }

    private static func collect(
        in value: JSONValue, at path: inout PropertyPath, _ storage: PropertiesStorage,
        into problems: inout [PropertiesProblem]
    ) {
        if case .object(let object) = value.storage, object.keys.contains(where: isWide) {
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
        value.forEachPart(at: &path) { collect(in: $0, at: &$1, storage, into: &problems) }
    }
}
