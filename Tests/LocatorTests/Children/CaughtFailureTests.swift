import Locator
import TestSupport
import Testing

/// A factory closure that requests at run time may catch an error and still make its instance.
///
/// The instance then depends on what was read until the failure, whether the child is lean or full.
@Suite("A factory closure that catches a failure depends on everything that was read until then")
struct CaughtFailureTests {
    private static let request = Scope("request")
    private static let session = Scope("session")

    struct Refusal: Error {}
    final class Other: Sendable {}

    /// What decides whether the request succeeds.
    final class Part: Sendable {
        let isGood: Bool
        init(isGood: Bool) { self.isGood = isGood }
    }

    /// A parameter behind the one that fails.
    final class Unread: Sendable {}

    /// A parameter that fails unless the part is good.
    struct Check {
        init(_ part: Part) throws { if !part.isGood { throw Refusal() } }
    }

    /// What is requested.
    final class Page: Sendable {
        init(_: Check, _: Unread) {}
    }

    struct Line {
        init(_: Check, _: Unread) {}
    }

    struct Note {
        init(_: Line, _: Unread) {}
    }

    final class Held: Sendable {
        init(_ part: Part) throws { _ = try Check(part) }
    }

    /// The instance whose factory closure catches the failure.
    final class Report: Sendable {
        let isGood: Bool
        init(isGood: Bool) { self.isGood = isGood }
    }

    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let register: @Sendable (Registry, Log) -> Void

