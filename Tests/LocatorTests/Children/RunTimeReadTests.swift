import Locator
import TestSupport
import Testing

/// A child makes most instances of its scopes without the structures for rare cases.
///
/// What their factory closures request at run time counts all the same.
@Suite("Requests of a child's factory closures at run time count as their dependencies")
struct RunTimeReadTests {
    private static let request = Scope("request")

    final class Part: Sendable {
        let name: String
        init(_ name: String) { self.name = name }
    }

    /// An instance of the child, made from a part.
    final class Inner: Sendable {
        let name: String
        init(_ part: Part) { name = part.name }
    }

    struct Label { let name: String }

    final class Report: Sendable {
        let text: String
        init(_ text: String) { self.text = text }
    }

    final class Fails: Sendable {
        init(_ part: Part) throws { if part.name == "real" { throw CancellationError() } }
    }

    /// Reads two wrappers while it is made.
    final class Holder: Sendable {
        private let part = Dependency<Part>()
        private let inner = Dependency<Inner>()
        var name: String { part().name == inner().name ? part().name : "mixed" }
    }

    /// Reads wrappers of other kinds while it is made.
    final class SettingHolder: Sendable {
        private let setting = PropertyValue<String>("name")
        private let parts = DependencyArray<Part>()
        private let part = Dependency<Part>(qualifierBy: "key")
        var name: String { Set([setting(), parts().first?.name, part().name]).count == 1 ? setting() : "mixed" }
    }

    /// Decoded by an initializer of its own.
    struct Word: Decodable {
        let text: String
        init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
    }

    final class NeedsFake: Sendable {
        init(_ name: String) throws { if name == "real" { throw CancellationError() } }
    }

    protocol Shown: Sendable {
        var name: String { get }
    }

    final class Original: Shown {
        let name: String
        init(_ part: Part) { name = part.name }
    }

    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let register: @Sendable (Registry, Scope) -> Void

        init(_ name: String, _ register: @escaping @Sendable (Registry, Scope) -> Void) {
            testDescription = name
            self.register = register
        }

