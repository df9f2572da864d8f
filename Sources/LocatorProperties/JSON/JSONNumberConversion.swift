#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension JSONNumber {
    /// Returns the number as an integer type, or nil if it has a fraction or does not fit.
    ///
    /// `1.0` and `1e3` are integers.
    public func integer<Value: FixedWidthInteger>(as type: Value.Type = Value.self) -> Value? {
        switch storage {
        case .integer(let value):
            return Value(exactly: value)
        case .text:
            let form = JSONNumberForm(self)
            // No integer type of up to 128 bits has more than 39 digits. Wider types do not justify an unlimited loop.
            guard form.hugeExponent == nil, form.exponent >= 0, form.exponent < 4096 else { return nil }
            var value: Value = 0
            for digit in form.digits {
                guard let next = Self.append(digit, to: value, isNegative: form.isNegative) else { return nil }
                value = next
            }
            for _ in 0..<Int(form.exponent) {
                guard let next = Self.append(0, to: value, isNegative: form.isNegative) else { return nil }
                value = next
            }
            return value
        }
    }

    /// Whether the number has no fraction, however large it is.
    ///
    /// `1.0` and `1e3` have none.
    package var isWhole: Bool {
        switch storage {
        case .integer: true
        case .text: JSONNumberForm(self).exponent >= 0
        }
    }

    /// Returns the value with another digit, away from zero, or nil if it overflows.
    private static func append<Value: FixedWidthInteger>(_ digit: UInt8, to value: Value, isNegative: Bool) -> Value? {
        guard let ten = Value(exactly: 10), let digit = Value(exactly: digit) else { return nil }
        let (product, isTooLarge) = value.multipliedReportingOverflow(by: ten)
        guard !isTooLarge else { return nil }
        let (sum, overflows) =
            isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
        return overflows ? nil : sum
    }

    /// The nearest `Double`, or nil if the number is too large, or so small that it would become zero.
    public var doubleValue: Double? {
        switch storage {
        case .integer(let value): Double(value)
        case .text: floatingPoint()
        }
    }

    /// Returns the nearest value of a floating-point type, rounded once, or nil if the number is too large, or so small
    /// that it would become zero.
    public func floatingPoint<Value: BinaryFloatingPoint & LosslessStringConvertible>(
        as type: Value.Type = Value.self
    ) -> Value? {
        guard let value = Value(text), value.isFinite else { return nil }
        if value.isZero, !JSONNumberForm(self).digits.isEmpty { return nil }
        return value
    }

    /// Returns the number as a floating-point type, like ``floatingPoint(as:)``, but nil for a whole number without
    /// point and exponent that the type cannot represent exactly.
    ///
    /// A point or an exponent means that the nearest value is acceptable.
    func value<Value: BinaryFloatingPoint & LosslessStringConvertible>(as type: Value.Type) -> Value? {
        guard let nearest = floatingPoint(as: type) else { return nil }
        guard isWrittenWhole else { return nearest }
        // A larger number is treated as inexact, because floating-point types keep far fewer than 38 digits.
        guard let exact = integer(as: Int128.self) else { return nil }
        return Int128(exactly: nearest) == exact ? nearest : nil
    }

    /// Whether the number is written without point and exponent.
    var isWrittenWhole: Bool {
        switch storage {
        case .integer: true
        case .text(let text): text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0.isDigit }
        }
    }

    /// The number as a `Decimal`, or nil if it has more digits, or a larger exponent, than a `Decimal` can represent.
    public var decimalValue: Decimal? {
        let form = JSONNumberForm(self)
        guard form.hugeExponent == nil, (-128...255).contains(form.exponent) else { return nil }
        var significand: UInt128 = 0
        for digit in form.digits {
            guard let next = Self.append(digit, to: significand, isNegative: false) else { return nil }
            significand = next
        }
        var exponent = Int(form.exponent)
        while exponent > 127 {
            guard let next = Self.append(0, to: significand, isNegative: false) else { return nil }
            significand = next
            exponent -= 1
        }
        let high = UInt64(truncatingIfNeeded: significand >> 64)
        let low = UInt64(truncatingIfNeeded: significand)
        let whole = Decimal(high) * (Decimal(UInt64.max) + 1) + Decimal(low)
        let decimal = Decimal(sign: form.isNegative ? .minus : .plus, exponent: exponent, significand: whole)
        // Foundation removes zeros at the end, and then the exponent may be too large for it.
        return decimal.isNaN ? nil : decimal
    }
}
