import Locator
import TestSupport
import Testing

private protocol Titled: Sendable {}
private protocol Numbered: Sendable {}
private protocol Printed: Sendable {}
private protocol Bound: Sendable {}

@Suite("The context never releases the last reference to a weakly held object with its lock held", .watchdog)
struct WeakStressTests {
    /// Uses its context when it ends.
    private final class Page: Titled, Numbered, Printed, Bound {
        private let context = AppContext.current

        deinit { _ = context.isRegistered(Int.self) }
    }

    /// The context casts the object to this type whenever it looks at it.
    ///
    /// That takes long, so the last other reference is often released meanwhile.
    private typealias Leaf = any Titled & Numbered & Printed & Bound

    @Test func objectThatAnotherThreadReleases_mayUseTheContext() throws {
        let context = try AppContext().load(Module("Pages") { $0.register(Leaf.self, scope: .weak) { Page() } })
        let page = Late<Leaf>()
        let gates = (0..<TestScale.count(40_000)).map { _ in Gate(2) }
        try Crowd.run("a page that ends", threads: 2) { member in
            for gate in gates {
                if member.number == 0 { page.value = try context.resolve(Leaf.self) }
                member.step("arrive")
                gate.arriveAndWait()
                if member.number == 0 {
                    member.step("look")
                    while context.existing(Leaf.self) != nil {}
                } else {
                    member.step("release")
                    page.value = nil
                }
            }
        }
        #expect(context.existing(Leaf.self) == nil)
    }
}
