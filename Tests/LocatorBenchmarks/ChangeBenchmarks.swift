import Locator

private final class Leaf: Sendable {}

private final class Branch: Sendable {
    let first: Leaf
    let second: Leaf

    init(_ first: Leaf, _ second: Leaf) {
        self.first = first
        self.second = second
    }
}

private final class PrototypeLeaf {}

private final class PrototypeBranch {
    let leaves: (PrototypeLeaf, PrototypeLeaf)
    init(_ first: PrototypeLeaf, _ second: PrototypeLeaf) { leaves = (first, second) }
}

private final class PrototypeTree {
    let branches: (PrototypeBranch, PrototypeBranch, PrototypeBranch)
    init(_ first: PrototypeBranch, _ second: PrototypeBranch, _ third: PrototypeBranch) {
        branches = (first, second, third)
    }
}

private struct Payload: Sendable {
    let number: Int
}

private final class Product {
    let payload: Payload
    let leaf: Leaf
    let branch: Branch

    init(_ payload: Payload, _ leaf: Leaf, _ branch: Branch) {
        self.payload = payload
        self.leaf = leaf
        self.branch = branch
    }
}

private final class FiveWrappers {
    @Dependency var first: Leaf
    @Dependency var second: Leaf
    @Dependency var third: Leaf
    @Dependency var fourth: Leaf
    @Dependency var fifth: Leaf
}

private final class FiveArguments {
    let first: Leaf
    let second: Leaf
    let third: Leaf
    let fourth: Leaf
    let fifth: Leaf

    init(_ first: Leaf, _ second: Leaf, _ third: Leaf, _ fourth: Leaf, _ fifth: Leaf) {
        self.first = first
        self.second = second
        self.third = third
        self.fourth = fourth
        self.fifth = fifth
    }
}

private final class RequestPart<Number>: Sendable {
    let leaf: Leaf
    init(_ leaf: Leaf) { self.leaf = leaf }
}

private final class Dependent: Sendable {
    let leaf: Leaf
    init(_ leaf: Leaf) { self.leaf = leaf }
}

private let parts = Module("Parts") { registry in
    registry.register { Leaf() }
    registry.register(Branch.init)
    registry.register(scope: .prototype, PrototypeLeaf.init)
    registry.register(scope: .prototype, PrototypeBranch.init)
    registry.register(scope: .prototype, PrototypeTree.init)
    registry.factory(Product.init)
    registry.register(scope: Scope("request"), RequestPart<D0>.init)
    registry.register(scope: Scope("request"), RequestPart<D1>.init)
    registry.register(scope: Scope("request"), RequestPart<D2>.init)
    for number in 0..<10 { registry.register(qualifier: .named("\(number)"), Dependent.init) }
}

private func loaded(_ registrations: Int = 0) -> AppContext {
    let context = AppContext()
    do {
        try context.load(parts, numbered(registrations))
        for key in numberedKeys.prefix(registrations) { key.resolve(from: context) }
        _ = try (context.resolve(Leaf.self), context.resolve(Branch.self))
    } catch {
        preconditionFailure(error.description)
    }
    return context
}

/// A hundred operations in their context, as a program has them: it uses the shared context, and a test enters its fork.
///
/// A maker runs in the context it belongs to; where that is not the current one, it has to be made so each time.
private func entered(_ context: AppContext, _ name: String, _ run: @escaping () -> Void) -> Benchmark.Work {
    Benchmark.Work(name, operations: 100) { AppContext.withContext(context, run) }
}

private func numbered(_ registrations: Int) -> Module {
    Module("Numbered") { registry in
        for key in numberedKeys.prefix(registrations) { key.register(in: registry) }
    }
}

@inline(never) private func makeLeaf() -> PrototypeLeaf { PrototypeLeaf() }
@inline(never) private func makeBranch() -> PrototypeBranch { PrototypeBranch(makeLeaf(), makeLeaf()) }
@inline(never) private func makeTree() -> PrototypeTree { PrototypeTree(makeBranch(), makeBranch(), makeBranch()) }

private final class Fake: Sendable {}

