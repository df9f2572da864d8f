import Foundation
import LocatorProperties

/// The rows about reading and decoding properties.
nonisolated(unsafe) let propertiesBenchmarks: [Benchmark] = [
    Benchmark("parse a 1,000-key profile", target: .atMost(0.6)) { parsing(keys: 1000) },
    Benchmark("parse a 100,000-key profile", target: .atMost(0.6)) { parsing(keys: 100_000) },
    Benchmark("load a 1,000-key profile", target: .atMost(0.6)) { try loading(keys: 1000) },
    Benchmark("load a 100,000-key profile", target: .atMost(0.6)) { try loading(keys: 100_000) },
    Benchmark("typed read by literal path, Int", target: .atMost(3)) { try reading(8080, as: Int.self) },
    Benchmark("typed read by literal path, String", target: .atMost(3)) { try reading("file", as: String.self) },
    Benchmark("typed read by literal path, URL", target: .atMost(3)) {
        try reading("https://shop.example.org/api", as: URL.self)
    },
    Benchmark("decode Int from a node", target: .atMost(1)) { try scalar(8080, as: Int.self) },
    Benchmark("decode String from a node", target: .atMost(1)) { try scalar("file", as: String.self) },
    Benchmark("decode URL from a node", target: .none) { try scalar("https://a.example/x", as: URL.self) },
    Benchmark("decode a 40-field struct", target: .atMost(0.5)) { try wideStruct() },
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

private func loading(keys: Int) throws -> (operation: Benchmark.Work, floor: Benchmark.Work) {
    let text = ProfileTexts.profile(keys: keys)
    let bytes = Array(text.utf8)
    let data = Data(bytes)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("locator-benchmark-\(keys)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try data.write(to: folder.appendingPathComponent("application.json"))
    _ = try Properties.load(from: folder.path)
    return (
        Benchmark.Work("load") { blackHole(try? Properties.load(from: folder.path)) },
        Benchmark.Work("JSONSerialization.jsonObject") { blackHole(try? JSONSerialization.jsonObject(with: data)) }
    )
}

private func reading<Value: Decodable>(
    _ value: JSONValue, as type: Value.Type
) throws -> (operation: Benchmark.Work, floor: Benchmark.Work) {
    var tree = try JSONValue(parsing: ProfileTexts.profile(keys: 1000)).objectValue ?? [:]
    tree["server"] = ["host": "shop", "port": value, "name": "x"]
    let properties = try Properties(.object(tree))
    let decoded = try properties.value("server.port", as: type)
    return (
        Benchmark.Work("read", operations: 100) {
            for _ in 0..<100 { blackHole(try? opaque(properties).value("server.port", as: type)) }
        },
        lookup(decoded)
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

private func wideStruct() throws -> (operation: Benchmark.Work, floor: Benchmark.Work) {
    let bytes = Array(WideSettings.text.utf8)
    let data = Data(bytes)
    let value = try JSONValue(parsing: bytes)
    _ = try value.decode(WideSettings.self)
    let decoder = JSONDecoder()
    return (
        Benchmark.Work("decode") { blackHole(try? opaque(value).decode(WideSettings.self)) },
        Benchmark.Work("JSONDecoder of the same text") {
            blackHole(try? decoder.decode(WideSettings.self, from: data))
        }
    )
}
