import Locator

extension Scope {
    fileprivate static let request = Scope("request")
}

/// What every request needs of its server.
private final class Leaf: Sendable {}

private final class Part<Number>: Sendable {
    let leaf: Leaf
    init(_ leaf: Leaf) { self.leaf = leaf }
}

private final class HookedPart: Sendable {
    let leaf: Leaf
    init(_ leaf: Leaf) { self.leaf = leaf }
}

private struct RequestSettings: ConfigProperty {
    static let path = "request"
    let retries: Int
}

private final class ConfiguredPart: Sendable {
    let settings: RequestSettings
    init(_ settings: RequestSettings) { self.settings = settings }
}

private protocol RequestService: Sendable {}

private final class DecoratedPart: RequestService {
    let leaf: Leaf
    init(_ leaf: Leaf) { self.leaf = leaf }
}

private final class ListingPart: Sendable {
    let leaves: [Leaf]
    init(_ leaves: [Leaf], _ missing: String?) { self.leaves = leaves }
}

private final class ResolvingPart: Sendable {
    let leaf: Leaf
    init(_ resolver: Resolver) throws { leaf = try resolver.resolve() }
}

private final class RequestInfo: Sendable {}

private final class InformedPart<Number>: Sendable {
    let info: RequestInfo
    init(_ info: RequestInfo) { self.info = info }
}

private final class Handler {
    @Dependency var first: Part<D0>
    @Dependency var second: Part<D1>
    @Dependency var third: Part<D2>
}

private final class Listing {
    @PropertyValue("request.retries") var retries: Int
    @DependencyArray var leaves: [Leaf]
    @Dependency var part: Part<D0>
}

/// A server's modules: the one that the requests need, among so many of one key each.
private func server(modules: Int) throws -> AppContext {
    let server = AppContext()
    let settings = Module("Settings", properties: ["request": ["retries": 3]])
    let parts = Module("Parts") { registry in
        registry.register { Leaf() }
        registry.register(scope: .request, Part<D0>.init)
        registry.register(scope: .request, Part<D1>.init)
        registry.register(scope: .request, Part<D2>.init)
        registry.register(scope: .request, HookedPart.init).onDispose { _ in }
        registry.register(scope: .request, ConfiguredPart.init)
        registry.register(scope: .request, DecoratedPart.init).alias((any RequestService).self) { $0 }
        registry.decorate(DecoratedPart.self) { $0 }
        registry.register(scope: .request, ListingPart.init)
        registry.register(scope: .request) { (resolver: Resolver) in try ResolvingPart(resolver) }
        registry.register(scope: .request, InformedPart<D0>.init)
        registry.register(scope: .request, InformedPart<D1>.init)
        registry.register(scope: .request, InformedPart<D2>.init)
    }
    try server.load(settings, parts)
    try loadOneByOne(modules - 1, into: server)
    _ = try (server.resolve(Leaf.self), server.resolve(RequestSettings.self))
    return server
}

@inline(never) private func makePart<Number>(_ leaf: Leaf, _: Number.Type) -> Part<Number> { Part(leaf) }

private func makeParts(_ leaf: Leaf) {
    blackHole(makePart(leaf, D0.self))
    blackHole(makePart(leaf, D1.self))
    blackHole(makePart(leaf, D2.self))
}

private func serve(_ server: AppContext) {
    let child = try! server.child(opening: .request)
    blackHole(try! child.resolve(Part<D0>.self))
    blackHole(try! child.resolve(Part<D1>.self))
    blackHole(try! child.resolve(Part<D2>.self))
}

private let times = 100

/// A hundred requests, each with a child.
private func requests(_ modules: Int, _ serve: @escaping (AppContext) -> Void) throws -> Benchmark.Work {
    let server = try server(modules: modules)
    return Benchmark.Work("child", operations: times) { for _ in 0..<times { serve(server) } }
}

private func threeInits() -> Benchmark.Work {
    let leaf = Leaf()
    return Benchmark.Work("3 inits", operations: times) { for _ in 0..<times { makeParts(leaf) } }
}

/// What the floor of the row with wrappers binds.
private enum Entered {
    @TaskLocal static var number = 0
}

