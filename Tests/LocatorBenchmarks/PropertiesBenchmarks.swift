import Foundation
import LocatorProperties

/// The rows about the reader and the decoder alone.
nonisolated(unsafe) let propertiesBenchmarks: [Benchmark] = [
    Benchmark("bytes of a 1,000-key profile to a tree", target: .atMost(0.6)) { parsing(keys: 1000) },
    Benchmark("typed read of a node, Int", target: .atMost(1)) { try scalar(8080, as: Int.self) },
    Benchmark("decode a 40-field struct", target: .atMost(0.5)) { try wideStruct() },
    Benchmark("bytes to a 40-field struct", target: .atMost(0.5)) { try wideStruct(fromBytes: true) },
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

/// A look-up with a cast is what code without this package does for a typed value.
private func lookup<Value>(_ value: Value) -> Benchmark.Work {
    var table: [String: Any] = ["server.port": value]
    for number in 0..<1000 { table["service\(number).port"] = number }
    let properties = table
    return Benchmark.Work("[String: Any] look-up and cast", operations: 100) {
        for _ in 0..<100 { blackHole(opaque(properties)["server.port"] as? Value) }
    }
}

private func scalar<Value: Decodable>(
    _ value: JSONValue, as type: Value.Type
) throws -> (operation: Benchmark.Work, floor: Benchmark.Work) {
    let decoded = try value.decode(type)
    return (
        Benchmark.Work("decode", operations: 100) {
            for _ in 0..<100 { blackHole(try? opaque(value).decode(type)) }
        },
        lookup(decoded)
    )
}

private func wideStruct(fromBytes: Bool = false) throws -> (operation: Benchmark.Work, floor: Benchmark.Work) {
    let bytes = Array(WideSettings.text.utf8)
    let data = Data(bytes)
    let value = try JSONValue(parsing: bytes)
    _ = try value.decode(WideSettings.self)
    let decoder = JSONDecoder()
    let decode = {
        if fromBytes {
            blackHole(try? JSONValue(parsing: opaque(bytes)).decode(WideSettings.self))
        } else {
            blackHole(try? opaque(value).decode(WideSettings.self))
        }
    }
    return (
        Benchmark.Work("decode", run: decode),
        Benchmark.Work("JSONDecoder of the same text") {
            blackHole(try? decoder.decode(WideSettings.self, from: data))
        }
    )
}
