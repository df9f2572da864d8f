import LocatorProperties

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A generator whose whole sequence follows from its seed, so that a failure can be replayed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

/// How many random cases a test runs, and from which seed: `LOCATOR_TEST_SCALE` multiplies the count,
/// `LOCATOR_TEST_SEED` replays a run.
enum RandomRun {
    static let seed = environment("LOCATOR_TEST_SEED") ?? UInt64.random(in: 0...UInt64.max)

    static func count(_ count: Int) -> Int {
        let scale = ProcessInfo.processInfo.environment["LOCATOR_TEST_SCALE"].flatMap(Double.init) ?? 1
        return max(1, Int(Double(count) * scale))
    }

    private static func environment(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }
}

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
