import Foundation
import Locator
import Synchronization
import TestSupport
import Testing

extension Scope {
    fileprivate static let request = Scope("request")
}

private final class Sink: Sendable {
    let name: String
    init(_ name: String) { self.name = name }
}

@Suite("The setting that names a qualifier belongs to the state of its request", .watchdog)
struct NamedQualifierStressTests {
    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        fileprivate let names: @Sendable (AppContext) throws -> [String]
    }

    static let ways = [
        Way(testDescription: "an instance") { [try $0.resolve(Sink.self, qualifier: .property("sink")).name] },
        Way(testDescription: "an optional") {
            [try $0.resolve(Sink?.self, qualifier: .property("sink"))].compactMap { $0?.name }
        },
        Way(testDescription: "a collection") {
            try $0.resolveAll(Sink.self, qualifier: .property("sink")).map(\.name)
        },
        Way(testDescription: "a product") {
            [try $0.resolve(Sink.self, with: 1, qualifier: .property("sink")).name]
        },
        Way(testDescription: "an instance of a child") {
            [try $0.child(opening: .request).resolve(Sink.self, qualifier: .property("sink")).name]
        },
        Way(testDescription: "a wrapper of a child") { context in
            let child = try context.child(opening: .request)
            return AppContext.withContext(child) { [Dependency<Sink>(qualifierBy: "sink")().name] }
        },
    ]

    /// A module whose setting names its first sink.
    private static func module(_ names: String..., sinks: String...) -> Module {
        Module("Sinks", properties: ["sink": .string(names[0])]) { registry in
            for (name, sink) in zip(names, sinks) {
                registry.register(Sink.self, qualifier: .named(name), scope: .request) { Sink(sink) }
                registry.factory(Sink.self, qualifier: .named(name)) { (_: Int) in Sink(sink) }
            }
        }
    }

    @Test(arguments: ways)
    func requests_besidePushes_areConsistent(_ way: Way) throws {
        let context = try AppContext().load(Self.module("file", sinks: "file"))
        let fake = Self.module("fake", "file", sinks: "fake", "replaced file")
        let isDone = Atomic(false)
        let rounds = TestScale.count(5_000, inDebug: 0.1)
        try Crowd.run("requests with named qualifiers", threads: 3) { member in
            if member.number == 0 {
                defer { isDone.store(true, ordering: .relaxed) }
                for _ in 0..<rounds {
                    member.step()
                    try context.push(fake)
                    context.pop()
                }
            } else {
                while !isDone.load(ordering: .relaxed) {
                    member.step()
                    let names = try way.names(context)
                    guard names == ["file"] || names == ["fake"] else {
                        Issue.record("\(names)")
                        return
                    }
                }
            }
        }
    }
}
