import Foundation
import LocatorProperties
import Testing

// The article on values shows parts of this file.

/// `payment` of the profile files.
private struct PaymentSettings: ConfigProperty {
    static let path = "payment"
    let merchant: UUID
    let smallestAmount: Decimal
    let timeout: Duration
}

/// The number of connections of a pool.
private struct PoolSize: Decodable {
    let count: Int

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        count = try container.decode(Int.self)
        guard count > 0 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a pool needs a connection")
        }
    }
}

@Suite("The snippets of the article on values do what they say")
struct ValuesSnippet {
    @Test("An identifier, an amount, and a duration")
    func values() throws {
        let root = String(#filePath.split(separator: "Tests/LocatorPropertiesTests")[0])
        let article = try String(
            contentsOfFile: root + "Sources/LocatorProperties/LocatorProperties.docc/Values.md", encoding: .utf8)
        let json = try #require(article.components(separatedBy: "```json\n").last?.components(separatedBy: "```").first)
        let settings = try Properties(JSONValue(parsing: json)).decode(PaymentSettings.self)
        #expect(settings.merchant.uuidString == "6F1A3C0E-2E5B-4B0A-9D6E-5D2F5F3B7C11")
        #expect(settings.smallestAmount == Decimal(string: "0.1"))
        #expect(settings.timeout == .seconds(30))
    }

    @Test("A type that refuses a value")
    func pool() throws {
        #expect(
            message { _ = try (["size": 0] as JSONValue).decode([String: PoolSize].self) }
                == "size: PoolSize refused it: a pool needs a connection")
    }
}
