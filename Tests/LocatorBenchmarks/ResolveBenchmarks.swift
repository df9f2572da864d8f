import Dispatch
import Foundation
import Locator

/// Something found by its type, whose object shares no cache line with another.
private final class Target: Sendable {
    private let padding = Padding()
}

private final class OtherTarget: Sendable {
    private let padding = Padding()
}

private final class SessionTarget: Sendable {}

extension Scope {
    fileprivate static let session = Scope("session")
}

private protocol Unregistered {}

private final class Element: Sendable {}

/// A context in which the target stands behind so many modules of so many registrations in all.
private func context(registrations: Int, modules: Int = 1) -> AppContext {
    let context = AppContext()
    let keys = numberedKeys.prefix(registrations)
    do {
        for module in 0..<modules {
            let slice = keys.enumerated().filter { $0.offset % modules == module }.map(\.element)
            nonisolated(unsafe) let own = slice
            try context.load(Module("Module \(module)") { registry in for key in own { key.register(in: registry) } })
        }
        try context.load(
            Module("Target") { registry in
                registry.register { Target() }
                registry.register { OtherTarget() }
                registry.register(qualifier: "named") { Target() }
                registry.register(scope: .session) { SessionTarget() }
                for number in 0..<100 {
                    registry.register(qualifier: .named("\(number)")) { Element() }
                }
            })
        for key in keys { key.resolve(from: context) }
        _ = try context.resolve(Target.self)
    } catch {
        preconditionFailure(error.description)
    }
    return context
}

private func table(registrations: Int) -> AtomicTable {
    var boxes: [ObjectIdentifier: AnyObject] = [:]
    for key in numberedKeys.prefix(registrations) { key.insert(into: &boxes) }
    boxes[ObjectIdentifier(Target.self)] = TableBox(Target())
    boxes[ObjectIdentifier(OtherTarget.self)] = TableBox(OtherTarget())
    return AtomicTable(boxes)
}

private let times = 1000

private func lookup(_ table: AtomicTable) -> Benchmark.Work {
    Benchmark.Work("look-up behind an atomic pointer", operations: times) {
        for _ in 0..<times { blackHole(table.find(Target.self)) }
    }
}

private func resolving(registrations: Int, modules: Int = 1) -> Benchmark {
    let name = "resolve, singleton made, \(registrations) registrations in \(modules) modules"
    return Benchmark(name, target: .atMost(2.5)) {
        let context = context(registrations: registrations, modules: modules)
        return (
            Benchmark.Work("resolve", operations: times) {
                for _ in 0..<times { blackHole(try! context.resolve(Target.self)) }
            },
            lookup(table(registrations: registrations))
        )
    }
}

/// A child that is in use gives its parent's answers and its own without a lock, so its target is that of any context.
private func resolvingInChild(
    _ name: String, _ type: (some Sendable).Type, target: Double = 2.5,
    _ open: @escaping (AppContext) throws -> AppContext = { try $0.child(opening: .session) }
) -> Benchmark {
    Benchmark("resolve through \(name)", target: .atMost(target)) {
        let child = try open(context(registrations: 100))
        return (
            Benchmark.Work("resolve", operations: times) {
                for _ in 0..<times { blackHole(try! child.resolve(type)) }
            },
            lookup(table(registrations: 100))
        )
    }
}

/// Runs the same work on two threads at once.
private func onTwoThreads(_ works: (@Sendable () -> Void, @Sendable () -> Void)) {
    DispatchQueue.concurrentPerform(iterations: 2) { $0 == 0 ? works.0() : works.1() }
}

