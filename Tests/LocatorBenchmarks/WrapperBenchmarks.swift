import Dispatch
import Locator

/// What the rows about wrappers read.
protocol Service: AnyObject, Sendable {
    var number: Int { get }
}

/// The one implementation of ``Service``.
final class PlainService: Service {
    let number = 1
}

/// The contexts of the holders: a wrapper does not keep its context.
nonisolated(unsafe) private var kept: [AppContext] = []

private func context(_ modules: Module...) -> AppContext {
    let context = AppContext()
    kept.append(context)
    do {
        for module in modules { try context.load(module) }
    } catch {
        preconditionFailure(error.description)
    }
    return context
}

private let services = Module(
    "Services", properties: ["server.retries": 3, "server.name": "a name that is too long to be stored inline"]
) { registry in
    registry.register((any Service).self) { PlainService() }
    registry.register((any Service).self, qualifier: "session", scope: Scope("session")) { PlainService() }
    for number in 0..<100 {
        registry.register(Item.self, qualifier: .named("\(number)")) { Item() }
    }
}

private final class Item: Sendable {}

private final class Holder {
    @Dependency var service: any Service
    @Dependency(qualifier: "session") var session: any Service
    @DependencyArray var items: [Item]
    @PropertyValue("server.retries") var retries: Int
    @PropertyValue("server.name") var name: String
}

private final class Stored {
    var service: any Service = PlainService()
    var items = (0..<100).map { _ in Item() }
    var retries = 3
    var name = "a name that is too long to be stored inline"
}

private struct StructHolder {
    @Dependency var service: any Service
}

private protocol Reading: Actor {
    func readService(times: Int)
}

private actor ActorHolder: Reading {
    @Dependency var service: any Service

    func readService(times: Int) {
        for _ in 0..<times { blackHole(service) }
    }
}

private actor StoredActor: Reading {
    var service: any Service = PlainService()

    func readService(times: Int) {
        for _ in 0..<times { blackHole(service) }
    }
}

/// So many reads in one visit of an actor that the visit does not count.
private func visiting(_ reader: any Reading, _ name: String) -> Benchmark.Work {
    let times = 200_000
    return Benchmark.Work(name, operations: times) {
        let done = DispatchSemaphore(value: 0)
        Task {
            await reader.readService(times: times)
            done.signal()
        }
        done.wait()
    }
}

private final class TenWrappers {
    @Dependency var a: any Service
    @Dependency var b: any Service
    @Dependency var c: any Service
    @Dependency var d: any Service
    @Dependency var e: any Service
    @Dependency var f: any Service
    @Dependency var g: any Service
    @Dependency var h: any Service
    @Dependency var i: any Service
    @Dependency var j: any Service

    func read() { for service in [a, b, c, d, e, f, g, h, i, j] { blackHole(service) } }
}

private final class TenStored {
    private let first: (any Service, any Service, any Service, any Service, any Service)
    private let second: (any Service, any Service, any Service, any Service, any Service)

    init(_ service: any Service) {
        first = (service, service, service, service, service)
        second = (service, service, service, service, service)
    }
}

/// Heap bytes for one property, of holders with ten, all of them read.
private func heapBytes() throws -> Benchmark.Values {
    let context = context(services)
    let service = try context.resolve((any Service).self)
    let count = 200_000
    // All stay: memory that was given back and is used again would not count.
    var holders: [AnyObject] = []
    holders.reserveCapacity(count * 2)
    for _ in 0..<count * 2 { holders.append(context) }
    holders.removeAll(keepingCapacity: true)
    func bytes(_ make: () -> AnyObject) -> Double {
        let before = Heap.bytesInUse
        for _ in 0..<count { holders.append(make()) }
        // Whole bytes: the rest is the allocator's own.
        return Double((Heap.bytesInUse - before) / (count * 10))
    }
    return AppContext.withContext(context) {
        TenWrappers().read()
        let wrappers = bytes {
            let holder = TenWrappers()
            holder.read()
            return holder
        }
        return (wrappers, bytes { TenStored(service) }, "stored any P")
    }
}

private let times = 1000

private func reading<Holder, Value>(_ holder: Holder, _ path: @escaping (Holder) -> Value) -> Benchmark.Work {
    Benchmark.Work("read", operations: times) {
        for _ in 0..<times { blackHole(path(holder)) }
    }
}

