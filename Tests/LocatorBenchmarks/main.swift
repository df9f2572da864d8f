import Foundation

guard let options = Options(CommandLine.arguments.dropFirst()) else {
    print(Options.usage)
    exit(2)
}

let all =
    propertiesBenchmarks + profileBenchmarks + wrapperBenchmarks + resolveBenchmarks + changeBenchmarks
    + childBenchmarks + requestBenchmarks + growthBenchmarks
let benchmarks = all.filter { benchmark in
    options.filter.map { benchmark.name.localizedCaseInsensitiveContains($0) } ?? true
}

if !options.isJSON { print(Report.header) }
var missed = 0
for benchmark in benchmarks {
    var measurement = try Measuring.measure(benchmark)
    // A neighbor on the machine can spoil one measurement, but hardly four.
    for _ in 0..<3 where options.isCheck && measurement.isMet == false {
        measurement = try Measuring.measure(benchmark)
    }
    if measurement.isMet == false { missed += 1 }
    print(options.isJSON ? Report.json(measurement) : Report.row(measurement))
}
if options.isCheck, missed > 0 { exit(1) }
