import Locator
import TestSupport
import Testing

/// `registry.input(…)` and `child(opening:giving:and:)`: values that are only known when a scope is opened.
@Suite("Inputs that are passed when a scope is opened resolve like any other registration")
struct InputTests {
    struct Info: Sendable, Equatable { let path: String }
    final class User: Sendable { let name: String; init(_ name: String) { self.name = name } }
    protocol Clock: Sendable { var time: Int { get } }
    struct Fixed: Clock { let time: Int }
    final class Database: Sendable {}
    final class Trail: Sendable {
        let info: Info
        let user: User
        let database: Database
        init(info: Info, user: User, database: Database) {
            self.info = info
            self.user = user
            self.database = database
        }
    }
    struct Line { let info: Info; let trail: Trail }

    static let server = Module("Server", fileID: "Shop/Server.swift", line: 1) { registry in
        registry.register(Database.init)
        registry.input(Info.self, scope: .inputTest, fileID: "Shop/Server.swift", line: 3)
        registry.input(User.self, scope: .inputTest, fileID: "Shop/Server.swift", line: 4)
        registry.register(scope: .inputTest, fileID: "Shop/Server.swift", line: 5, Trail.init)
        registry.register(Line.self, scope: .prototype, fileID: "Shop/Server.swift", line: 6) {
            Line(info: $0, trail: $1)
        }
    }
    static let ada = User("Ada")
    static let info = Info(path: "/orders")

    static func server(_ more: Module...) throws -> AppContext {
        let context = try AppContext().load(server)
        for module in more { try context.load(module) }
        return context
    }

    // MARK: Asking

    @Test func inputs_answerEveryWayToAsk() throws {
        let child = try Self.server().child(opening: .inputTest, giving: Self.info, Self.ada)
        #expect(try child.resolve(Info.self) == Self.info)
        #expect(try child.resolve(User.self) === Self.ada)
        #expect(try child.resolve(Trail.self).user === Self.ada)
        #expect(try child.resolve(Line.self).info == Self.info)
        #expect(try child.resolve(Info?.self) == Self.info)
        #expect(try child.resolveAll(Info.self) == [Self.info])
        #expect(child.existing(User.self) === Self.ada)
        final class Holder {
            @Dependency var info: Info
            @Dependency var user: User?
            @DependencyArray var trails: [Trail]
        }
        let holder = AppContext.withContext(child) { Holder() }
        #expect(holder.info == Self.info)
        #expect(holder.user === Self.ada)
        #expect(try holder.trails.first === child.resolve(Trail.self))
    }

    @Test func input_isThere_beforeAnythingWasRequested() throws {
        let server = try Self.server()
        for module in [nil, Module.text("own")] {
            let child =
                if let module {
                    try server.child(opening: .inputTest, giving: Self.info, Self.ada, pushing: module)
                } else {
                    try server.child(opening: .inputTest, giving: Self.info, Self.ada)
                }
            #expect(child.existing(Info.self) == Self.info)
            #expect(child.existing(Trail.self) == nil)
        }
        #expect(server.existing(Info.self) == nil)
    }

    @Test func eachChild_hasItsOwn_andSharesTheRest() throws {
        let server = try Self.server()
        let first = try server.child(opening: .inputTest, giving: Info(path: "a"), User("A"))
        let second = try server.child(opening: .inputTest, giving: Info(path: "b"), User("B"))
        #expect(try first.resolve(Trail.self).info.path == "a")
        #expect(try second.resolve(Trail.self).info.path == "b")
        #expect(try first.resolve(Trail.self).database === second.resolve(Trail.self).database)
    }

