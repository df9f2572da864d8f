import Dispatch
import Locator
import TestSupport
import Testing

/// Requests with qualifiers, paths, and module names that come from outside the program leave nothing behind if nothing
/// answers them.
///
/// Each test runs in a separate process, so that the size of the process shows nothing else.
@Suite struct OutsideNamesTests {
    @Test func optionals_leaveNothing() async {
        await #expect(processExitsWith: .success) { try OutsideNames.optionals_leaveNothing() }
    }

    @Test func errors_leaveNothing() async {
        await #expect(processExitsWith: .success) { try OutsideNames.errors_leaveNothing() }
    }

    @Test func existing_leavesNothing() async {
        await #expect(processExitsWith: .success) { try OutsideNames.existing_leavesNothing() }
    }

    @Test func collections_leaveNothing() async {
        await #expect(processExitsWith: .success) { try OutsideNames.collections_leaveNothing() }
    }

    @Test func settings_leaveNothing() async {
        await #expect(processExitsWith: .success) { try OutsideNames.settings_leaveNothing() }
    }

    @Test func namesOfSettings_leaveNothing() async {
        await #expect(processExitsWith: .success) { try OutsideNames.namesOfSettings_leaveNothing() }
    }

    @Test func inWrappers_leaveNothing() async {
        await #expect(processExitsWith: .success) { try OutsideNames.inWrappers_leaveNothing() }
    }

    @Test func scopes_leaveNothing() async {
        await #expect(processExitsWith: .success) { try OutsideNames.scopes_leaveNothing() }
    }

    @Test func inFactoryClosures_leaveNothing() async {
        await #expect(processExitsWith: .success) { try OutsideNames.inFactoryClosures_leaveNothing() }
    }

    @Test func inChildren_leaveNothingInTheParent() async {
        await #expect(processExitsWith: .success) { try OutsideNames.inChildren_leaveNothingInTheParent() }
    }

    @Test func inFactoryClosuresOfChildren_leaveNothingInTheParent() async {
        await #expect(processExitsWith: .success) {
            try OutsideNames.inFactoryClosuresOfChildren_leaveNothingInTheParent()
        }
    }

    @Test func inAFork_leaveNothing() async {
        await #expect(processExitsWith: .success) { try OutsideNames.inAFork_leaveNothing() }
    }

    @Test func besidePushesOfOtherNames_leaveNothing() async {
        await #expect(processExitsWith: .success) { try OutsideNames.besidePushesOfOtherNames_leaveNothing() }
    }

    @Test func aboveAPushThatLasts_leaveNothing() async {
        await #expect(processExitsWith: .success) { try OutsideNames.aboveAPushThatLasts_leaveNothing() }
    }

    @Test func scopesOfModules_leaveNothing() async {
        await #expect(processExitsWith: .success) { try OutsideNames.scopesOfModules_leaveNothing() }
    }
}

/// Qualifiers, paths, and module names that are no longer in use are forgotten.
///
/// Those that are in use are not.
@Suite struct ForgottenNamesTests {
    @Test func instanceThatReadAMissingQualifier_isMadeAgain_whenItIsRegistered() throws {
        try expectNewInstance(registering: { $0.register(qualifier: "kept") { Tenant() } }) {
            try Seen(count: $0.resolve(Tenant?.self, qualifier: "kept") == nil ? 0 : 1)
        }
    }

    @Test func instanceThatReadAMissingSetting_isMadeAgain_whenItIsAdded() throws {
        try expectNewInstance(adding: ["tenants.kept": 1]) {
            try Seen(count: $0.value("tenants.kept", as: Int.self, default: 0))
        }
    }

    @Test func instanceThatReadAnEmptyCollection_isMadeAgain_whenItGetsAnElement() throws {
        try expectNewInstance(registering: { $0.register(qualifier: "kept") { Tenant() } }) {
            try Seen(count: $0.resolveAll(Tenant.self, qualifier: "kept").count)
        }
    }

