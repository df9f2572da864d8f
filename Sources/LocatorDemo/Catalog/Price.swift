/// An amount of money, written in profile files as a number: `12.50`.
struct Price: Hashable, Comparable, Sendable {
    var cents: Int

    static func + (left: Price, right: Price) -> Price {
        Price(cents: left.cents + right.cents)
    }

    static func < (left: Price, right: Price) -> Bool {
        left.cents < right.cents
    }

    /// The price without a share of it.
    func reduced(by share: Double) -> Price {
        Price(cents: cents - Int((Double(cents) * share).rounded()))
    }
}

extension Price: CustomStringConvertible {
    var description: String {
        "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
    }
}

// Any Decodable type can be a setting.
extension Price: Decodable {
    init(from decoder: any Decoder) throws {
        let amount = try decoder.singleValueContainer().decode(Double.self)
        cents = Int((amount * 100).rounded())
    }
}
