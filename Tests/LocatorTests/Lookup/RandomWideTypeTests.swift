import Locator
import TestSupport
import Testing

/// Contexts in which many modules come, go, and move, and the lookup order by the rules of the documentation.
@Suite("A type in many modules is found in lookup order, no matter how they come, go, and move")
struct RandomWideTypeTests {
    private struct Part: Sendable {
        let text: String
    }

    /// One load or push.
    private struct Root {
        let number: Int
        let priority: Priority
        /// The push, or nil for a load.
        let push: Push?
        /// 1 in the child.
        let level: Int
        let sequence: Int

        /// Whether the root comes before another one in lookup order.
        static func < (left: Root, right: Root) -> Bool {
            if left.priority != right.priority { return left.priority > right.priority }
            switch (left.push != nil, right.push != nil) {
            case (true, false): return true
            case (false, true): return false
            case (true, true): return (right.level, right.sequence) < (left.level, left.sequence)
            case (false, false): return (left.level, left.sequence) < (right.level, right.sequence)
            }
        }
    }

    /// The qualifiers of a module: one of ten, and for some modules none as well.
    private static func qualifiers(of number: Int) -> [String?] { ["q\(number % 10)"] + (number % 5 == 0 ? [nil] : []) }

    private static func decorates(_ number: Int) -> Bool { number % 7 == 0 }

    private static func module(_ number: Int) -> Module {
        Module("M\(number)") { registry in
            for qualifier in qualifiers(of: number) {
                registry.register(qualifier: qualifier.map { .named($0) }) { Part(text: "\(number)") }
            }
            if decorates(number) { registry.decorate(Part.self) { Part(text: "\($0.text) \(number)") } }
        }
    }

    /// The expected parts, with their qualifiers, in lookup order.
    private static func expected(_ roots: [Root]) -> [(qualifier: String?, text: String)] {
        var numbers: [Int] = []
        for root in roots.sorted(by: <) where !numbers.contains(root.number) { numbers.append(root.number) }
        return numbers.indices.flatMap { index in
            let decorating = numbers[...index].reversed().filter(decorates)
            let text = ([numbers[index]] + decorating).map { "\($0)" }.joined(separator: " ")
            return qualifiers(of: numbers[index]).map { ($0, text) }
        }
    }

    private static func expect(
        _ context: AppContext, _ roots: [Root], _ step: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let parts = expected(roots)
        #expect(
            try context.resolveAll(Part.self).map(\.text) == parts.map(\.text), "step \(step)",
            sourceLocation: sourceLocation)
        for qualifier in [nil] + (0..<10).map({ "q\($0)" }) {
            let part = try context.resolve(Part?.self, qualifier: qualifier.map { .named($0) })
            #expect(
                part?.text == parts.first { $0.qualifier == qualifier }?.text, "step \(step), \(qualifier ?? "none")",
                sourceLocation: sourceLocation)
        }
    }

    @Test func everyRequest_followsTheLookupOrder() throws {
        var generator = SeededGenerator(for: "\(Self.self)")
        let parent = AppContext()
        let contexts = [parent, try parent.child()]
        let modules = (0..<400).map(Self.module)
        var (roots, sequence, unused): ([Root], Int, Range<Int>) = ([], 0, modules.indices)
        func add(_ numbers: [Int], _ priority: Priority, at level: Int) throws {
            try contexts[level].load(numbers.map { modules[$0] }, priority: priority)
            for number in numbers { append(number, priority, nil, at: level) }
        }
        func append(_ number: Int, _ priority: Priority, _ push: Push?, at level: Int) {
            sequence += 1
            roots.append(Root(number: number, priority: priority, push: push, level: level, sequence: sequence))
        }
        // The first has no qualifier, so there always is an answer.
        try add(Array(unused.prefix(30)), .normal, at: 0)
        unused = unused.dropFirst(30)
        for step in 0..<TestScale.count(200, inDebug: 0.2) {
            let level = Int.random(in: 0...1, using: &generator)
            let priority = [Priority.low, .normal, .high].randomElement(using: &generator) ?? .normal
            switch Int.random(in: 0..<10, using: &generator) {
            case 0:
                // Sometimes more than are moved one by one.
                let numbers = Array(unused.prefix([1, 2, 12].randomElement(using: &generator) ?? 1))
                unused = unused.dropFirst(numbers.count)
                try add(numbers, priority, at: level)
            case 1..<6:
                // New modules, or modules of the parent, so that both contexts have the same run of a closure.
                let known = roots.filter { $0.level == 0 }.map(\.number)
                let isNew = Int.random(in: 0..<4, using: &generator) == 0
                guard let number = isNew ? unused.popFirst() : known.randomElement(using: &generator) else { continue }
                append(number, priority, try contexts[level].push(modules[number], priority: priority), at: level)
            default:
                let pushed = roots.indices.filter { roots[$0].push != nil }
                guard let index = pushed.randomElement(using: &generator) else { continue }
                roots.remove(at: index).push?.pop()
            }
            // Not after each step, so that several changes come together.
            if Bool.random(using: &generator) { try Self.expect(parent, roots.filter { $0.level == 0 }, step) }
            if Bool.random(using: &generator) { try Self.expect(contexts[1], roots, step) }
        }
    }
}
