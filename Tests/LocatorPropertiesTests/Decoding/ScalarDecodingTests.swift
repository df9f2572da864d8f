import Foundation
import LocatorProperties
import Testing

@Suite("No scalar is converted to another kind")
struct ScalarDecodingTests {
    @Test("Values that decode")
    func scalars_decode() throws {
        func decode<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) throws -> Value {
            try JSONValue(parsing: text).decode(type)
        }
        #expect(try decode("true", as: Bool.self))
        #expect(try decode("\"a\"", as: String.self) == "a")
        #expect(try decode("\"\"", as: String.self) == "")
        #expect(try decode("0.1", as: Double.self) == 0.1)
        #expect(try decode("1", as: Double.self) == 1)
        #expect(try decode("-0", as: Double.self).sign == .minus)
        #expect(try decode("12345678901234567890.0", as: Double.self) == 12_345_678_901_234_567_168.0)
        #expect(try decode("9007199254740992", as: Double.self) == 9_007_199_254_740_992)
        #expect(try decode("9007199254740993.0", as: Double.self) == 9_007_199_254_740_992)
        #expect(try decode("9.007199254740993e15", as: Double.self) == 9_007_199_254_740_992)
        #expect(try decode("18446744073709551616", as: Double.self) == 0x1p64)
        #expect(try decode("-9223372036854775808", as: Double.self) == -0x1p63)
        #expect(try decode("0.1") == Float(0.1))
        #expect(try decode("16777216") == Float(16_777_216))
        #expect(try decode("0.1") == Decimal(string: "0.1"))
        #expect(try decode("12345678901234567890.5") == Decimal(string: "12345678901234567890.5"))
        #expect(try decode("\"aGk=\"") == Data("hi".utf8))
        #expect(try decode("\"\"") == Data())
        #expect(
            try decode("\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\"")
                == UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        #expect(try decode("\"https://shop.example.org/a?b=c#d\"") == URL(string: "https://shop.example.org/a?b=c#d"))
        #expect(try decode("\"file:///var/log\"") == URL(string: "file:///var/log"))
        #expect(try decode("\"1h30m\"") == Duration.seconds(5400))
        #expect(try decode("\"1970-01-01T00:00:00Z\"") == Date(timeIntervalSince1970: 0))
        #expect(try decode("null", as: Int?.self) == nil)
        #expect(try decode("[1, null]", as: [Int?].self) == [1, nil])
        #expect(try decode("{\"a\": [1, {\"b\": null}]}", as: JSONValue.self) == ["a": [1, ["b": nil]]])
    }

    #if !(arch(x86_64) && (os(macOS) || targetEnvironment(macCatalyst)))
        @Test("Float16, if the platform has it")
        func float16_decodes() throws {
            #expect(try JSONValue(parsing: "0.5").decode(Float16.self) == 0.5)
            #expect(try JSONValue(parsing: "65504").decode(Float16.self) == Float16.greatestFiniteMagnitude)
            #expect(decodingMessage(Float16.self, "65520") == "key: expected Float16, found number 65520 (f.json:1:1)")
            #expect(decodingMessage(Float16.self, "1e-9") == "key: expected Float16, found number 1e-9 (f.json:1:1)")
        }
    #endif

    @Test("Values that do not decode", arguments: refused)
    func scalars_areRefused_whenKindIsAnother(message: @Sendable (String) -> String, text: String, expected: String) {
        #expect(message(text) == "key: expected \(expected) (f.json:1:1)")
    }

    private typealias Row = (@Sendable (String) -> String, String, String)

    private static func rows<Value: Decodable & SendableMetatype>(
        _ type: Value.Type, _ expected: String, _ texts: [(String, String)]
    ) -> [Row] {
        texts.map { text, found in ({ decodingMessage(type, $0) }, text, "\(expected), found \(found)") }
    }

    private static let refused: [Row] =
        rows(
            Bool.self, "Bool",
            [
                ("1", "number 1"), ("0", "number 0"), ("\"true\"", "string \"true\"; drop the quotes"),
                ("null", "null"),
                ("[]", "an array"), ("{}", "an object"),
            ])
        + rows(
            String.self, "String",
            [("1", "number 1"), ("1.50", "number 1.50"), ("true", "true"), ("null", "null"), ("[]", "an array")])
        + rows(
            Double.self, "Double",
            [
                ("1e400", "number 1e400"), ("-1e400", "number -1e400"), ("1e-400", "number 1e-400"),
                ("\"1\"", "string \"1\"; drop the quotes"), ("true", "true"),
                ("\"NaN\"", "string \"NaN\""),
                (
                    "9007199254740993",
                    "number 9007199254740993, which the type would round; write a decimal point (.0) if the nearest number is good enough"
                ),
                (
                    "9223372036854775807",
                    "number 9223372036854775807, which the type would round; write a decimal point (.0) if the nearest number is good enough"
                ),
                (
                    "-9007199254740993",
                    "number -9007199254740993, which the type would round; write a decimal point (.0) if the nearest number is good enough"
                ),
                (
                    "1000000000000000000000000000000000000001",
                    "number 1000000000000000000000000000000000000001, which the type would round; write a decimal point (.0) if the nearest number is good enough"
                ),
            ])
        + rows(
            Float.self, "Float",
            [("1e39", "number 1e39"), ("1e-46", "number 1e-46"), ("\"1\"", "string \"1\"; drop the quotes")])
        + rows(
            Decimal.self, "Decimal",
            [("1e400", "number 1e400"), ("\"1\"", "string \"1\"; drop the quotes"), ("false", "false")])
        + rows(
            URL.self, "URL",
            [
                ("\"\"", "string \"\""), ("\"a b\"", "string \"a b\""), ("\"http://[\"", "string \"http://[\""),
                ("1", "number 1"), ("[]", "an array"),
            ])
        + rows(
            UUID.self, "UUID", [("\"E621E1F8\"", "string \"E621E1F8\""), ("1", "number 1"), ("\"\"", "string \"\"")])
        // Foundation would read another UUID.
        + rows(
            UUID.self, "UUID",
            ["+", "-", " "].map { sign in
                let text = "\(sign)F1A3C0E-2E5B-4C1D-9A3B-0C247A3E6E5F"
                return ("\"\(text)\"", "string \"\(text)\"")
            })
        + rows(
            Data.self, "Data (a string in base64)",
            [
                ("\"a\"", "string \"a\""), ("\"aGk\"", "string \"aGk\""), ("\"é===\"", "string \"é===\""),
                ("\"====\"", "string \"====\""), ("\"AA=A\"", "string \"AA=A\""),
                ("\"aGl=\"", "string \"aGl=\""), ("\"Aww==\"", "string \"Aww==\""),
                ("\"AAAA====\"", "string \"AAAA====\""), ("[1]", "an array"),
            ])
        + rows(
            Date.self, "Date (such as \"2026-11-21T07:30:00Z\")",
            [("0", "number 0"), ("\"yesterday\"", "string \"yesterday\""), ("\"2026-11-21\"", "string \"2026-11-21\"")])
        + rows(
            Duration.self, "Duration (such as \"250ms\" or \"1h30m\")",
            [
                ("250", "number 250"), ("\"250\"", "string \"250\""), ("\"1 h\"", "string \"1 h\""),
                ("[1, 2]", "an array"),
            ])
        + rows([Int].self, "[Int] (an array)", [("1", "number 1"), ("{}", "an object"), ("\"[1]\"", "string \"[1]\"")])
        + rows(
            [String: Int].self, "[String: Int] (an object)", [("[]", "an array"), ("\"{}\"", "string \"{}\"")])
}
