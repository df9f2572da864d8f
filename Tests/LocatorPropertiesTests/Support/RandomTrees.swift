import LocatorProperties
import TestSupport

extension JSONObject {
    /// A small random object of objects and other values, where each key has always the same kind.
    static func randomOfOneShape(depth: Int = 3, using generator: inout SeededGenerator) -> JSONObject {
        var object = JSONObject()
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            if depth > 0, Bool.random(using: &generator) {
                let key = ["a", "b", "x.y"].randomElement(using: &generator) ?? "a"
                object[key] = .object(.randomOfOneShape(depth: depth - 1, using: &generator))
            } else {
                let key = ["c", "d", "f g"].randomElement(using: &generator) ?? "c"
                let values: [JSONValue] = [0, 1, "x", true, [], [[:]], [1, nil]]
                object[key] = values.randomElement(using: &generator)
            }
        }
        return object
    }

    /// A small random object; few keys, so that trees overlap.
    static func random(
        nulls: Bool, depth: Int = 3, using generator: inout SeededGenerator
    ) -> JSONObject {
        var object = JSONObject()
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            let key = ["a", "b", "c", "d.e", "f g"].randomElement(using: &generator) ?? "a"
            object[key] = .random(nulls: nulls, depth: depth, using: &generator)
        }
        return object
    }
}

extension JSONValue {
    fileprivate static func random(nulls: Bool, depth: Int, using generator: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &generator) {
        case 0: return nulls ? nil : false
        case 1: return .boolean(Bool.random(using: &generator))
        case 2: return .number(JSONNumber(Int.random(in: 0..<5, using: &generator)))
        case 3, 4: return .string(["x", "y", "z"].randomElement(using: &generator) ?? "x")
        case 5:
            let count = Int.random(in: 0..<3, using: &generator)
            return .array((0..<count).map { _ in .random(nulls: nulls, depth: depth - 1, using: &generator) })
        default: return .object(.random(nulls: nulls, depth: depth - 1, using: &generator))
        }
    }
}