    @Test func inputs_withAQualifier_orAsAnotherType() throws {
        let server = try AppContext().load(
            Module("Regions") { registry in
                registry.input(String.self, qualifier: "region", scope: .inputTest)
                registry.input(String.self, qualifier: .zone, scope: .inputTest)
                registry.input((any Clock).self, scope: .inputTest)
                registry.register(Int.self, scope: .inputTest, parameterQualifiers: ["zone", nil]) {
                    (zone: String, clock: any Clock) in
                    zone.count + clock.time
                }
            })
        let fixed = Fixed(time: 7)
        let clock: any Clock = fixed
        for child in [
            try server.child(
                opening: .inputTest,
                and: .input("eu", qualifier: "region"), .input("north", qualifier: .zone),
                .input(fixed, as: (any Clock).self)),
            try server.child(
                opening: .inputTest, giving: clock, and: .input("eu", qualifier: "region"),
                .input("north", qualifier: "zone")),
            try server.child(
                opening: .inputTest, and: .input(clock), .input("eu", qualifier: "region"),
                .input("north", qualifier: "zone")),
        ] {
            #expect(try child.resolve(String.self, qualifier: "region") == "eu")
            #expect(try child.resolve((any Clock).self).time == 7)
            #expect(try child.resolve(Int.self) == 12)
            #expect(try child.resolveMap(String.self) == ["region": "eu", "zone": "north"])
        }
    }

    @Test func input_hasAliases_andCanBePrimary() throws {
        let server = try AppContext().load(
            Module("Clocks") { registry in
                registry.input(Fixed.self, scope: .inputTest).alias((any Clock).self) { $0 }
                registry.input(String.self, qualifier: "a", scope: .inputTest)
                registry.input(String.self, qualifier: "b", scope: .inputTest).primary()
            })
        let child = try server.child(
            opening: .inputTest, giving: Fixed(time: 3), and: .input("A", qualifier: "a"), .input("B", qualifier: "b"))
        #expect(try child.resolve((any Clock).self).time == 3)
        #expect(try child.resolve(String.self) == "B")
    }

    @Test("What has to be passed changes with the modules", arguments: [false, true])
    func modules_changeTheInputs(arePushed: Bool) throws {
        let server = try Self.server()
        let more = Module("More") { registry in
            registry.input(String.self, scope: .inputTest, fileID: "Shop/More.swift", line: 2)
        }
        let fake = Module("Fake") { $0.register(User.self) { User("fake") } }
        func come(_ module: Module) throws {
            if arePushed { try server.push(module) } else { try server.load(module, priority: .high) }
        }
        func go(_ module: Module) throws {
            if arePushed { try server.pop(module) } else { try server.unload(module) }
        }
        func withBoth() throws -> AppContext { try server.child(opening: .inputTest, giving: Self.info, Self.ada) }
        func withoutUser() throws -> AppContext {
            try server.child(opening: .inputTest, giving: Self.info, fileID: "Shop/Main.swift", line: 9)
        }
        let missing = """
            Shop/Main.swift:9: the inputs passed do not match the inputs of .inputTest
              missing: User (Shop/Server.swift:4)
              fix: pass each declared input once, with `giving:` or `and: .input(…)`
            """
        try come(fake)
        #expect(try withoutUser().resolve(User.self).name == "fake")
        try go(fake)
        #expect(message(withoutUser) == missing)
        #expect(message(withBoth) == nil)
        try come(more)
        #expect(message(withBoth)?.contains("missing: String (Shop/More.swift:2)") == true)
        try go(more)
        #expect(message(withBoth) == nil)
    }

    @Test func decorators_wrapAnInput() throws {
        let server = try Self.server(
            Module("Behind") { $0.register(Int.self) { 0 } })
        try server.push(Module("Masked") { $0.decorate(Info.self) { Info(path: "masked " + $0.path) } })
        let child = try server.child(opening: .inputTest, giving: Self.info, Self.ada)
        #expect(try child.resolve(Info.self).path == "masked /orders")
        #expect(try child.resolve(Trail.self).info.path == "masked /orders")
        server.pop()
        #expect(try child.resolve(Info.self).path == "/orders")
        #expect(try child.resolve(Trail.self).info.path == "/orders")
    }

    @Test func wrappersInInputs_areOfTheContextTheyWereCreatedIn() throws {
        final class Handler: Sendable {
            let database = Dependency<Database>()
            let info = Dependency<Info>()
        }
        let server = try Self.server(Module("Handlers") { $0.input(Handler.self, scope: .inputTest) })
        let outer = try server.child(opening: .inputTest, giving: Info(path: "outer"), Self.ada, Handler())
        let handler = AppContext.withContext(outer) { Handler() }
        let inner = try server.child(opening: .inputTest, giving: Info(path: "inner"), Self.ada, handler)
        #expect(try inner.resolve(Handler.self).info().path == "outer")
        #expect(try inner.resolve(Handler.self).database() === server.resolve(Database.self))
    }

