import Locator
import TestSupport
import Testing

extension Scope {
    fileprivate static let request = Scope("request")
}

@Suite("A reset while a child makes an instance under a push brings back nothing from before the push", .watchdog)
struct ResetUnderPushTests {
    private final class Leaf: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    private final class Part: Sendable {
        let leaf: Leaf
        init(leaf: Leaf) { self.leaf = leaf }
    }

    private final class Pause: Sendable {}

    private final class Whole: Sendable {
        let part: Part
        init(pause: Pause, part: Part) { self.part = part }
    }

    @Test(arguments: [true, false])
    func part(isMadeUnderThePush: Bool) throws {
        let context = AppContext()
        let isReset = Late(true)
        try context.load(
            Module("Shop") { registry in
                registry.register { Leaf(0) }
                registry.register(Part.init)
                registry.register(scope: .request, Whole.init)
                registry.register(Pause.self, scope: .prototype) {
                    if isReset.value == false {
                        isReset.value = true
                        try onThread { try context.reset() }
                    }
                    return Pause()
                }
            })
        // Their answers are ready without a lock from here on.
        for _ in 0..<3 {
            #expect(try context.resolve(Part.self).leaf.number == 0)
            #expect(try context.child(opening: .request).resolve(Whole.self).part.leaf.number == 0)
        }
        try context.push(Module("Fakes") { $0.register { Leaf(1) } })
        if isMadeUnderThePush { #expect(try context.resolve(Part.self).leaf.number == 1) }
        isReset.value = false
        #expect(try context.child(opening: .request).resolve(Whole.self).part.leaf.number == 1)
        #expect(isReset.value == true)
    }
}
