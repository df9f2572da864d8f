import Foundation
import LocatorProperties
import Testing

@Suite("JSON values are values")
struct JSONValueTests {
    @Test("Literals create every kind of value")
    func literals_giveValues() throws {
        let name = "shop"
        let value: JSONValue = [
            "name": "\(name)", "port": 8080, "big": 18_446_744_073_709_551_615, "ratio": 0.5, "on": true, "none": nil,
            "list": [1, "two", [], [:]],
        ]
        #expect(
            value.text()
                == #"{"name":"shop","port":8080,"big":18446744073709551615,"ratio":0.5,"on":true,"none":null,"list":[1,"two",[],{}]}"#
        )
        #expect(try JSONValue(parsing: value.text()) == value)
    }

    @Test("Content distinguishes the kinds, and recreates the same value")
    func content_givesValueAgain() throws {
        let value = try JSONValue(parsing: #"[null,true,1,2.50,"a",[1],{"b":2}]"#)
        for element in try #require(value.arrayValue) {
            #expect(JSONValue(element.content) == element)
            #expect(JSONValue(element.content).text() == element.text())
            #expect(JSONValue(element.content).content == element.content)
        }
    }

    @Test("A value is read only as its own kind")
    func accessors_giveNil_whenKindIsAnother() throws {
        let value: JSONValue = ["a": [true, "x", 1, nil]]
        let list = try #require(value["a"])
        #expect(list[0]?.booleanValue == true)
        #expect(list[1]?.stringValue == "x")
        #expect(list[2]?.numberValue == JSONNumber(1))
        #expect(list[3]?.isNull == true)
        #expect(list[4] == nil)
        #expect(list[-1] == nil)
        #expect(list["a"] == nil)
        #expect(value[0] == nil)
        #expect(value["b"] == nil)
        #expect(list[0]?.stringValue == nil)
        #expect(list[0]?.numberValue == nil)
        #expect(list[2]?.booleanValue == nil)
        #expect(list.objectValue == nil)
        #expect(value.arrayValue == nil)
    }

    @Test(
        "Equal values are equal, regardless of their place and the order of keys",
        arguments: [
            (#"{"a":1,"b":[2,{"c":3}]}"#, " { \"b\" : [ 2.0 ,\n {\"c\":30e-1} ] , \"a\" : 1.0 } "),
            ("[]", "[ ]"), ("{}", "{ }"), (#""\u0061""#, #""a""#), ("[1,[2,[3]]]", "[1.0,[2.0,[3.0]]]"),
        ])
    func values_areEqual_whenTheyMeanTheSame(left: String, right: String) throws {
        let left = try JSONValue(parsing: left)
        let right = try JSONValue(parsing: right)
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
    }

    @Test(
        "Values of other kinds or other contents differ",
        arguments: [
            ("1", "true"), ("0", "false"), ("0", "null"), (#""1""#, "1"), ("[]", "{}"), ("[1]", "[1,1]"),
            ("[1,2]", "[2,1]"),
            (#"{"a":1}"#, #"{"a":2}"#), (#"{"a":1}"#, #"{"b":1}"#), (#"{"a":1}"#, #"{"a":1,"b":1}"#),
            (#"{"a":null}"#, "{}"), (#"{"a":{"b":1}}"#, #"{"a":{"b":2}}"#), ("\"\u{e9}\"", "\"e\u{301}\""),
            ("{\"\u{e9}\":1}", "{\"e\u{301}\":1}"),
        ])
    func values_differ_whenTheyMeanAnother(left: String, right: String) throws {
        #expect(try JSONValue(parsing: left) != JSONValue(parsing: right))
        #expect(try JSONValue(parsing: right) != JSONValue(parsing: left))
    }

    @Test("The pretty style has one key or element per line")
    func pretty_breaksLines() {
        let value: JSONValue = ["a": [1, [], ["b": [:]]], "c": "d\n"]
        #expect(
            value.text(.pretty) == """
                {
                  "a": [
                    1,
                    [],
                    {
                      "b": {}
                    }
                  ],
                  "c": "d\\n"
                }
                """)
        #expect(value.bytes() == Array(value.text().utf8))
        #expect("\(value)" == value.text())
    }

    @Test("Every control character and every quote is written so that it can be read")
    func text_isReadable_whateverScalarItHas() throws {
        for code: UInt8 in 0...0xff {
            let text = "a\(Unicode.Scalar(code))z"
            let value: JSONValue = [text: .string(text)]
            #expect(try JSONValue(parsing: value.text()) == value, "U+\(String(code, radix: 16))")
            #expect(
                !value.text().unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f },
                "U+\(String(code, radix: 16))")
        }
    }

    @Test("Bytes are read from any collection of bytes")
    func value_isRead_fromAnySequenceOfBytes() throws {
        let text = "{\"a\": [1, \"two\"]}"
        let expected: JSONValue = ["a": [1, "two"]]
        #expect(try JSONValue(parsing: Data(text.utf8)) == expected)
        #expect(try JSONValue(parsing: Array("xx\(text)".utf8)[2...]) == expected)
        #expect(try JSONValue(parsing: text.utf8.lazy.map { $0 }) == expected)
        #expect(try JSONValue(parsing: NSString(string: text) as String) == expected)
        #expect(refusal(of: []) == "f.json:1:1: expected a value, found an empty text")
    }

    @Test("An error has the same text in every way of printing it")
    func error_saysTheSame_whoeverPrintsIt() {
        let error = #expect(throws: PropertiesError.self) { try JSONValue(parsing: "[1", file: "f.json") }
        let message = "f.json:1:3: expected ',' or ']', found the end of the text; the array from 1:1 is not closed"
        #expect(error?.description == message)
        #expect(error.map { String(reflecting: $0) } == message)
        #expect(error?.localizedDescription == message)
    }

    @Test("A node marked as secret is masked in every text, unless the call says otherwise")
    func secret_isMasked_whenValueIsPrinted() throws {
        var value: JSONValue = ["user": "me", "password": "hunter2"]
        value.updateObject { object in
            guard let index = object.index(ofKey: "password") else { return }
            object.updateValue(at: index) { $0.flags = [.secret] }
        }
        #expect("\(value)" == #"{"user":"me","password":"<secret>"}"#)
        var dumped = ""
        dump(value, to: &dumped)
        #expect(!dumped.contains("hunter2"))
        #expect(!String(reflecting: [value]).contains("hunter2"))
        #expect(value.text() == #"{"user":"me","password":"<secret>"}"#)
        #expect(String(decoding: value.bytes(), as: UTF8.self) == #"{"user":"me","password":"<secret>"}"#)
        #expect(value.text(showingSecrets: true) == #"{"user":"me","password":"hunter2"}"#)
        #expect(
            String(decoding: value.bytes(showingSecrets: true), as: UTF8.self)
                == #"{"user":"me","password":"hunter2"}"#)
        #expect(value == ["user": "me", "password": "hunter2"])
    }

    @Test("Text that contains a secret is masked in part if its form shows which part")
    func text_isMaskedInPart() {
        var url: JSONValue = "https://me:hunter2@host/x"
        #expect(url.text() == #""https://me:hunter2@host/x""#)
        url.flags = [.holdsSecret]
        #expect(url.text() == #""https://me:<secret>@host/x""#)
        var other: JSONValue = "nothing to see"
        other.flags = [.holdsSecret]
        #expect(other.text() == #""<secret>""#)
    }
}
