import Foundation
import Locator
import TestSupport
import Testing

/// A request of a child that a change of the parent overtakes.
@Suite("A child's request sees one state: the state at its start")
struct OvertakenChildTests {
    final class Part: Sendable {
        let number: Int

        init(_ number: Int) {
            self.number = number
        }
    }

    final class Other: Sendable {
        let number: Int

        init(_ number: Int) {
            self.number = number
        }
    }

    final class Whole: Sendable {
        let part: Part
        let other: Other

        init(part: Part, other: Other) {
            self.part = part
            self.other = other
        }
    }

    /// Runs an action on another thread while it is made.
    struct Gate {
        init(_ action: Action) {
            guard let run = action.run.value else { return }
            action.run.value = nil
            let done = DispatchSemaphore(value: 0)
            Thread {
                run()
                done.signal()
            }.start()
            done.wait()
        }
    }

    final class Action: Sendable {
        let run = Late<@Sendable () -> Void>()
    }

    struct Request {
        let part: Part
        let whole: Whole

        init(part: Part, gate: Gate, whole: Whole) {
            self.part = part
            self.whole = whole
        }
    }

    let context = AppContext()
    let action = Action()

    init() throws {
        let action = action
        try context.load(
            Module("Base") { registry in
                registry.register { Part(0) }
                registry.register { Other(0) }
                registry.register(Whole.init)
                registry.register(instance: action)
                registry.register(scope: .prototype, Gate.init)
                registry.register(scope: .prototype, Request.init)
            })
    }

    private var replacement: Module {
        Module("Replacement") { registry in
            registry.register { Part(1) }
            registry.register { Other(1) }
        }
    }

    @Test(arguments: [false, true])
    func requestOfALeanChild_seesOneState_whereAPushOrPopOvertakesIt(isPop: Bool) throws {
        let push = isPop ? try context.push(replacement) : nil
        _ = try (context.resolve(Part.self), context.resolve(Part.self))
        let child = try context.child()
        let (context, replacement) = (context, replacement)
        action.run.value = {
            if let push { push.pop() } else { #expect(throws: Never.self) { try context.push(replacement) } }
        }
        let request = try child.resolve(Request.self)
        let number = isPop ? 1 : 0
        #expect(request.part.number == number)
        #expect(request.whole.part.number == number)
        #expect(request.whole.other.number == number)
    }

    @Test(arguments: [false, true])
    func requestOfAChild_getsOneObject_whereAResetOvertakesIt(keepsSettings: Bool) throws {
        let child = try context.child(keepsSettings: keepsSettings)
        let context = context
        action.run.value = { try? context.reset() }
        let request = try child.resolve(Request.self)
        #expect(request.part === request.whole.part)
    }
}
