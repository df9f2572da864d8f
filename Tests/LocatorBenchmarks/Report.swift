import Foundation

/// The table for people, and the lines for machines.
enum Report {
    static let header = line("operation", "time", "floor", "ratio", "target", "")

    static func row(_ measurement: Measurement) -> String {
        let mark =
            switch measurement.isMet {
            case true?: "met"
            case false?: "MISSED"
            case nil: ""
            }
        return line(
            measurement.benchmark.name, value(measurement.operation, measurement),
            "\(value(measurement.floor, measurement)) \(measurement.floorName)", number(measurement.ratio) + " x",
            target(measurement.benchmark.target), mark)
    }

    /// One JSON object a row, in one line.
    static func json(_ measurement: Measurement) -> String {
        let fields: [(String, String)] = [
            ("name", quoted(measurement.benchmark.name)),
            ("value", number(measurement.operation)),
            ("unit", quoted(unit(measurement))),
            ("floor", quoted(measurement.floorName)),
            ("floorValue", number(measurement.floor)),
            ("ratio", String(format: "%.4f", measurement.ratio)),
            ("target", quoted(target(measurement.benchmark.target))),
            ("met", measurement.isMet.map { "\($0)" } ?? "null"),
        ]
        return "{" + fields.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}"
    }

    private static func line(
        _ name: String, _ time: String, _ floor: String, _ ratio: String, _ target: String, _ mark: String
    ) -> String {
        [
            padded(name, 56), padded(time, 11), padded(floor, 46), padded(ratio, 9), padded(target, 10), mark,
        ].joined(separator: " ")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func unit(_ measurement: Measurement) -> String {
        switch measurement.benchmark.target {
        case .atMost, .nanoseconds, .none: "nanoseconds"
        case .atLeast: "times one thread"
        case .bytes: "bytes"
        }
    }

    private static func value(_ value: Double, _ measurement: Measurement) -> String {
        switch measurement.benchmark.target {
        case .atMost, .nanoseconds, .none: time(value)
        case .atLeast: number(value) + " x"
        case .bytes: number(value) + " B"
        }
    }

    private static func target(_ target: Benchmark.Target) -> String {
        switch target {
        case .atMost(let limit): "<= \(number(limit)) x"
        case .atLeast(let limit): ">= \(number(limit)) x"
        case .nanoseconds(let limit): "<= \(time(limit))"
        case .bytes(let limit): "<= +\(Int(limit)) B"
        case .none: ""
        }
    }

    private static func time(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<10_000: number(nanoseconds) + " ns"
        case ..<10_000_000: number(nanoseconds / 1000) + " us"
        default: number(nanoseconds / 1_000_000) + " ms"
        }
    }

    private static func number(_ value: Double) -> String {
        String(format: "%.2f", value)
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacingOccurrences(of: "\"", with: "\\\"") + "\""
    }
}