    @Test func manyInputs_areAllFound() throws {
        let server = try AppContext().load(
            Module("Many") { registry in
                for number in 0..<66 { registry.input(Int.self, qualifier: .named("\(number)"), scope: .inputTest) }
            })
        func i(_ name: String) -> Input { .input(Int(name) ?? -1, qualifier: .named(name)) }
        let child = try server.child(
            opening: .inputTest,
            and: i("0"), i("1"), i("2"), i("3"), i("4"), i("5"), i("6"), i("7"), i("8"), i("9"), i("10"), i("11"),
            i("12"), i("13"), i("14"), i("15"), i("16"), i("17"), i("18"), i("19"), i("20"), i("21"), i("22"), i("23"),
            i("24"), i("25"), i("26"), i("27"), i("28"), i("29"), i("30"), i("31"), i("32"), i("33"), i("34"), i("35"),
            i("36"), i("37"), i("38"), i("39"), i("40"), i("41"), i("42"), i("43"), i("44"), i("45"), i("46"), i("47"),
            i("48"), i("49"), i("50"), i("51"), i("52"), i("53"), i("54"), i("55"), i("56"), i("57"), i("58"), i("59"),
            i("60"), i("61"), i("62"), i("63"), i("64"), i("65"))
        for number in 0..<66 { #expect(try child.resolve(Int.self, qualifier: .named("\(number)")) == number) }
    }

    // MARK: Replacing

    @Test func module_inFront_replacesAnInput_whichNeedNotBePassedThen() throws {
        let server = try Self.server()
        let fakes = Module("Fakes") { $0.register(Info.self, scope: .inputTest) { Info(path: "fake") } }
        try server.push(fakes)
        #expect(try server.child(opening: .inputTest, giving: Self.ada).resolve(Trail.self).info.path == "fake")
        #expect(try server.child(opening: .inputTest, giving: Self.ada, Self.info).resolve(Info.self).path == "fake")
        server.pop()
        let child = try server.child(opening: .inputTest, giving: Self.ada, pushing: fakes)
        #expect(try child.resolve(Trail.self).info.path == "fake")
        #expect(try child.resolve(Trail.self).user === Self.ada)
    }

    @Test func replaceAll_leavesTheInputOutOfCollections() throws {
        let server = try Self.server()
        let fakes = Module("Fakes") { registry in
            registry.replaceAll(Info.self)
            registry.register(Info.self) { Info(path: "fake") }
        }
        let child = try server.child(opening: .inputTest, giving: Self.info, Self.ada)
        try child.push(fakes)
        #expect(try child.resolveAll(Info.self).map(\.path) == ["fake"])
        child.pop()
        #expect(try child.resolveAll(Info.self).map(\.path) == ["/orders"])
    }

    @Test func pushAndPop_bringTheIdenticalObjectsBack() throws {
        let server = try Self.server()
        let child = try server.child(opening: .inputTest, giving: Self.info, Self.ada)
        let trail = try child.resolve(Trail.self)
        for context in [server, child] {
            try context.push(Module("Fake") { $0.register(User.self) { User("fake") } })
            #expect(try child.resolve(Trail.self).user.name == "fake")
            context.pop()
            #expect(try child.resolve(Trail.self) === trail)
            #expect(try child.resolve(User.self) === Self.ada)
        }
    }

    @Test func twoModules_thatDeclareTheSameInput_getTheSame() throws {
        let server = try Self.server(
            Module("Metrics") { registry in
                registry.input(User.self, scope: .inputTest)
                registry.register(Int.self, scope: .inputTest) { (user: User) in user.name.count }
            })
        let child = try server.child(opening: .inputTest, giving: Self.info, Self.ada)
        #expect(try child.resolve(Int.self) == 3)
        #expect(try child.resolve(User.self) === Self.ada)
    }

    @Test func module_thatAChildPushes_mayDeclareInputs() throws {
        let server = try Self.server()
        let more = Module("More") { registry in
            registry.input(String.self, scope: .inputTest)
            registry.register(Int.self, scope: .inputTest) { (text: String, user: User) in text.count + user.name.count
            }
        }
        let child = try server.child(opening: .inputTest, giving: Self.info, Self.ada, "four", pushing: more)
        #expect(try child.resolve(Int.self) == 7)
    }

    // MARK: What the child keeps

    @Test func inputs_stay_whateverIsReset() throws {
        let server = try Self.server()
        let child = try server.child(opening: .inputTest, giving: Self.info, Self.ada)
        let trail = try child.resolve(Trail.self)
        let wrapper = AppContext.withContext(child) { Dependency<User>() }
        #expect(wrapper() === Self.ada)
        for reset in [{ try child.reset(.inputTest) }, { try child.reset() }, { try server.reset() }] {
            try reset()
            #expect(try child.resolve(User.self) === Self.ada)
            #expect(wrapper() === Self.ada)
            #expect(try child.resolve(Trail.self) !== trail)
        }
    }

    @Test func grandchild_hasTheInputsOfAllAboveIt() throws {
        let session = Scope("session", requiresOpening: true)
        let server = try Self.server(
            Module("Session") { registry in
                registry.input(String.self, scope: session)
                registry.register(Int.self, scope: .inputTest) { (name: String, user: User) in
                    name.count + user.name.count
                }
            })
        let visit = try server.child(opening: session, giving: "visit")
        let request = try visit.child(opening: .inputTest, giving: Self.info, Self.ada)
        #expect(try request.resolve(Int.self) == 8)
        #expect(try request.child().resolve(Int.self) == 8)
        #expect(try request.child(pushing: .text("own")).resolve(Trail.self).user === Self.ada)
        let again = try request.child(opening: .inputTest, giving: Self.info, User("Benedict"))
        #expect(try again.resolve(Int.self) == 13)
        #expect(try request.resolve(Int.self) == 8)
        let both = try server.child(opening: session, .inputTest, giving: "both", Self.info, Self.ada)
        #expect(try both.resolve(Int.self) == 7)
    }

    @Test func fork_ofAChild_hasItsInputs() throws {
        let child = try Self.server().child(opening: .inputTest, giving: Self.info, Self.ada)
        let trail = try child.resolve(Trail.self)
        let fork = try child.child().fork()
        #expect(try fork.resolve(Trail.self) !== trail)
        #expect(try fork.resolve(Trail.self).user === Self.ada)
    }

    /// Two scopes declare an input of the same type, and each context passes its own.
    @Test(arguments: [[1, 2], [2, 1]])
    func fork_ofAGrandchild_hasTheInputOfEachScope(order: [Int]) throws {
        let scopes = [Scope("fork.outer"), Scope("fork.inner")]
        let modules = order.map { number in
            Module("Scope \(number)") { $0.input(Int.self, scope: scopes[number - 1]) }
        }
        let outer = try AppContext().load(modules).child(opening: scopes[0], giving: 1)
        let inner = try outer.child(opening: scopes[1], giving: 2)
        for context in [inner, try inner.fork(), try inner.fork().fork(), try inner.fork().child()] {
            #expect(try context.resolve(Int.self) == order[0])
            #expect(try context.resolveAll(Int.self) == order)
        }
    }

    /// The nearest context that opened a scope has its inputs, even if it passes none.
    @Test func fork_ofAGrandchildThatOpensTheScopeAgain_hasItsInputs() throws {
        let server = try Self.server()
        let outer = try server.child(opening: .inputTest, giving: Self.info, Self.ada)
        let benedict = User("Benedict")
        let inner = try outer.child(opening: .inputTest, giving: Self.info, benedict)
        #expect(try inner.fork().resolve(Trail.self).user === benedict)
        #expect(try inner.fork().child().resolve(User.self) === benedict)
    }

    @Test func scopeThatIsOpenedTwice_isOpenedOnce() throws {
        let child = try Self.server().child(opening: .inputTest, .inputTest, giving: Self.info, Self.ada)
        for context in [child, try child.fork()] {
            #expect(try context.resolveAll(Info.self) == [Self.info])
            #expect(try context.resolve(Trail.self).user === Self.ada)
        }
    }

    @Test func inputs_areReleased_withTheChild() throws {
        for isFull in [false, true] {
            let server = try Self.server()
            weak var seen: User?
            do {
                let user = User("short")
                seen = user
                let child = try server.child(opening: .inputTest, giving: Self.info, user)
                if isFull { _ = child.dump() }
                let wrapper = AppContext.withContext(child) { Dependency<Trail>() }
                _ = wrapper()
            }
            #expect(seen == nil)
        }
    }

    /// The wrapper holds the core of the context, which must not hold the input.
    @Test func input_thatHoldsAWrapperOfItsChild_isReleased() throws {
        final class Handler: @unchecked Sendable {
            // Sendable: the test uses one thread.
            var wrapper: Dependency<Info>?
        }
        for isFull in [false, true] {
            let server = try Self.server(Module("Handlers") { $0.input(Handler.self, scope: .inputTest) })
            weak var seen: Handler?
            do {
                let handler = Handler()
                seen = handler
                let child = try server.child(opening: .inputTest, giving: Self.info, Self.ada, handler)
                if isFull { _ = child.dump() }
                handler.wrapper = AppContext.withContext(child) { Dependency<Info>() }
                _ = try child.resolve(Handler.self)
            }
            #expect(seen == nil)
        }
    }

    @Test func inputs_stay_whenTheirModuleIsLoadedAgain() throws {
        let server = try Self.server()
        let child = try server.child(opening: .inputTest, giving: Self.info, Self.ada)
        let trail = try child.resolve(Trail.self)
        try server.unload(Self.server)
        #expect(
            message { try child.resolve(User.self, fileID: "Shop/Main.swift", line: 1) } == """
                Shop/Main.swift:1: User is not registered
                  no module is loaded in this context
                  fix: register it in a loaded module: registry.register(User.self) { … }
                """)
        try server.load(Self.server)
        #expect(try child.resolve(User.self) === Self.ada)
        #expect(try child.resolve(Trail.self) !== trail)
    }

