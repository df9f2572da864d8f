import Locator
import Testing

/// Each push of a stack sets aside the instance of the previous one, and each pop brings it back.
@Suite("A stack of pushes, each of which sets instances aside")
struct SetAsideStackTests {
    private final class Part: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }
    private final class Whole: Sendable {
        let part: Part
        init(_ part: Part) { self.part = part }
    }
    private final class Late: Sendable {
        let whole: Whole
        init(_ whole: Whole) { self.whole = whole }
    }

    private static func part(_ number: Int) -> Module {
        Module("Part \(number)") { $0.register { Part(number) } }
    }

    /// A context with a type that depends on a part.
    ///
    /// Each disposal is logged.
    private static func context(_ disposals: Tally<String>) throws -> AppContext {
        try AppContext().load(
            Module("Wholes") { registry in
                registry.register { Part(0) }
                registry.register(Whole.init).onDispose { disposals.append("whole \($0.part.number)") }
                registry.register(Late.init).onDispose { disposals.append("late \($0.whole.part.number)") }
            })
    }

    @Test("Each pop restores the identical objects and immediately disposes of the others")
    func popsOneByOne() throws {
        let disposals = Tally<String>()
        let context = try Self.context(disposals)
        var wholes = [try context.resolve(Whole.self)]
        // Deep enough to show that a pop does not look at everything that earlier pushes have set aside.
        for number in 1...200 {
            try context.push(Self.part(number))
            wholes.append(try context.resolve())
        }
        #expect(wholes.map(\.part.number) == Array(0...200))
        #expect(disposals.take() == [])
        for number in (0..<200).reversed() {
            context.pop()
            #expect(disposals.take() == ["whole \(number + 1)"])
            #expect(try context.resolve(Whole.self) === wholes[number])
        }
        #expect(disposals.take() == [])
    }

    @Test("An instance made while a later push had restored its dependency ends with that push")
    func endsWithLaterPush() throws {
        let disposals = Tally<String>()
        let context = try Self.context(disposals)
        let (one, two) = (Self.part(1), Self.part(2))
        try context.push(one)
        let whole: Whole = try context.resolve()
        try context.push(two)
        try context.push(one)
        let late: Late = try context.resolve()
        #expect(late.whole === whole)
        try context.push(two)
        #expect(try context.resolve(Late.self) !== late)
        context.pop()
        #expect(try context.resolve(Late.self) === late)
        #expect(disposals.take() == ["late 2", "whole 2"])
        context.pop()
        #expect(disposals.take() == ["late 1"])
        context.pop()
        #expect(try context.resolve(Whole.self) === whole)
        #expect(try context.resolve(Late.self) !== late)
        #expect(disposals.take() == [])
    }
}
