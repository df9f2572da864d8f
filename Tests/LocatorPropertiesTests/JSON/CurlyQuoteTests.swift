import LocatorProperties
import Testing

@Suite("Curly quotes, as word processors write them, are reported with those of JSON")
struct CurlyQuoteTests {
    @Test(arguments: [
        ("{\u{201C}a\u{201D}: 1}", "1:2: expected a key in double quotes or '}', found '\u{201C}'"),
        (#"{"a": 1, \#u{201E}b"}"#, "1:10: expected a key in double quotes, found '\u{201E}'"),
        (#"{"a": \#u{201D}b"}"#, "1:7: expected a value, found '\u{201D}'"),
        (#"{"a": [\#u{201C}b"]}"#, "1:8: expected a value or ']', found '\u{201C}'"),
    ])
    func quote(text: String, expected: String) {
        #expect(
            message { _ = try load(["": text]) }
                == "application.json:\(expected); JSON has straight quotes only: \"")
    }
}
