/// Finds keys that correspond to the same environment variable, whether it is set or not.
///
/// It is better to report such a mistake on the first machine than at the first override.
enum VariableCollisions {
    /// Adds the problems of an object and of those within it.
    ///
    /// Segments of different objects never collide, because a segment never contains two adjacent underscores, so each
    /// name splits into segments in only one way.
    static func find(
        in object: JSONObject, at path: PropertyPath = .root, prefix: String, places: (PropertyPath) -> String?,
        problems: inout [PropertiesProblem]
    ) {
        var keys: [UInt64: [Int]] = [:]
        keys.reserveCapacity(object.count)
        for index in object.indices {
            keys[looseHash(of: object.key(at: index)), default: []].append(index)
            if case .object(let child) = object.value(at: index).storage {
                let childPath = path.appending(.key(object.key(at: index)))
                find(in: child, at: childPath, prefix: prefix, places: places, problems: &problems)
            }
        }
        guard keys.count < object.count else { return }
        for indices in keys.values.filter({ $0.count > 1 }).sorted(by: { $0[0] < $1[0] }) {
            var seen: [String: String] = [:]
            for index in indices {
                let key = object.key(at: index)
                let segment = VariableName.segment(of: key)
                guard !segment.isEmpty, let first = seen.updateValue(key, forKey: segment) else { continue }
                let paths = [first, key].map { path.appending(.key($0)) }
                let variable = VariableName.name(of: paths[1], prefix: prefix) ?? prefix + segment
                let texts = paths.map { path in places(path).map { "\(path.text) (\($0))" } ?? path.text }
                problems.append(.environment(.collision(variable: variable, first: texts[0], second: texts[1])))
            }
        }
    }

    /// Returns a hash that keys with equal segments share.
    ///
    /// Only letters and digits matter, in any case.
    private static func looseHash(of key: String) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in key.utf8 where byte.isWordPart {
            hash = (hash ^ UInt64(byte.isCapital ? byte | 0x20 : byte)) &* 0x100_0000_01b3
        }
        return hash
    }
}
