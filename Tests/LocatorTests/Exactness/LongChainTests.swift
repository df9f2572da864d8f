import Locator
import TestSupport
import Testing

@Suite("A chain of instances may be longer than a thread's stack allows, if they are made one by one")
struct LongChainTests {
    private final class Link: Sendable {}

    private static let count = 3_000
    private let files = MemoryFiles(#"{ "color": "red" }"#)
    private let context = AppContext()
    private let last: Link

    init() throws {
        let chain = Module("Chain") { registry in
            registry.register(Link.self, qualifier: "0") { (resolver: Resolver) in
                let _: String = try resolver.value("color")
                return Link()
            }
            for number in 1..<Self.count {
                registry.register(
                    Link.self, qualifier: .named("\(number)"), parameterQualifiers: [.named("\(number - 1)")]
                ) { (_: Link) in Link() }
            }
        }
        try context.loadProperties(files.source).load(chain)
        for number in 0..<Self.count { _ = try context.resolve(Link.self, qualifier: .named("\(number)")) }
        last = try Self.last(in: context)
    }

    private static func last(in context: AppContext) throws -> Link {
        try context.resolve(qualifier: .named("\(count - 1)"))
    }

    @Test("A child shares it")
    func child() throws {
        let found = try onThread { [context] in
            try Self.last(in: context.child(pushing: .text("Unrelated")))
        }
        #expect(found === last)
    }

    @Test("Pushes set it aside, and it returns no matter in which order they are popped")
    func pushes() throws {
        let blue = Module("Blue", properties: ["color": "blue"])
        let green = Module("Green", properties: ["color": "green"])
        try onThread { [context] in
            try context.push(blue)
            try context.push(green)
            try context.pop(blue)
            context.pop()
        }
        #expect(try Self.last(in: context) === last)
    }

    @Test("A reload ends it")
    func reload() throws {
        files.content = #"{ "color": "blue" }"#
        try onThread { [context] in try context.reloadProperties() }
        #expect(context.existing(Link.self, qualifier: .named("\(Self.count - 1)")) == nil)
    }
}
