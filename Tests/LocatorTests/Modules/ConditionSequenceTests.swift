import Locator
import TestSupport
import Testing

@Suite("After any changes, the same modules are on as in a new context with the remaining ones")
struct ConditionSequenceTests {
    /// A root of the context under test.
    private struct Root {
        let module: Module
        let priority: Priority
        /// Nil if it was loaded.
        let push: Push?
    }

    private static let paths = ["a", "b", "c"]

    /// Modules that set the settings of conditions and have conditions themselves, and that include each other.
    private static func modules(_ generator: inout SeededGenerator) -> [Module] {
        var modules: [Module] = []
        for number in 0..<Int.random(in: 3...7, using: &generator) {
            var properties: [String: JSONValue] = [:]
            if Bool.random(using: &generator) {
                properties[paths.randomElement(using: &generator)!] = JSONValue(Bool.random(using: &generator))
            }
            if Int.random(in: 0..<6, using: &generator) == 0 { properties["b"] = "${a}" }
            let path = paths.randomElement(using: &generator)!
            let condition: Condition? =
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: .property(path, equals: true)
                case 1: .not(.property(path, equals: true))
                case 2: .property(path)
                case 3: .profile("dev")
                default: nil
                }
            // Only earlier modules, half of them twice, so that one is included in several ways.
            var included: [Module] = []
            for earlier in modules where Int.random(in: 0..<3, using: &generator) == 0 { included.append(earlier) }
            let all = included.shuffled(using: &generator)
            modules.append(.text("\(number)", properties: properties, including: all, when: condition))
        }
        return modules
    }

    private static func isSame(_ context: AppContext, as roots: [Root]) throws -> Bool {
        let expected = AppContext()
        for root in roots {
            if root.push == nil {
                try expected.load(root.module, priority: root.priority)
            } else {
                try expected.push(root.module, priority: root.priority)
            }
        }
        return try context.texts() == expected.texts()
            && paths.allSatisfy { context.properties[$0] == expected.properties[$0] }
    }

    @Test func randomSequences() throws {
        var generator = SeededGenerator(for: "conditions")
        for _ in 0..<TestScale.count(1000) {
            let modules = Self.modules(&generator)
            let context = AppContext()
            var roots: [Root] = []
            for _ in 0..<12 {
                let module = modules.randomElement(using: &generator)!
                let priority: Priority = Int.random(in: 0..<4, using: &generator) == 0 ? .high : .normal
                switch Int.random(in: 0..<5, using: &generator) {
                case 0 where !roots.contains { $0.module.name == module.name && $0.push == nil }:
                    try context.load(module, priority: priority)
                    roots.append(Root(module: module, priority: priority, push: nil))
                case 0, 1, 2:
                    let push = try context.push(module, priority: priority)
                    roots.append(Root(module: module, priority: priority, push: push))
                default:
                    guard let position = roots.indices.randomElement(using: &generator) else { break }
                    let root = roots.remove(at: position)
                    if let push = root.push { push.pop() } else { try context.unload(root.module) }
                }
                #expect(try Self.isSame(context, as: roots))
            }
        }
    }
}
