/// Measures rows: operation and floor take turns, so that a machine that changes its pace changes both.
enum Measuring {
    static let repeats = 15
    /// How long one repeat of one side takes, about.
    static let repeatDuration = Duration.milliseconds(20)

    static func measure(_ benchmark: Benchmark) throws -> Measurement {
        let (operation, floor, floorName) = try benchmark.measure()
        return Measurement(benchmark: benchmark, operation: operation, floor: floor, floorName: floorName)
    }

    /// Nanoseconds for one operation, and for one of its floor.
    static func times(_ works: (operation: Benchmark.Work, floor: Benchmark.Work)) -> Benchmark.Values {
        let (operation, floor) = works
        let operationCalls = calibrate(operation)
        let floorCalls = calibrate(floor)
        var operationTimes: [Double] = []
        var floorTimes: [Double] = []
        for _ in 0..<repeats {
            floorTimes.append(time(floor, calls: floorCalls))
            operationTimes.append(time(operation, calls: operationCalls))
        }
        return (median(operationTimes), median(floorTimes), floor.name)
    }

    /// The least nanoseconds that one operation took, of all repeats.
    static func leastTime(_ work: Benchmark.Work) -> Double {
        let calls = calibrate(work)
        return (0..<repeats).map { _ in time(work, calls: calls) }.min() ?? 0
    }

    /// How much more several threads do than one, of an operation and of its floor.
    ///
    /// `two` is the work of `one` on each of the threads.
    static func gains(
        operation: (one: Benchmark.Work, two: Benchmark.Work), floor: (one: Benchmark.Work, two: Benchmark.Work),
        threads: Int = 2
    ) -> Benchmark.Values {
        var operationGains: [Double] = []
        var floorGains: [Double] = []
        func gain(_ work: (one: Benchmark.Work, two: Benchmark.Work)) -> Double {
            Double(threads) * time(work.one, calls: 1) / time(work.two, calls: 1)
        }
        for work in [operation.one, operation.two, floor.one, floor.two] { work.run() }
        for _ in 0..<repeats {
            floorGains.append(gain(floor))
            operationGains.append(gain(operation))
        }
        return (median(operationGains), median(floorGains), "gain of \(floor.two.name)")
    }

    /// Warms up, and finds how many calls fill a repeat.
    private static func calibrate(_ work: Benchmark.Work) -> Int {
        work.run()
        var calls = 1
        while true {
            let duration = duration(of: work, calls: calls)
            if duration >= repeatDuration { return calls }
            if duration * 10 >= repeatDuration {
                return max(1, Int(Double(calls) * (repeatDuration / duration)))
            }
            calls *= 4
        }
    }

    private static func duration(of work: Benchmark.Work, calls: Int) -> Duration {
        ContinuousClock().measure {
            for _ in 0..<calls { work.run() }
        }
    }

    /// Nanoseconds for one operation.
    private static func time(_ work: Benchmark.Work, calls: Int) -> Double {
        let duration = duration(of: work, calls: calls)
        return duration / .nanoseconds(1) / Double(calls * work.operations)
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted[sorted.count / 2]
    }
}