    @Test func instanceThatReadNamedModules_isMadeAgain_whenOneIsAdded() throws {
        try expectNewInstance(registering: { $0.register(qualifier: "kept") { Tenant() } }) {
            try Seen(count: $0.resolveAll(Tenant.self, from: .modules(named: "Kept")).count)
        }
    }

    @Test func instanceThatReadAnOptionalFactory_isMadeAgain_whenItIsRegistered() throws {
        try expectNewInstance(registering: {
            $0.factory(Tenant.self, given: Int.self, qualifier: "kept") { _ in Tenant() }
        }) {
            Seen(count: (try? $0.resolve(Tenant.self, with: 1, qualifier: "kept")) == nil ? 0 : 1)
        }
    }

    /// Other names are requested while the factory closure runs, and after it.
    private func expectNewInstance(
        registering register: @escaping @Sendable (Registry) -> Void = { _ in },
        adding settings: [String: JSONValue] = [:],
        _ make: @escaping @Sendable (Resolver) throws -> Seen
    ) throws {
        let context = try AppContext().load(
            Module("Seen") { registry in
                registry.register { Tenant() }
                registry.register { (resolver: Resolver) in
                    let seen = try make(resolver)
                    requestOtherNames(from: AppContext.current, "inside")
                    return seen
                }
            })
        try AppContext.withContext(context) {
            let first = try context.resolve(Seen.self)
            requestOtherNames(from: context, "after")
            #expect(first.count == 0)
            try context.push(Module("Kept", properties: settings, register))
            requestOtherNames(from: context, "pushed")
            #expect(try context.resolve(Seen.self).count == 1)
            context.pop()
            requestOtherNames(from: context, "popped")
            #expect(try context.resolve(Seen.self) === first)
        }
    }

    @Test func missingAnswerOfAWrapper_isFollowed() throws {
        let context = AppContext()
        try AppContext.withContext(context) {
            let wrapper = Dependency<Tenant?>(qualifier: "kept")
            #expect(wrapper() == nil)
            requestOtherNames(from: context, "missing")
            #expect(wrapper() == nil)
            try context.push(Module("Kept") { $0.register(qualifier: "kept") { Tenant() } })
            requestOtherNames(from: context, "pushed")
            #expect(wrapper() != nil)
            context.pop()
            requestOtherNames(from: context, "popped")
            #expect(wrapper() == nil)
        }
    }

    @Test func missingAnswer_isGivenAgainAfterItWasForgotten() throws {
        let context = AppContext()
        for turn in 0..<3 {
            #expect(try context.tenant("kept") == nil)
            requestOtherNames(from: context, "\(turn)")
        }
        try context.load(Module("Kept") { $0.register(qualifier: "kept") { Tenant() } })
        #expect(try context.tenant("kept") != nil)
    }

    @Test func placeholder_isFollowed_afterItsReaderWasForgotten() throws {
        let context = try AppContext().load(Module("Settings", properties: ["limit": "${tenants.kept:none}"]))
        requestOtherNames(from: context, "before")
        #expect(try context.value("limit", as: String.self) == "none")
        requestOtherNames(from: context, "after")
        try context.push(Module("Kept", properties: ["tenants.kept": "some"]))
        #expect(try context.value("limit", as: String.self) == "some")
        context.pop()
        #expect(try context.value("limit", as: String.self) == "none")
    }

    @Test func requestsOfManyThreads_areAnswered_whileNamesAreForgotten() throws {
        let context = try AppContext().load(
            Module("Tenants") { registry in
                for number in 0..<8 { registry.register(qualifier: .named("\(number)")) { Tenant() } }
            })
        let expected = try (0..<8).map { try context.resolve(Tenant.self, qualifier: .named("\($0)")) }
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for turn in 0..<1000 {
                let tenant = try? context.resolve(Tenant.self, qualifier: .named("\(turn % 8)"))
                #expect(tenant === expected[turn % 8])
                #expect((try? context.tenant(.named("\(thread) \(turn)"))) == .some(nil))
                #expect((try? context.value("\(["a", "b", "c", "d"][thread])\(turn)", as: Int?.self)) == .some(nil))
            }
        }
    }
}

