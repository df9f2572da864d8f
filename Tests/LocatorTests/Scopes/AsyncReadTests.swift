import Locator
import TestSupport
import Testing

/// Everything that an asynchronous factory closure reads is a dependency of its instance, as in a synchronous one.
@Suite("The reads of an asynchronous factory closure count as its dependencies", .watchdog)
struct AsyncReadTests {
    private final class Database: Sendable {
        let text: String

        init(_ text: String) {
            self.text = text
        }
    }

    /// Reads its wrapper late, and often.
    private final class Names: Sendable {
        private let name = Dependency<String>(qualifier: "name")
        private let all = DependencyArray<String>()
        private let limit = PropertyValue<String>("limit", default: "none")

        var first: String { name() }
        var list: String { all().joined(separator: ",") }
        var most: String { limit() }
    }

    private struct Label {
        let text: String
    }

    /// One way to read in the body of an asynchronous factory closure.
    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let read: @Sendable () async throws -> String

        init(_ name: String, _ read: @escaping @Sendable () async throws -> String) {
            testDescription = name
            self.read = read
        }
    }

    private static func name() throws -> String { try AppContext.current.resolve(String.self, qualifier: "name") }

    private static func names() throws -> Names { try AppContext.current.resolve(Names.self) }

    /// Reads in an asynchronous factory closure of a new context.
    private static func elsewhere(_ read: @escaping @Sendable () async throws -> String) async throws -> String {
        let other = AppContext()
        try other.load(Module("Other") { $0.register(Database.self, async: { Database(try await read()) }) })
        try await other.start()
        return try other.resolve(Database.self).text
    }

    static let ways: [Way] = [
        Way("resolve") { try name() },
        Way("resolve, after a suspension") {
            await Task.yield()
            return try name()
        },
        Way("resolve of an optional") {
            try AppContext.current.resolve(String?.self, qualifier: "name") ?? "nothing"
        },
        Way("resolveAll") { try AppContext.current.resolveAll(String.self).joined(separator: ",") },
        Way("resolveMap") { try AppContext.current.resolveMap(String.self).values.sorted().joined(separator: ",") },
        Way("wrapper") { try names().first },
        Way("wrapper of a new object") {
            await Task.yield()
            return Dependency<String>(qualifier: "name")()
        },
        Way("array wrapper") { try names().list },
        Way("property wrapper") { try names().most },
        Way("prototype") { try AppContext.current.resolve(Substring.self).description },
        Way("factory") { try AppContext.current.resolve(Label.self, with: 1).text },
        Way("async let") {
            async let text = name()
            return try await text
        },
        Way("task group") {
            try await withThrowingTaskGroup(of: String.self) { group in
                group.addTask { try names().first }
                return try await group.next() ?? "nothing"
            }
        },
        Way("unstructured task") { try await Task { try names().first }.value },
        Way("main actor") { try await MainActor.run { try names().first } },
        Way("closure of another context") {
            let context = AppContext.current
            return try await elsewhere { try context.resolve(String.self, qualifier: "name") }
        },
        Way("wrapper in a closure of another context") {
            let reader = try names()
            return try await elsewhere { try await elsewhere { reader.first } }
        },
    ]

    private static let shop = Module("Shop", properties: ["limit": "real"]) { registry in
        registry.register(String.self, qualifier: "name") { "real" }
        registry.register { Names() }
        registry.register(scope: .prototype) { (names: Names) in Substring(names.first) }
        registry.factory(Label.self) { (_: Int, names: Names) in Label(text: names.first) }
    }

    private static let fakes = Module("Fakes", properties: ["limit": "fake"]) { registry in
        registry.register(String.self, qualifier: "name") { "fake" }
        registry.replaceAll(String.self)
    }

    private func database(_ way: Way) -> Module {
        Module("Database") { $0.register(Database.self, async: { Database(try await way.read()) }) }
    }

    @Test(arguments: ways)
    func fake_leavesWithItsPush(_ way: Way) async throws {
        let context = try AppContext().load(Self.shop, database(way))
        // Ready and settled, so that all reads are fast.
        for _ in 0..<3 {
            _ = try context.resolve(String.self, qualifier: "name")
            _ = try context.resolveAll(String.self)
            let names = try context.resolve(Names.self)
            _ = (names.first, names.list, names.most)
        }
        try context.push(Self.fakes)
        try await context.start()
        #expect(try context.resolve(Database.self).text == "fake")
        context.pop()
        #expect(message { try context.resolve(Database.self) } != nil)
        try await context.start()
        let real = try context.resolve(Database.self)
        #expect(real.text == "real")
        try context.push(Self.fakes)
        try await context.start()
        #expect(try context.resolve(Database.self).text == "fake")
        context.pop()
        #expect(try context.resolve(Database.self) === real)
    }

    @Test(arguments: ways)
    func childsOwn_followsItsParent(_ way: Way) async throws {
        let context = try AppContext().load(Self.shop)
        let names = try context.resolve(Names.self)
        for _ in 0..<3 { _ = (names.first, names.list, names.most) }
        let child = try context.child(pushing: database(way))
        try context.push(Self.fakes)
        try await child.start()
        #expect(try child.resolve(Database.self).text == "fake")
        context.pop()
        try await child.start()
        #expect(try child.resolve(Database.self).text == "real")
    }

    @Test func childsClosure_thatReadsItsParent_follows() async throws {
        let context = try AppContext().load(Self.shop)
        let names = try context.resolve(Names.self)
        for _ in 0..<3 { _ = names.first }
        let database = Module("Database") { [context] registry in
            registry.register(
                Database.self,
                async: { Database(names.first + (try context.resolve(String.self, qualifier: "name"))) })
        }
        let child = try context.child(pushing: database)
        try context.push(Self.fakes)
        try await child.start()
        #expect(try child.resolve(Database.self).text == "fakefake")
        context.pop()
        try await child.start()
        let real = try child.resolve(Database.self)
        #expect(real.text == "realreal")
        try context.push(Self.fakes)
        context.pop()
        #expect(try child.resolve(Database.self) === real)
    }

    @Test func changeWhileItRuns_makesItRunAgain() async throws {
        let (hasRead, mayEnd) = (Signal(), Signal())
        let runs = Log()
        let context = try AppContext().load(
            Self.shop,
            database(
                Way("waiting") {
                    let text = try Self.name()
                    runs(text)
                    hasRead.send()
                    await mayEnd.wait()
                    return text
                }))
        let start = Task { try await context.start() }
        await hasRead.wait()
        try context.push(Self.fakes)
        mayEnd.send()
        try await start.value
        #expect(runs.entries == ["real", "fake"])
        #expect(try context.resolve(Database.self).text == "fake")
    }

    @Test func changeThatIsUndoneWhileItRuns_isNotSeenInPart() async throws {
        let context = AppContext()
        let runs = Counter()
        let way = Way("twice") {
            let before = try Self.name()
            guard runs.next() == 1 else { return before + (try Self.name()) }
            // Detached: the closure itself cannot change its context.
            try await Task.detached { _ = try context.push(Self.fakes) }.value
            let within = try Self.name()
            await Task.detached { context.pop() }.value
            return before + within
        }
        try context.load(Self.shop, database(way))
        try await context.start()
        #expect(try context.resolve(Database.self).text == "realreal")
    }

    @Test func weakPartThatEnds_doesNotMakeItRunAgain() async throws {
        let runs = Counter()
        let context = try AppContext().load(
            Self.shop, Module("Weak") { $0.register(Late<Int>.self, scope: .weak) { Late(1) } },
            database(
                Way("weak") {
                    runs.next()
                    return try AppContext.current.resolve(Late<Int>.self).value.map(String.init) ?? "none"
                }))
        try await context.start()
        #expect(try context.resolve(Database.self).text == "1")
        try await context.start()
        #expect(runs.value == 1)
    }

    @Test func whatIsReadAfterTheEnd_doesNotCount() async throws {
        let mayRead = Signal()
        let late = Late<Task<String, any Error>>()
        let context = try AppContext().load(
            Self.shop,
            database(
                Way("late") {
                    late.value = Task {
                        await mayRead.wait()
                        return try Self.name()
                    }
                    return "made"
                }))
        try await context.start()
        let made = try context.resolve(Database.self)
        mayRead.send()
        #expect(try await late.value?.value == "real")
        try context.push(Self.fakes)
        #expect(try context.resolve(Database.self) === made)
    }
}
