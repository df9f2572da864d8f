import Foundation
import Locator
import TestSupport
import Testing

/// While a load makes its `.always` instances, it may still be undone, and another thread can load.
@Suite("Overlapping loads of the settings leave nothing behind if they fail", .watchdog)
struct OverlappingLoadTests {
    enum Way: CaseIterable { case load, reload }

    /// Three loads that begin one after the other, before any of them ends.
    struct Sample: Sendable, CustomTestStringConvertible {
        let ways: [Way]
        let fail: [Bool]
        /// The order in which they end.
        let order: [Int]

        var testDescription: String {
            zip(ways, fail).map { "\($0)\($1 ? " fails" : "")" }.joined(separator: ", ") + ", ending in order \(order)"
        }
    }

    static let samples = lists(of: Way.allCases).flatMap { ways in
        lists(of: [false, true]).flatMap { fail in
            [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]].map {
                Sample(ways: ways, fail: fail, order: $0)
            }
        }
    }

    private static func lists<Element>(of choices: [Element]) -> [[Element]] {
        choices.flatMap { first in choices.flatMap { second in choices.map { [first, second, $0] } } }
    }

    private struct Refusal: Error {}

    /// Made from a setting that each load changes.
    private final class Meter: Sendable {
        let level: Int
        init(_ level: Int) { self.level = level }
    }

    /// A context that can load three files, each of which turns on a module with an `.always` instance.
    private final class Shop: Sendable {
        let context = AppContext()
        let ends = Tally<Int>()
        /// Runs while the instance of a load is made.
        let whileMaking = (0..<3).map { _ in Late<@Sendable () throws -> Void>() }
        let base = MemoryFiles(#"{ "level": 0, "base": true }"#)
        private let files = (0..<3).map { MemoryFiles(content($0)) }

        private static func content(_ number: Int) -> String {
            #"{ "level": \#(number + 1), "load\#(number)": true }"#
        }

        init() throws {
            try context.loadProperties(base.source)
            try context.load(
                Module("Meter") { [ends] registry in
                    registry.register(Meter.self) { (resolver: Resolver) in Meter(try resolver.value("level")) }
                        .onDispose { ends.append($0.level) }
                })
            for (number, making) in whileMaking.enumerated() {
                try context.load(
                    Module("Load \(number)", when: .property("load\(number)", equals: true)) { registry in
                        registry.register(Int.self, qualifier: "\(number)", scope: .always) { () throws -> Int in
                            try making.value?()
                            return number
                        }
                    })
            }
        }

        func change(_ number: Int, _ way: Way) throws {
            switch way {
            case .load: try context.loadProperties(files[number].source)
            case .reload:
                base.content = Self.content(number)
                try context.reloadProperties()
            }
        }

        func settings() -> [String] {
            ["level", "base", "load0", "load1", "load2"].map { path in
                "\(path) \((try? context.value(path, as: JSONValue.self)).map { "\($0)" } ?? "none")"
            }
        }
    }

    @Test(arguments: samples)
    func failedLoad_leavesNothing(_ sample: Sample) throws {
        // The reference has only seen the loads that do not fail, one after the other.
        let reference = try Shop()
        for number in 0..<3 where !sample.fail[number] { try reference.change(number, sample.ways[number]) }

        let shop = try Shop()
        let meter = try shop.context.resolve(Meter.self)
        try overlap(sample, in: shop)
        #expect(shop.settings() == reference.settings())
        let after = try shop.context.resolve(Meter.self)
        #expect(after.level == (try reference.context.value("level") as Int))
        #expect((after === meter) == (after.level == meter.level))
        #expect(shop.ends.take() == (after === meter ? [] : [0]))
        for number in 0..<3 {
            let expected = try reference.context.resolve(Int?.self, qualifier: "\(number)")
            #expect(try shop.context.resolve(Int?.self, qualifier: "\(number)") == expected)
        }
        // The same files are read again.
        for shop in [reference, shop] {
            shop.base.content = #"{ "base": false }"#
            try shop.context.reloadProperties()
        }
        #expect(shop.settings() == reference.settings())
    }

    @Test(
        "A child that keeps its settings gives the same instance until its end",
        arguments: samples.filter { $0.order[1] == 1 })
    func keptInstance_stays(_ sample: Sample) throws {
        let shop = try Shop()
        let meter = try shop.context.resolve(Meter.self)
        var child: AppContext? = try shop.context.child(keepsSettings: true)
        #expect(try child?.resolve(Meter.self) === meter)
        try overlap(sample, in: shop)
        #expect(try child?.resolve(Meter.self) === meter)
        #expect(shop.ends.take() == [])
        child = nil
        #expect(shop.ends.take() == (sample.fail.allSatisfy(\.self) ? [] : [0]))
    }

    private func overlap(_ sample: Sample, in shop: Shop) throws {
        let begun = sample.ways.map { _ in DispatchSemaphore(value: 0) }
        let mayEnd = sample.ways.map { _ in DispatchSemaphore(value: 0) }
        let ended = sample.ways.map { _ in DispatchSemaphore(value: 0) }
        let failures = Tally<Int>()
        for (number, way) in sample.ways.enumerated() {
            shop.whileMaking[number].value = {
                begun[number].signal()
                mayEnd[number].wait()
                if sample.fail[number] { throw Refusal() }
            }
            Thread {
                do {
                    try shop.change(number, way)
                } catch {
                    failures.append(number)
                }
                ended[number].signal()
            }.start()
            begun[number].wait()
        }
        for number in sample.order {
            mayEnd[number].signal()
            ended[number].wait()
        }
        for making in shop.whileMaking { making.value = nil }
        #expect(failures.take().sorted() == sample.fail.indices.filter { sample.fail[$0] })
    }
}
