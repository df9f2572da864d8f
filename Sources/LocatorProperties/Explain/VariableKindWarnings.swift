extension Properties {
    /// The warnings about variables whose text is not a number or a Boolean although a file has one in its place.
    ///
    /// Only the program knows whether it can read the text, and the text is not shown.
    package var variableKindWarnings: [String] {
        storage.layers.flatMap(\.overrides).flatMap(\.assignments).compactMap { assignment in
            guard case .environment(let variable) = assignment.origin, let text = assignment.value.stringValue,
                let (value, origin) = valueInFile(at: assignment.path)
            else { return nil }
            let place = "\(assignment.path.text) is"
            if value.boolean != nil, assignment.value.boolean == nil {
                return "\(place) a Boolean in \(origin), but the text of \(variable) is neither true nor false"
            }
            guard let number = value.number, assignment.value.number == nil else { return nil }
            // A duration of zero has no unit.
            if number.value(as: Double.self) == 0, DurationText.duration(text) != nil { return nil }
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
