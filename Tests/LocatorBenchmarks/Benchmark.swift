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

    let name: String
    let target: Target
    /// Builds what the row needs only when it is measured; gives the operation and its floor.
    let prepare: () throws -> (operation: Work, floor: Work)

    init(_ name: String, target: Target, prepare: @escaping () throws -> (operation: Work, floor: Work)) {
        self.name = name
        self.target = target
        self.prepare = prepare
    }
}

/// What was measured for a row: nanoseconds for one operation and for its floor.
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
        case .none: nil
        }
    }
}