    // MARK: Threads

    @Test func children_besidePushesOfTheServer_haveTheirOwnOrTheFake() throws {
        let server = try Self.server()
        let fake = Module("Fake") { $0.register(Info.self) { Info(path: "fake") } }
        let stops = Counter()
        try Crowd.run("children beside pushes", threads: 4) { member in
            if member.number == 0 {
                while stops.value < 3 {
                    try server.push(fake)
                    server.pop()
                    member.step("popped")
                }
                return
            }
            defer { stops.next() }
            for round in 0..<TestScale.count(4000) {
                let own = Info(path: "\(member.number) \(round)")
                let child = try server.child(opening: .inputTest, giving: own, Self.ada)
                if round % 7 == 0 { try child.push(.text("own")) }
                for info in [try child.resolve(Trail.self).info, try child.resolve(Info.self)] {
                    #expect(info == own || info.path == "fake")
                }
                let line = try child.resolve(Line.self)
                // One request sees one state.
                #expect(line.info == line.trail.info)
                #expect(line.trail.user === Self.ada)
                member.step("round \(round)")
            }
        }
    }

    @Test func manyChildren_atOnce_haveTheirOwn() async throws {
        let server = try Self.server()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<TestScale.count(400) {
                group.addTask {
                    let user = User("\(number)")
                    let child = try server.child(opening: .inputTest, giving: Info(path: "\(number)"), user)
                    if number % 10 == 0 { try child.push(.text("own")) }
                    let trail = try child.resolve(Trail.self)
                    let line = try child.resolve(Line.self)
                    return trail.user === user && line.trail === trail && line.info.path == "\(number)"
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func threads_ofOneChild_getOneInstance() throws {
        let server = try Self.server()
        for _ in 0..<TestScale.count(50) {
            let child = try server.child(opening: .inputTest, giving: Self.info, Self.ada)
            let trails = Tally<ObjectIdentifier>()
            try Crowd.run("one child", threads: 4) { member in
                if member.number == 0 { _ = try child.resolveAll(User.self) }
                trails.append(ObjectIdentifier(try child.resolve(Trail.self)))
            }
            #expect(Set(trails.elements).count == 1)
        }
    }
}

extension Scope {
    fileprivate static let inputTest = Scope("inputTest")
}

extension Qualifier {
    fileprivate static let zone: Qualifier = "zone"
}
