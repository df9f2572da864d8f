/// Finds keys that correspond to the same environment variable, whether it is set or not.
///
/// It is better to report such a mistake on the first machine than at the first override.
enum VariableCollisions {
    /// Adds the problems of an object and of those within it, also in arrays, whose elements have variables too.
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
            let member = object.value(at: index)
            guard member.height > 0 else { continue }
            let path = path.appending(.key(object.key(at: index)))
            find(inPart: member, at: path, prefix: prefix, places: places, problems: &problems)
        }
        guard keys.count < object.count else { return }
        for indices in keys.values.filter({ $0.count > 1 }).sorted(by: { $0[0] < $1[0] }) {
            var seen: [String: String] = [:]
            for index in indices {
                let key = object.key(at: index)
                let segment = VariableName.segment(of: key)
                guard !segment.isEmpty, let first = seen.updateValue(key, forKey: segment) else { continue }
                guard problems.count < Limits.problems else { return }
                let paths = [first, key].map { path.appending(.key($0)) }
                let variable = prefix + paths[1].steps.map(Self.segment).joined(separator: "__")
                let texts = paths.map { path in places(path).map { "\(path.text) (\($0))" } ?? path.text }
                problems.append(.environment(.collision(variable: variable, first: texts[0], second: texts[1])))
            }
        }
    }

    private static func find(
        inPart part: JSONValue, at path: PropertyPath, prefix: String, places: (PropertyPath) -> String?,
        problems: inout [PropertiesProblem]
    ) {
        switch part.storage {
        case .object(let object):
            find(in: object, at: path, prefix: prefix, places: places, problems: &problems)
        case .array(let array):
            for (index, element) in array.elements.enumerated() where element.height > 0 {
                let path = path.appending(.index(index))
                find(inPart: element, at: path, prefix: prefix, places: places, problems: &problems)
            }
        case .null, .boolean, .integer, .decimal, .string:
            break
        }
    }

    private static func segment(of step: PropertyPath.Step) -> String {
        switch step {
        case .key(let key): VariableName.segment(of: key)
        case .index(let index): String(index)
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
