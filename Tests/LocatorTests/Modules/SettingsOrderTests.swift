import Locator
import TestSupport
import Testing

@Suite("The first module in lookup order that has a setting decides; the files come before modules of priority 750")
struct SettingsOrderTests {
    /// An active module.
    private struct Loaded {
        let number: Int
        let module: Module
        let priority: Int
        let paths: [String]
        /// Nil if it was loaded.
        let push: Push?
    }

    private static let priorities = [100, 500, 500, 750, 751, 1000, 1000]
    private static let paths = ["a", "b", "c.d", "c.e"]
    private static let pathsOfFile = ["a", "c.d"]
    private static let numberOfFile = 1000

    /// Each path with the number of what decides its value, computed from all that is in force.
    ///
    /// `loaded` has the modules from the first load or push to the last.
    private static func expected(_ loaded: [Loaded], hasFile: Bool) -> [String: Int] {
        typealias Place = (priority: Int, rank: Int, number: Int, paths: [String])
        var places: [Place] = loaded.enumerated().map { index, loaded in
            // Pushes come before loads, the latest push first.
            (-loaded.priority, loaded.push == nil ? index : -1 - index, loaded.number, loaded.paths)
        }
        if hasFile { places.append((-750, -1000, numberOfFile, pathsOfFile)) }
        places.sort { ($0.priority, $0.rank) < ($1.priority, $1.rank) }
        var values: [String: Int] = [:]
        for place in places {
            for path in place.paths where values[path] == nil { values[path] = place.number }
        }
        return values
    }

    @Test func randomSequences() throws {
        var generator = SeededGenerator(for: "order of settings")
        let folder = try TemporaryFolder(["application.json": #"{ "a": 1000, "c": { "d": 1000 } }"#])
        for _ in 0..<TestScale.count(300) {
            let context = AppContext()
            var loaded: [Loaded] = []
            var hasFile = false
            var log: [String] = []
            for number in 0..<24 {
                switch Int.random(in: 0..<8, using: &generator) {
                case 0 where !hasFile:
                    try context.loadProperties(from: folder.path, environment: [:])
                    hasFile = true
                    log.append("the file")
                case 1, 2, 3:
                    guard let index = loaded.indices.randomElement(using: &generator) else { break }
                    let removed = loaded.remove(at: index)
                    if let push = removed.push { push.pop() } else { try context.unload(removed.module) }
                    log.append("not \(removed.number)")
                default:
                    let own = Self.paths.filter { _ in Bool.random(using: &generator) }
                    let module = Module(
                        "\(number)",
                        properties: Dictionary(uniqueKeysWithValues: own.map { ($0, JSONValue(number)) })
                    ) { _ in }
                    let priority = Self.priorities.randomElement(using: &generator)!
                    var push: Push?
                    if Bool.random(using: &generator) {
                        push = try context.push(module, priority: Priority(priority))
                    } else {
                        try context.load(module, priority: Priority(priority))
                    }
                    loaded.append(
                        Loaded(number: number, module: module, priority: priority, paths: own, push: push))
                    log.append("\(push == nil ? "load" : "push") \(number) at \(priority) with \(own)")
                }
                // Usually, several changes happen before the settings are read.
                if Bool.random(using: &generator) { continue }
                let expected = Self.expected(loaded, hasFile: hasFile)
                for path in Self.paths {
                    #expect(try context.value(path, as: Int?.self) == expected[path], "\(path) after \(log)")
                }
            }
        }
    }
}
