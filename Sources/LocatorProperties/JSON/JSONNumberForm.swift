/// A number in canonical form: its sign, its digits without leading and trailing zeros, and the power of ten of the
/// last digit.
///
/// Equal numbers have equal forms. Zero has no digits, no sign, and the exponent 0.
struct JSONNumberForm: Hashable {
    private(set) var isNegative = false
    /// The digits as values 0...9, the most significant first.
    private(set) var digits: [UInt8] = []
    private(set) var exponent: Int128 = 0
    /// The number's text if its exponent is too long to calculate with (38 digits and more).
    ///
    /// Such numbers are compared by text.
    private(set) var hugeExponent: String?

    init(_ number: JSONNumber) {
        var written: Int128 = 0
        var isExponentNegative = false
        var exponentDigits = 0
        var isInExponent = false
        var isInFraction = false
        for byte in number.text.utf8 {
            switch byte {
            case UInt8(ascii: "-"):
                if isInExponent { isExponentNegative = true } else { isNegative = true }
            case UInt8(ascii: "."):
                isInFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                isInExponent = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let digit = byte - UInt8(ascii: "0")
                if isInExponent {
                    if exponentDigits > 0 || digit > 0 { exponentDigits += 1 }
                    if exponentDigits <= 37 { written = written * 10 + Int128(digit) }
                } else {
                    if isInFraction { exponent -= 1 }
                    if digit > 0 || !digits.isEmpty { digits.append(digit) }
                }
            default:
                break
            }
        }
        while digits.last == 0 {
            digits.removeLast()
            exponent += 1
        }
        guard !digits.isEmpty else {
            isNegative = false
            exponent = 0
            return
        }
        if exponentDigits > 37 {
            hugeExponent = number.text
        }
        exponent += isExponentNegative ? -written : written
    }

    static func isNumber(_ text: String) -> Bool {
        var rest = Substring(text).utf8
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        func skipDigits() -> Int {
            let count = rest.count
            rest = rest.drop(while: \.isDigit)
            return count - rest.count
        }
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let count = skipDigits()
        guard count > 0, !(startsWithZero && count > 1) else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard skipDigits() > 0 else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
            guard skipDigits() > 0 else { return false }
        }
        return rest.isEmpty
    }
}
