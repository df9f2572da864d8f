import Locator
import Testing

/// What a child shares with its parent, what it makes for itself, and how often factory closures run.
@Suite("A child shares the instances that its modules do not affect, and makes the others itself")
struct ChildSharingTests {
    final class User: Sendable {
        let name: String

        init(name: String) {
            self.name = name
        }
    }

    final class Greeting: Sendable {
        let text: String

        init(_ text: String) {
            self.text = text
        }
    }

    /// A way to resolve a user that only a child knows.
    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let register: @Sendable (Registry, Counter) -> Void

        init(_ name: String, _ register: @escaping @Sendable (Registry, Counter) -> Void) {
            testDescription = name
            self.register = register
        }
    }

    static let ways: [Way] = [
        Way("parameter") { registry, runs in
            registry.register { (user: User) in
                runs.next()
                return Greeting(user.name)
            }
        },
        Way("Resolver") { registry, runs in
            registry.register { (resolver: Resolver) in
                runs.next()
                return Greeting(try resolver.resolve(User.self).name)
            }
        },
        Way("wrapper") { registry, runs in
            registry.register {
                runs.next()
                return Greeting(try Dependency<User>().resolved().name)
            }
        },
        Way("wrapper in an object") { registry, runs in
            registry.register(Visitor.init)
            registry.register { (visitor: Visitor) in
                runs.next()
                return Greeting(try visitor.name())
            }
        },
        Way("Provider") { registry, runs in
            registry.register { (user: Provider<User>) in
                runs.next()
                return Greeting(try user().name)
            }
        },
        Way("current context") { registry, runs in
            registry.register {
                runs.next()
                return Greeting(try AppContext.current.resolve(User.self).name)
            }
        },
    ]

    final class Visitor: Sendable {
        private let user = Dependency<User>()

        init() throws { _ = try user.resolved() }

        func name() throws -> String { try user.resolved().name }
    }

    @Test func aliasThatOnlyTheChildHas_givesTheInstanceOfItsParent() throws {
        let server = try AppContext().load(Module("Server") { $0.register { Greeting("server") } })
        let child = try server.child()
        let behind = Module("Behind") { $0.register { Greeting("child") }.alias((any Sendable).self) { $0 } }
        try child.push(behind, priority: .low)
        let greeting = try child.resolve((any Sendable).self) as? Greeting
        #expect(greeting?.text == "server")
        #expect(try server.resolve(Greeting.self) === greeting)
    }

    @Test(arguments: ways)
    func whatOnlyTheChildKnows_isFound_howeverItIsRequested(_ way: Way) throws {
        let runs = Counter()
        let server = try AppContext().load(Module("Server") { way.register($0, runs) })
        let child = try server.child(pushing: Module("Request") { $0.register { User(name: "Ada") } })
        let greeting = try child.resolve(Greeting.self)
        #expect(greeting.text == "Ada")
        #expect(try child.resolve(Greeting.self) === greeting)
        #expect(server.existing(Greeting.self) == nil)
        guard case .missing = locatorError({ try server.resolve(Greeting.self) })?.kind else {
            Issue.record("the parent knows the user")
            return
        }
    }

    @Test func failureThatTheChildWouldHaveToo_isThrownOnce() throws {
        let runs = Counter()
        let server = try AppContext().load(
            Module("Server", fileID: "Shop/Server.swift", line: 1) { registry in
                registry.register(Greeting.self, fileID: "Shop/Server.swift", line: 2) { (resolver: Resolver) in
                    runs.next()
                    return Greeting(try resolver.resolve(User.self).name)
                }
            })
        let child = try server.child(pushing: Module("Request") { $0.register(Int.self) { 1 } })
        #expect(
            message { try child.resolve(Greeting.self, fileID: "Shop/Main.swift", line: 3) }
                == message { try server.resolve(Greeting.self, fileID: "Shop/Main.swift", line: 3) })
        #expect(runs.value == 2)
    }

    // MARK: Failures that are caught

    /// A report of a child on a part that belongs to the parent and cannot be made yet.
    private func report() -> Module {
        Module("Report") { registry in
            registry.register(String.self) { (resolver: Resolver) in
                (try? resolver.resolve(Greeting.self))?.text ?? "nobody"
            }
        }
    }

    private static let part = Module("Part") { registry in
        registry.register { (resolver: Resolver) in Greeting(try resolver.resolve(User.self).name) }
    }

    enum Repairing: CaseIterable {
        case parent, child
    }

    @Test(arguments: Repairing.allCases)
    func caughtFailureOfTheParentsPart_counts(_ repairing: Repairing) throws {
        let server = try AppContext().load(Self.part)
        let child = try server.child(pushing: report())
        let broken = try child.resolve(String.self)
        #expect(broken == "nobody")
        let user = Module("User") { $0.register { User(name: "Ada") } }
        switch repairing {
        case .parent: try server.push(user)
        case .child: try child.push(user)
        }
        #expect(try child.resolve(String.self) == "Ada")
        switch repairing {
        case .parent: server.pop()
        case .child: child.pop()
        }
        #expect(try child.resolve(String.self) == "nobody")
    }

    @Test func caughtFailure_isNotTriedAgain_beforeAnythingChanges() throws {
        let (runs, reports) = (Counter(), Counter())
        let server = try AppContext().load(
            Module("Part") { registry in
                registry.register { (resolver: Resolver) in
                    runs.next()
                    return Greeting(try resolver.resolve(User.self).name)
                }
            })
        let child = try server.child(
            pushing: Module("Report") { registry in
                registry.register(String.self) { (resolver: Resolver) in
                    reports.next()
                    return (try? resolver.resolve(Greeting.self))?.text ?? "nobody"
                }
            })
        for _ in 0..<3 { #expect(try child.resolve(String.self) == "nobody") }
        #expect(runs.value == 1)
        #expect(reports.value == 1)
    }

    // MARK: How often a factory closure runs

    @Test func weakClosure_runsOnce_forOneRequestOfAChild() throws {
        let runs = Counter()
        let server = try AppContext().load(
            Module("Server") { registry in
                registry.register(scope: .weak) {
                    runs.next()
                    return Greeting("weak")
                }
            })
        let child = try server.child(pushing: Module("Request") { $0.register { User(name: "Ada") } })
        let greeting = try child.resolve(Greeting.self)
        #expect(runs.value == 1)
        #expect(try child.resolve(Greeting.self) === greeting)
        #expect(try server.resolve(Greeting.self) === greeting)
        let grandchild = try child.child()
        #expect(try grandchild.resolve(Greeting.self) === greeting)
        #expect(runs.value == 1)
    }

    private final class Page: Sendable {
        private let greeting: Greeting
        init(_ greeting: Greeting) { self.greeting = greeting }
    }

    @Test func weakPartOfWhatTheChildCannotShare_isMadeOnceInEachContext() throws {
        let runs = Counter()
        let server = try AppContext().load(
            Module("Server") { registry in
                registry.register(scope: .weak, Page.init)
                registry.register(scope: .weak) { (resolver: Resolver) in
                    runs.next()
                    return Greeting(try resolver.resolveAll(User.self).map(\.name).joined())
                }
            })
        let child = try server.child(pushing: Module("Request") { $0.register { User(name: "Ada") } })
        _ = try child.resolve(Page.self)
        // Only after the first run in the parent it is known that the greeting depends on users.
        #expect(runs.value == 2)
    }

    /// A parameter whose type nests two ways to request, for users that the child adds to.
    struct Shape: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let register: @Sendable (Registry, Counter) -> Void
        /// Whether what the child pushes makes a difference.
        let isAffected: Bool

        init<Parameter>(
            _ type: Parameter.Type, isAffected: Bool = true, _ names: @escaping @Sendable (Parameter) -> [String]
        ) {
            testDescription = "\(type)"
            self.isAffected = isAffected
            register = { registry, runs in
                registry.register { (parameter: Parameter) in
                    runs.next()
                    return Greeting(names(parameter).joined(separator: ","))
                }
            }
        }
    }

    static let shapes: [Shape] = [
        Shape(User.self) { [$0.name] },
        Shape(User?.self) { [$0?.name ?? ""] },
        Shape(User??.self) { [($0 ?? nil)?.name ?? ""] },
        Shape([User].self) { $0.map(\.name) },
        Shape([User]?.self) { ($0 ?? []).map(\.name) },
        Shape([User]??.self) { (($0 ?? nil) ?? []).map(\.name) },
        Shape(Lazy<User>?.self, isAffected: false) { $0 == nil ? ["none"] : [] },
        Shape(Provider<[User]>?.self, isAffected: false) { $0 == nil ? ["none"] : [] },
    ]

    @Test(arguments: shapes)
    func parameter_isUnderstood_whateverItsShape(_ shape: Shape) throws {
        let runs = Counter()
        let server = try AppContext().load(
            Module("Server") { registry in
                registry.register { User(name: "nobody") }
                shape.register(registry, runs)
            })
        let child = try server.child(pushing: Module("Request") { $0.register { User(name: "Ada") } })
        let text = try child.resolve(Greeting.self).text
        #expect(text.hasPrefix("Ada") == shape.isAffected)
        #expect(runs.value == 1)
        #expect((server.existing(Greeting.self) == nil) == shape.isAffected)
    }
}
