import Foundation
import LocatorProperties
import Testing

@Suite("Numbers keep what was written, and convert exactly or not at all")
struct JSONNumberTests {
    @Test(
        "A number's text is kept",
        arguments: [
            "0", "-0", "0.0", "-0.0", "1", "1.0", "1.00", "1e0", "1E+02", "0.1", "1e400", "-1e-400",
            "12345678901234567890",
            "9223372036854775807", "-9223372036854775808", "170141183460469231731687303715884105727",
            "3.14159265358979323846264338327950288419716939937510",
        ])
    func text_isKept(text: String) throws {
        #expect(try JSONValue(parsing: text).numberValue?.text == text)
        #expect(JSONNumber(text)?.text == text)
    }

    @Test(
        "A text that is not a JSON number is nil",
        arguments: [
            "", "-", "+1", "01", "-01", ".5", "5.", "1e", "1e+", "e1", "0x1", "NaN", "Infinity", "1 ", " 1", "1_0", "１",
        ])
    func number_isNil_whenTextIsNone(text: String) {
        #expect(JSONNumber(text) == nil)
    }

    @Test(
        "Numbers are equal if their values are",
        arguments: [
            ["1", "1.0", "1.000", "10e-1", "0.1e1", "1e0", "1E-0", "100e-2"],
            ["0", "-0", "0.0", "0e5", "-0.000e-99999999999999999999"],
            ["-12.5", "-125e-1", "-0.125e2", "-12.50"],
            ["1e400", "10e399", "1000e397", "1.0e400", "0.001e403"],
            ["12345678901234567890", "1234567890123456789e1", "12345678901234567890.0"],
            ["100", "1e2", "1E+2", "1e00000000000000000000000000000000000000000000002"],
            ["1e9999999999999999999999", "10e9999999999999999999998"],
        ])
    func numbers_areEqual_whenValuesAre(texts: [String]) throws {
        let numbers = try texts.map { try #require(JSONNumber($0)) }
        for left in numbers {
            for right in numbers {
                #expect(left == right)
                #expect(left.hashValue == right.hashValue)
                #expect(JSONValue.number(left) == JSONValue.number(right))
                #expect(JSONValue.number(left).hashValue == JSONValue.number(right).hashValue)
            }
        }
    }

    @Test(
        "Numbers that differ in the last digit differ",
        arguments: [
            ("1", "-1"), ("1", "1.0000000000000000000000001"), ("12345678901234567890", "12345678901234567891"),
            ("9007199254740992", "9007199254740993"), ("1e400", "1e401"), ("1e400", "-1e400"),
            ("0.1", "0.10000000000000001"),
            ("1e9999999999999999999999", "1e9999999999999999999998"), ("9223372036854775807", "9223372036854775808"),
        ])
    func numbers_differ_whenValuesDo(left: String, right: String) throws {
        #expect(try JSONValue(parsing: left) != JSONValue(parsing: right))
    }

    @Test(
        "Doubles are the nearest ones",
        arguments: [
            ("0.1", 0.1), ("1e23", 1e23), ("-0", -0.0), ("1.7976931348623157e308", Double.greatestFiniteMagnitude),
            ("4.9e-324", Double.leastNonzeroMagnitude),
            ("2.2250738585072011e-308", Double(bitPattern: 0x000f_ffff_ffff_ffff)),
            ("9007199254740993", 9_007_199_254_740_992), ("12345678901234567890", 12_345_678_901_234_567_168),
            ("0.1000000000000000055511151231257827", 0.1), ("0e999", 0),
            ("123456789012345678", 123_456_789_012_345_680),
        ])
    func double_isNearest(text: String, expected: Double) throws {
        let value = try #require(JSONNumber(text)?.doubleValue)
        #expect(value == expected)
        #expect(value.sign == expected.sign)
    }

    @Test(
        "Doubles that would overflow or underflow are nil",
        arguments: [
            "1e400", "-1e400", "1.8e308", "1e-400", "-1e-400", "1e99999999999999999999", "1e-99999999999999999999",
        ])
    func double_isNil_whenOutOfRange(text: String) {
        #expect(JSONNumber(text)?.doubleValue == nil)
    }

    @Test("A Float is rounded once, and can be out of range when a Double is not")
    func float_isRoundedOnce() {
        #expect(JSONNumber("0.1")?.floatingPoint(as: Float.self) == 0.1)
        // Rounded to a Double first, this would be on the other side of the limit.
        #expect(JSONNumber("1.000000059604644775390626")?.floatingPoint(as: Float.self) == Float(1).nextUp)
        #expect(JSONNumber("3.5e38")?.floatingPoint(as: Float.self) == nil)
        #expect(JSONNumber("1e-50")?.floatingPoint(as: Float.self) == nil)
    }

    @Test(
        "Decimals are exact or nil",
        arguments: [
            ("0.1", "0.1"), ("12345678901234567890.123456789", "12345678901234567890.123456789"), ("-0", "0"),
            ("1.0", "1"),
            ("-1.50", "-1.5"), ("340282366920938463463374607431768211455", "340282366920938463463374607431768211455"),
            ("1e127", "1" + String(repeating: "0", count: 127)),
            ("1e-127", "0." + String(repeating: "0", count: 126) + "1"),
            ("0e999", "0"),
        ])
    func decimal_isExact(text: String, expected: String) throws {
        let value = try #require(JSONNumber(text)?.decimalValue)
        #expect(value == Decimal(string: expected))
        #expect(value.description == expected)
    }

    @Test(
        "Decimals with too many digits or too large an exponent are nil",
        arguments: [
            "340282366920938463463374607431768211456", "0.1234567890123456789012345678901234567890123", "1e400",
            "1e-400", "1e128", "-1e140", "9e130",
            "1e999999999999999999999999999999999999999999",
        ])
    func decimal_isNil_whenNotExact(text: String) {
        #expect(JSONNumber(text)?.decimalValue == nil)
    }

    @Test(
        "Numbers without a fraction convert to integers",
        arguments: [
            ("1.0", 1), ("1e3", 1000), ("-1.50e1", -15), ("-0", 0), ("0.0", 0), ("1200e-2", 12),
            ("0e99999999999999999999999", 0),
        ])
    func integer_isExact_whenThereIsNoFraction(text: String, expected: Int) {
        #expect(JSONNumber(text)?.integer(as: Int.self) == expected)
    }

    @Test(
        "Fractions and numbers out of range do not convert to integers",
        arguments: [
            "1.5", "0.1", "1e-1", "1e19", "1e400", "-9223372036854775809", "9223372036854775808",
            "1e4000000000000000000000000",
        ])
    func integer_isNil_whenNotExact(text: String) {
        #expect(JSONNumber(text)?.integer(as: Int.self) == nil)
    }

    @Test("Numbers are created from integers and doubles")
    func number_isMade_ofNumbers() {
        #expect(JSONNumber(UInt64.max).text == "18446744073709551615")
        #expect(JSONNumber(Int128.min).text == "-170141183460469231731687303715884105728")
        #expect(JSONNumber(0.1)?.text == "0.1")
        #expect(JSONNumber(1e300)?.text == "1e+300")
        #expect(JSONNumber(Double.nan) == nil)
        #expect(JSONNumber(-Double.infinity) == nil)
    }
}
