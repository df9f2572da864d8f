/// Parses durations as configurations write them: `250ms`, `1h30m`, `1.5s`.
///
/// A duration is a series of numbers with units, in descending order: `d`, `h`, `m`, `s`, `ms`, `us` or `µs`, `ns`. The
/// last number may have a fraction. A leading minus sign applies to the whole duration. A number without a unit is
/// refused, because it is unclear whether it means seconds or milliseconds. Only `0` needs no unit.
enum DurationText {
    /// The units in nanoseconds, the largest first.
    private static let units: [(name: String, nanoseconds: Int128)] = [
        ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000),
        ("ms", 1_000_000), ("us", 1_000), ("ns", 1),
    ]

    /// Returns the duration that a text describes, or nil if it is not a duration, finer than an attosecond, or too
    /// long.
    static func duration(_ text: String) -> Duration? {
        if text == "0" { return .zero }
        var rest = Substring(text)
        let isNegative = rest.first == "-"
        if isNegative { rest.removeFirst() }
        var total: Int128 = 0
        var nextUnit = 0
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            guard let whole = takeDigits(&rest) else { return nil }
            var fraction: Substring = ""
            if rest.first == "." {
                rest.removeFirst()
                guard let digits = takeDigits(&rest) else { return nil }
                fraction = digits
            }
            let name = rest.prefix { $0.isLetter }
            rest = rest[name.endIndex...]
            // There are two code points for micro: U+00B5 and U+03BC.
            let plainName = name == "\u{b5}s" || name == "\u{3bc}s" ? "us" : String(name)
            guard let unit = units[nextUnit...].firstIndex(where: { $0.name == plainName }) else { return nil }
            nextUnit = unit + 1
            let attoseconds = units[unit].nanoseconds * 1_000_000_000
            guard fraction.isEmpty || rest.isEmpty,
                let part = Self.attoseconds(whole: whole, fraction: fraction, unit: attoseconds)
            else { return nil }
            let (sum, overflows) = total.addingReportingOverflow(part)
            guard !overflows else { return nil }
            total = sum
        }
        return duration(attoseconds: isNegative ? -total : total)
    }

    private static func duration(attoseconds: Int128) -> Duration? {
        let (seconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
        guard let seconds = Int64(exactly: seconds), let rest = Int64(exactly: rest) else { return nil }
        return Duration(secondsComponent: seconds, attosecondsComponent: rest)
    }

    private static func takeDigits(_ rest: inout Substring) -> Substring? {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        rest = rest[digits.endIndex...]
        return digits.isEmpty ? nil : digits
    }

    private static func attoseconds(whole: Substring, fraction: Substring, unit: Int128) -> Int128? {
        guard let whole = Int128(whole) else { return nil }
        var (total, overflows) = whole.multipliedReportingOverflow(by: unit)
        guard !overflows else { return nil }
        var part = unit
        for character in fraction {
            guard let digit = character.wholeNumberValue else { return nil }
            let (tenth, rest) = part.quotientAndRemainder(dividingBy: 10)
            guard digit == 0 || tenth > 0 && rest == 0 else { return nil }
            part = tenth
            (total, overflows) = total.addingReportingOverflow(Int128(digit) * part)
            guard !overflows else { return nil }
        }
        return total
    }
}
