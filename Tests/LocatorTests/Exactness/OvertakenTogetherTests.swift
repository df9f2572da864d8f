import Locator
import TestSupport
import Testing

/// A request of the parent pauses until a request of its child has ended.
///
/// The request of the child pauses until a push has changed what their common instance is made from.
@Suite("Requests of a parent and its child that one push overtakes share an instance", .watchdog)
struct OvertakenTogetherTests {
    enum Leaves: CaseIterable {
        case fromDecodedSettings
        case fromSettingAtRunTime
        case replaced
    }

    private struct LeafSettings: ConfigProperty {
        static let path = "leaf"
        let size: Int
    }

    private final class Leaf: Sendable {
        let size: Int
        init(size: Int) { self.size = size }
    }

    private final class OuterPause: Sendable {}
    private final class InnerPause: Sendable {}

    private final class Outer: Sendable {
        let leaf: Leaf
        init(pause: OuterPause, leaf: Leaf) { self.leaf = leaf }
    }

    private final class Inner: Sendable {
        let leaf: Leaf
        init(pause: InnerPause, leaf: Leaf) { self.leaf = leaf }
    }

    private static func base(_ leaves: Leaves) -> Module {
        Module("Base", properties: ["leaf.size": 1]) { registry in
            switch leaves {
            case .fromDecodedSettings: registry.register { (settings: LeafSettings) in Leaf(size: settings.size) }
            case .fromSettingAtRunTime:
                registry.register { (resolver: Resolver) in Leaf(size: try resolver.value("leaf.size")) }
            case .replaced: registry.register { Leaf(size: 1) }
            }
            registry.register(scope: .prototype, Outer.init)
            registry.register(scope: .prototype, Inner.init)
        }
    }

    private static func replacement(_ leaves: Leaves) -> Module {
        Module("Later", properties: ["leaf.size": 2]) { registry in
            if leaves == .replaced { registry.register { Leaf(size: 2) } }
        }
    }

    @Test("The child has a module of its own", arguments: Leaves.allCases, [false, true])
    func child(leaves: Leaves, hasModule: Bool) throws {
        let context = AppContext()
        let inner = Late<Inner>()
        let child = Late<AppContext>()
        try context.load(
            Self.base(leaves),
            Module("Pauses") { registry in
                registry.register(scope: .prototype) {
                    inner.value = try onThread { try child.value?.resolve(Inner.self) }
                    return OuterPause()
                }
                registry.register(scope: .prototype) {
                    try onThread { _ = try context.push(Self.replacement(leaves)) }
                    return InnerPause()
                }
            })
        child.value = try context.child()
        if hasModule { try child.value?.push(Module("Own", properties: ["own": true])) }

        let outer = try context.resolve(Outer.self)

        #expect(outer.leaf.size == 1)
        #expect(outer.leaf === inner.value?.leaf)
        #expect(try context.resolve(Leaf.self).size == 2)
    }
}