private func threeInitsInside() -> Benchmark.Work {
    let leaf = Leaf()
    return Benchmark.Work("3 inits inside withValue", operations: times) {
        for _ in 0..<times { Entered.$number.withValue(1) { makeParts(leaf) } }
    }
}

/// A row, and the same row with 100 and 1,000 modules.
private func child(
    _ name: String, atMost limit: Double, floor: @escaping () -> Benchmark.Work = threeInits,
    _ serve: @escaping (AppContext) -> Void
) -> [Benchmark] {
    [Benchmark("child, \(name)", target: .atMost(limit)) { (try requests(1, serve), floor()) }]
        + Benchmark.flat("child, \(name)", in: "modules") { try requests($0, serve) }
}

private func servingInParallel() throws -> Benchmark.Values {
    let server = try server(modules: 1)
    let leaf = try server.resolve(Leaf.self)
    let operations = 10_000
    let serving: @Sendable () -> Void = { for _ in 0..<operations { serve(server) } }
    // A floor that takes as long: most of what a request does is its own.
    let making: @Sendable () -> Void = { for _ in 0..<operations * 10 { makeParts(leaf) } }
    return Measuring.gains(
        operation: (Benchmark.Work("one", run: serving), Benchmark.Work("four") { Threads.run(4, serving) }),
        floor: (
            Benchmark.Work("one", run: making),
            Benchmark.Work("3 inits with the same singleton") { Threads.run(4, making) }
        ), threads: 4)
}

/// The rows about children: opened, three instances made, ended.
nonisolated(unsafe) let childBenchmarks: [Benchmark] =
    child("3 makings", atMost: 12, serve)
    + child("3 makings, one with a hook", atMost: 20) { server in
        let child = try! server.child(opening: .request)
        blackHole(try! child.resolve(HookedPart.self))
        blackHole(try! child.resolve(Part<D1>.self))
        blackHole(try! child.resolve(Part<D2>.self))
    }
    + child("3 makings, one with a settings type", atMost: 20) { server in
        let child = try! server.child(opening: .request)
        blackHole(try! child.resolve(ConfiguredPart.self))
        blackHole(try! child.resolve(Part<D1>.self))
        blackHole(try! child.resolve(Part<D2>.self))
    }
    + child("3 makings, for an alias of a decorated one, with an array and an optional, by a resolver", atMost: 30) {
        server in
        let child = try! server.child(opening: .request)
        blackHole(try! child.resolve((any RequestService).self))
        blackHole(try! child.resolve(ListingPart.self))
        blackHole(try! child.resolve(ResolvingPart.self))
    }
    + child("wrappers of a setting, a collection, and an instance", atMost: 30, floor: threeInitsInside) { server in
        let child = try! server.child(opening: .request)
        AppContext.withContext(child) {
            let listing = Listing()
            blackHole((listing.retries, listing.leaves, listing.part))
        }
    }
    + child("3 wrappers of an object that is made in it", atMost: 20, floor: threeInitsInside) { server in
        let child = try! server.child(opening: .request)
        AppContext.withContext(child) {
            let handler = Handler()
            blackHole((handler.first, handler.second, handler.third))
        }
    }
    + child("3 makings from a pushed module made for it", atMost: 60) { server in
        let info = RequestInfo()
        let module = Module("Request") { $0.register { info } }
        let child = try! server.child(opening: .request, pushing: module)
        blackHole(try! child.resolve(InformedPart<D0>.self))
        blackHole(try! child.resolve(InformedPart<D1>.self))
        blackHole(try! child.resolve(InformedPart<D2>.self))
    }
    + Benchmark.flat("child, 3 makings", in: "other children with observers") { count in
        let server = try server(modules: 1)
        let observed = try (0..<count).map { _ in
            let child = try server.child(opening: .request)
            return (child, child.observe { _ in })
        }
        return Benchmark.Work("child", operations: times) {
            for _ in 0..<times { serve(server) }
            withExtendedLifetime(observed) {}
        }
    }
    + [
        Benchmark("4 threads, each serving requests from one context, gain", target: .atLeast(0.8)) {
            try servingInParallel()
        }
    ]
