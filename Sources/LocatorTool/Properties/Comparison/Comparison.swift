import Locator

/// The settings of a program in several profiles, side by side.
struct Comparison {
    /// The settings in one profile, or in several at once.
    struct Side {
        var name: String
        var properties: Properties
        /// Profiles and groups that load the same as this one.
        var others: [String] = []
    }

    /// A path at which the sides are not alike.
    struct Difference {
        /// How they differ.
        enum Kind {
            /// The values are not the same.
            case values
            /// Some have the path, some do not; nothing below it is compared.
            case presence
            /// The values are of different types; nothing below is compared.
            case types
        }

        var path: String
        var kind: Kind
        /// What each side has, in the order of the sides; nil if it has nothing.
        var kinds: [ValueKind?]
    }

    let sides: [Side]

    /// All differences, in the order in which the first side that has a path writes it.
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
            } else if sides.dropFirst().contains(where: { !hasSameValue(sides[0], $0, at: text) }) {
                add(.values)
            }
        }
    }

    private func keys(below path: PropertyPath) -> [String] {
        var seen: Set<PropertyPath.Step> = []
        var keys: [String] = []
        for side in sides {
            for key in side.properties.keys(below: path) where seen.insert(.key(key)).inserted { keys.append(key) }
        }
        return keys
    }

    /// Whether a program can read all of them as one type; a text that comes from a variable or a placeholder may stand
    /// for the number or boolean that it reads as.
    private func areCompatible(_ values: [JSONValue?], _ kinds: [ValueKind?], at path: String) -> Bool {
        let readings = zip(sides, zip(values, kinds)).compactMap { side, reading -> Set<ValueKind>? in
            guard let value = reading.0, let kind = reading.1 else { return nil }
            guard let text = value.stringValue, value.flags.contains(.text) || isConvertible(path, in: side),
                let other = JSONValue.scalar(ofOutsideText: text)
            else { return [kind] }
            return [kind, ValueKind(other)]
        }
        guard let first = readings.first else { return true }
        return first.contains { kind in
            readings.allSatisfy { $0.contains(where: kind.isCompatible) }
        }
    }

    private func isConvertible(_ path: String, in side: Side) -> Bool {
        let explanation = side.properties.explain(path, searchesNear: false)
        return explanation.usesEnvironment || !explanation.placeholders.isEmpty
    }

    private func hasSameValue(_ first: Side, _ second: Side, at path: String) -> Bool {
        first.properties[path] == second.properties[path]
    }
}

extension Properties {
    /// The keys of the object at a path in order; none where there is no object.
    func keys(below path: PropertyPath) -> [String] {
        guard !path.steps.isEmpty else {
            var seen: Set<PropertyPath.Step> = []
            return paths.compactMap { text in
                guard case .key(let key)? = (try? PropertyPath(parsing: text))?.steps.first else { return nil }
                return seen.insert(.key(key)).inserted ? key : nil
            }
        }
        return self[path.text]?.objectValue.map { $0.map(\.key) } ?? []
    }
}
