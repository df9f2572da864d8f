import Foundation
import LocatorProperties

/// The rows about profiles: loading, merging, reading by path.
nonisolated(unsafe) let profileBenchmarks: [Benchmark] = [
    Benchmark("bytes of a 1,000-key profile to merged properties", target: .atMost(0.6)) { try loading(keys: 1000) },
    Benchmark("bytes of a 100,000-key profile to merged properties", target: .atMost(0.6)) {
        try loading(keys: 100_000)
    },
    Benchmark("a key among 100,000, from bytes to merged properties", target: .atMost(1.5)) { try growth() },
    Benchmark("base + profile + overrides from disk, first value read", target: .atMost(1)) { try loadingFromDisk() },
    Benchmark("typed read by literal path, Int", target: .atMost(3)) { try reading("service7.port", as: Int.self) },
    Benchmark("typed read by literal path, String", target: .atMost(3)) {
        try reading("service7.region", as: String.self)
    },
    Benchmark("typed read by literal path, URL", target: .atMost(3)) { try reading("service7.url", as: URL.self) },
    Benchmark("typed read through a stack of two layers, Int", target: .none) {
        try reading("service7.port", as: Int.self, isStacked: true)
    },
    Benchmark("stack one override over 10,000 keys, read it", target: .none) { try stacking() },
]

/// A file system with one file, so that a row measures no disk.
private func source(_ bytes: [UInt8]) -> PropertiesSource {
    var source = PropertiesSource(.files(["application.json"]), environment: [:])
    source.fileSystem = FileSystem(
        read: { _ throws(FileProblem) in bytes }, list: { _ throws(FileProblem) in [] })
    return source
}

private func loading(keys: Int) throws -> (operation: Benchmark.Work, floor: Benchmark.Work) {
    let bytes = Array(ProfileTexts.profile(keys: keys).utf8)
    let data = Data(bytes)
    let source = source(bytes)
    _ = try source.load()
    return (
        Benchmark.Work("load") { blackHole(try? source.load()) },
        Benchmark.Work("JSONSerialization.jsonObject") { blackHole(try? JSONSerialization.jsonObject(with: data)) }
    )
}

/// What a key costs among many, beside what it costs among few: the cost is proportional where the two are alike.
private func growth() throws -> (operation: Benchmark.Work, floor: Benchmark.Work) {
    let many = try loading(keys: 100_000).operation
    let few = try loading(keys: 1000).operation
    return (
        Benchmark.Work("load", operations: 100_000, run: many.run),
        Benchmark.Work("a key among 1,000", operations: 1000, run: few.run)
    )
}

private func loadingFromDisk() throws -> (operation: Benchmark.Work, floor: Benchmark.Work) {
    let base = Array(ProfileTexts.profile(keys: 1000).utf8)
    let profile = Array(ProfileTexts.profile(keys: 100).utf8)
    let folder = try TemporaryFolder(["application.json": base, "application-prod.json": profile])
    let source = PropertiesSource(
        .folder(folder.path), profiles: "prod",
        environment: ["SHOP_SERVICE1__PORT": "1", "SHOP_SERVICE2__MAX_CONNECTIONS": "2", "SHOP_EXTRA": "3"],
        overrides: .environment(prefix: "SHOP_"))
    _ = try source.load()
    let data = [Data(base), Data(profile)]
    return (
        Benchmark.Work("load and read") { [folder] in
            withExtendedLifetime(folder) {}
            blackHole(try? source.load().value("service1.port", as: Int.self))
        },
        Benchmark.Work("JSONSerialization.jsonObject of both texts") {
            for data in data { blackHole(try? JSONSerialization.jsonObject(with: data)) }
        }
    )
}

private func reading<Value: Decodable>(
    _ path: String, as type: Value.Type, isStacked: Bool = false
) throws -> (operation: Benchmark.Work, floor: Benchmark.Work) {
    var properties = try source(Array(ProfileTexts.profile(keys: 1000).utf8)).load()
    if isStacked {
        let override = try Properties(overrides: ["other.port": 1], name: "module Fakes")
        properties = Properties.stacked(above: [override], base: properties, below: [])
    }
    var table: [String: Any] = [:]
    for path in properties.paths { table[path] = properties[path]?.stringValue ?? path }
    table[path] = try properties.value(path, as: type)
    let (read, values) = (properties, table)
    return (
        Benchmark.Work("read", operations: 100) {
            for _ in 0..<100 { blackHole(try? opaque(read).value(path, as: type)) }
        },
        Benchmark.Work("[String: Any] look-up and cast", operations: 100) {
            for _ in 0..<100 { blackHole(opaque(values)[path] as? Value) }
        }
    )
}

private func stacking() throws -> (operation: Benchmark.Work, floor: Benchmark.Work) {
    let base = try source(Array(ProfileTexts.profile(keys: 10_000).utf8)).load()
    let override = try Properties(overrides: ["service7.port": 1], name: "module Fakes")
    return (
        Benchmark.Work("stack and read") {
            let stacked = Properties.stacked(above: [opaque(override)], base: base, below: [])
            blackHole(try? stacked.value("service7.port", as: Int.self))
        },
        Benchmark.Work("read") { blackHole(try? opaque(base).value("service7.port", as: Int.self)) }
    )
}
