import Locator
import Testing

private struct Limits: Decodable, Sendable {}
private final class Cache: Decodable, Sendable {}

private let file: StaticString = "Shop/Shop.swift"

@Suite("A type that can be decoded and is not registered may be meant to be decoded from settings")
struct DecodableTypeTests {
    private let registering = "register it in a loaded module: registry.register"
    private let decoding = "; if the settings contain it, make it a ConfigProperty with `static let path = \"…\"`"

    private func message<Value>(_ type: Value.Type, qualifier: Qualifier? = nil) throws -> String? {
        let context = try AppContext().load(.text("something else"))
        do {
            _ = try context.resolve(type, qualifier: qualifier, fileID: file, line: 7)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func theFixOfTheErrorNamesConfigProperty() throws {
        #expect(
            try message(Limits.self) == """
                Shop/Shop.swift:7: Limits is not registered
                  fix: \(registering)(Limits.self) { … }\(decoding)
                """)
    }

    @Test func classesAndQualifiedValuesAreNoSettings() throws {
        #expect(
            try message(Cache.self) == """
                Shop/Shop.swift:7: Cache is not registered
                  fix: \(registering)(Cache.self) { … }
                """)
        #expect(
            try message(Limits.self, qualifier: "eu") == """
                Shop/Shop.swift:7: Limits "eu" is not registered
                  fix: \(registering)(Limits.self, qualifier: "eu") { … }
                """)
    }
}