/// Requests many more names than are kept without being used.
private func requestOtherNames(from context: AppContext, _ text: String) {
    for number in 0..<150 {
        let name = "\(text)-\(number)"
        #expect((try? context.tenant(.named(name))) == .some(nil))
        #expect((try? context.resolveAll(Tenant.self, qualifier: .named(name)))?.isEmpty == true)
        #expect((try? context.resolveAll(Tenant.self, from: .modules(named: name)))?.isEmpty == true)
        #expect((try? context.value("tenants.\(name)", as: Int?.self)) == .some(nil))
    }
}

extension AppContext {
    fileprivate func tenant(_ qualifier: Qualifier) throws -> Tenant? {
        try resolve(Tenant?.self, qualifier: qualifier)
    }

    fileprivate func text(_ path: String) throws -> String? { try value(path, as: String?.self) }
}

extension Scope {
    fileprivate static let visit = Scope("visit")
}

private final class Tenant: Sendable, Equatable {
    static func == (left: Tenant, right: Tenant) -> Bool { left === right }
}

private final class Seen: Sendable {
    let count: Int
    init(count: Int) { self.count = count }
}

private func expectNone<Value>(_ value: Value?) { #expect(value == nil) }
private func expectEqual<Value: Equatable>(_ value: Value, _ expected: Value) { #expect(value == expected) }

private struct Search { let found: Int? }
private final class Visit: Sendable {}
private final class Visitor: Sendable {}

private enum OutsideNames {
    static func optionals_leaveNothing() throws {
        try repeatRequest { context, name in
            try expectNone(context.tenant(.named(name)))
        }
    }

    static func errors_leaveNothing() throws {
        try repeatRequest { context, name in
            #expect((try? context.resolve(Tenant.self, qualifier: .named(name))) == nil)
            #expect((try? context.resolve(Tenant.self, with: 1, qualifier: .named(name))) == nil)
        }
    }

    static func existing_leavesNothing() throws {
        try repeatRequest { context, name in
            #expect(context.existing(Tenant.self, qualifier: .named(name)) == nil)
            #expect(!context.isRegistered(Tenant.self, qualifier: .named(name)))
        }
    }

    static func collections_leaveNothing() throws {
        try repeatRequest { context, name in
            try expectNone(context.resolveAll(Tenant.self, qualifier: .named(name)).first)
            try expectEqual(context.resolveAll(Tenant.self, from: .modules(named: "Outside", name)).count, 1)
        }
    }

    static func settings_leaveNothing() throws {
        try repeatRequest { context, name in
            try expectNone(context.text("tenants.\(name)"))
            try expectEqual(context.value("tenants.\(name).limit", as: Int.self, default: 3), 3)
        }
    }

    static func namesOfSettings_leaveNothing() throws {
        try repeatRequest { context, name in
            #expect((try? context.resolve(Tenant.self, qualifier: .property("tenants.\(name)"))) == nil)
        }
    }

    static func inWrappers_leaveNothing() throws {
        try repeatRequest { context, name in
            AppContext.withContext(context) {
                expectNone(Dependency<Tenant?>(qualifier: .named(name)).wrappedValue)
                expectNone(DependencyArray<Tenant>(qualifier: .named(name)).wrappedValue.first)
                expectEqual(PropertyValue<Int>("tenants.\(name)", default: 3).wrappedValue, 3)
            }
        }
    }

    static func scopes_leaveNothing() throws {
        try repeatRequest(inDebug: 0.1) { context, name in
            let scope = Scope("the scope that one tenant has for itself, whose name is \(name)")
            try context.push(Module("Tenant") { $0.register(Int.self, scope: scope) { 1 } })
            try expectEqual(context.resolve(Int.self), 1)
            try context.reset(scope)
            try expectEqual(context.child(opening: scope).resolve(Int.self), 1)
            context.pop()
        }
    }

    static func inFactoryClosures_leaveNothing() throws {
        try repeatRequest { context, name in
            try expectNone(context.resolve(Search.self, with: name).found)
        }
    }

    static func inChildren_leaveNothingInTheParent() throws {
        try repeatRequest { context, name in
            // A lean child looks up in its parent what it cannot answer.
            expectNone(try? context.child(opening: .visit).resolve(Visit.self, qualifier: .named(name)))
            let child = try context.child(opening: .visit)
            try expectNone(child.tenant(.named(name)))
            try expectNone(child.text("tenants.\(name)"))
            try expectNone(child.resolve(Search.self, with: name).found)
            _ = try child.resolve(Visit.self)
        }
    }

    static func inFactoryClosuresOfChildren_leaveNothingInTheParent() throws {
        let name = Late<String>()
        try repeatRequest { context, next in
            if try context.resolve(Visitor?.self) == nil {
                try context.load(
                    Module("Visitors") { registry in
                        registry.register(scope: .visit) { (resolver: Resolver) throws -> Visitor in
                            try expectNone(
                                resolver.resolve(Tenant?.self, qualifier: .named(name.value ?? "")))
                            return Visitor()
                        }
                    })
            }
            name.value = next
            _ = try context.child(opening: .visit).resolve(Visitor.self)
        }
    }

    static func inAFork_leaveNothing() throws {
        var forks: [AppContext] = []
        try repeatRequest { context, name in
            if forks.isEmpty { forks.append(try context.fork()) }
            try expectNone(forks[0].tenant(.named(name)))
            try expectNone(forks[0].text("tenants.\(name)"))
        }
    }

    static func besidePushesOfOtherNames_leaveNothing() throws {
        try repeatRequest { context, name in
            try context.push(
                Module("Push", properties: [name: "value"]) { registry in
                    registry.register(qualifier: .named(name)) { Tenant() }
                })
            try expectEqual(context.tenant(.named(name)) != nil, true)
            try expectEqual(context.value(name, as: String.self), "value")
            context.pop()
        }
    }

    static func aboveAPushThatLasts_leaveNothing() throws {
        let lasting = Module("Lasting") { $0.register(Double.self) { 1 } }
        try repeatRequest { context, name in
            if try context.resolve(Double?.self) == nil { try context.push(lasting) }
            try context.push(Module("Push") { $0.register(qualifier: .named(name)) { Tenant() } })
            try expectEqual(context.tenant(.named(name)) != nil, true)
            context.pop()
        }
    }

    static func scopesOfModules_leaveNothing() throws {
        try repeatRequest { context, name in
            let module = Module("Scopes") { $0.register(Double.self, scope: Scope(name)) { 1 } }
            try context.load(module)
            try expectEqual(context.resolve(Double.self), 1)
            try context.unload(module)
        }
    }

    /// Makes a request with each of 100,000 new names, and with 5,000 in a debug build.
    ///
    /// The process does not grow.
    private static func repeatRequest(
        inDebug part: Double = 0.05, _ request: (AppContext, String) throws -> Void
    ) throws {
        let context = try AppContext().load(
            Module("Outside") { registry in
                registry.register { Tenant() }
                registry.factory(Tenant.self, given: Double.self) { _ in Tenant() }
                registry.factory(Search.self, given: String.self) { (name, resolver: Resolver) in
                    let tenant = try resolver.resolve(Tenant?.self, qualifier: .named(name))
                    let limit = try resolver.value("tenants.\(name).limit", as: Int?.self)
                    return Search(found: tenant == nil ? limit : 0)
                }
                registry.register(scope: .visit) { Visit() }
            })
        // The size means nothing under the thread sanitizer.
        let count = isThreadSanitized ? 1000 : TestScale.count(100_000, inDebug: part)
        let warmUp = count / 10
        for number in 0..<warmUp { try request(context, "first-\(number)") }
        let before = ProcessSize.resident
        for number in 0..<count { try request(context, "name-\(number)") }
        guard let before, let after = ProcessSize.resident, !isThreadSanitized else { return }
        // Each name that is kept takes at least 300 bytes.
        let limit = max(1 << 20, count * 60)
        #expect(after - before < limit, "\(count) names took \((after - before) >> 10) KiB")
        withExtendedLifetime(context) {}
    }
}
