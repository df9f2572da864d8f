import Locator

/// A comparison of a program's settings in several profiles.
struct Comparison {
    /// The settings in one profile, or in several that load the same files.
    struct Side {
        var name: String
        var properties: Properties
        /// The profiles and groups that load the same files.
        var others: [String] = []
    }

    /// A path at which the sides differ.
    struct Difference {
        enum Kind {
            /// The values differ.
            case values
            /// Only some sides have the path. Nothing below it is compared.
            case presence
            /// The values have different types. Nothing below the path is compared.
            case types
        }

        var path: String
        var kind: Kind
        /// The kind of value of each side, or nil if the side has none.
        var kinds: [ValueKind?]
    }

    let sides: [Side]

    /// All differences, in the order of the first side with each path.
    var differences: [Difference] {
        var result: [Difference] = []
        compare(below: .root, into: &result)
        return result
    }

    private func compare(below parent: PropertyPath, into result: inout [Difference]) {
        for key in keys(below: parent) {
            let path = parent.appending(.key(key))
            let text = path.text
            let values = sides.map { $0.properties[text] }
            let kinds = values.map { $0.map { ValueKind($0) } }
            func add(_ kind: Difference.Kind) {
                result.append(Difference(path: text, kind: kind, kinds: kinds))
            }
            if kinds.contains(nil) {
                add(.presence)
            } else if !areCompatible(values, kinds, at: text) {
                add(.types)
            } else if kinds.contains(.object) {
                compare(below: path, into: &result)
            } else if !areEqual(values, kinds) {
                add(.values)
            }
        }
    }

    /// Whether all values are equal, where a text that is read as an array counts as that array.
    private func areEqual(_ values: [JSONValue?], _ kinds: [ValueKind?]) -> Bool {
        let isArray = kinds.contains { if case .array? = $0 { true } else { false } }
        let read = values.map { value in isArray ? value?.containerOfText ?? value : value }
        return read.allSatisfy { $0 == read[0] }
    }

    private func keys(below path: PropertyPath) -> [String] {
        sides.flatMap { $0.properties.keys(below: path) }.distinctKeys
    }

    /// Whether a program can read all values as the same type.
    ///
    /// A text from a variable or a placeholder also counts as the number, boolean, array, or object that it can be read
    /// as.
    private func areCompatible(_ values: [JSONValue?], _ kinds: [ValueKind?], at path: String) -> Bool {
        let readings = zip(sides, zip(values, kinds)).compactMap { side, reading -> Set<ValueKind>? in
            guard let value = reading.0, let kind = reading.1 else { return nil }
            guard let text = value.stringValue, value.flags.contains(.text) || isConvertible(path, in: side),
                let other = JSONValue.scalar(ofOutsideText: text) ?? value.containerOfText
            else { return [kind] }
            return [kind, ValueKind(other)]
        }
        guard let first = readings.first else { return true }
        let common = readings.dropFirst().reduce(first) { common, reading in
            Set(common.flatMap { kind in reading.compactMap { kind.merged(with: $0) } })
        }
        return !common.isEmpty
    }

    private func isConvertible(_ path: String, in side: Side) -> Bool {
        let explanation = side.properties.explain(path, searchesNear: false)
        return explanation.usesEnvironment || !explanation.placeholders.isEmpty
    }
}

extension Properties {
    /// Returns the keys of the object at a path, or of the text that is read as one, in order.
    ///
    /// Empty if there is no object.
    func keys(below path: PropertyPath) -> [String] {
        guard !path.steps.isEmpty else {
            return paths.compactMap { (try? PropertyPath(parsing: $0))?.steps.first?.key }.distinctKeys
        }
        let value = self[path.text]
        return (value?.objectValue ?? value?.containerOfText?.objectValue)?.keys ?? []
    }
}

extension [String] {
    /// The keys without duplicates, in order.
    ///
    /// Keys are compared by their code points, as in JSON.
    var distinctKeys: [String] {
        var seen: Set<PropertyPath.Step> = []
        return filter { seen.insert(.key($0)).inserted }
    }
}
