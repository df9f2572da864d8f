import Locator
import Testing

extension Scope {
    fileprivate static let request = Scope("request")
}

/// The injections run at the end of the child's request, after the parent's instance was made.
@Suite("An instance that a parent made from an instance of a child ends with it if that one waited for its injections")
struct InjectedPartTests {
    private struct Failure: Error {}

    private final class User: Sendable {}

    private final class Report: Sendable {}

    /// Where a report reads the user.
    enum Reading: CaseIterable {
        case closure, wrapper, injection
    }

    /// The context whose user a report reads.
    @TaskLocal private static var child = AppContext()
    /// Whether the user's injection throws.
    @TaskLocal private static var isFailing = false

    private let log = Log()

    /// Runs `body` with a server and a child, whose user the server's reports read.
    private func withChild(
        _ reading: Reading, _ body: (_ server: AppContext, _ child: AppContext) throws -> Void
    ) throws {
        let reports = Module("Reports", properties: ["name": "Ann"]) { [log] registry in
            registry.register(scope: .request, User.init)
                .injecting { (_: User, resolver: Resolver) in
                    if Self.isFailing { throw Failure() }
                    _ = try resolver.value("name", as: String.self)
                }
                .onDispose { _ in log("dispose of user") }
            let report = registry.register {
                switch reading {
                case .closure: _ = try Self.child.resolve(User.self)
                case .wrapper: _ = try AppContext.withContext(Self.child) { Dependency<User>() }.resolved()
                case .injection: break
                }
                return Report()
            }
            if reading == .injection {
                report.injecting { (_: Report, _: Resolver) in _ = try Self.child.resolve(User.self) }
            }
            report.onDispose { _ in log("dispose of report") }
        }
        let server = try AppContext().load(reports)
        let child = try server.child(opening: .request)
        try Self.$child.withValue(child) { try body(server, child) }
    }

    @Test("A reset of the child", arguments: Reading.allCases)
    func reset(_ reading: Reading) throws {
        try withChild(reading) { server, child in
            let report = try child.resolve(Report.self)
            #expect(try server.resolve(Report.self) === report)
            try child.reset()
            #expect(log.take().sorted() == ["dispose of report", "dispose of user"])
            #expect(try server.resolve(Report.self) !== report)
        }
    }

    @Test("A push in the child that changes what the injection has read", arguments: Reading.allCases)
    func push(_ reading: Reading) throws {
        try withChild(reading) { server, child in
            let report = try child.resolve(Report.self)
            let user = try child.resolve(User.self)
            try child.push(Module("Bob", properties: ["name": "Bob"]))
            #expect(try server.resolve(Report.self) !== report)
            #expect(try child.resolve(User.self) !== user)
            child.pop()
            #expect(try child.resolve(User.self) === user)
            #expect(try server.resolve(Report.self) === report)
            #expect(log.take().sorted() == ["dispose of report", "dispose of user"])
        }
    }

    @Test("The injection fails", arguments: [Reading.closure, .wrapper])
    func failure(_ reading: Reading) throws {
        try withChild(reading) { server, child in
            Self.$isFailing.withValue(true) {
                #expect(throws: LocatorError.self) { try child.resolve(Report.self) }
                #expect(child.existing(User.self) == nil)
                #expect(server.existing(Report.self) == nil)
            }
            #expect(log.take() == ["dispose of report"])
            let report = try child.resolve(Report.self)
            #expect(try server.resolve(Report.self) === report)
            #expect(log.take() == [])
        }
    }
}

/// The parent's injection fails, because it lacks what the child has.
@Suite("An injection that reads something that only the child has runs in the child")
struct InjectionOfChildTests {
    private final class Service: Sendable {}
    private final class User: Sendable {}
    private final class Part: Sendable {}

    private static let request = Scope("request", requiresOpening: true)

    /// How an injection reads what it needs.
    struct Read: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let register: @Sendable (Registry) -> Void
    }

    private static let reads = [
        Read(testDescription: "through a resolver") { registry in
            registry.register(Service.init).injecting { (_, resolver: Resolver) in _ = try resolver.resolve(User.self) }
        },
        Read(testDescription: "through a provider") { registry in
            registry.register(Service.init).injecting { (_, user: Provider<User>) in _ = try user() }
        },
        Read(testDescription: "through a wrapper") { registry in
            registry.register(Service.init).injecting { (_: Service) in _ = try Dependency<User>().resolved() }
        },
        Read(testDescription: "in a part") { registry in
            registry.register(Part.self) { (user: Lazy<User>) in
                _ = try user.resolved()
                return Part()
            }
            registry.register(Service.init).injecting { (_, _: Part) in }
        },
        Read(testDescription: "a setting") { registry in
            registry.register(Service.init).injecting { (_, resolver: Resolver) in
                _ = try resolver.value("limit", as: Int.self)
            }
        },
    ]

    @Test(arguments: reads)
    func instance_isMadeInTheChild(_ read: Read) throws {
        let context = try AppContext().load(Module("Services", read.register))
        let own = Module("Own", properties: ["limit": 3]) { $0.register(User.init) }
        for child in [try context.child(pushing: own), try context.child().child(pushing: own)] {
            let service = try child.resolve(Service.self)
            #expect(try child.resolve(Service.self) === service)
        }
        #expect(throws: LocatorError.self) { try context.resolve(Service.self) }
    }

    @Test func input_isRead() throws {
        let context = try AppContext().load(
            Module("Services") { registry in
                registry.input(User.self, scope: Self.request)
                registry.register(Service.init).injecting { (_, resolver: Resolver) in
                    _ = try resolver.resolve(User.self)
                }
            })
        let child = try context.child(opening: Self.request, giving: User())
        #expect(try child.resolve(Service.self) === child.resolve(Service.self))
    }
}
