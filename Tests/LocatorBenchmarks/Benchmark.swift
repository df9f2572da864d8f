/// One row of the table: an operation, measured beside a floor in the same run.
struct Benchmark {
    /// What must hold for the row.
    enum Target {
        /// The operation takes at most so many times what the floor takes.
        case atMost(Double)
        /// The operation's ratio is at least so large, as for a gain in throughput.
        case atLeast(Double)
        /// The operation takes at most so many nanoseconds.
        case nanoseconds(Double)
        /// The operation takes at most so many bytes more than the floor.
        case bytes(Double)
        /// Nothing; the row is there to be read.
        case none
    }

    /// A piece of work that is measured.
    struct Work {
        let name: String
        /// How often one call of `run` does the operation.
        let operations: Int
        let run: () -> Void

        init(_ name: String, operations: Int = 1, run: @escaping () -> Void) {
            self.name = name
            self.operations = operations
            self.run = run
        }
    }

    /// What was measured of an operation and of its floor, and what the floor is.
    typealias Values = (operation: Double, floor: Double, floorName: String)

    let name: String
    let target: Target
    /// Builds what the row needs only when it is measured, and measures it.
    let measure: () throws -> Values

    /// A row that measures the time of an operation and of its floor.
    init(_ name: String, target: Target, prepare: @escaping () throws -> (operation: Work, floor: Work)) {
        self.init(name, target: target, measure: { try Measuring.times(prepare()) })
    }

    /// Rows that compare an operation beside many of something with the same operation beside one.
    static func flat(
        _ name: String, in unit: String, at sizes: [Int] = [100, 1000], over least: Int = 1,
        prepare: @escaping (Int) throws -> Work
    ) -> [Benchmark] {
        sizes.map { size in
            Benchmark("\(name), flat: \(size) \(unit)", target: .atMost(1.3)) {
                let floor = try prepare(least)
                return (
                    try prepare(size),
                    Work("the same with \(least)", operations: floor.operations, run: floor.run)
                )
            }
        }
    }

    /// A row that measures something else.
    init(_ name: String, target: Target, measure: @escaping () throws -> Values) {
        self.name = name
        self.target = target
        self.measure = measure
    }
}

/// What was measured for a row, for one operation and for its floor: nanoseconds, unless the row says otherwise.
struct Measurement {
    let benchmark: Benchmark
    let operation: Double
    let floor: Double
    let floorName: String

    var ratio: Double { operation / floor }

    /// Whether the row's target is met; nil where it has none.
    var isMet: Bool? {
        switch benchmark.target {
        case .atMost(let limit): ratio <= limit
        case .atLeast(let limit): ratio >= limit
        case .nanoseconds(let limit): operation <= limit
        case .bytes(let limit): operation - floor <= limit
        case .none: nil
        }
    }
}
