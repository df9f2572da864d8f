import Foundation
import LocatorProperties
import Testing

@Suite("Dates are ISO 8601 with an offset")
struct DateDecodingTests {
    @Test(
        "Texts that decode, in seconds since 1970",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1970-01-01t00:00:00z", 0), ("1970-01-01T01:00:00+01:00", 0),
            ("1969-12-31T19:00:00-05:00", 0), ("1970-01-01T05:45:00+05:45", 0), ("1970-01-01T00:00:00+00:00", 0),
            ("1970-01-01T00:00:00-00:00", 0), ("1970-01-01T00:00:00.5Z", 0.5), ("1970-01-01T00:00:00,25Z", 0.25),
            ("1970-01-01T00:00:00.125+00:00", 0.125), ("1969-12-31T23:59:59Z", -1),
            ("2000-02-29T00:00:00Z", 951_782_400),
            ("2001-01-01T00:00:00Z", 978_307_200), ("2026-11-21T07:30:00Z", 1_795_246_200),
            ("2024-02-29T23:59:59Z", 1_709_251_199), ("1900-03-01T00:00:00Z", -2_203_891_200),
            ("9999-12-31T23:59:59Z", 253_402_300_799), ("0001-01-01T00:00:00Z", -62_135_596_800),
            ("0000-03-01T00:00:00Z", -62_162_035_200), ("2026-11-21T00:00:00+23:59", 1_795_132_860),
        ])
    func date_decodes(text: String, seconds: Double) throws {
        #expect(try JSONValue.string(text).decode(Date.self) == Date(timeIntervalSince1970: seconds))
    }

    @Test("Every day of four centuries is one day after the last")
    func date_isOneDayLater_dayAfterDay() throws {
        var expected: Double = -2_208_988_800
        for year in 1900..<2300 {
            for month in 1...12 {
                let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
                let days = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
                for day in 1...days {
                    let text = "\(year)-\(two(month))-\(two(day))T00:00:00Z"
                    let date = try JSONValue.string(text).decode(Date.self)
                    if date.timeIntervalSince1970 != expected { Issue.record("\(text): \(date)") }
                    expected += 86_400
                }
            }
        }
    }

    @Test(
        "Values that do not decode",
        arguments: [
            "", "2026", "2026-11-21", "2026-11-21T07:30:00", "2026-11-21T07:30Z", "2026-11-21 07:30:00Z",
            "20261121T073000Z",
            "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
            "2026-01-00T00:00:00Z", "1900-02-29T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T23:60:00Z",
            "2026-11-21T23:59:60Z", "2026-11-21T07:30:00.Z", "2026-11-21T07:30:00+1:00", "2026-11-21T07:30:00+0100",
            "2026-11-21T07:30:00+24:00", "2026-11-21T07:30:00+01:60", "2026-11-21T07:30:00Zx", " 2026-11-21T07:30:00Z",
            "-2026-11-21T07:30:00Z", "+2026-11-21T07:30:00Z", "2026-1-21T07:30:00Z", "２026-11-21T07:30:00Z",
        ])
    func date_isRefused(text: String) {
        let message = decodingMessage(Date.self, JSONValue.string(text).text())
        #expect(
            message
                == "key: expected Date (such as \"2026-11-21T07:30:00Z\"), found string \"\(text)\" (f.json:1:1)")
    }

    private func two(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
