/// Measures rows: operation and floor take turns, so that a machine that changes its pace changes both.
enum Measuring {
    static let repeats = 15
    /// How long one repeat of one side takes, about.
    static let repeatDuration = Duration.milliseconds(20)

    static func measure(_ benchmark: Benchmark) throws -> Measurement {
        let (operation, floor) = try benchmark.prepare()
        let operationCalls = calibrate(operation)
        let floorCalls = calibrate(floor)
        var operationTimes: [Double] = []
        var floorTimes: [Double] = []
        for _ in 0..<repeats {
            floorTimes.append(time(floor, calls: floorCalls))
            operationTimes.append(time(operation, calls: operationCalls))
        }
        return Measurement(
            benchmark: benchmark, operation: median(operationTimes), floor: median(floorTimes), floorName: floor.name)
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
