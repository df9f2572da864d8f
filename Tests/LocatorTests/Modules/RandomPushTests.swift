import Locator
import TestSupport
import Testing

private final class Engine: Sendable {}

@Suite("Any sequence of pushes and pops has the result of a simple list")
struct RandomPushTests {
    /// Modules with a text each.
    ///
    /// Every second one replaces the engine, and every third one sets a property.
    private static let modules = (0..<6).map { number in
        Module("\(number)", properties: number.isMultiple(of: 3) ? ["number": .init(number)] : [:]) { registry in
            registry.register(String.self) { "\(number)" }
            if number.isMultiple(of: 2) { registry.register(Engine.self) { Engine() } }
        }
    }

    /// A pushed module.
    ///
    /// The latest is in front.
    private struct Pushed {
        let module: Int
        let push: Int
    }

    @Test func randomSequences() throws {
        var generator = SeededGenerator(for: "pushes")
        for _ in 1...TestScale.count(60) { try run(&generator) }
    }

    private func run(_ generator: inout SeededGenerator) throws {
        let context = try AppContext().load(
            Module("base") { registry in
                registry.register(Engine.self) { Engine() }
                registry.register(String.self) { "base" }
            })
        let engine = try context.resolve(Engine.self)
        var expected: [Pushed] = []
        var pushes: [Push] = []
        for _ in 1...30 {
            switch Int.random(in: 0..<6, using: &generator) {
            case 0, 1, 2:
                let count = Int.random(in: 1...3, using: &generator)
                let numbers = (0..<count).map { _ in Int.random(in: 0..<6, using: &generator) }
                expected = numbers.map { Pushed(module: $0, push: pushes.count) } + expected
                pushes.append(try context.push(numbers.map { Self.modules[$0] }))
            case 3:
                guard let latest = expected.first?.push else { break }
                context.pop()
                expected.removeAll { $0.push == latest }
            case 4:
                guard let position = expected.indices.randomElement(using: &generator) else { break }
                let module = expected[position].module
                try context.pop(Self.modules[module])
                if let first = expected.firstIndex(where: { $0.module == module }) { expected.remove(at: first) }
            default:
                // A push that may have been popped before.
                guard let number = pushes.indices.randomElement(using: &generator) else { break }
                pushes[number].pop()
                expected.removeAll { $0.push == number }
            }
            var seen: Set<Int> = []
            let order = expected.map(\.module).filter { seen.insert($0).inserted }
            #expect(try context.texts() == order.map(String.init) + ["base"])
            #expect(try context.value("number", as: Int?.self) == order.first { $0.isMultiple(of: 3) })
            let isReplaced = order.contains { $0.isMultiple(of: 2) }
            #expect(try (context.resolve(Engine.self) === engine) == !isReplaced)
        }
        while !expected.isEmpty {
            let latest = expected.first?.push
            context.pop()
            expected.removeAll { $0.push == latest }
        }
        #expect(try context.resolve(Engine.self) === engine)
    }
}