/// The rows about reading wrappers.
nonisolated(unsafe) let wrapperBenchmarks: [Benchmark] = [
    Benchmark("@Dependency read, settled, class holder", target: .atMost(2.2)) {
        let (holder, stored) = (AppContext.withContext(context(services)) { Holder() }, Stored())
        return (
            Benchmark.Work("read", operations: times) { for _ in 0..<times { blackHole(holder.service) } },
            Benchmark.Work("stored any P", operations: times) { for _ in 0..<times { blackHole(stored.service) } }
        )
    },
    Benchmark("@Dependency read, settled, struct holder", target: .atMost(1.15)) {
        let (holder, stored) = (AppContext.withContext(context(services)) { StructHolder() }, Stored())
        return (
            Benchmark.Work("read", operations: times) { for _ in 0..<times { blackHole(holder.service) } },
            Benchmark.Work("stored any P", operations: times) { for _ in 0..<times { blackHole(stored.service) } }
        )
    },
    Benchmark("@Dependency read, settled, in an actor", target: .atMost(2.2)) {
        let (holder, stored) = (AppContext.withContext(context(services)) { ActorHolder() }, StoredActor())
        return (visiting(holder, "read"), visiting(stored, "stored any P"))
    },
    Benchmark("heap per wrapper property", target: .bytes(64), measure: heapBytes),
    Benchmark("@PropertyValue read, settled, Int", target: .atMost(5)) {
        let (holder, stored) = (AppContext.withContext(context(services)) { Holder() }, Stored())
        return (
            Benchmark.Work("read", operations: times) { for _ in 0..<times { blackHole(holder.retries) } },
            Benchmark.Work("stored Int", operations: times) { for _ in 0..<times { blackHole(stored.retries) } }
        )
    },
    Benchmark("@PropertyValue read, settled, String", target: .atMost(3)) {
        let (holder, stored) = (AppContext.withContext(context(services)) { Holder() }, Stored())
        return (
            Benchmark.Work("read", operations: times) { for _ in 0..<times { blackHole(holder.name) } },
            Benchmark.Work("stored String", operations: times) { for _ in 0..<times { blackHole(stored.name) } }
        )
    },
    Benchmark("@DependencyArray read, settled, 100 elements", target: .atMost(2.2)) {
        let (holder, stored) = (AppContext.withContext(context(services)) { Holder() }, Stored())
        return (
            Benchmark.Work("read", operations: times) { for _ in 0..<times { blackHole(holder.items) } },
            Benchmark.Work("stored array", operations: times) { for _ in 0..<times { blackHole(stored.items) } }
        )
    },
    Benchmark("@Dependency read, wrapper made in a fork", target: .atMost(2.2)) {
        let fork = try context(services).fork()
        let (holder, stored) = (AppContext.withContext(fork) { Holder() }, Stored())
        return (
            Benchmark.Work("read", operations: times) {
                for _ in 0..<times { blackHole(holder.service) }
                withExtendedLifetime(fork) {}
            },
            Benchmark.Work("stored any P", operations: times) { for _ in 0..<times { blackHole(stored.service) } }
        )
    },
    Benchmark("@Dependency read after a balanced push and pop", target: .atMost(2.2)) {
        let context = context(services)
        let (holder, stored) = (AppContext.withContext(context) { Holder() }, Stored())
        _ = holder.service
        try context.push(Module("Fakes") { $0.register((any Service).self) { PlainService() } })
        _ = holder.service
        context.pop()
        return (
            Benchmark.Work("read", operations: times) { for _ in 0..<times { blackHole(holder.service) } },
            Benchmark.Work("stored any P", operations: times) { for _ in 0..<times { blackHole(stored.service) } }
        )
    },
    Benchmark("@Dependency read after its answer changed", target: .atMost(3)) {
        let context = context(services)
        let (holder, stored) = (AppContext.withContext(context) { Holder() }, Stored())
        _ = holder.service
        try context.push(Module("Fakes") { $0.register((any Service).self) { PlainService() } })
        return (
            Benchmark.Work("read", operations: times) { for _ in 0..<times { blackHole(holder.service) } },
            Benchmark.Work("stored any P", operations: times) { for _ in 0..<times { blackHole(stored.service) } }
        )
    },
    Benchmark("@Dependency read of a session-scoped instance", target: .atMost(3)) {
        let (holder, stored) = (AppContext.withContext(context(services)) { Holder() }, Stored())
        return (
            Benchmark.Work("read", operations: times) { for _ in 0..<times { blackHole(holder.session) } },
            Benchmark.Work("stored any P", operations: times) { for _ in 0..<times { blackHole(stored.service) } }
        )
    },
]
