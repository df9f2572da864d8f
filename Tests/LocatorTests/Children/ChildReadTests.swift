import Locator
import TestSupport
import Testing

/// What a factory closure reads is a dependency of its instance, in all contexts of the family.
@Suite("The reads of a child's factory closure in its parent count as its dependencies, and vice versa")
struct ChildReadTests {
    /// Reads its wrappers late.
    final class Names: Sendable {
        private let name = Dependency<String>(qualifier: "name")
        private let all = DependencyArray<String>()
        private let limit = PropertyValue<String>("limit", default: "none")

        var first: String { name() }
        var list: String { all().joined(separator: ",") }
        var most: String { limit() }
    }

    final class Report: Sendable {
        let text: String

        init(_ text: String) {
            self.text = text
        }
    }

    struct Label {
        let text: String
    }

    /// A way to read a context in a factory closure of another context.
    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let read: @Sendable (_ names: Names, _ context: AppContext) throws -> String

        init(_ name: String, _ read: @escaping @Sendable (Names, AppContext) throws -> String) {
            testDescription = name
            self.read = read
        }
    }

    static let ways: [Way] = [
        Way("wrapper") { names, _ in names.first },
        Way("array wrapper") { names, _ in names.list },
        Way("property wrapper") { names, _ in names.most },
        Way("wrapper, read twice") { names, _ in "\(names.first)\(names.first)".prefix(4).description },
        Way("resolve") { _, context in try context.resolve(String.self, qualifier: "name") },
        Way("resolve of an optional") { _, context in
            try context.resolve(String?.self, qualifier: "name") ?? "nothing"
        },
        Way("resolveAll") { _, context in try context.resolveAll(String.self).joined(separator: ",") },
        Way("prototype") { _, context in try context.resolve(Label.self).text },
        Way("factory") { _, context in try context.resolve(Label.self, with: 1).text },
        Way("resolve of what was made from it") { _, context in try context.resolve(Substring.self).description },
        Way("failure that is caught") { _, context in (try? context.resolve(Character.self)) == nil ? "real" : "fake" },
    ]

    /// The context whose scope the reading instance has.
    enum Holder: CaseIterable, CustomTestStringConvertible {
        case pushed, leanScope, grandchild

        var testDescription: String { "\(self)" }
    }

    static let shop = Module("Shop", properties: ["limit": "real"]) { registry in
        registry.register(String.self, qualifier: "name") { "real" }
        registry.register { Names() }
        registry.register(scope: .prototype) { (names: Names) in Label(text: names.first) }
        registry.factory(Label.self) { (_: Int, names: Names) in Label(text: names.first) }
        registry.register { (names: Names) in Substring(names.first) }
        registry.register(Character.self) { (names: Names) in
            guard let last = names.first.last, last == "e" else { throw CancellationError() }
            return last
        }
    }

    static let fakes = Module("Fakes", properties: ["limit": "fake"]) { registry in
        registry.register(String.self, qualifier: "name") { "fake" }
        registry.replaceAll(String.self)
    }

    /// A context in which everything is ready and settled, so that all reads are fast.
    private func server() throws -> (AppContext, Names) {
        let server = try AppContext().load(Self.shop)
        let names = try server.resolve(Names.self)
        for _ in 0..<3 {
            _ = (names.first, names.list, names.most)
            _ = try (server.resolve(String.self, qualifier: "name"), server.resolveAll(String.self))
            _ = try (server.resolve(Label.self), server.resolve(Substring.self))
        }
        return (server, names)
    }

    /// A child whose `Report` is its own, and reads `server`.
    private func child(_ holder: Holder, _ way: Way, of server: AppContext, _ names: Names) throws -> AppContext {
        let request = Scope("request")
        let report = Module("Report") { registry in
            registry.register(scope: request) { [unowned server] in Report(try way.read(names, server)) }
        }
        switch holder {
        case .pushed: return try server.child(opening: request, pushing: report)
        case .leanScope: return try server.load(report).child(opening: request)
        case .grandchild: return try server.load(report).child().child(opening: request)
        }
    }

    @Test(arguments: ways, Holder.allCases)
    func childsInstance_followsWhatItReadOfItsParent(_ way: Way, _ holder: Holder) throws {
        let (server, names) = try server()
        let child = try child(holder, way, of: server, names)
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

    @Test(arguments: ways, Holder.allCases)
    func fakeOfTheParent_leavesTheChildWithItsPush(_ way: Way, _ holder: Holder) throws {
        let (server, names) = try server()
        try server.push(Self.fakes)
        let child = try child(holder, way, of: server, names)
        let ended = Counter()
        #expect(try child.resolve(Report.self).text == "fake")
        try server.pop(Self.fakes)
        #expect(try child.resolve(Report.self).text == "real")
        #expect(ended.value == 0)
    }

    @Test func childsPush_doesNotConcernWhatItReadOfItsParent() throws {
        let (server, names) = try server()
        let child = try child(.pushed, Way("wrapper") { names, _ in names.first }, of: server, names)
        let real = try child.resolve(Report.self)
        try child.push(Self.fakes)
        #expect(try child.resolve(Report.self) === real)
        child.pop()
        #expect(try child.resolve(Report.self) === real)
    }

    @Test func reset_ofWhatItReadOfTheParent_endsTheChildsInstance() throws {
        let ended = Log()
        let counter = Counter()
        let server = try AppContext().load(
            Module("Server") { registry in
                registry.register(Int.self, scope: Scope("session")) { counter.next() }
                registry.register(Double.self) { 1 }
            })
        let child = try server.child(
            pushing: Module("Report") { registry in
                registry.register { [unowned server] in Report("\(try server.resolve(Int.self))") }
                    .onDispose { ended($0.text) }
            })
        #expect(try child.resolve(Report.self).text == "1")
        _ = try server.resolve(Double.self)
        try server.reset(Scope("session"))
        #expect(ended.take() == [])
        #expect(try child.resolve(Report.self).text == "2")
        #expect(ended.take() == ["1"])
    }

    @Test func unload_ofWhatItReadOfTheParent_disposesOfTheChildsInstance() throws {
        let ended = Log()
        let server = try AppContext().load(Self.shop)
        try server.load(Self.fakes, priority: .high)
        let names = try server.resolve(Names.self)
        let child = try server.child(
            pushing: Module("Report") { registry in
                registry.register(qualifier: "direct") { Report(names.first) }.onDispose { ended("direct \($0.text)") }
                registry.register(qualifier: "deep") { [unowned server] in
                    Report(try server.resolve(Substring.self).description)
                }
                .onDispose { ended("deep \($0.text)") }
            })
        #expect(try child.resolve(Report.self, qualifier: "direct").text == "fake")
        #expect(try child.resolve(Report.self, qualifier: "deep").text == "fake")
        try server.unload(Self.fakes)
        #expect(try child.resolve(Report.self, qualifier: "direct").text == "real")
        #expect(ended.take() == ["deep fake", "direct fake"])
        #expect(try child.resolve(Report.self, qualifier: "deep").text == "real")
    }

    @Test func wrapperOfAChild_followsWhatTheMakingReadOfItsParent() throws {
        let (server, names) = try server()
        let child = try server.child(
            pushing: Module("Report") { registry in
                registry.register(scope: .prototype) { Report(names.first) }
            })
        let report = AppContext.withContext(child) { Dependency<Report>() }
        let real = report()
        #expect(report() === real)
        try server.push(Self.fakes)
        #expect(report().text == "fake")
        server.pop()
        #expect(report().text == "real")
    }

    // MARK: A factory closure of a parent that reads a child

    @Test(arguments: ways)
    func parentsInstance_followsWhatItReadOfAChild(_ way: Way) throws {
        let reader = Late<@Sendable () throws -> String>()
        let server = try AppContext().load(
            Self.shop, Module("Report") { $0.register { Report(try reader.value?() ?? "nothing") } })
        let child = try server.child(pushing: Module("Own") { $0.register { Names() } })
        let names = try child.resolve(Names.self)
        for _ in 0..<3 { _ = (names.first, names.list, names.most) }
        reader.value = { [unowned child] in try way.read(names, child) }
        let holder = AppContext.withContext(server) { Dependency<Report>() }
        let real = try server.resolve(Report.self)
        #expect(real.text == "real")
        for _ in 0..<3 { #expect(holder() === real) }
        try child.push(Self.fakes)
        #expect(try server.resolve(Report.self).text == "fake")
        #expect(holder().text == "fake")
        child.pop()
        #expect(try server.resolve(Report.self) === real)
        #expect(holder() === real)
        // Of the whole family, which reads the parent's value.
        let sibling = try server.child()
        #expect(try sibling.resolve(Report.self) === real)
        try child.push(Self.fakes)
        #expect(try sibling.resolve(Report.self).text == "fake")
    }

    @Test func parentsInstance_keepsWhatItReadOfAChild_thatHasEnded() throws {
        let reader = Late<@Sendable () throws -> String>()
        let server = try AppContext().load(
            Self.shop, Module("Report") { $0.register { Report(try reader.value?() ?? "nothing") } })
        let own = Module("Own") { $0.register { Names() } }
        var child: AppContext? = try server.child(pushing: own, Self.fakes)
        let names = try #require(child).resolve(Names.self)
        reader.value = { names.most }
        let report = try server.resolve(Report.self)
        #expect(report.text == "fake")
        child = nil
        try server.push(Module("Other") { $0.register(Double.self) { 1 } })
        #expect(try server.resolve(Report.self) === report)
        server.pop()
        #expect(try server.resolve(Report.self) === report)
    }

    @Test func childMadeInAParentsClosure_counts() throws {
        let kept = Late<AppContext>()
        let server = try AppContext().load(
            Self.shop,
            Module("Report") { registry in
                registry.register { (resolver: Resolver) in
                    let child = try AppContext.current.child(pushing: Module("Own") { $0.register { Names() } })
                    kept.value = child
                    let names = try child.resolve(Names.self)
                    _ = try resolver.resolve(Substring.self)
                    return Report(names.first + names.first)
                }
            })
        let real = try server.resolve(Report.self)
        #expect(real.text == "realreal")
        try #require(kept.value).push(Self.fakes)
        #expect(try server.resolve(Report.self).text == "realreal")
        #expect(try server.resolve(Report.self) !== real)
        kept.value = nil
    }
}
