import Locator
import TestSupport
import Testing

extension Scope {
    fileprivate static let request = Scope("request")
}

/// Each request makes its first part, pauses while another thread changes the context, and then needs a part that was
/// made from the same leaf.
@Suite("A request that a change overtakes gets one instance of each registration", .watchdog)
struct OvertakenSharingTests {
    enum Change: CaseIterable {
        case pop
        case reset
        case unload
    }

    private final class Leaf: Sendable {}

    private final class Part: Sendable {
        let leaf: Leaf
        init(leaf: Leaf) { self.leaf = leaf }
    }

    private final class Pause: Sendable {}

    private final class LeafFirst: Sendable {
        let leaf: Leaf
        let part: Part
        init(leaf: Leaf, pause: Pause, part: Part) { (self.leaf, self.part) = (leaf, part) }
    }

    /// Has the scope of the request.
    private final class Header: Sendable {
        let leaf: Leaf
        init(leaf: Leaf) { self.leaf = leaf }
    }

    private final class HeaderFirst: Sendable {
        let header: Header
        let part: Part
        init(header: Header, pause: Pause, part: Part) { (self.header, self.part) = (header, part) }
    }

    /// The context, a push of a leaf if there is one, and a change that runs once when a pause is made.
    private final class Setup: Sendable {
        let context = AppContext()
        let base = Module("Base") { $0.register { Leaf() } }
        private let change = Late<@Sendable () throws -> Void>()

        init() throws {
            try context.load(
                base,
                Module("Shop") { [change] registry in
                    registry.register(Part.init)
                    registry.register(scope: .prototype, LeafFirst.init)
                    registry.register(scope: .request, Header.init)
                    registry.register(scope: .prototype, HeaderFirst.init)
                    registry.register(Pause.self, scope: .prototype) {
                        if let run = change.value {
                            change.value = nil
                            try onThread { try run() }
                        }
                        return Pause()
                    }
                })
        }

        /// Makes the change when the next pause is made.
        func schedule(_ change: Change, popping push: Push?) {
            self.change.value = {
                push?.pop()
                switch change {
                case .pop: break
                case .reset: try self.context.reset()
                case .unload:
                    try self.context.unload(self.base)
                    try self.context.load(self.base)
                }
            }
        }
    }

    @Test(arguments: Change.allCases, [0, 1, 3])
    func leafThatIsGivenFirst(change: Change, requests: Int) throws {
        for isChild in [false, true] {
            for partRequests in [0, 1, 3] {
                let setup = try Setup()
                // From the third request on, the recipe is ready without a lock.
                for _ in 0..<3 { _ = try setup.context.resolve(LeafFirst.self) }
                let push = try setup.context.push(Module("Fakes") { $0.register { Leaf() } })
                for _ in 0..<requests { _ = try setup.context.resolve(Leaf.self) }
                for _ in 0..<partRequests { _ = try setup.context.resolve(Part.self) }
                let context = isChild ? try setup.context.child() : setup.context
                setup.schedule(change, popping: change == .reset ? nil : push)
                let whole = try context.resolve(LeafFirst.self)
                #expect(whole.leaf === whole.part.leaf, "child: \(isChild), requests for the part: \(partRequests)")
            }
        }
    }

    @Test(arguments: [Change.reset, .unload], [0, 1, 2])
    func instanceOfTheChild(change: Change, requests: Int) throws {
        for hasPart in [false, true] {
            let setup = try Setup()
            if hasPart { _ = try setup.context.resolve(Part.self) }
            let child = try setup.context.child(opening: .request)
            for _ in 0..<requests { _ = try child.resolve(Header.self) }
            setup.schedule(change, popping: nil)
            let whole = try child.resolve(HeaderFirst.self)
            #expect(whole.header.leaf === whole.part.leaf, "part made before: \(hasPart)")
        }
    }
}
