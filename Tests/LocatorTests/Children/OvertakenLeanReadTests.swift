import Locator
import TestSupport
import Testing

extension Scope {
    fileprivate static let request = Scope("request")
}

/// Changes that come while a child without a lineup of its own makes something, and what its wrappers keep then.
@Suite("The reads of a child's closures belong to one state, and its wrappers keep nothing older")
struct OvertakenLeanReadTests {
    private struct Pair: Sendable, Equatable {
        let first: String
        let second: String
    }

    private struct Number: Sendable { let value: Int }
    private struct Refused: Error {}
    private final class Other: Sendable {}
    private struct Inner: Sendable { let value: Int }
    private struct Outer: Sendable { let value: Int }
    private struct Top: Sendable { let hasOuter: Bool }

    private final class Resource: Sendable {
        private let end: @Sendable () -> Void
        init(_ end: @escaping @Sendable () -> Void) { self.end = end }
        deinit { end() }
    }

    /// Code to run once, when a factory closure or a deinitializer runs.
    private final class Hook: Sendable {
        private let code = Late<@Sendable () -> Void>()

        func set(_ new: @escaping @Sendable () -> Void) { code.value = new }

        @Sendable func run() {
            let run = code.value
            code.value = nil
            run?()
        }
    }

    private static let other = Module("Other") { $0.register(Other.self, scope: .request) { Other() } }

    /// Pushes a module on another thread, and lets the child follow its parent there.
    private static func push(_ module: Module, on parent: AppContext, followedBy child: AppContext) {
        FamilyReadTests.elsewhere {
            do {
                try parent.push(module)
                _ = try child.resolve(Other.self)
            } catch {
                Issue.record(error)
            }
        }
    }

    @Test("A prototype reads all settings in one state, even if the child follows a push in the meantime")
    func prototype_readsOneState() throws {
        let hook = Hook()
        let parent = try AppContext().load(
            Self.other,
            Module("Base", properties: ["a": "old", "b": "old"]) { registry in
                registry.register(Pair.self, scope: .prototype) { (resolver: Resolver) in
                    let first: String = try resolver.value("a")
                    hook.run()
                    return Pair(first: first, second: try resolver.value("b"))
                }
            })
        _ = try parent.resolve(Pair.self)
        let child = try parent.child(opening: .request)
        let change = Module("Change", properties: ["a": "new", "b": "new"])
        hook.set { Self.push(change, on: parent, followedBy: child) }
        #expect(try child.resolve(Pair.self) == Pair(first: "old", second: "old"))
        #expect(try child.resolve(Pair.self) == Pair(first: "new", second: "new"))
    }

    @Test("A wrapper that was read before the child followed a push reads the new value next")
    func wrapper_keepsNothingOlder() throws {
        let hook = Hook()
        let wrapper = Late<PropertyValue<Int>>()
        let parent = try AppContext().load(
            Self.other,
            Module("Base") { registry in
                registry.register(Number.self, scope: .prototype) { (_: Resolver) in
                    Number(value: wrapper.value.map { $0.wrappedValue } ?? -1)
                }
            })
        _ = try parent.resolve(Number.self)
        let child = try parent.child(opening: .request)
        wrapper.value = AppContext.withContext(child) {
            PropertyValue(
                "limit",
                default: {
                    hook.run(); return 0
                }())
        }
        let change = Module("Change", properties: ["limit": 5])
        hook.set { Self.push(change, on: parent, followedBy: child) }
        #expect(try child.resolve(Number.self).value == 0)
        #expect(wrapper.value?.wrappedValue == 5)
    }

    /// What fails in the child, and whose error is caught.
    private enum Failing: CaseIterable {
        case part, partOfThePushedOne, decorator
    }

    @Test(
        "An instance that caught the error of a part is made again once the part can be made",
        arguments: Failing.allCases)
    private func caughtError_countsAsARead(_ failing: Failing) throws {
        let parent = try AppContext().load(
            Module("Base") { registry in
                registry.register { Number(value: 1) }
                registry.register(scope: .request) { (number: Number) in
                    if failing != .decorator, number.value < 5 { throw Refused() }
                    return Inner(value: number.value)
                }
                registry.register(scope: .request) { (inner: Inner) in Outer(value: inner.value) }
                if failing == .decorator {
                    registry.decorate(Outer.self) { base in
                        if base.value < 5 { throw Refused() }
                        return base
                    }
                }
                registry.register(scope: .request) { (resolver: Resolver) in
                    Top(hasOuter: (try? resolver.resolve(Outer.self)) != nil)
                }
            })
        _ = try parent.resolve(Number.self)
        _ = try parent.resolve(Number.self)
        let pushed = Module("Pushed") { registry in
            registry.register(scope: .request) { (number: Number) in
                if number.value < 5 { throw Refused() }
                return Inner(value: number.value)
            }
        }
        let child =
            failing == .partOfThePushedOne
            ? try parent.child(opening: .request, pushing: pushed) : try parent.child(opening: .request)
        #expect(try !child.resolve(Top.self).hasOuter)
        try parent.push(Module("Better") { $0.register { Number(value: 9) } })
        #expect(try child.resolve(Top.self).hasOuter)
        parent.pop()
        #expect(try !child.resolve(Top.self).hasOuter)
    }

    enum Place: CaseIterable { case parent, leanChild, fullChild }

    @Test(
        "The deinitializer of a value that a wrapper no longer keeps may change the context", arguments: Place.allCases)
    func deinitializer_mayChangeTheContext(in place: Place) throws {
        let inChild = place != .parent
        let end = Hook()
        let wrapper = Late<Dependency<Resource>>()
        let parent = try AppContext().load(
            Module("Base") { registry in
                if inChild {
                    registry.register { Resource(end.run) }
                } else {
                    registry.register(scope: .prototype) { Resource(end.run) }
                }
                registry.register(Other.self, scope: .request) {
                    if inChild { _ = wrapper.value?.wrappedValue } else { wrapper.value?.reset() }
                    return Other()
                }
            })
        let own = Module("Own") { $0.register(qualifier: "own") { 1 } }
        let context =
            switch place {
            case .parent: parent
            case .leanChild: try parent.child(opening: .request)
            case .fullChild: try parent.child(opening: .request, pushing: own)
            }
        func makeReady() throws {
            _ = try parent.resolve(Resource.self)
            _ = try parent.resolve(Resource.self)
        }
        try makeReady()
        wrapper.value = AppContext.withContext(context) { Dependency() }
        _ = wrapper.value?.wrappedValue
        if inChild {
            try parent.reset()
            try makeReady()
        }
        let result = Late<String>()
        end.set { result.value = message { try context.push(Module("Extra")) } ?? "pushed" }
        _ = try context.resolve(Other.self)
        // Other tests may delay the end.
        #expect(result.value ?? "pushed" == "pushed")
    }
}
