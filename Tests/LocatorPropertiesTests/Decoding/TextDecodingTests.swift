import Foundation
import LocatorProperties
import Testing

@Suite("A text from outside a file converts to the requested type")
struct TextDecodingTests {
    private static func text(_ text: String) -> JSONValue {
        var node = JSONValue.string(text)
        node.flags = [.text, .environment]
        return node
    }

    private func decode<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) throws -> Value {
        try Self.text(text).decode(type)
    }

    private struct Limits: Decodable, Equatable {
        var burst: Int
        var tags: [String]?
    }

    private enum Size: Int, Decodable { case small = 1 }

    @Test("Numbers, Bools, and types that are decoded from text")
    func text_converts() throws {
        #expect(try decode("8080") == 8080)
        #expect(try decode("-1") == Int8(-1))
        #expect(try decode("18446744073709551615") == UInt64.max)
        #expect(try decode("1e3") == 1000)
        #expect(try decode("0.5", as: Double.self) == 0.5)
        #expect(try decode("0.1") == Decimal(string: "0.1"))
        for text in ["true", "TRUE", "True"] { #expect(try decode(text, as: Bool.self)) }
        for text in ["false", "FALSE"] { #expect(try !decode(text, as: Bool.self)) }
        #expect(try decode("8080", as: String.self) == "8080")
        #expect(try decode("8080", as: Int?.self) == 8080)
        #expect(try decode("1s") == Duration.seconds(1))
        #expect(try decode("a:b") == URL(string: "a:b"))
        #expect(try decode("1") == Size.small)
    }

    @Test("Arrays and objects are read as JSON, whose strings are not converted")
    func text_isReadAsJSON_whenArrayOrObjectIsAskedFor() throws {
        #expect(try decode("[1, 2]") == [1, 2])
        #expect(try decode(" {\"a\": [true]} ") == ["a": [true]])
        #expect(try decode("{\"burst\": 3, \"tags\": [\"x\"]}") == Limits(burst: 3, tags: ["x"]))
        #expect(
            message([Int].self, "[\"1\"]") == "key[0]: expected Int, found string \"1\"; drop the quotes (SHOP_X:1:2)")
    }

    @Test("Texts that do not convert", arguments: rows)
    func text_isRefused_whenItDoesNotConvert(
        message: @Sendable (String) -> String, text: String, expected: String
    ) {
        #expect(message(text) == expected)
    }

    @Test("An invalid JSON text that is secret is not shown")
    func brokenText_isNotShown_whenSecret() {
        let secrets = SecretRules(listed: [PropertyPath([.key("a")])])
        let context = DecodingContext(secrets: secrets)
        let error = #expect(throws: PropertiesError.self) {
            try Self.text("[hunter2]").decode([Int].self, at: "a", in: context)
        }
        #expect(
            error?.naming("SHOP_X").description
                == "a: expected [Int] as JSON, found text that is not JSON: 1:2: expected a value or ']', "
                + "found something else (not shown, it belongs to a secret) (SHOP_X)")
    }

    @Test("Without the flag nothing converts")
    func string_doesNotConvert_whenItIsFromFile() {
        let value: JSONValue = "8080"
        #expect(throws: PropertiesError.self) { try value.decode(Int.self) }
        #expect(throws: PropertiesError.self) { try JSONValue.string("true").decode(Bool.self) }
        #expect(throws: PropertiesError.self) { try JSONValue.string("[1]").decode([Int].self) }
    }

    private static func message<Value: Decodable>(_ type: Value.Type, _ text: String) -> String {
        do throws(PropertiesError) {
            return "decoded \(try self.text(text).decode(type, at: "key", in: DecodingContext()))"
        } catch {
            return error.naming("SHOP_X").description
        }
    }

    private func message<Value: Decodable>(_ type: Value.Type, _ text: String) -> String {
        Self.message(type, text)
    }

    private static let rows: [Row] = [
        ({ message(Int.self, $0) }, "80a", "key: expected Int, found text \"80a\" (SHOP_X)"),
        ({ message(Int.self, $0) }, "", "key: expected Int, found text \"\" (SHOP_X)"),
        ({ message(Int.self, $0) }, " 1", "key: expected Int, found text \" 1\" (SHOP_X)"),
        ({ message(Int.self, $0) }, "1.5", "key: expected Int, found text \"1.5\" (SHOP_X)"),
        ({ message(Int8.self, $0) }, "300", "key: expected Int8, found text \"300\" (SHOP_X)"),
        ({ message(Bool.self, $0) }, "1", "key: expected Bool, found text \"1\" (SHOP_X)"),
        ({ message(Bool.self, $0) }, "yes", "key: expected Bool, found text \"yes\" (SHOP_X)"),
        ({ message(Double.self, $0) }, "nan", "key: expected Double, found text \"nan\" (SHOP_X)"),
        ({ message([Int].self, $0) }, "1", "key: expected [Int] (an array), found text \"1\" (SHOP_X)"),
        (
            { message([Int].self, $0) }, "1,2",
            #"key: expected [Int] as JSON, such as ["a", "b"], found text that is not JSON (SHOP_X)"#
        ),
        (
            { message(Limits.self, $0) }, "",
            #"key: expected Limits as JSON, such as {"key": "value"}, found text that is not JSON (SHOP_X)"#
        ),
        ({ message(Limits.self, $0) }, "{}", "key.burst is missing (expected Int) (SHOP_X)"),
    ]

    private typealias Row = (@Sendable (String) -> String, String, String)
}
