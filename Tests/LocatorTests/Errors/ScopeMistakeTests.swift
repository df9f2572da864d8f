import Locator
import Testing

extension Scope {
    fileprivate static let session = Scope("session")
    fileprivate static let request = Scope("request", requiresOpening: true)
}

@Suite("A misspelled scope is reported at its use")
struct ScopeMistakeTests {
    private static func module(_ scope: Scope, when condition: Condition? = nil) -> Module {
        Module("Shop", when: condition) { registry in
            registry.register(Int.self, scope: scope, fileID: "Shop/Shop.swift", line: 3) { 1 }
        }
    }

    // MARK: Resetting

    @Test func reset_ofAScopeThatNothingHas_namesTheNearOne() throws {
        let context = try AppContext().load(Self.module(.session))
        #expect(
            message { try context.reset(Scope("sesion"), fileID: "Shop/Main.swift", line: 7) } == """
                Shop/Main.swift:7: no registration has scope .sesion, so there is nothing to reset
                  near: .session
                  fix: correct its name, or load a module that uses the scope first
                """)
        #expect(
            message { try context.reset(Scope("other"), fileID: "Shop/Main.swift", line: 7) } == """
                Shop/Main.swift:7: no registration has scope .other, so there is nothing to reset
                  loaded: .session
                  fix: correct its name, or load a module that uses the scope first
                """)
        guard case .nothingToReset(let scope)? = locatorError({ try context.reset(Scope("other")) })?.kind else {
            Issue.record("another error")
            return
        }
        #expect(scope.name == "other")
    }

    @Test(arguments: ["user-session", "init", "self", "Type"])
    func scopeThatCannotBeWrittenAsAConstant(name: String) throws {
        let context = try AppContext().load(Self.module(Scope(name)))
        #expect(
            message { try context.reset(Scope("\(name)s"), fileID: "Shop/Main.swift", line: 7) } == """
                Shop/Main.swift:7: no registration has scope \(Scope("\(name)s")), so there is nothing to reset
                  near: Scope("\(name)")
                  fix: correct its name, or load a module that uses the scope first
                """)
    }

    @Test func reset_inAnEmptyContext() {
        #expect(
            message { try AppContext().reset(Scope("session"), fileID: "Shop/Main.swift", line: 7) } == """
                Shop/Main.swift:7: no registration has scope .session, so there is nothing to reset
                  fix: correct its name, or load a module that uses the scope first
                """)
    }

    @Test func reset_ofWhatAModuleNames_isRight_whateverIsMade() throws {
        let context = try AppContext().load(Self.module(.session))
        try context.reset(.session)
        try context.reset(.singleton)
        try context.reset(.always)
        // A condition that is false now may be true later.
        let off = try AppContext().load(Self.module(.session, when: .property("feature", equals: true)))
        try off.reset(.session)
        // A child resets what is above it, and what it has opened.
        try context.child().reset(.session)
        let child = try context.child(opening: .session)
        try child.reset(.session)
        try child.child().reset(.session)
        // Only the child has the module.
        let pushing = try AppContext().child(pushing: Self.module(.session))
        try pushing.reset(.session)
    }

    @Test func reset_ofWhatWasPushed_isRight_untilThePop() throws {
        let context = AppContext()
        let push = try context.push(Self.module(.session))
        try context.reset(.session)
        push.pop()
        #expect(locatorError { try context.reset(.session) } != nil)
    }

    @Test func reset_ofWhatRequiresOpening_isRight_onlyWhereItIsOpened() throws {
        let server = try AppContext().load(Self.module(.request))
        let expected = """
            Shop/Main.swift:7: scope .request is not open in this context, so there is nothing to reset
              fix: reset it in the child that opens it; when a child ends, its instances are disposed of
            """
        let sibling = try server.child(opening: .request)
        for context in [server, try server.child(), try server.fork()] {
            #expect(message { try context.reset(.request, fileID: "Shop/Main.swift", line: 7) } == expected)
            // The scope in the module is the one that requires it.
            #expect(message { try context.reset(Scope("request"), fileID: "Shop/Main.swift", line: 7) } == expected)
        }
        try sibling.reset(.request)
        try sibling.child().reset(.request)
    }

    // MARK: Asking

    @Test(arguments: [false, true])
    func asking_whenANearScopeIsOpened_namesIt(isNested: Bool) throws {
        let server = try AppContext().load(Self.module(Scope("reqest", requiresOpening: true)))
        let other = Module("Other") { $0.register(String.self, scope: .request) { "" } }
        try server.load(other)
        var child = try server.child(opening: .request)
        if isNested { child = try child.child() }
        #expect(
            message { try child.resolve(Int.self, fileID: "Shop/Main.swift", line: 7) } == """
                Shop/Shop.swift:3: Int has scope .reqest, which is not open in this context
                  requested: Int at Shop/Main.swift:7
                  near: .request, which is opened here
                  fix: correct the scope of the registration: .request
                """)
    }
}
