import Locator
import Testing

extension Qualifier {
    fileprivate static let file: Qualifier = "file"
}

@Suite("A key is a type and a qualifier; a request without one prefers registrations without one")
struct QualifierTests {
    private let plain = Module("Plain") { $0.register(String.self) { "plain" } }
    private let named = Module("Named") { $0.register(String.self, qualifier: "file") { "file" } }

    @Test func qualifiedRequest_findsItsQualifierOnly() throws {
        let context = try AppContext().load(plain, named)
        #expect(try context.resolve(String.self, qualifier: "file") == "file")
        #expect(try context.resolve(String?.self, qualifier: "console") == nil)
    }

    @Test func qualifiedRequest_neverFallsBackToTheUnqualified() throws {
        let context = try AppContext().load(plain)
        #expect(try context.resolve(String?.self, qualifier: "file") == nil)
    }

    @Test func unqualifiedRequest_prefersTheUnqualified_alsoInAModuleBehind() throws {
        let context = try AppContext().load(named, plain)
        #expect(try context.resolve(String.self) == "plain")
    }

    @Test func unqualifiedRequest_takesTheQualified_whenThereIsNoOther() throws {
        let context = try AppContext().load(named)
        #expect(try context.resolve(String.self) == "file")
    }

    @Test func firstModuleWithAQualifiedOne_decides_forAnUnqualifiedRequest() throws {
        let other = Module("Other") { $0.register(String.self, qualifier: "console") { "console" } }
        #expect(try AppContext().load(named, other).resolve(String.self) == "file")
        #expect(try AppContext().load(other, named).resolve(String.self) == "console")
    }

    @Test func constantsAndLiterals_areTheSame() throws {
        let context = try AppContext().load(Module("M") { $0.register(String.self, qualifier: .file) { "file" } })
        #expect(try context.resolve(String.self, qualifier: "file") == "file")
        #expect(try context.resolve(String.self, qualifier: .file) == "file")
        #expect(try context.resolve(String.self, qualifier: .named("file")) == "file")
    }

    @Test func setting_givesTheQualifier_onEachRequest() throws {
        let settings = Module("Settings", properties: ["storage": "file"])
        let context = try AppContext().load(plain, named, settings)
        #expect(try context.resolve(String.self, qualifier: .property("storage")) == "file")
        try context.push(
            Module("Fakes", properties: ["storage": "memory"]) { registry in
                registry.register(String.self, qualifier: "memory") { "memory" }
            })
        #expect(try context.resolve(String.self, qualifier: .property("storage")) == "memory")
        context.pop()
        #expect(try context.resolve(String.self, qualifier: .property("storage")) == "file")
    }

    @Test func sameQualifier_ofAnotherType_isAnotherKey() throws {
        let context = try AppContext().load(named)
        #expect(try context.resolve(Int?.self, qualifier: "file") == nil)
    }

    @Test func types_areDistinguishedExactly() throws {
        final class Thing: Sendable, CustomStringConvertible { let description = "thing" }
        let module = Module("Things") { registry in
            registry.register(Thing.init)
            registry.register((any CustomStringConvertible & Sendable).self) { "protocol" }
            registry.register([String: Int].self) { [:] }
        }
        let context = try AppContext().load(module)
        #expect(try context.resolve(Thing.self).description == "thing")
        #expect(try context.resolve((any CustomStringConvertible & Sendable).self).description == "protocol")
        #expect(try context.resolve((any CustomDebugStringConvertible)?.self) == nil)
        #expect(try context.resolve([String: Int8]?.self) == nil)
        // `Sendable` does not exist at run time, so the type is the same with and without it.
        #expect(try context.resolve((any CustomStringConvertible).self).description == "protocol")
    }

    @Test(
        "A key's description is the way it is written",
        arguments: [
            (Key(Int.self), "Int"),
            (Key(Int.self, qualifier: "a"), "Int \"a\""),
            (Key((any Error).self), "any Error"),
            (Key([String: Int].self), "[String: Int]"),
            (Key([any Error].self), "[any Error]"),
            (Key((any Error)?.self), "(any Error)?"),
            (Key([Int?].self), "[Int?]"),
            (Key([Int]?.self), "[Int]?"),
            (Key((any Error & Sendable).self), "any Error"),
            (Key((any Error & CustomStringConvertible).self), "any CustomStringConvertible & Error"),
            (Key(Any.self), "Any"),
            (Key(AnyObject.self), "AnyObject"),
            (Key((Int, String).self), "(Int, String)"),
            (Key((any Error).self, qualifier: "x y"), "any Error \"x y\""),
        ])
    func description_readsAsWritten(key: Key, expected: String) {
        #expect(key.description == expected)
    }

    @Test func keys_areEqual_whenTypeAndQualifierAre() {
        #expect(Key(Int.self) == Key(Int.self))
        #expect(Key(Int.self) != Key(Int.self, qualifier: "a"))
        #expect(Key(Int.self) != Key(Int8.self))
        #expect(Set([Key(Int.self), Key(Int.self), Key(Int.self, qualifier: "a")]).count == 2)
    }

    @Test(
        "A qualifier describes itself",
        arguments: [(Qualifier.file, "\"file\""), (.property("a.b"), "the value of setting \"a.b\"")])
    func qualifierDescription(qualifier: Qualifier, expected: String) {
        #expect(qualifier.description == expected)
    }
}
