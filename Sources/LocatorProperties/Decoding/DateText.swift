#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Parses ISO 8601 dates in the extended form: `2026-11-21T07:30:00.250+01:00`.
///
/// The offset is required, as `Z` or `±hh:mm`, because a date without one means a different moment on every machine. A
/// date without a time is refused for the same reason. The fraction may have any number of digits.
package enum DateText {
    static func date(_ text: String) -> Date? {
        var reader = Reader(rest: Array(text.utf8)[...])
        guard
            let year = reader.number(digits: 4), reader.take("-"),
            let month = reader.number(digits: 2), (1...12).contains(month), reader.take("-"),
            let day = reader.number(digits: 2), (1...days(inMonth: month, of: year)).contains(day),
            reader.take("T") || reader.take("t"),
            let hour = reader.number(digits: 2), (0...23).contains(hour), reader.take(":"),
            let minute = reader.number(digits: 2), (0...59).contains(minute), reader.take(":"),
            let second = reader.number(digits: 2), (0...59).contains(second),
            let fraction = reader.fraction(),
            let offset = reader.offset(),
            reader.rest.isEmpty
        else { return nil }
        let minutes = (days(since1970: year, month, day) * 24 + hour) * 60 + minute - offset
        // Counted from the reference date, so that the fraction is added to a smaller number.
        let seconds = minutes * 60 + second - 978_307_200
        return Date(timeIntervalSinceReferenceDate: Double(seconds) + fraction)
    }

    /// Whether a text lacks only the time to be the expected date.
    package static func isDay(_ text: String, expecting expected: String) -> Bool {
        guard expected == TypeName.expected(Date.self), case .some = date("\(text)T00:00:00Z") else { return false }
        return true
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        days(since1970: year, month + 1, 1) - days(since1970: year, month, 1)
    }

    /// Returns the days from 1 January 1970 to a date of the Gregorian calendar, where month 13 is the next January.
    ///
    /// The years begin in March, so that the leap day is the last day of its year.
    private static func days(since1970 year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard let first = rest.first, UInt32(first) == character.value else { return false }
            rest.removeFirst()
            return true
        }

        mutating func number(digits: Int) -> Int? {
            guard rest.count >= digits else { return nil }
            var value = 0
            for byte in rest.prefix(digits) {
                guard byte.isDigit else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            rest.removeFirst(digits)
            return value
        }

        /// Reads the fraction of a second: 0 if there is none, nil if no digit follows the point.
        mutating func fraction() -> Double? {
            guard take(".") || take(",") else { return 0 }
            let digits = rest.prefix(while: \.isDigit)
            guard !digits.isEmpty else { return nil }
            rest.removeFirst(digits.count)
            return Double("0." + String(decoding: digits, as: UTF8.self))
        }

        /// Reads the offset from Greenwich, in minutes.
        mutating func offset() -> Int? {
            if take("Z") || take("z") { return 0 }
            let sign = take("+") ? 1 : take("-") ? -1 : 0
            guard
                sign != 0, let hours = number(digits: 2), hours <= 23, take(":"),
                let minutes = number(digits: 2), minutes <= 59
            else { return nil }
            return sign * (hours * 60 + minutes)
        }
    }
}
