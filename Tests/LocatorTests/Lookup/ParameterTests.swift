import Locator
import Testing

@Suite("The parameters of a factory closure are its dependencies")
struct ParameterTests {
    private final class Thing: Sendable {}

    private let context = AppContext()

    @Test func taking_qualifiesParameters_byPosition() throws {
        struct Report: Sendable, Equatable {
            let first: String
            let second: String
            let third: String
            let all: [String]
        }
        let module = Module("Report", properties: ["sink": "console"]) { registry in
            registry.register(String.self) { "plain" }
            registry.register(String.self, qualifier: "file") { "file" }
            registry.register(String.self, qualifier: "console") { "console" }
            registry.register(Report.self, parameterQualifiers: ["file", nil, .property("sink"), "file"], Report.init)
        }
        try context.load(module)
        let expected = Report(first: "file", second: "plain", third: "console", all: ["file"])
        #expect(try context.resolve(Report.self) == expected)
    }

    @Test func taking_worksForEveryKindOfParameter() throws {
        struct Parts: Sendable {
            let optional: Int?
            let missing: Int?
            let lazy: Lazy<Int>
            let provider: Provider<Int>
            let factory: Factory<String, Int>
        }
        let module = Module("Parts") { registry in
            registry.register(Int.self) { 0 }
            registry.register(Int.self, qualifier: "a") { 1 }
            registry.factory(Int.self, qualifier: "a") { (text: String) in text.count }
            registry.register(Parts.self, parameterQualifiers: ["a", "none", "a", "a", "a"], Parts.init)
        }
        try context.load(module)
        let parts = try context.resolve(Parts.self)
        #expect(parts.optional == 1)
        #expect(parts.missing == nil)
        #expect(parts.lazy() == 1)
        #expect(try parts.provider() == 1)
        #expect(try parts.factory("four") == 4)
    }

    @Test(
        "A wrong number of parameterQualifiers: is an error at load",
        arguments: [
            (Registering { $0.register(String.self, parameterQualifiers: ["a"]) { "x" } }, 1, 0),
            (
                Registering {
                    $0.register(String.self, parameterQualifiers: ["a", nil]) { (number: Int) in "\(number)" }
                }, 2, 1
            ),
            (
                Registering { $0.register(String.self, parameterQualifiers: [nil]) { (a: Int, b: Int) in "\(a)\(b)" } },
                1, 2
            ),
            (Registering { $0.decorate(String.self, parameterQualifiers: ["a"]) { base in base } }, 1, 0),
            (
                Registering {
                    $0.factory(String.self, parameterQualifiers: ["a", "b"]) { (text: String, number: Int) in text }
                }, 2,
                1
            ),
            (Registering { $0.register(String.self, parameterQualifiers: [nil], onMainActor: { "x" }) }, 1, 0),
            (Registering { $0.register(String.self, parameterQualifiers: [nil], async: { "x" }) }, 1, 0),
        ] as [(Registering, Int, Int)])
    func wrongCount_isAnErrorAtLoad(
        row: Registering, given: Int, parameters: Int
    ) throws {
        let error = locatorError { try AppContext().load(Module("M", row.register)) }
        guard case .invalidRegistrations(let problems) = error?.kind else {
            Issue.record("accepted")
            return
        }
        #expect(problems.map(\.kind) == [.wrongParameterQualifierCount(given: given, parameters: parameters)])
    }

    @Test func initializers_andClosures_infer() throws {
        struct Users: Sendable { let thing: Thing }
        struct Both: Sendable { let users: Users, thing: Thing }
        try context.load(
            Module("M") { registry in
                registry.register(Thing.init)
                registry.register(Users.init)
                registry.register(Both.self) { users, thing in Both(users: users, thing: thing) }
            })
        let both = try context.resolve(Both.self)
        #expect(both.users.thing === both.thing)
    }

    @Test func lazy_asksWhenItIsFirstUsed_andKeeps() throws {
        struct Holder: Sendable { let lazy: Lazy<Thing> }
        let made = Counter()
        let module = Module("M") { registry in
            registry.register(Thing.self, scope: .prototype) {
                made.next()
                return Thing()
            }
            registry.register(Holder.init)
        }
        try context.load(module)
        let holder = try context.resolve(Holder.self)
        #expect(made.value == 0)
        let thing = holder.lazy()
        #expect(holder.lazy() === thing)
        #expect(holder.lazy.value === thing)
        #expect(try holder.lazy.resolved() === thing)
        #expect(made.value == 1)
    }