/// The rows about making and changing.
nonisolated(unsafe) let changeBenchmarks: [Benchmark] = [
    Benchmark("make a holder of 5 wrappers, read each once", target: .atMost(4)) {
        let context = loaded()
        let leaf = try context.resolve(Leaf.self)
        return (
            Benchmark.Work("wrappers", operations: 100) {
                AppContext.withContext(context) {
                    for _ in 0..<100 {
                        let holder = FiveWrappers()
                        blackHole((holder.first, holder.second, holder.third, holder.fourth, holder.fifth))
                    }
                }
            },
            Benchmark.Work("arguments", operations: 100) {
                for _ in 0..<100 {
                    let holder = opaque(FiveArguments(leaf, leaf, leaf, leaf, leaf))
                    blackHole((holder.first, holder.second, holder.third, holder.fourth, holder.fifth))
                }
            }
        )
    },
    Benchmark("prototype, no dependency", target: .atMost(3)) {
        let context = loaded()
        return (
            entered(context, "resolve") {
                for _ in 0..<100 { blackHole(try! context.resolve(PrototypeLeaf.self)) }
            },
            Benchmark.Work("init", operations: 100) { for _ in 0..<100 { blackHole(makeLeaf()) } }
        )
    },
    Benchmark("prototype, of a context that is not the current one", target: .none) {
        let context = loaded()
        return (
            Benchmark.Work("resolve", operations: 100) {
                for _ in 0..<100 { blackHole(try! context.resolve(PrototypeLeaf.self)) }
            },
            Benchmark.Work("init", operations: 100) { for _ in 0..<100 { blackHole(makeLeaf()) } }
        )
    },
    Benchmark("prototype graph 1+3+6", target: .atMost(3)) {
        let context = loaded()
        return (
            entered(context, "resolve") {
                for _ in 0..<100 { blackHole(try! context.resolve(PrototypeTree.self)) }
            },
            Benchmark.Work("nested init", operations: 100) { for _ in 0..<100 { blackHole(makeTree()) } }
        )
    },
    Benchmark("factory with payload and 2 singletons", target: .atMost(4)) {
        let context = loaded()
        let (leaf, branch) = (try context.resolve(Leaf.self), try context.resolve(Branch.self))
        return (
            entered(context, "resolve") {
                for number in 0..<100 { blackHole(try! context.resolve(Product.self, with: Payload(number: number))) }
            },
            Benchmark.Work("init", operations: 100) {
                for number in 0..<100 { blackHole(Product(Payload(number: number), opaque(leaf), opaque(branch))) }
            }
        )
    },
    Benchmark("load a module of 10,000 keys", target: .atMost(3)) {
        let module = numbered(10_000)
        let boxes = numberedKeys.map { ($0.type, TableBox($0)) }
        return (
            Benchmark.Work("load", operations: 10_000) { blackHole(try? AppContext().load(module)) },
            Benchmark.Work("inserts in a dictionary of boxes", operations: 10_000) {
                var table: [ObjectIdentifier: AnyObject] = [:]
                for (type, box) in boxes { table[ObjectIdentifier(type)] = TableBox(box) }
                blackHole(table)
            }
        )
    },
    Benchmark("validate 10,000 registrations", target: .atMost(2)) {
        let context = try AppContext().load(numbered(10_000))
        return (
            Benchmark.Work("validate", operations: 10_000) { blackHole(context.validate()) },
            Benchmark.Work("resolve all once", operations: 10_000) {
                guard let fork = try? context.fork() else { return }
                for key in numberedKeys { key.resolve(from: fork) }
            }
        )
    },
    pushAndPop(loaded: 100),
    pushAndPop(loaded: 10_000),
    Benchmark("push, remake, pop with 10 affected singletons", target: .atMost(4)) {
        let context = loaded()
        let fake = Module("Fake") { $0.register { Leaf() } }
        for number in 0..<10 { _ = try context.resolve(Dependent.self, qualifier: .named("\(number)")) }
        let names = (0..<10).map { Qualifier.named("\($0)") }
        let fresh = Module("Fresh") { registry in
            registry.register { Leaf() }
            for name in names { registry.register(qualifier: name, Dependent.init) }
        }
        let cold = AppContext()
        try cold.load(fresh)
        return (
            Benchmark.Work("push, remake, pop") {
                _ = try? context.push(fake)
                for name in names { blackHole(try! context.resolve(Dependent.self, qualifier: name)) }
                context.pop()
            },
            Benchmark.Work("make the 10") {
                try? cold.reset()
                for name in names { blackHole(try! cold.resolve(Dependent.self, qualifier: name)) }
            }
        )
    },
    fork(loaded: 100),
    fork(loaded: 10_000),
    Benchmark("child with a request scope: open, resolve 3, dispose", target: .atMost(8)) {
        let context = loaded()
        let leaf = try context.resolve(Leaf.self)
        return (
            Benchmark.Work("child") {
                guard let child = try? context.child(opening: Scope("request")) else { return }
                blackHole(try! child.resolve(RequestPart<D0>.self))
                blackHole(try! child.resolve(RequestPart<D1>.self))
                blackHole(try! child.resolve(RequestPart<D2>.self))
            },
            Benchmark.Work("make the 3") {
                blackHole(RequestPart<D0>(leaf))
                blackHole(RequestPart<D1>(leaf))
                blackHole(RequestPart<D2>(leaf))
            }
        )
    },
]

private func pushAndPop(loaded count: Int) -> Benchmark {
    Benchmark("push and pop of one key, nothing affected, \(count) loaded", target: .nanoseconds(10_000)) {
        let context = loaded(count)
        let module = Module("Fake") { $0.register { Fake() } }
        return (
            Benchmark.Work("push and pop") {
                _ = try? context.push(module)
                context.pop()
            },
            Benchmark.Work("one registration made and dropped") { blackHole(Fake()) }
        )
    }
}

private func fork(loaded count: Int) -> Benchmark {
    Benchmark("fork, resolve one, drop, \(count) loaded", target: .nanoseconds(5000)) {
        let context = loaded(count)
        return (
            Benchmark.Work("fork") { blackHole(try! context.fork().resolve(Leaf.self)) },
            Benchmark.Work("make one") { blackHole(Leaf()) }
        )
    }
}
