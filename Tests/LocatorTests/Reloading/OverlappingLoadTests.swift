import Foundation
import Locator
import TestSupport
import Testing

/// While a load makes its `.always` instances, it may still be undone, and another thread can load.
@Suite("Of loads of the settings that overlap, those that fail leave nothing behind", .watchdog)
struct OverlappingLoadTests {
    enum Way: CaseIterable { case load, reload }

    struct Sample: Sendable, CustomTestStringConvertible {
        let ways: [Way]
        let fail: [Bool]
        /// Whether the second load ends before the first.
        let isNested: Bool

        var testDescription: String {
            let names = zip(ways, fail).map { "\($0)\($1 ? " fails" : "")" }
            return "\(names[0]), then \(names[1]), which ends \(isNested ? "first" : "last")"
        }
    }

    static let samples = Way.allCases.flatMap { first in
        Way.allCases.flatMap { second in
            [false, true].flatMap { firstFails in
                [false, true].flatMap { secondFails in
                    [false, true].map {
                        Sample(ways: [first, second], fail: [firstFails, secondFails], isNested: $0)
                    }
                }
            }
        }
    }

    private struct Refusal: Error {}

    /// Made from a setting that each load changes.
    private final class Meter: Sendable {
        let level: Int
        init(_ level: Int) { self.level = level }
    }

    /// A context that can load two files, each of which turns on a module with an `.always` instance.
    private final class Shop: Sendable {
        let context = AppContext()
        let ends = Tally<Int>()
        /// Runs while the instance of a load is made.
        let whileMaking = [Late<@Sendable () throws -> Void>(), Late()]
        let base = MemoryFiles(#"{ "level": 0, "base": true }"#)
        private let files = (0..<2).map { MemoryFiles(content($0)) }

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
            ["level", "base", "load0", "load1"].map { path in
                "\(path) \((try? context.value(path, as: JSONValue.self)).map { "\($0)" } ?? "none")"
            }
        }
    }

    @Test(arguments: samples)
    func failedLoad_leavesNothing(_ sample: Sample) throws {
        // The reference has only seen the loads that do not fail, one after the other.
        let reference = try Shop()
        for number in 0..<2 where !sample.fail[number] { try reference.change(number, sample.ways[number]) }

        let shop = try Shop()
        let meter = try shop.context.resolve(Meter.self)
        try overlap(sample, in: shop)
        #expect(shop.settings() == reference.settings())
        let after = try shop.context.resolve(Meter.self)
        #expect(after.level == (try reference.context.value("level") as Int))
        #expect((after === meter) == (after.level == meter.level))
        #expect(shop.ends.take() == (after === meter ? [] : [0]))
        for number in 0..<2 {
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

    @Test("A child that keeps its settings gives the same instance until its end", arguments: samples)
    func keptInstance_stays(_ sample: Sample) throws {
        let shop = try Shop()
        let meter = try shop.context.resolve(Meter.self)
        var child: AppContext? = try shop.context.child(keepsSettings: true)
        #expect(try child?.resolve(Meter.self) === meter)
        try overlap(sample, in: shop)
        #expect(try child?.resolve(Meter.self) === meter)
        #expect(shop.ends.take() == [])
        child = nil
        #expect(shop.ends.take() == (sample.fail == [true, true] ? [] : [0]))
    }

    private func overlap(_ sample: Sample, in shop: Shop) throws {
        let (hasBegun, mayEnd, hasEnded) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let failures = Tally<Int>()
        @Sendable func change(_ number: Int) {
            do {
                try shop.change(number, sample.ways[number])
            } catch {
                failures.append(number)
            }
        }
        shop.whileMaking[0].value = {
            Thread {
                change(1)
                hasEnded.signal()
            }.start()
            hasBegun.wait()
            if sample.isNested {
                mayEnd.signal()
                hasEnded.wait()
            }
            if sample.fail[0] { throw Refusal() }
        }
        shop.whileMaking[1].value = {
            hasBegun.signal()
            mayEnd.wait()
            if sample.fail[1] { throw Refusal() }
        }
        change(0)
        if !sample.isNested {
            mayEnd.signal()
            hasEnded.wait()
        }
        for making in shop.whileMaking { making.value = nil }
        #expect(failures.take().sorted() == sample.fail.indices.filter { sample.fail[$0] })
    }
}