/// The rows about asking a context.
nonisolated(unsafe) let resolveBenchmarks: [Benchmark] = [
    resolving(registrations: 1),
    resolving(registrations: 100),
    resolving(registrations: 10_000),
    resolving(registrations: 100, modules: 10),
    resolving(registrations: 100, modules: 100),
    resolvingInChild("a child, singleton of its parent", Target.self),
    resolvingInChild("a child, instance of its own scope", SessionTarget.self),
    resolvingInChild("a child with a module of its own, singleton of its parent", Target.self) { context in
        try context.child(pushing: Module("Own") { $0.register(qualifier: "own") { Element() } })
    },
    // Each level has a stamp to compare.
    resolvingInChild("10 children, one in the other, singleton of the outermost", Target.self, target: 4) { context in
        try (0..<10).reduce(context) { parent, _ in try parent.child() }
    },
    Benchmark("resolve of random keys among 10,000", target: .atMost(2.5)) {
        let context = context(registrations: 10_000)
        let table = table(registrations: 10_000)
        var generator = SystemRandomNumberGenerator()
        let keys = (0..<times).map { _ in numberedKeys.randomElement(using: &generator)! }
        return (
            Benchmark.Work("resolve", operations: times) { for key in keys { key.resolve(from: context) } },
            Benchmark.Work("look-up", operations: times) { for key in keys { key.find(in: table) } }
        )
    },
    Benchmark("resolve with a qualifier", target: .atMost(4)) {
        let context = context(registrations: 100)
        return (
            Benchmark.Work("resolve", operations: times) {
                for _ in 0..<times { blackHole(try! context.resolve(Target.self, qualifier: "named")) }
            },
            lookup(table(registrations: 100))
        )
    },
    Benchmark("resolve of an unregistered optional", target: .atMost(4)) {
        let context = context(registrations: 100)
        return (
            Benchmark.Work("resolve", operations: times) {
                for _ in 0..<times { blackHole(try! context.resolve((any Unregistered)?.self)) }
            },
            lookup(table(registrations: 100))
        )
    },
    Benchmark("resolveAll, 100 singletons made", target: .atMost(6)) {
        let context = context(registrations: 100)
        let stored = StoredElements(try context.resolveAll(Element.self))
        return (
            Benchmark.Work("resolveAll", operations: 100) {
                for _ in 0..<100 { blackHole(try! context.resolveAll(Element.self)) }
            },
            Benchmark.Work("return of a stored array", operations: 100) {
                for _ in 0..<100 { blackHole(stored.elements) }
            }
        )
    },
    Benchmark("2 threads, warm resolve, different keys, gain", target: .atLeast(0.85), measure: differentKeys),
    Benchmark("2 threads, warm resolve, same key", target: .atMost(1.25)) {
        let context = context(registrations: 100)
        let retained = StoredTarget(Target())
        let operations = 400_000
        return (
            Benchmark.Work("resolve", operations: operations) {
                let work: @Sendable () -> Void = {
                    for _ in 0..<operations { blackHole(try! context.resolve(Target.self)) }
                }
                onTwoThreads((work, work))
            },
            Benchmark.Work("retain one object", operations: operations) {
                let work: @Sendable () -> Void = { for _ in 0..<operations { blackHole(retained.target) } }
                onTwoThreads((work, work))
            }
        )
    },
]

/// The gain of two threads that ask for different keys, beside that of two that look them up in the floor's table.
private func differentKeys() -> Benchmark.Values {
    let context = context(registrations: 100)
    let table = table(registrations: 100)
    let operations = 400_000
    let first: @Sendable () -> Void = {
        for _ in 0..<operations { blackHole(try! context.resolve(Target.self)) }
    }
    let second: @Sendable () -> Void = {
        for _ in 0..<operations { blackHole(try! context.resolve(OtherTarget.self)) }
    }
    let firstFloor: @Sendable () -> Void = { for _ in 0..<operations { blackHole(table.find(Target.self)) } }
    let secondFloor: @Sendable () -> Void = { for _ in 0..<operations { blackHole(table.find(OtherTarget.self)) } }
    return Measuring.gains(
        operation: (Benchmark.Work("one", run: first), Benchmark.Work("both") { onTwoThreads((first, second)) }),
        floor: (
            Benchmark.Work("one", run: firstFloor),
            Benchmark.Work("look-ups behind an atomic pointer") { onTwoThreads((firstFloor, secondFloor)) }
        ))
}

private final class StoredElements {
    var elements: [Element]
    init(_ elements: [Element]) { self.elements = elements }
}

private final class StoredTarget: Sendable {
    let target: Target
    init(_ target: Target) { self.target = target }
}
