import LocatorProperties
import Testing

@Suite("An integer fits the requested type, or is an error")
struct IntegerDecodingTests {
    @Test("Signed types, from their smallest value to their largest")
    func signedIntegers_decodeWithinBounds() throws {
        try check(Int8.self, "Int8", below: "-129", "-128", "127", above: "128")
        try check(Int16.self, "Int16", below: "-32769", "-32768", "32767", above: "32768")
        try check(Int32.self, "Int32", below: "-2147483649", "-2147483648", "2147483647", above: "2147483648")
        try check(
            Int64.self, "Int64", below: "-9223372036854775809", "-9223372036854775808", "9223372036854775807",
            above: "9223372036854775808")
        try check(
            Int.self, "Int", below: "-9223372036854775809", "-9223372036854775808", "9223372036854775807",
            above: "9223372036854775808")
        try check(
            Int128.self, "Int128", below: "-170141183460469231731687303715884105729",
            "-170141183460469231731687303715884105728", "170141183460469231731687303715884105727",
            above: "170141183460469231731687303715884105728")
    }

    @Test("Unsigned types, from zero to their largest value")
    func unsignedIntegers_decodeWithinBounds() throws {
        try check(UInt8.self, "UInt8", below: "-1", "0", "255", above: "256")
        try check(UInt16.self, "UInt16", below: "-1", "0", "65535", above: "65536")
        try check(UInt32.self, "UInt32", below: "-1", "0", "4294967295", above: "4294967296")
        try check(UInt64.self, "UInt64", below: "-1", "0", "18446744073709551615", above: "18446744073709551616")
        try check(UInt.self, "UInt", below: "-1", "0", "18446744073709551615", above: "18446744073709551616")
        try check(
            UInt128.self, "UInt128", below: "-1", "0", "340282366920938463463374607431768211455",
            above: "340282366920938463463374607431768211456")
    }

    @Test("Integers with 128 bits in a type, an array, and a single value of their own")
    func integersWith128Bits_decodeByTheirOwnFunctions() throws {
        struct Wide: Decodable, Equatable {
            var signed: Int128
            var unsigned: UInt128
            var list: [String]

            private enum CodingKeys: CodingKey { case signed, unsigned, list }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                signed = try container.decode(Int128.self, forKey: .signed)
                unsigned = try container.decode(UInt128.self, forKey: .unsigned)
                var numbers = try container.nestedUnkeyedContainer(forKey: .list)
                list = ["\(try numbers.decode(Int128.self))", "\(try numbers.decode(UInt128.self))"]
            }
        }
        let wide = try JSONValue(
            parsing: """
                {
                  "signed": -170141183460469231731687303715884105728,
                  "unsigned": 340282366920938463463374607431768211455,
                  "list": [-170141183460469231731687303715884105728, 340282366920938463463374607431768211455]
                }
                """
        ).decode(Wide.self)
        #expect(wide.signed == .min)
        #expect(wide.unsigned == .max)
        #expect(wide.list == ["\(Int128.min)", "\(UInt128.max)"])

        struct Alone: Decodable {
            var signed: Int128?
            var unsigned: UInt128?

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                signed = try? container.decode(Int128.self)
                unsigned = try? container.decode(UInt128.self)
            }
        }
        let large = try JSONValue(parsing: "\(UInt128.max)").decode(Alone.self)
        #expect(large.signed == nil && large.unsigned == .max)
        let negative = try JSONValue(parsing: "-1").decode(Alone.self)
        #expect(negative.signed == -1 && negative.unsigned == nil)
    }

    /// Checks a type wherever a number can be: alone, at a key, in an array, as a single value, and written in
    /// other ways.
    private func check<Value: FixedWidthInteger & Decodable & Sendable>(
        _ type: Value.Type, _ name: String, below: String, _ smallest: String, _ largest: String, above: String
    ) throws {
        for (text, value) in [(smallest, Value.min), (largest, Value.max), ("0", 0), ("1", 1)] {
            #expect(try JSONValue(parsing: text).decode(type) == value)
            #expect(try JSONValue(parsing: "\(text).0").decode(type) == value)
            #expect(try JSONValue(parsing: "\(text)e0").decode(type) == value)
            #expect(try JSONValue(parsing: "\(text).000e0").decode(type) == value)
            #expect(try JSONValue(parsing: "[\(text)]").decode([Value].self) == [value])
            #expect(try JSONValue(parsing: "{\"a\": \(text)}").decode([String: Value].self) == ["a": value])
            #expect(try JSONValue(parsing: "{\"a\": \(text)}").decode(Keyed<Value>.self).a == value)
            #expect(try JSONValue(parsing: text).decode(Value?.self) == value)
            #expect(try JSONValue(parsing: text).decode(Single<Value>.self).value == value)
        }
        for text in [below, above, "0.5", "1e-1", "1e400", "-1e400"] {
            #expect(decodingMessage(type, text) == "key: expected \(name), found number \(text) (f.json:1:1)")
            #expect(
                decodingMessage([Value].self, "[0, \(text)]")
                    == "key[1]: expected \(name), found number \(text) (f.json:1:5)")
            #expect(
                decodingMessage(Keyed<Value>.self, "{\"a\": \(text)}")
                    == "key.a: expected \(name), found number \(text) (f.json:1:7)")
        }
        for (text, found) in [
            ("true", "true"), ("null", "null"), ("\"1\"", "string \"1\"; drop the quotes"), ("[1]", "an array"),
            ("{}", "an object"),
        ] {
            #expect(decodingMessage(type, text) == "key: expected \(name), found \(found) (f.json:1:1)")
        }
    }

    private struct Keyed<Value: Decodable>: Decodable {
        let a: Value
    }

    private struct Single<Value: Decodable>: Decodable {
        let value: Value

        init(from decoder: any Decoder) throws {
            value = try decoder.singleValueContainer().decode(Value.self)
        }
    }
}