    @Test func lazy_followsTheContext() throws {
        struct Holder: Sendable { let lazy: Lazy<String> }
        try context.load(.text("real"), Module("M") { $0.register(Holder.init) })
        let holder = try context.resolve(Holder.self)
        #expect(holder.lazy() == "real")
        try context.push(.text("fake"))
        #expect(holder.lazy() == "fake")
        #expect(try context.resolve(Holder.self).lazy() == "fake")
        context.pop()
        #expect(holder.lazy() == "real")
    }

    @Test func lazy_ofAMissingKey_isAnErrorWhenItIsUsed() throws {
        struct Holder: Sendable { let lazy: Lazy<Int> }
        try context.load(Module("M") { $0.register(Holder.init) })
        let holder = try context.resolve(Holder.self)
        #expect(locatorError({ try holder.lazy.resolved() }) != nil)
    }

    @Test func provider_asksEachTime() throws {
        struct Holder: Sendable {
            let prototypes: Provider<Int>
            let singletons: Provider<Thing>
        }
        let made = Counter()
        let module = Module("M") { registry in
            registry.register(Int.self, scope: .prototype) { made.next() }
            registry.register(Thing.init)
            registry.register(Holder.init)
        }
        try context.load(module)
        let holder = try context.resolve(Holder.self)
        #expect(try (holder.prototypes(), holder.prototypes()) == (1, 2))
        #expect(try holder.singletons() === holder.singletons())
        try context.push(Module("Fake") { $0.register(Int.self) { -1 } })
        #expect(try holder.prototypes() == -1)
    }

    @Test func resolver_decidesAtRunTime() throws {
        let module = Module("M", properties: ["storage.inMemory": true, "size": 3]) { registry in
            registry.register(String.self, qualifier: "memory") { "memory" }
            registry.register(String.self, qualifier: "disk") { "disk" }
            registry.factory(String.self) { (number: Int) in "number \(number)" }
            registry.register([String: String].self) { (resolver: Resolver) in
                [
                    "chosen": try resolver.resolve(
                        qualifier: resolver.value("storage.inMemory") ? "memory" : "disk"),
                    "all": try resolver.resolveAll(String.self).joined(separator: ","),
                    "optional": try resolver.resolve(Double?.self).map { "\($0)" } ?? "nil",
                    "factory": try resolver.resolve(String.self, with: resolver.value("size", as: Int.self)),
                    "fallback": try resolver.value("missing", default: "default"),
                ]
            }
        }
        try context.load(module)
        #expect(
            try context.resolve([String: String].self) == [
                "chosen": "memory", "all": "memory,disk", "optional": "nil", "factory": "number 3",
                "fallback": "default",
            ])
    }

    @Test func optionalAndArray_nest() throws {
        struct Holder: Sendable {
            let lazies: Lazy<Int?>
            let lists: Lazy<[Int]>
            let provider: Provider<[Int]>
            let optionalLazy: Lazy<Int>?
        }
        let module = Module("M") { registry in
            registry.register(Int.self) { 1 }
            registry.register(Holder.init)
        }
        try context.load(module)
        let holder = try context.resolve(Holder.self)
        #expect(holder.lazies() == 1)
        #expect(holder.lists() == [1])
        #expect(try holder.provider() == [1])
        #expect(holder.optionalLazy?() == 1)
    }

    @Test func manyParameters_areResolvedInOrder() throws {
        struct Wide: Sendable, Equatable {
            let a: Int, b: String, c: Int?, d: [Int], e: String, f: Int, g: String?, h: [String]
        }
        let module = Module("M") { registry in
            registry.register(Int.self) { 1 }
            registry.register(String.self) { "x" }
            registry.register(Wide.init)
        }
        try context.load(module)
        #expect(
            try context.resolve(Wide.self)
                == Wide(a: 1, b: "x", c: 1, d: [1], e: "x", f: 1, g: "x", h: ["x"]))
    }
}
