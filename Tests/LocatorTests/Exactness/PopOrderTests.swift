import Locator
import TestSupport
import Testing

/// Pops in any order, as when parallel tests share a context, or a teardown runs in the wrong order.
@Suite("Pushes of one key, popped in any order")
struct PopOrderTests {
    private final class Part: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }
    private final class Whole: Sendable {
        let part: Part
        init(_ part: Part) { self.part = part }
    }

    /// Pushes of a part, the latest last, each with the whole that was made while it was the latest.
    private struct Stack {
        let context: AppContext
        let first: Whole
        var pushes: [(push: Push, whole: Whole)] = []
        let disposals = Tally<Int>()

        init() throws {
            context = try AppContext().load(
                Module("Wholes") { [disposals] registry in
                    registry.register { Part(0) }
                    registry.register(Whole.init).onDispose { disposals.append($0.part.number) }
                })
            first = try context.resolve()
        }

        mutating func push(_ number: Int) throws {
            let push = try context.push(Module("Part \(number)") { $0.register { Part(number) } })
            let whole: Whole = try context.resolve()
            #expect(whole.part.number == number)
            pushes.append((push, whole))
        }

        /// Pops a push, which disposes only of what was made with it.
        mutating func pop(at position: Int, _ location: SourceLocation = #_sourceLocation) throws {
            let (push, whole) = pushes.remove(at: position)
            push.pop()
            #expect(disposals.take() == [whole.part.number], sourceLocation: location)
            #expect(try context.resolve(Whole.self) === pushes.last?.whole ?? first, sourceLocation: location)
        }
    }

    /// Enough pushes for the tests to take minutes if the cost of a pop is cubic.
    private let count = 80

    @Test func oldestFirst() throws {
        var stack = try Stack()
        for number in 1...count { try stack.push(number) }
        while !stack.pushes.isEmpty { try stack.pop(at: 0) }
    }

    @Test func oneBelow_thenTheOthersInOrder() throws {
        var stack = try Stack()
        for number in 1...count { try stack.push(number) }
        try stack.pop(at: count / 2)
        while let last = stack.pushes.indices.last { try stack.pop(at: last) }
    }

    @Test func randomOrder_andPushesBetween() throws {
        var generator = SeededGenerator(for: "pop order")
        var stack = try Stack()
        for number in 1...count {
            try stack.push(number)
            if Int.random(in: 0..<3, using: &generator) == 0 {
                try stack.pop(at: .random(in: stack.pushes.indices, using: &generator))
            }
        }
        while !stack.pushes.isEmpty { try stack.pop(at: .random(in: stack.pushes.indices, using: &generator)) }
    }

    @Test func aroundALoad() throws {
        var stack = try Stack()
        for number in 1...20 { try stack.push(number) }
        try stack.context.load(Module("Loaded") { $0.register { "loaded" } })
        for number in 21...40 { try stack.push(number) }
        for position in [10, 30, 0, 25, 36] { try stack.pop(at: position - min(position, 40 - stack.pushes.count)) }
        while let last = stack.pushes.indices.last { try stack.pop(at: last) }
        #expect(try stack.context.resolve(String.self) == "loaded")
    }

    @Test func aroundAReload() throws {
        var stack = try Stack()
        for number in 1...20 { try stack.push(number) }
        let popped = stack.pushes[5].whole
        try stack.context.loadProperties(files: [])
        for number in 21...30 { try stack.push(number) }
        try stack.pop(at: 5)
        try stack.pop(at: 22)
        while let last = stack.pushes.indices.last { try stack.pop(at: last) }
        #expect(try stack.context.resolve(Whole.self) !== popped)
    }
}
