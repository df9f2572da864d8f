import LocatorProperties
import Testing

@Suite("Durations are numbers with units")
struct DurationDecodingTests {
    @Test(
        "Values that decode",
        arguments: [
            ("0", .zero), ("0s", .zero), ("250ms", .milliseconds(250)), ("1h30m", .seconds(5400)), ("1s", .seconds(1)),
            ("1d", .seconds(86_400)), ("1d2h3m4s5ms6us7ns", .nanoseconds(93_784_005_006_007)), ("90m", .seconds(5400)),
            ("1.5s", .milliseconds(1500)), ("0.25h", .seconds(900)), ("1m0.5s", .milliseconds(60_500)),
            ("5us", .microseconds(5)), ("5\u{b5}s", .microseconds(5)), ("5\u{3bc}s", .microseconds(5)),
            ("9ns", .nanoseconds(9)),
            ("-250ms", .milliseconds(-250)), ("-1h30m", .seconds(-5400)), ("0.000000001ns", Duration(attoseconds: 1)),
            ("0.1ns", Duration(attoseconds: 100_000_000)), ("9223372036854775807s", .seconds(Int64.max)),
            ("007s", .seconds(7)),
        ] as [(String, Duration)])
    func duration_decodes(text: String, expected: Duration) throws {
        #expect(try JSONValue.string(text).decode(Duration.self) == expected)
    }

    @Test(
        "Values that do not decode",
        arguments: [
            "", "-", "1", "250", "1.5", "s", "ms", "1 s", " 1s", "1s ", "1x", "1S", "1H", "1min", "1hour", "+1s",
            "1s1h", "1s1s",
            "1ms1s", "1.s", ".5s", "1.5h30m", "1e3s", "--1s", "1h-30m", "1,5s", "٣s", "0.0000000001ns",
            "0.00000000001ns", "1.00000000000000000009s", "0.0000000000000000000000001h", "1w", "1y",
            "PT1H",
            "9223372036854775808s", "99999999999999999999999999999999999999999d", "1s\n", "infinity",
        ])
    func duration_isRefused(text: String) {
        let message = decodingMessage(Duration.self, JSONValue.string(text).text())
        #expect(message.hasPrefix("key: expected Duration (such as \"250ms\" or \"1h30m\"), found string"))
    }
}
