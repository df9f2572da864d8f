import Foundation
import LocatorProperties

/// The rows about reading and decoding properties.
nonisolated(unsafe) let propertiesBenchmarks: [Benchmark] = [
    Benchmark("parse a 1,000-key profile", target: .atMost(0.6)) { parsing(keys: 1000) },
    Benchmark("parse a 100,000-key profile", target: .atMost(0.6)) { parsing(keys: 100_000) },
]

private func parsing(keys: Int) -> (operation: Benchmark.Work, floor: Benchmark.Work) {
    let text = ProfileTexts.profile(keys: keys)
    let bytes = Array(text.utf8)
    let data = Data(bytes)
    return (
        Benchmark.Work("parse") { blackHole(try? JSONValue(parsing: bytes)) },
        Benchmark.Work("JSONSerialization.jsonObject") { blackHole(try? JSONSerialization.jsonObject(with: data)) }
    )
}
