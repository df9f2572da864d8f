import Locator
import TestSupport
import Testing

@Suite("After any changes, exactly the modules whose conditions are true are on")
struct ConditionSequenceTests {
    /// A root of the context under test.
    private struct Root {
        /// The position of the module.
        let index: Int
        let priority: Priority
        /// Nil if it was loaded.
        let push: Push?
    }

    private static let paths = ["a", "b", "c", "c.d", "c.d.e", "f[0]"]

    /// A Boolean value, an object, an array, a placeholder, or the removal of a setting.
    private static func value(_ generator: inout SeededGenerator) -> JSONValue {
        let isOn = JSONValue(Bool.random(using: &generator))
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: return ["d": isOn]
        case 1: return ["d": ["e": isOn]]
        case 2: return [isOn]
        case 3: return nil
        case 4...5: return .init("${\(paths.randomElement(using: &generator)!)}")
        default: return isOn
        }
    }

    /// What a module is made of.
    private struct Parts {
        let name: String
        var properties: [String: JSONValue] = [:]
        var included: [Int] = []
        var condition: Condition?
        /// Whether the condition holds, found without the library's conditions.
        var holds: @Sendable (Properties) -> Bool = { _ in true }
    }

    /// Modules that set the settings of conditions and have conditions themselves, and that include each other.
    private static func parts(_ generator: inout SeededGenerator) -> [Parts] {
        var all: [Parts] = []
        for number in 0..<Int.random(in: 3...7, using: &generator) {
            var parts = Parts(name: "\(number)")
            if Bool.random(using: &generator) {
                let path = (["a", "a"] + paths.prefix(5)).randomElement(using: &generator)!
                parts.properties[path] = value(&generator)
            }
            if Int.random(in: 0..<3, using: &generator) == 0 { parts.properties["b"] = "${a}" }
            if Int.random(in: 0..<6, using: &generator) == 0 { parts.properties["f"] = ["${c.d}"] }
            let path = (["b", "b"] + paths).randomElement(using: &generator)!
            let isTrue: @Sendable (Properties) -> Bool = { (try? $0.value(path, as: Bool.self)) ?? false }
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: (parts.condition, parts.holds) = (.property(path, equals: true), isTrue)
            case 1: (parts.condition, parts.holds) = (.not(.property(path, equals: true)), { !isTrue($0) })
            case 2: (parts.condition, parts.holds) = (.property(path), { $0[path] != nil })
            case 3: (parts.condition, parts.holds) = (.profile("dev"), { _ in false })
            default: break
            }
            // Only earlier modules, half of them twice, so that one is included in several ways.
            parts.included = all.indices.filter { _ in Int.random(in: 0..<3, using: &generator) == 0 }
                .shuffled(using: &generator)
            all.append(parts)
        }
        return all
    }

    /// Makes the modules, without conditions: those that are off have nothing.
    private static func modules(_ all: [Parts], where isOn: (Parts) -> Bool) -> [Module] {
        all.reduce(into: []) { modules, parts in
            let included = parts.included.map { [modules] in modules[$0] }
            modules.append(
                isOn(parts)
                    ? .text(parts.name, properties: parts.properties, including: included) : Module(parts.name))
        }
    }

    private static func context(with modules: [Module], _ roots: [Root]) throws -> AppContext {
        let context = AppContext()
        for root in roots {
            if root.push == nil {
                try context.load(modules[root.index], priority: root.priority)
            } else {
                try context.push(modules[root.index], priority: root.priority)
            }
        }
        return context
    }

    /// Whether the context is the same as one whose modules have no conditions, and of which those that are off are
    /// empty.
    private static func isSame(_ context: AppContext, as all: [Parts], _ roots: [Root]) throws -> Bool {
        let visible = try self.context(with: modules(all) { $0.condition == nil }, roots).properties
        let expected = try self.context(with: modules(all) { $0.holds(visible) }, roots)
        return try context.texts() == expected.texts()
            && paths.allSatisfy { context.properties[$0] == expected.properties[$0] }
    }

    @Test func randomSequences() throws {
        var generator = SeededGenerator(for: "conditions")
        for _ in 0..<TestScale.count(1000, inDebug: 0.2) {
            let all = Self.parts(&generator)
            let modules: [Module] = all.reduce(into: []) { modules, parts in
                let included = parts.included.map { [modules] in modules[$0] }
                modules.append(
                    .text(parts.name, properties: parts.properties, including: included, when: parts.condition))
            }
            let context = AppContext()
            var roots: [Root] = []
            for _ in 0..<12 {
                let index = modules.indices.randomElement(using: &generator)!
                let module = modules[index]
                let priority: Priority = Int.random(in: 0..<4, using: &generator) == 0 ? .high : .normal
                switch Int.random(in: 0..<5, using: &generator) {
                case 0 where !roots.contains { $0.index == index && $0.push == nil }:
                    try context.load(module, priority: priority)
                    roots.append(Root(index: index, priority: priority, push: nil))
                case 0, 1, 2:
                    let push = try context.push(module, priority: priority)
                    roots.append(Root(index: index, priority: priority, push: push))
                default:
                    guard let position = roots.indices.randomElement(using: &generator) else { break }
                    let root = roots.remove(at: position)
                    if let push = root.push { push.pop() } else { try context.unload(modules[root.index]) }
                }
                #expect(try Self.isSame(context, as: all, roots))
            }
        }
    }
}