        /// A way to read a resolver.
        static func reading(_ name: String, _ read: @escaping @Sendable (Resolver) throws -> String) -> Way {
            Way(name) { registry, scope in
                registry.register(Report.self, scope: scope) { (resolver: Resolver) in Report(try read(resolver)) }
            }
        }
    }

    static let ways: [Way] = [
        .reading("resolver") { try $0.resolve(Part.self).name },
        .reading("resolver, twice") { resolver in
            let parts = try (resolver.resolve(Part.self), resolver.resolve(Part.self))
            return parts.0 === parts.1 ? parts.0.name : "two parts"
        },
        .reading("qualifier") { try $0.resolve(Part.self, qualifier: "named").name },
        .reading("optional") { try $0.resolve(Part?.self)?.name ?? "nothing" },
        .reading("all") { try $0.resolveAll(Part.self).first?.name ?? "nothing" },
        .reading("prototype") { try $0.resolve(Label.self).name },
        .reading("instance of the child") { try $0.resolve(Inner.self).name },
        .reading("optional instance of the child") { try $0.resolve(Inner?.self)?.name ?? "nothing" },
        .reading("failure that is caught") { (try? $0.resolve(Fails.self)) == nil ? "real" : "fake" },
        .reading("current context") { _ in try AppContext.current.resolve(Part.self).name },
        .reading("instance of the child from the current context") { _ in
            try AppContext.current.resolve(Inner.self).name
        },
        Way("optional parameter") { registry, scope in
            registry.register(Report.self, scope: scope) { (part: Part?) in Report(part?.name ?? "nothing") }
        },
        Way("array parameter") { registry, scope in
            registry.register(Report.self, scope: scope) { (parts: [Part]) in Report(parts.first?.name ?? "nothing") }
        },
        Way("provider") { registry, scope in
            registry.register(Report.self, scope: scope) { (part: Provider<Part>) in Report(try part().name) }
        },
        Way("lazy") { registry, scope in
            registry.register(Report.self, scope: scope) { (part: Lazy<Part>) in Report(part().name) }
        },
        Way("wrapper") { registry, scope in
            registry.register(Report.self, scope: scope) { Report(Holder().name) }
        },
        .reading("alias") { try $0.resolve((any Shown).self).name },
        Way("alias as a parameter") { registry, scope in
            registry.register(Report.self, scope: scope) { (shown: any Shown) in Report(shown.name) }
        },
        Way("decorated") { registry, scope in
            registry.register(Report.self, scope: scope) { (part: Part) in Report(part.name) }
            registry.decorate(Report.self) { base in Report(base.text) }
            registry.decorate(Report.self) { base in Report(base.text) }
        },
        Way("decorator with a parameter") { registry, scope in
            registry.register(Report.self, scope: scope) { Report("base") }
            registry.decorate(Report.self) { (_: Report, part: Part) in Report(part.name) }
        },
        Way("decorator with an instance of the child") { registry, scope in
            registry.register(Report.self, scope: scope) { Report("base") }
            registry.decorate(Report.self) { (_: Report, inner: Inner) in Report(inner.name) }
        },
        Way("decorator that requests at run time") { registry, scope in
            registry.register(Report.self, scope: scope) { Report("base") }
            registry.decorate(Report.self) { (_: Report, resolver: Resolver) in
                Report(try resolver.resolve(Inner.self).name)
            }
        },
        .reading("setting") { try $0.value("name") },
        .reading("setting with a default value") { try $0.value("name", default: "nothing") },
        .reading("missing setting") { try $0.value("fake", default: "real") },
        .reading("missing optional setting") { try $0.value("fake", as: String?.self) ?? "real" },
        .reading("decoded settings") { try $0.value("names", as: [String: String].self)["first"] ?? "nothing" },
        .reading("setting with a placeholder") { try $0.value("shown") },
        .reading("setting that fails") { try $0.value("name", as: Word.self).text },
        .reading("setting of the current context") { _ in try AppContext.current.value("name") },
        .reading("qualifier that a setting names") { try $0.resolve(Part.self, qualifier: .property("key")).name },
        Way("parameter with a qualifier that a setting names") { registry, scope in
            registry.register(Report.self, scope: scope, parameterQualifiers: [.property("key")]) { (part: Part) in
                Report(part.name)
            }
        },
        Way("wrappers of a setting, a collection, and a qualifier that a setting names") { registry, scope in
            registry.register(Report.self, scope: scope) { Report(SettingHolder().name) }
        },
        Way("prototype that reads a setting") { registry, scope in
            registry.register(Substring.self, scope: .prototype) { (resolver: Resolver) in
                Substring(try resolver.value("name", as: String.self))
            }
            registry.register(Report.self, scope: scope) { (text: Substring) in Report(String(text)) }
        },
        .reading("failure after a setting that is caught") { resolver in
            (try? resolver.resolve(NeedsFake.self)) == nil ? "real" : "fake"
        },
        Way("prototype that requests at run time") { registry, scope in
            registry.register(Substring.self, scope: .prototype) { (resolver: Resolver) in
                Substring(try resolver.resolve(Part.self).name)
            }
            registry.register(Report.self, scope: scope) { (text: Substring) in Report(String(text)) }
        },
    ]

    private static let settings: [String: JSONValue] = [
        "name": "real", "names.first": "real", "shown": "${name}", "key": "named",
    ]

    static let shop = Module("Shop", properties: settings) { registry in
        registry.register { Part("real") }
        registry.register(qualifier: "named") { Part("real") }
        registry.register(NeedsFake.self, scope: request) { (resolver: Resolver) in
            try NeedsFake(resolver.value("name"))
        }
        registry.register(scope: .prototype) { (part: Part) in Label(name: part.name) }
        registry.register(scope: request, Inner.init)
        registry.register(scope: request, Fails.init)
        registry.register(scope: request, Original.init).alias((any Shown).self) { $0 }
    }

    static let fakes = Module("Fakes", properties: ["name": "fake", "names.first": "fake", "fake": "fake"]) {
        registry in
        registry.register { Part("fake") }
        registry.register(qualifier: "named") { Part("fake") }
    }

    /// A child that pushes it needs no lineup of its own.
    static let plainFake = Module("Fake") { registry in registry.register { Part("fake") } }

    private func server(_ way: Way) throws -> AppContext {
        let server = try AppContext().load(Self.shop, Module("Report") { way.register($0, Self.request) })
        // Everything is ready, so that a child needs no more.
        _ = try (server.resolve(Part.self), server.resolveAll(Part.self), server.resolve(Label.self))
        return server
    }

    @Test(arguments: ways)
    func childsInstance_isMadeAgain_andReturns(_ way: Way) throws {
        let server = try server(way)
        let child = try server.child(opening: Self.request)
        let real = try child.resolve(Report.self)
        #expect(real.text == "real")
        #expect(try child.resolve(Report.self) === real)
        try server.push(Self.fakes)
        #expect(try child.resolve(Report.self).text == "fake")
        server.pop()
        #expect(try child.resolve(Report.self) === real)
        // Unrelated changes do not affect it.
        try server.push(Module("Other") { $0.register(Double.self) { 1 } })
        #expect(try child.resolve(Report.self) === real)
        server.pop()
        #expect(try child.resolve(Report.self) === real)
    }

    @Test(arguments: ways)
    func childWithFakes_getsThem(_ way: Way) throws {
        let server = try server(way)
        let needsAll = ["qualifier", "setting"].contains { way.testDescription.contains($0) }
        for fakes in [Self.fakes, needsAll ? Self.fakes : Self.plainFake] {
            let child = try server.child(opening: Self.request, pushing: fakes)
            #expect(try child.resolve(Report.self).text == "fake")
            #expect(try server.child(opening: Self.request).resolve(Report.self).text == "real")
        }
    }

    @Test(arguments: ways)
    func childThatHasFollowed_pushesAndPops(_ way: Way) throws {
        let child = try server(way).child(opening: Self.request)
        let real = try child.resolve(Report.self)
        try child.push(Self.fakes)
        #expect(try child.resolve(Report.self).text == "fake")
        child.pop()
        #expect(try child.resolve(Report.self) === real)
    }

    @Test("A closure that requests many keys depends on all of them")
    func manyKeys() throws {
        let count = 200
        let server = try AppContext().load(
            Module("Many") { registry in
                for number in 0..<count {
                    registry.register(qualifier: .named("\(number)")) { Part("real") }
                }
                registry.register(Report.self, scope: Self.request) { (resolver: Resolver) in
                    let names = try (0..<count).map { try resolver.resolve(Part.self, qualifier: .named("\($0)")).name }
                    return Report(Set(names).sorted().joined(separator: " "))
                }
            })
        for number in 0..<count { _ = try server.resolve(Part.self, qualifier: .named("\(number)")) }
        for number in [0, 63, 64, 65, count - 1] {
            let child = try server.child(opening: Self.request)
            let real = try child.resolve(Report.self)
            #expect(real.text == "real")
            try server.push(Module("Fake") { $0.register(qualifier: .named("\(number)")) { Part("fake") } })
            #expect(try child.resolve(Report.self).text == "fake real")
            server.pop()
            #expect(try child.resolve(Report.self) === real)
        }
    }

    @Test("Later requests of a closure do not see a change during the closure, and the instance is made again")
    func overtaken() throws {
        let pushing = Counter()
        let server = try AppContext().load(Self.shop)
        try server.load(
            Module("Report") { [unowned server] registry in
                registry.register(Report.self, scope: Self.request) { (resolver: Resolver) in
                    let first = try resolver.resolve(Part.self).name
                    if pushing.next() == 1 {
                        try Crowd.run("push", threads: 1) { _ in _ = try server.push(Self.fakes) }
                    }
                    let (inner, last) = try (resolver.resolve(Inner.self).name, resolver.resolve(Part.self).name)
                    return Report("\(first) \(inner) \(last)")
                }
            })
        _ = try server.resolve(Part.self)
        let child = try server.child(opening: Self.request)
        #expect(try child.resolve(Report.self).text == "real real real")
        #expect(try child.resolve(Report.self).text == "fake fake fake")
    }

    @Test("Dispose hooks of decorated instances run once, after the hooks of instances that were made from them")
    func disposal() throws {
        let disposals = Tally<String>()
        let server = try AppContext().load(
            Module("Shop") { registry in
                registry.register { Part("real") }
                registry.register(scope: Self.request, Original.init)
                    .alias((any Shown).self) { $0 }
                    .onDispose { _ in disposals.append("original") }
                registry.decorate(Original.self) { $0 }
                registry.register(Report.self, scope: Self.request) { (shown: any Shown) in Report(shown.name) }
                    .onDispose { _ in disposals.append("report") }
            })
        for _ in 0..<3 {
            try server.within(Self.request) { child in
                #expect(try child.resolve(Report.self).text == "real")
                let shown = try child.resolve((any Shown).self) as? Original
                #expect(try child.resolve(Original.self) === shown)
            }
            #expect(disposals.take() == ["report", "original"])
        }
    }

    @Test("A decorator that fails runs again, and the instance that it wraps stays the same")
    func failingDecorator() throws {
        let (makings, failures) = (Counter(), Counter())
        let server = try AppContext().load(
            Module("Shop") { registry in
                registry.register(Report.self, scope: Self.request) { Report("\(makings.next())") }
                registry.decorate(Report.self) { base in
                    if failures.next() == 1 { throw CancellationError() }
                    return Report("decorated \(base.text)")
                }
            })
        let child = try server.child(opening: Self.request)
        #expect(throws: LocatorError.self) { try child.resolve(Report.self) }
        let report = try child.resolve(Report.self)
        #expect(report.text == "decorated 1")
        #expect(try child.resolve(Report.self) === report)
    }
}
