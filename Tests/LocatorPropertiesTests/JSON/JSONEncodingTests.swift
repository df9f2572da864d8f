import LocatorProperties
import Testing

@Suite("The reader takes valid UTF-8 and nothing else")
struct JSONEncodingTests {
    @Test("Invalid bytes in a string are an error with a message", arguments: broken)
    func read_throws_whenBytesAreNotUTF8(bytes: [UInt8], found: String) {
        let isOther = found.hasPrefix("the byte") || found.hasSuffix("breaks off")
        let end =
            isOther ? "; the file is in another encoding, Latin-1 perhaps: save it as UTF-8" : "; save it as UTF-8"
        let message = "f.json:1:3: expected UTF-8, found \(found)\(end)"
        let quote = UInt8(ascii: "\"")
        #expect(refusal(of: [quote, UInt8(ascii: "a")] + bytes + [quote]) == message)
        #expect(refusal(of: [quote, UInt8(ascii: "a")] + bytes + Array("longer than a word\"".utf8)) == message)
    }

    private static let broken: [([UInt8], String)] = [
        ([0x80], "the byte 0x80, which continues a character that has not begun"),
        ([0xbf], "the byte 0xBF, which continues a character that has not begun"),
        ([0xc0, 0x80], "a character that begins with 0xC0 and is longer than necessary"),
        ([0xc1, 0xbf], "a character that begins with 0xC1 and is longer than necessary"),
        ([0xc2], "a character that begins with 0xC2 and breaks off"),
        ([0xc2, 0x41], "a character that begins with 0xC2 and breaks off"),
        ([0xc2, 0xc2], "a character that begins with 0xC2 and breaks off"),
        ([0xe0, 0x80, 0x80], "a character that begins with 0xE0 and is longer than necessary"),
        ([0xe0, 0x9f, 0xbf], "a character that begins with 0xE0 and is longer than necessary"),
        ([0xe2], "a character that begins with 0xE2 and breaks off"),
        ([0xe2, 0x82], "a character that begins with 0xE2 and breaks off"),
        ([0xe2, 0x28, 0xa1], "a character that begins with 0xE2 and breaks off"),
        ([0xed, 0xa0, 0x80], "a surrogate that begins with 0xED"),
        ([0xed, 0xbf, 0xbf], "a surrogate that begins with 0xED"),
        ([0xf0, 0x80, 0x80, 0x80], "a character that begins with 0xF0 and is longer than necessary"),
        ([0xf0, 0x8f, 0xbf, 0xbf], "a character that begins with 0xF0 and is longer than necessary"),
        ([0xf0, 0x9f, 0x98], "a character that begins with 0xF0 and breaks off"),
        ([0xf4, 0x90, 0x80, 0x80], "a character that begins with 0xF4 and is beyond U+10FFFF"),
        ([0xf5, 0x80, 0x80, 0x80], "the byte 0xF5, which UTF-8 never contains"),
        ([0xf8, 0x88, 0x80, 0x80, 0x80], "the byte 0xF8, which UTF-8 never contains"),
        ([0xfe], "the byte 0xFE, which UTF-8 never contains"),
        ([0xff], "the byte 0xFF, which UTF-8 never contains"),
    ]

    @Test(
        "Bytes at the limits of UTF-8 are read",
        arguments: [
            "\u{7f}", "\u{80}", "\u{7ff}", "\u{800}", "\u{d7ff}",
            "\u{e000}", "\u{ffff}", "\u{10000}", "\u{10ffff}",
        ])
    func read_givesText_whenBytesAreUTF8(text: String) throws {
        #expect(try JSONValue(parsing: "\"\(text)\"").stringValue == text)
    }

    @Test("A text that ends within a character is an error")
    func read_throws_whenTextEndsWithinCharacter() {
        #expect(
            refusal(of: [UInt8(ascii: "\""), 0xe2, 0x82])
                == "f.json:1:2: expected UTF-8, found a character that begins with 0xE2 and breaks off; the file is in another encoding, Latin-1 perhaps: save it as UTF-8"
        )
    }

    @Test("Invalid bytes outside strings are also named")
    func read_throws_whenBytesOutsideOfStringsAreNotUTF8() {
        #expect(
            refusal(of: [UInt8(ascii: "["), 0xff, UInt8(ascii: "]")])
                == "f.json:1:2: expected UTF-8, found the byte 0xFF, which UTF-8 never contains; the file is in another encoding, Latin-1 perhaps: save it as UTF-8"
        )
    }

    @Test("A byte order mark at the beginning is skipped and does not count as a column")
    func read_skipsByteOrderMark() throws {
        let value = try JSONValue(parsing: [0xef, 0xbb, 0xbf] + Array(#"{"a":1}"#.utf8))
        #expect(value == ["a": 1])
        #expect(value["a"]?.position == JSONPosition(line: 1, column: 6))
    }

    @Test(
        "Other encodings are named in the error",
        arguments: [
            ([0xff, 0xfe, 0x5b, 0x00, 0x5d, 0x00], "UTF-16"), ([0xfe, 0xff, 0x00, 0x5b, 0x00, 0x5d], "UTF-16"),
            ([0x5b, 0x00, 0x5d, 0x00], "UTF-16"), ([0x00, 0x5b, 0x00, 0x5d], "UTF-16"),
            ([0xff, 0xfe, 0x00, 0x00, 0x5b, 0x00, 0x00, 0x00], "UTF-32"), ([0x00, 0x00, 0x00, 0x5b], "UTF-32"),
            ([0x5b, 0x00, 0x00, 0x00], "UTF-32"), ([0x00, 0x00, 0xfe, 0xff], "UTF-32"),
        ] as [([UInt8], String)])
    func read_throws_whenEncodingIsAnother(bytes: [UInt8], name: String) {
        #expect(refusal(of: bytes) == "f.json:1:1: expected UTF-8, found \(name); save the file as UTF-8")
    }
}