        init(
            _ name: String, _ request: @escaping @Sendable (Resolver) throws -> Void,
            with register: @escaping @Sendable (Registry) -> Void = { _ in }
        ) {
            testDescription = name
            self.register = { registry, log in
                registry.register(Report.self, scope: CaughtFailureTests.request) { (resolver: Resolver) in
                    do {
                        try request(resolver)
                        return Report(isGood: true)
                    } catch {
                        return Report(isGood: false)
                    }
                }
                .onDispose { _ in log("report") }
                register(registry)
            }
        }
    }

    static let ways = [
        Way("instance") { _ = try $0.resolve(Page.self) },
        Way("prototype") { _ = try $0.resolve(Line.self) },
        Way("optional prototype") { _ = try $0.resolve(Line?.self) },
        Way("prototype of a prototype") { _ = try $0.resolve(Note.self) },
        Way("decorated instance") {
            _ = try $0.resolve(Page.self)
        } with: { registry in
            registry.decorate(Page.self) { (page: Page, _: Unread) in page }
        },
        Way("instance of an instance") {
            _ = try $0.resolve(String.self)
        } with: { registry in
            registry.register(String.self, scope: request) { (_: Page, _: Unread) in "" }
        },
        Way("instance of what fails in the child") {
            _ = try $0.resolve(String.self)
        } with: { registry in
            registry.register(scope: request, Held.init)
            registry.register(String.self, scope: request) { (_: Held, _: Unread) in "" }
        },
        Way("caught in a prototype") {
            if try $0.resolve(Int.self) == 0 { throw Refusal() }
        } with: { registry in
            registry.register(Int.self, scope: .prototype) { (resolver: Resolver) in
                (try? resolver.resolve(Line.self)) == nil ? 0 : 1
            }
        },
    ]

    /// How the child is used before.
    struct Use: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isFull: Bool
        /// Whether the parent has made what is not read.
        let isMade: Bool
    }

    private static let uses = [
        Use(testDescription: "lean", isFull: false, isMade: false),
        Use(testDescription: "lean, made", isFull: false, isMade: true),
        Use(testDescription: "full", isFull: true, isMade: false),
        Use(testDescription: "full, made", isFull: true, isMade: true),
    ]

    private static let good = Module("Good") { $0.register { Part(isGood: true) } }

    /// A context whose own instances are made and ready.
    private func server(_ way: Way, _ log: Log = Log()) throws -> AppContext {
        let server = try AppContext().load(
            Module("Server") { registry in
                registry.register { Part(isGood: false) }
                registry.register(Unread.init)
                registry.register(scope: .prototype, Check.init)
                registry.register(scope: .prototype, Line.init)
                registry.register(scope: .prototype, Note.init)
                registry.register(scope: Self.request, Page.init)
            }, Module("Way") { way.register($0, log) })
        _ = try server.resolve(Part.self)
        return server
    }

    /// Opens a child for which everything is ready.
    private func child(of server: AppContext, _ modules: Module..., isFull: Bool) throws -> AppContext {
        for _ in 0..<3 { _ = try server.child(opening: Self.request, pushing: modules).resolve(Report.self) }
        let child = try server.child(opening: Self.request, pushing: modules)
        if isFull { _ = child.dump() }
        return child
    }

    @Test(arguments: ways, uses)
    func whatWasRead_counts(_ way: Way, _ use: Use) throws {
        let server = try server(way)
        if use.isMade { _ = try server.resolve(Unread.self) }
        let child = try child(of: server, isFull: use.isFull)
        let report = try child.resolve(Report.self)
        #expect(!report.isGood)
        try server.push(Self.good)
        #expect(try child.resolve(Report.self).isGood)
        server.pop()
        #expect(try child.resolve(Report.self) === report)
    }

    @Test(arguments: ways, uses)
    func whatWasNotRead_doesNotCount(_ way: Way, _ use: Use) throws {
        let log = Log()
        let server = try server(way, log)
        if use.isMade { _ = try server.resolve(Unread.self) }
        let child = try child(of: server, isFull: use.isFull)
        _ = log.take()
        let report = try child.resolve(Report.self)
        for module in [Module("Other") { $0.register(Other.init) }, Module("Unread") { $0.register(Unread.init) }] {
            try server.push(module)
            #expect(try child.resolve(Report.self) === report)
            server.pop()
            #expect(try child.resolve(Report.self) === report)
        }
        #expect(log.take().isEmpty)
    }

    /// The child pushes it, so that it is a part of the child although it is a singleton.
    @Test(arguments: [false, true])
    func whatAPushedPartHasRead_counts(isFull: Bool) throws {
        let server = try server(
            Way("pushed") {
                _ = try $0.resolve(String.self)
            } with: { registry in
                registry.register(String.self, scope: Self.request) { (_: Held) in "" }
                registry.register { try Held(Part(isGood: true)) }
            })
        let pushed = Module("Pushed") { registry in
            registry.register(Held.self) { (part: Part, _: Other) in try Held(part) }
        }
        try server.load(Module("Other") { $0.register(Other.init) })
        _ = try server.resolve(Other.self)
        let child = try child(of: server, pushed, isFull: isFull)
        let report = try child.resolve(Report.self)
        #expect(!report.isGood)
        _ = child.dump()
        try server.push(Module("Unrelated") { $0.register(Int.self) { 1 } })
        #expect(try child.resolve(Report.self) === report)
        server.pop()
        try server.push(Self.good)
        #expect(try child.resolve(Report.self).isGood)
        server.pop()
        #expect(try child.resolve(Report.self) === report)
    }

    /// The prototype reads the part behind the parameter that fails.
    @Test(arguments: [[true, false], [false, true]], [false, true])
    func prototype_thatFailsAndSucceeds_isADependency(_ fails: [Bool], isFull: Bool) throws {
        struct Doubtful {}
        struct Sheet {
            let part: Part
        }
        let attempts = Counter()
        let way = Way("both") { resolver in
            let sheets = fails.map { _ in try? resolver.resolve(Sheet.self) }.compactMap(\.self)
            if sheets.contains(where: { !$0.part.isGood }) { throw Refusal() }
        } with: { registry in
            registry.register(Doubtful.self, scope: .prototype) {
                if fails[(attempts.next() - 1) % 2] { throw Refusal() }
                return Doubtful()
            }
            registry.register(Sheet.self, scope: .prototype) { (_: Doubtful, part: Part) in Sheet(part: part) }
        }
        let server = try server(way)
        let child = try child(of: server, isFull: isFull)
        let report = try child.resolve(Report.self)
        #expect(!report.isGood)
        try server.push(Self.good)
        #expect(try child.resolve(Report.self).isGood)
        server.pop()
        #expect(try child.resolve(Report.self) === report)
    }

    @Test(arguments: [false, true])
    func manyFailures_count(isFull: Bool) throws {
        let names = (0..<100).map { Qualifier.named("\($0)") }
        let way = Way("many") { resolver in
            if !names.contains(where: { (try? resolver.resolve(Held.self, qualifier: $0)) != nil }) { throw Refusal() }
        } with: { registry in
            for name in names { registry.register(Held.self, qualifier: name, scope: Self.request, Held.init) }
        }
        let server = try server(way)
        let child = try child(of: server, isFull: isFull)
        let report = try child.resolve(Report.self)
        #expect(!report.isGood)
        try server.push(Module("Unread") { $0.register(Unread.init) })
        #expect(try child.resolve(Report.self) === report)
        try server.push(Self.good)
        #expect(try child.resolve(Report.self).isGood)
        server.pop()
        #expect(try child.resolve(Report.self) === report)
    }

    /// The failed part has a scope that the child of the child opens again.
    @Test(arguments: [false, true], [false, true])
    func childOfTheChild_makesItsOwn_ifItOpensTheScopeOfWhatFailed(isFull: Bool, isDecorated: Bool) throws {
        let makings = Counter()
        let server = try AppContext().load(
            Module("Server") { registry in
                registry.register(Held.self, scope: Self.request) { try Held(Part(isGood: makings.next() > 1)) }
                if isDecorated { registry.decorate(Held.self) { (held: Held) in held } }
                registry.register(Report.self, scope: Self.session) { (resolver: Resolver) in
                    Report(isGood: (try? resolver.resolve(Held.self)) != nil)
                }
            })
        let child = try server.child(opening: Self.session, Self.request)
        if isFull { _ = child.dump() }
        let report = try child.resolve(Report.self)
        #expect(!report.isGood)
        #expect(try child.child().resolve(Report.self) === report)
        #expect(try child.child(opening: Self.request).resolve(Report.self).isGood)
        #expect(try child.resolve(Report.self) === report)
    }

    /// A lean child has a limited number of notes, of which each failing prototype takes two.
    @Test(arguments: 29...33, [false, true])
    func failureAtTheLimitOfNotes_counts(count: Int, isShifted: Bool) throws {
        struct Prototype {}
        final class Part: Sendable {
            let isGood: Bool
            init(isGood: Bool) { self.isGood = isGood }
        }
        final class Outcome: Sendable {
            let isGood: Bool
            init(isGood: Bool) { self.isGood = isGood }
        }
        let scope = Scope("request")
        let server = try AppContext().load(
            Module("Server") { registry in
                registry.register { 1 }
                registry.register { Part(isGood: false) }
                for number in 0..<count {
                    registry.register(Prototype.self, qualifier: "\(number)", scope: .prototype) {
                        () throws -> Prototype in throw Refusal()
                    }
                }
                registry.register(Prototype.self, qualifier: "last", scope: .prototype) { (part: Part) in
                    if !part.isGood { throw Refusal() }
                    return Prototype()
                }
                registry.register(scope: scope) { (resolver: Resolver) in
                    if isShifted { _ = try resolver.resolve(Int.self) }
                    for number in 0..<count { _ = try? resolver.resolve(Prototype.self, qualifier: "\(number)") }
                    return Outcome(isGood: (try? resolver.resolve(Prototype.self, qualifier: "last")) != nil)
                }
            })
        // Afterward, a child finds the answers ready.
        for _ in 0..<3 { _ = try server.child(opening: scope).resolve(Outcome.self) }
        let child = try server.child(opening: scope)
        #expect(try !child.resolve(Outcome.self).isGood)
        try server.push(Module("Good") { $0.register { Part(isGood: true) } })
        #expect(try child.resolve(Outcome.self).isGood)
    }

    @Test("A child whose own instance fails can later be given the instance of its parent")
    func failureOnlyInTheChild_countsUntilItSharesWithItsParent() throws {
        final class Source: Sendable {}
        final class Part: Sendable {}
        let isAvailable = Late<Bool>()
        let parent = try AppContext().load(
            Module("Parts") { registry in
                registry.register { Source() }
                registry.register { (resolver: Resolver) throws -> Part in
                    if isAvailable.value != true { throw Refusal() }
                    _ = try resolver.resolve(Source.self)
                    return Part()
                }
            })
        isAvailable.value = true
        _ = try parent.resolve(Part.self)
        let child = try parent.child()
        try child.load(
            Module("Reports") { registry in
                registry.register { (resolver: Resolver) in Report(isGood: (try? resolver.resolve(Part.self)) != nil) }
            })
        try child.push(Module("Fake") { $0.register { Source() } })
        isAvailable.value = false
        #expect(try !child.resolve(Report.self).isGood)
        child.pop()
        #expect(try child.resolve(Report.self).isGood)
    }

    @Test("A closure that catches the error of an injection in a child follows what the injection has read")
    func failedInjectionInTheChild_counts() throws {
        final class Draft: Sendable {}
        let kept = Late<AppContext>()
        let parent = try AppContext().load(
            Module("Reports") { registry in
                registry.register { () throws -> Report in
                    let child = try #require(kept.value)
                    return Report(isGood: (try? child.resolve(Draft.self)) != nil)
                }
            })
        let child = try parent.child()
        kept.value = child
        try child.load(
            Module("Drafts") { registry in
                registry.register { Part(isGood: false) }
                registry.register { Draft() }.injecting { (_: Draft, part: Part) in _ = try Check(part) }
            })
        let report = try parent.resolve(Report.self)
        #expect(!report.isGood)
        #expect(try parent.resolve(Report.self) === report)
        try child.push(Module("Good") { $0.register { Part(isGood: true) } })
        #expect(try parent.resolve(Report.self).isGood)
        child.pop()
        #expect(try parent.resolve(Report.self) === report)
    }
}
