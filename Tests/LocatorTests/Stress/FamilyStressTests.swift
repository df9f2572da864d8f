import Locator
import TestSupport
import Testing

/// Children read from their parent, and the parent from a child, while modules are pushed and popped in both.
@Suite("After threads finish, values read across contexts are correct")
struct FamilyStressTests {
    private final class Names: Sendable {
        private let name = Dependency<String>()

        var first: String { name() }
    }

    private final class Report: Sendable {
        let text: String

        init(_ text: String) {
            self.text = text
        }
    }

    private static let request = Scope("request")
    private static let fakes = Module("Fakes") { $0.register { "fake" } }

    @Test func threads_pushAndPop_whileOthersMake() throws {
        let server = AppContext()
        let reader = Late<Names>()
        try server.load(
            Module("Shop") { registry in
                registry.register { "real" }
                registry.register { Names() }
                registry.register(qualifier: "of the child") { Report(reader.value?.first ?? "none") }
                registry.register(scope: Self.request) { (names: Names) in Report("\(names.first),\(names.first)") }
            })
        let child = try server.child(pushing: Module("Own") { $0.register { Names() } })
        reader.value = try child.resolve(Names.self)
        let kept = Tally<AppContext>()
        let rounds = TestScale.count(20_000)
        try Crowd.run("threads_pushAndPop_whileOthersMake", threads: 5) { member in
            for round in 0..<rounds {
                member.step()
                switch member.number {
                case 0:
                    try server.push(Self.fakes)
                    server.pop()
                case 1:
                    try child.push(Self.fakes)
                    try child.pop(Self.fakes)
                case 2:
                    _ = try server.resolve(Report.self, qualifier: "of the child")
                default:
                    let request = try server.child(opening: Self.request)
                    _ = try request.resolve(Report.self)
                    if round > rounds - 10 { kept.append(request) }
                }
            }
        }
        #expect(try server.resolve(Report.self, qualifier: "of the child").text == "real")
        for request in kept.elements { #expect(try request.resolve(Report.self).text == "real,real") }
        try child.push(Self.fakes)
        #expect(try server.resolve(Report.self, qualifier: "of the child").text == "fake")
        child.pop()
        try server.push(Self.fakes)
        for request in kept.elements { #expect(try request.resolve(Report.self).text == "fake,fake") }
        server.pop()
    }

    @Test func asynchronousClosures_readWhileOthersPush() async throws {
        let context = AppContext()
        try context.load(
            Module("Shop") { registry in
                registry.register { "real" }
                registry.register { Names() }
                registry.register(
                    Report.self,
                    async: {
                        let names = try AppContext.current.resolve(Names.self)
                        async let later = Task.yield()
                        let before = names.first
                        await later
                        return Report("\(before),\(names.first)")
                    })
            })
        let rounds = TestScale.count(2_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for _ in 0..<rounds {
                    try context.push(Self.fakes)
                    await Task.yield()
                    context.pop()
                    await Task.yield()
                }
            }
            group.addTask {
                for _ in 0..<rounds {
                    try await context.start()
                    _ = context.existing(Report.self)
                }
            }
            group.addTask {
                let names = try context.resolve(Names.self)
                for _ in 0..<rounds * 10 { #expect(["real", "fake"].contains(names.first)) }
            }
            try await group.waitForAll()
        }
        try await context.start()
        #expect(try context.resolve(Report.self).text == "real,real")
    }
}
