import Dispatch
import Locator

extension Scope {
    fileprivate static let session = Scope("session")
    fileprivate static let request = Scope("request")
}

private final class Fake: Sendable {}
private final class Product {}
private final class SessionPart: Sendable {}
private final class RequestPart: Sendable {}
private final class Selecting: Sendable {
    let count: Int
    init(count: Int) { self.count = count }
}

/// Loads so many modules of one key each.
func loadOneByOne(_ count: Int, into context: AppContext) throws {
    for (number, key) in numberedKeys.prefix(count).enumerated() {
        nonisolated(unsafe) let own = key
        try context.load(Module("Module \(number)") { registry in own.register(in: registry) })
    }
}

/// A module with so many keys.
private func module(keys: Int) -> Module {
    Module("Keys") { registry in for key in numberedKeys.prefix(keys) { key.register(in: registry) } }
}

private func context(modules: Int) throws -> AppContext {
    let context = AppContext()
    try loadOneByOne(modules, into: context)
    for key in numberedKeys.prefix(modules) { key.resolve(from: context) }
    return context
}

private func context(keys: Int) throws -> AppContext {
    let context = try AppContext().load(module(keys: keys))
    for key in numberedKeys.prefix(keys) { key.resolve(from: context) }
    return context
}

private func context(pushed: Int) throws -> AppContext {
    let context = AppContext()
    for (number, key) in numberedKeys.prefix(pushed).enumerated() {
        nonisolated(unsafe) let own = key
        try context.push(Module("Module \(number)") { registry in own.register(in: registry) })
    }
    return context
}

/// So many modules of one key each, with conditions that do not hold.
private func conditionalModules(_ count: Int) -> [Module] {
    numberedKeys.prefix(count).enumerated().map { number, key in
        nonisolated(unsafe) let own = key
        return Module("Module \(number)", when: .property("module\(number).isOn", equals: true)) { registry in
            own.register(in: registry)
        }
    }
}

private func settingModules(_ count: Int, in section: String = "") -> [Module] {
    (0..<count).map { Module("Module \($0)", properties: ["\(section)module\($0).size": 1]) }
}

/// Children that are open, in each of which something was made.
private func children(_ count: Int, of context: AppContext) throws -> [AppContext] {
    try (0..<count).map { _ in
        let child = try context.child(opening: .request)
        _ = try child.resolve(RequestPart.self)
        return child
    }
}

private let parts = Module("Parts") { registry in
    registry.register(scope: .prototype) { Product() }
    registry.register(scope: .session) { SessionPart() }
    registry.register(scope: .request) { RequestPart() }
}

private let fake = Module("Fake") { $0.register { Fake() } }
private let conditionalFake = Module("Fake", when: .property("fake.isOn", equals: true)) { $0.register { Fake() } }

private let setting = Module("Setting", properties: ["fake.isOn": true])

private let times = 20

private func pushAndPop(
    _ context: AppContext, of module: Module = fake, keeping kept: [AppContext] = []
) -> Benchmark.Work {
    Benchmark.Work("push and pop", operations: times) {
        for _ in 0..<times {
            _ = try? context.push(module)
            context.pop()
        }
        withExtendedLifetime(kept) {}
    }
}

private func fork(_ context: AppContext) -> Benchmark.Work {
    Benchmark.Work("fork", operations: times) { for _ in 0..<times { blackHole(try? context.fork()) } }
}

/// Pushes and pops beside threads that have used the context and wait now.
private func pushAndPop(idleThreads count: Int) -> Benchmark {
    Benchmark("push and pop of one key, flat: \(count) idle threads", target: .atMost(1.3)) {
        let context = try context(keys: 1)
        let work = pushAndPop(context)
        let alone = Measuring.leastTime(work)
        let once: @Sendable () -> Void = { numberedKeys[0].resolve(from: context) }
        let beside = Threads.withIdle(count, once: once) { Measuring.leastTime(work) }
        return (beside, min(alone, Measuring.leastTime(work)), "the same with none")
    }
}

/// A module with a chain of dependencies.
private func chain(_ depth: Int, by need: Need) -> Module {
    nonisolated(unsafe) let keys = numberedKeys.prefix(depth)
    return Module("Chain") { registry in
        keys[0].register(in: registry)
        for (next, key) in zip(keys, keys.dropFirst()) {
            key.register(in: registry, needing: next, by: need)
        }
    }
}

/// Each link of a chain of instances that a child with a module of its own shares.
private func sharedLink(_ depth: Int) throws -> Benchmark.Work {
    let keys = numberedKeys.prefix(depth)
    let context = try AppContext().load(chain(depth, by: .parameter))
    for key in keys { key.resolve(from: context) }
    let qualified = Module("Qualified") { $0.register(qualifier: "own") { Fake() } }
    let rounds = max(1, 100 / depth)
    return Benchmark.Work("link", operations: depth * rounds) {
        for _ in 0..<rounds {
            guard let child = try? context.child(pushing: qualified) else { return }
            for key in keys { key.resolve(from: child) }
        }
    }
}

/// Each link of a chain of dependencies, made for the first time.
private func link(_ depth: Int, by need: Need) throws -> Benchmark.Work {
    let chain = chain(depth, by: need)
    let rounds = max(1, 100 / depth)
    let first = numberedKeys[depth - 1]
    return Benchmark.Work("link", operations: depth * rounds) {
        for _ in 0..<rounds {
            guard let context = try? AppContext().load(chain) else { return }
            AppContext.withContext(context) { first.resolve(from: context) }
        }
    }
}

/// The first resolve of a key among so many that differ by their qualifier.
private func firstResolve(amongNames count: Int) throws -> Benchmark.Work {
    let context = AppContext()
    try context.load(
        Module("Names") { registry in
            for number in 0..<count { registry.register(qualifier: .named("\(number)")) { Fake() } }
        })
    return Benchmark.Work("first resolve", operations: times) {
        for _ in 0..<times {
            guard let fork = try? context.fork() else { return }
            blackHole(try! fork.resolve(Fake.self, qualifier: "0"))
        }
    }
}

/// The first resolve of each qualifier of a type, which as many modules have.
private func firstResolve(ofModules count: Int) throws -> Benchmark.Work {
    let context = AppContext()
    for number in 0..<count {
        try context.load(Module("Module \(number)") { $0.register(qualifier: .named("\(number)")) { Fake() } })
    }
    let rounds = max(1, 100 / count)
    return Benchmark.Work("first resolve", operations: count * rounds) {
        for _ in 0..<rounds {
            guard let fork = try? context.fork() else { return }
            for number in 0..<count { blackHole(try! fork.resolve(Fake.self, qualifier: .named("\(number)"))) }
        }
    }
}

/// A push, a pop, and a request after each, with so many pushes of the type below.
private func pushAndResolve(inStackOf count: Int) throws -> Benchmark.Work {
    try pushAndResolve(inStackOf: count) { blackHole(try! $0.resolve(Fake.self)) }
}

/// The same for what is made from the type; each push below has set an instance aside.
private func pushAndMake(inStackOf count: Int) throws -> Benchmark.Work {
    try pushAndResolve(inStackOf: count) { blackHole(try! $0.resolve(NeedsFake.self)) }
}

private func pushAndResolve(inStackOf count: Int, _ request: @escaping (AppContext) -> Void) throws -> Benchmark.Work {
    func module(_ number: Int) -> Module { Module("Module \(number)") { $0.register { Fake() } } }
    let context = try AppContext().load(Module("Base") { $0.register(NeedsFake.init) })
    for number in 0..<count {
        try context.push(module(number))
        request(context)
    }
    let top = module(count)
    return Benchmark.Work("push, pop, and requests", operations: times) {
        for _ in 0..<times {
            _ = try? context.push(top)
            request(context)
            context.pop()
            request(context)
        }
    }
}

/// A push, a pop, and a request after each, with so many modules of the type that come first and have another
/// qualifier.
private func pushAndResolve(behind count: Int) throws -> Benchmark.Work {
    let context = try AppContext().load(Module("Last") { $0.register(qualifier: "last") { Fake() } })
    for number in 0..<count {
        try context.push(Module("Module \(number)") { $0.register(qualifier: .named("\(number)")) { Fake() } })
    }
    let top = Module("Top") { $0.register(qualifier: "top") { Fake() } }
    return Benchmark.Work("push, pop, and requests", operations: times) {
        for _ in 0..<times {
            _ = try? context.push(top)
            blackHole(try! context.resolve(Fake.self, qualifier: "last"))
            context.pop()
            blackHole(try! context.resolve(Fake.self, qualifier: "last"))
        }
    }
}

/// A request with a qualifier that no request has had, after so many of them.
private func newName(after count: Int) -> Benchmark.Work { newName(in: AppContext(), after: count) }

/// The same for a type with so many registrations.
private func newName(beside count: Int) throws -> Benchmark.Work {
    let context = AppContext()
    try context.load(
        Module("Names") { registry in
            for number in 0..<count { registry.register(qualifier: .named("name \(number)")) { Fake() } }
        })
    return newName(in: context, after: 0)
}

/// The same for a type that so many modules register.
private func newName(besideModules count: Int) throws -> Benchmark.Work {
    newName(in: try contextOfOneType(modules: count), after: 0)
}

private func contextOfOneType(modules count: Int) throws -> AppContext {
    let context = AppContext()
    for number in 0..<count {
        try context.load(Module("Module \(number)") { $0.register(qualifier: .named("\(number)")) { Fake() } })
    }
    return context
}

private func newName(in context: AppContext, after count: Int) -> Benchmark.Work {
    var number = 0
    func request() {
        number += 1
        blackHole(try? context.resolve(Fake?.self, qualifier: .named("new \(number)")))
    }
    for _ in 0..<count { request() }
    return Benchmark.Work("missing qualifier", operations: times) { for _ in 0..<times { request() } }
}

/// A wrapper of a property, of which a program has so many.
private func newWrapper(atPlaces count: Int) throws -> Benchmark.Work {
    let context = try AppContext().load(Module("Fakes") { registry in registry.register { Fake() } })
    var line: UInt = 0
    func read() {
        line = (line + 1) % UInt(count)
        blackHole(Dependency<Fake>(line: line).wrappedValue)
    }
    AppContext.withContext(context) { for _ in 0..<10 * count { read() } }
    return Benchmark.Work("wrapper", operations: times) {
        AppContext.withContext(context) { for _ in 0..<times { read() } }
    }
}

/// The validation of modules that have one type, for each of them.
private func validation(ofModules count: Int) throws -> Benchmark.Work {
    let context = try contextOfOneType(modules: count)
    let rounds = max(1, 100 / count)
    return Benchmark.Work("validation", operations: count * rounds) {
        for _ in 0..<rounds { blackHole(context.validate()) }
    }
}

private final class NeedsFake: Sendable {
    init(_ fake: Fake) {}
}

/// The validation of registrations that need as many missing qualifiers of a type with as many registrations.
private func validation(ofMissing count: Int) throws -> Benchmark.Work {
    let context = AppContext()
    try context.load(
        Module("Missing") { registry in
            for number in 0..<count {
                registry.register(qualifier: .named("\(number)")) { Fake() }
                registry.register(
                    qualifier: .named("\(number)"), parameterQualifiers: [.named("missing \(number)")],
                    NeedsFake.init)
            }
        })
    let rounds = max(1, 100 / count)
    return Benchmark.Work("validation", operations: count * rounds) {
        for _ in 0..<rounds { blackHole(context.validate()) }
    }
}

/// The first resolve of a key with so many decorators.
private func firstResolve(throughDecorators count: Int) throws -> Benchmark.Work {
    let context = try AppContext().load(
        Module("Decorators") { registry in
            registry.register { Fake() }
            for _ in 0..<count { registry.decorate(Fake.self) { $0 } }
        })
    let rounds = max(1, 100 / count)
    return Benchmark.Work("decorator", operations: count * rounds) {
        for _ in 0..<rounds {
            guard let fork = try? context.fork() else { return }
            blackHole(try! fork.resolve(Fake.self))
        }
    }
}

/// The push and pop of a module beside so many instances that were made from selected modules of a type that it lacks.
private func pushAndPop(besideSelections count: Int) throws -> Benchmark.Work {
    let context = try AppContext().load(parts).load(
        Module("Selections") { registry in
            for number in 0..<count {
                registry.register(qualifier: .named("\(number)")) { (resolver: Resolver) in
                    Selecting(count: try resolver.resolveAll(RequestPart.self, from: .where { _ in false }).count)
                }
            }
        })
    for number in 0..<count { blackHole(try context.resolve(Selecting.self, qualifier: .named("\(number)"))) }
    return pushAndPop(context)
}

/// Pushes and pops a setting beside readers that wait for another one.
private func pushAndPop(besideReaders count: Int) throws -> Benchmark.Work {
    let context = try AppContext().load(Module("Base", properties: ["limit": 1]))
    let ready = DispatchSemaphore(value: 0)
    for _ in 0..<count {
        Task {
            for await limit in context.values(of: "limit", as: Int.self) {
                blackHole(limit)
                ready.signal()
            }
        }
    }
    for _ in 0..<count { ready.wait() }
    return pushAndPop(context, of: setting)
}

/// Reads a setting in a new child, beside so many modules with other settings, which may be in the same section.
private func childReads(beside count: Int, in section: String = "") throws -> Benchmark.Work {
    let context = try AppContext().load(settingModules(count, in: section)).load(setting)
    return Benchmark.Work("open and read", operations: times) {
        for _ in 0..<times {
            blackHole((try? context.child().value("fake.isOn", as: Bool.self)) ?? false)
        }
    }
}

/// Loads a module with a setting, reads it, and unloads the module, beside so many modules with other settings.
///
/// A module with a condition also reads the settings after each change.
private func loadAndRead(beside count: Int) throws -> Benchmark.Work {
    let context = try AppContext().load(settingModules(count)).load(conditionalFake)
    return Benchmark.Work("load, read, and unload", operations: times) {
        for _ in 0..<times {
            try! context.load(setting)
            blackHole(try! context.value("fake.isOn", as: Bool.self))
            try! context.unload(setting)
        }
    }
}

/// Reads a setting after a push and after a pop above a child, which has kept its settings since before a load.
private func keptSettings(beside count: Int) throws -> Benchmark.Work {
    let context = try AppContext().load(settingModules(count)).load(setting)
    let child = try context.child(keepsSettings: true)
    try context.reloadProperties()
    return Benchmark.Work("push, pop, and reads", operations: times) {
        for _ in 0..<times {
            try? context.pushing(fake) { blackHole(try child.value("fake.isOn", as: Bool.self)) }
            blackHole(try! child.value("fake.isOn", as: Bool.self))
        }
    }
}

/// Resets a scope and opens a child, beside so many modules that have instances of the scope.
private func resetAndOpen(besideModules count: Int) throws -> Benchmark.Work {
    let context = try AppContext().load(parts)
    for number in 0..<count {
        try context.load(
            Module("Module \(number)") {
                $0.register(qualifier: .named("\(number)"), scope: .session) { SessionPart() }
            })
    }
    return Benchmark.Work("reset and open", operations: times) {
        for _ in 0..<times {
            try! context.reset(.session)
            blackHole(try! context.child(opening: .request))
        }
    }
}

/// Unloads a module that an instance depends on and loads it again, for each module that was loaded after it.
private func unload(before count: Int) throws -> Benchmark.Work {
    let context = try AppContext().load(Module("Base") { $0.register(Selecting.self) { Selecting(count: 0) } })
    return Benchmark.Work("unload", operations: count) {
        let first = Module("First") { $0.register(qualifier: "first") { Fake() } }
        try! context.load(first)
        try! context.load(
            Module("Reader") { registry in
                registry.register(RequestPart.self) { (resolver: Resolver) in
                    blackHole(try resolver.resolveMap(Fake.self).count)
                    return RequestPart()
                }
            })
        let later = (0..<count).map { Module("Module \($0)") { $0.register { SessionPart() } } }
        for module in later { try! context.load(module) }
        blackHole(try! context.resolve(RequestPart.self))
        try! context.unload(first)
        try! context.unloadAll()
    }
}

/// Opens a child with a scope, beside so many other scopes, each with an input.
private func open(besideScopes count: Int) throws -> Benchmark.Work {
    let context = try context(scopes: count)
    return Benchmark.Work("open", operations: times) {
        for _ in 0..<times { blackHole(try! context.child(opening: .request)) }
    }
}

/// Pushes a module with a scope, opens a child, and pops the module.
private func pushAndOpen(besideScopes count: Int) throws -> Benchmark.Work {
    let context = try context(scopes: count)
    let scoped = Module("Scoped") { $0.register(scope: .session) { Fake() } }
    return Benchmark.Work("push, open, and pop", operations: times) {
        for _ in 0..<times {
            _ = try? context.push(scoped)
            blackHole(try! context.child(opening: .request))
            context.pop()
        }
    }
}

private func context(scopes count: Int) throws -> AppContext {
    let context = try AppContext().load(parts)
    try context.load(
        Module("Scopes") { registry in
            for number in 0..<count {
                let scope = Scope("scope \(number)", requiresOpening: true)
                registry.input(Fake.self, qualifier: .named("\(number)"), scope: scope)
            }
        })
    return context
}

/// The first resolve in a fork, of a type that so many modules register.
private func firstResolve(amongModules count: Int) throws -> Benchmark.Work {
    let context = AppContext()
    for number in 0..<count { try context.load(Module("Module \(number)") { $0.register { Fake() } }) }
    return Benchmark.Work("first resolve", operations: times) {
        for _ in 0..<times { blackHole(try! context.fork().resolve(Fake.self)) }
    }
}

/// The same in a child that decorates the type.
private func firstResolve(inChildAmongModules count: Int) throws -> Benchmark.Work {
    let context = AppContext()
    for number in 0..<count { try context.load(Module("Module \(number)") { $0.register { Fake() } }) }
    let decorating = Module("Decorating") { $0.decorate(Fake.self) { $0 } }
    return Benchmark.Work("first resolve", operations: times) {
        for _ in 0..<times { blackHole(try! context.child(pushing: decorating).resolve(Fake.self)) }
    }
}

private func observe(beside count: Int) throws -> Benchmark.Work {
    let context = try context(keys: count)
    return Benchmark.Work("observe and end", operations: times) {
        for _ in 0..<times { context.observe { _ in }.end() }
    }
}

private func reset(beside count: Int) throws -> Benchmark.Work {
    let context = try context(keys: count)
    try context.load(parts)
    return Benchmark.Work("reset", operations: times) {
        for _ in 0..<times {
            blackHole(try! context.resolve(SessionPart.self))
            try! context.reset(.session)
        }
    }
}

/// A floor of makings that no two threads share.
@Sendable private func makeObjects() { for _ in 0..<10_000 * 20 { blackHole(Fake()) } }

private func forksInParallel() throws -> Benchmark.Values {
    let context = try context(modules: 100)
    // About as long as the floor, so that starting the threads does not count.
    let forking: @Sendable () -> Void = { for _ in 0..<5000 { blackHole(try? context.fork()) } }
    return Measuring.gains(
        operation: (Benchmark.Work("one", run: forking), Benchmark.Work("four") { Threads.run(4, forking) }),
        floor: (
            Benchmark.Work("one", run: makeObjects),
            Benchmark.Work("objects of their own") { Threads.run(4, makeObjects) }
        ), threads: 4)
}

/// What the floor of the row about a prototype binds.
private enum Bound {
    @TaskLocal static var number = 0
}

/// The rows about what a change or a making costs, and how that grows.
nonisolated(unsafe) let growthBenchmarks: [Benchmark] =
    [
        Benchmark("push and pop of one key", target: .atMost(30)) {
            let table = LockedTable()
            return (
                pushAndPop(try context(keys: 1)),
                Benchmark.Work("entry set and removed under a lock", operations: times) {
                    for _ in 0..<times {
                        table.insert(Fake.self) { Fake() }
                        table.remove(Fake.self)
                    }
                }
            )
        }
    ]
    + Benchmark.flat("push and pop of one key", in: "modules") { pushAndPop(try context(modules: $0)) }
    + Benchmark.flat("push and pop of one key", in: "keys") { pushAndPop(try context(keys: $0)) }
    + Benchmark.flat("push and pop of one key", in: "pushes below") { pushAndPop(try context(pushed: $0)) }
    + Benchmark.flat("push and pop of one key", in: "modules with conditions") {
        pushAndPop(try AppContext().load(conditionalModules($0)))
    }
    + Benchmark.flat("push and pop of a module with a condition", in: "modules with conditions") {
        pushAndPop(try AppContext().load(conditionalModules($0)), of: conditionalFake)
    }
    + Benchmark.flat("push and pop of a setting", in: "modules with conditions") {
        pushAndPop(try AppContext().load(conditionalModules($0)), of: setting)
    }
    + Benchmark.flat("push and pop of a setting", in: "modules with settings") {
        pushAndPop(try AppContext().load(settingModules($0)), of: setting)
    }
    + Benchmark.flat("push and pop of a setting", in: "readers of another", prepare: pushAndPop(besideReaders:))
    + Benchmark.flat("child, one read of a setting", in: "modules with settings") { try childReads(beside: $0) }
    + Benchmark.flat("child, one read of a setting", in: "modules with settings in its section") {
        try childReads(beside: $0, in: "fake.")
    }
    + Benchmark.flat("push, pop, and a read of a setting", in: "modules with settings") { count in
        let context = try AppContext().load(settingModules(count))
        return Benchmark.Work("push, read, and pop", operations: times) {
            for _ in 0..<times {
                try? context.pushing(setting) { blackHole(try context.value("fake.isOn", as: Bool.self)) }
            }
        }
    }
    + Benchmark.flat("read of one setting in a new child", in: "modules that set it", over: 10) { count in
        let context = AppContext()
        for number in 0..<count { try context.load(Module("Module \(number)", properties: ["fake.isOn": true])) }
        return Benchmark.Work("open and read", operations: times) {
            for _ in 0..<times { blackHole((try? context.child().value("fake.isOn", as: Bool.self)) ?? false) }
        }
    }
    + Benchmark.flat("child that pushes a module, beside a push", in: "modules of the type") { count in
        let context = try contextOfOneType(modules: count)
        let fake = Module("Pushed") { $0.register(qualifier: "pushed") { Fake() } }
        try context.push(fake)
        return Benchmark.Work("open", operations: times) {
            for _ in 0..<times { blackHole(try? context.child(pushing: fake)) }
        }
    }
    + Benchmark.flat(
        "load, read, and unload of a setting", in: "modules with settings", prepare: loadAndRead(beside:))
    + Benchmark.flat(
        "push, pop, and reads in a child that keeps its settings", in: "modules with settings",
        prepare: keptSettings(beside:))
    + Benchmark.flat("load, one by one", in: "modules with settings", over: 10) { count in
        let modules = settingModules(count)
        return Benchmark.Work("load", operations: count) {
            let context = AppContext()
            for module in modules { _ = try? context.load(module) }
        }
    }
    + Benchmark.flat("load, one by one, over the files", in: "modules with settings", over: 10) { count in
        let modules = settingModules(count)
        return Benchmark.Work("load", operations: count) {
            let context = AppContext()
            for module in modules { _ = try? context.load(module, priority: .high) }
        }
    }
    + Benchmark.flat("load and unload before others", in: "modules with settings") { count in
        let context = try AppContext().load(settingModules(count))
        return Benchmark.Work("load and unload", operations: times) {
            for _ in 0..<times {
                try! context.load(setting, priority: 600)
                try! context.unload(setting)
            }
        }
    }
    + Benchmark.flat("load, one by one", in: "modules with conditions", over: 10) { count in
        let modules = conditionalModules(count)
        return Benchmark.Work("load", operations: count) {
            let context = AppContext()
            for module in modules { _ = try? context.load(module) }
        }
    }
    + Benchmark.flat("a push, or a pop, in a stack", in: "pushes") { depth in
        let context = AppContext()
        let modules = numberedKeys.prefix(depth).enumerated().map { number, key in
            nonisolated(unsafe) let own = key
            return Module("Module \(number)") { registry in own.register(in: registry) }
        }
        return Benchmark.Work("push and pop", operations: depth) {
            for module in modules { _ = try? context.push(module) }
            for _ in modules { context.pop() }
        }
    }
    + Benchmark.flat("push and pop of one key", in: "open children") { count in
        let context = try AppContext().load(parts)
        return pushAndPop(context, keeping: try children(count, of: context))
    }
    + [100, 1000].map(pushAndPop(idleThreads:))
    + Benchmark.flat("fork", in: "modules") { fork(try context(modules: $0)) }
    + Benchmark.flat("fork", in: "keys") { fork(try context(keys: $0)) }
    + [
        Benchmark("4 threads, each forking one context, gain", target: .atLeast(0.5)) { try forksInParallel() },
        Benchmark("load of 1,000 modules one by one", target: .atMost(3)) {
            let modules = numberedKeys.prefix(1000).enumerated().map { number, key in
                nonisolated(unsafe) let own = key
                return Module("Module \(number)") { registry in own.register(in: registry) }
            }
            let whole = module(keys: 1000)
            return (
                Benchmark.Work("load", operations: 1000) {
                    let context = AppContext()
                    for module in modules { _ = try? context.load(module) }
                },
                Benchmark.Work("one module with their keys", operations: 1000) {
                    blackHole(try? AppContext().load(whole))
                }
            )
        },
        Benchmark("load and first resolve of each of 1,000 keys", target: .atMost(6)) {
            let keys = Array(numberedKeys.prefix(1000))
            let module = module(keys: 1000)
            return (
                Benchmark.Work("load and resolve", operations: 1000) {
                    guard let context = try? AppContext().load(module) else { return }
                    // As a program has it, which uses the shared context: what is made need not make it the current one.
                    AppContext.withContext(context) { for key in keys { key.resolve(from: context) } }
                },
                Benchmark.Work("locked insert, look-up and init", operations: 1000) {
                    let table = LockedTable()
                    for key in keys { key.insert(into: table) }
                    for key in keys { blackHole(table.resolve(key.type)) }
                }
            )
        },
        Benchmark("first resolve through a chain of 10, per link", target: .none) {
            (
                try link(10, by: .parameter),
                Benchmark.Work("locked insert, look-up and init", operations: 100) {
                    for _ in 0..<10 {
                        let table = LockedTable()
                        for key in numberedKeys.prefix(10) { key.insert(into: table) }
                        for key in numberedKeys.prefix(10) { blackHole(table.resolve(key.type)) }
                    }
                }
            )
        },
    ]
    + Benchmark.flat("instances of the parent in a child with a module, per link", in: "links", over: 10) {
        try sharedLink($0)
    }
    + Benchmark.flat("first resolve through a chain of parameters, per link", in: "links", over: 10) {
        try link($0, by: .parameter)
    }
    + Benchmark.flat("first resolve through a chain of resolvers, per link", in: "links", over: 10) {
        try link($0, by: .resolver)
    }
    + Benchmark.flat("first resolve through a chain of wrappers, per link", in: "links", over: 10) {
        try link($0, by: .wrapper)
    }
    + Benchmark.flat("fork and first resolve", in: "qualifiers of the type", prepare: firstResolve(amongNames:))
    + Benchmark.flat(
        "first resolve of each qualifier", in: "modules of the type", over: 10, prepare: firstResolve(ofModules:))
    + Benchmark.flat(
        "push and pop, each with a request", in: "pushes of the type", prepare: pushAndResolve(inStackOf:))
    + Benchmark.flat(
        "push and pop, each with a request for what is made from the type", in: "pushes of the type",
        prepare: pushAndMake(inStackOf:))
    + Benchmark.flat(
        // Over so many that a state keeps them.
        "push and pop, each with a request", in: "modules of the type before it", over: 20,
        prepare: pushAndResolve(behind:))
    + Benchmark.flat("fork and first resolve", in: "modules of the type", prepare: firstResolve(amongModules:))
    + Benchmark.flat(
        "child with a decorator, and first resolve", in: "modules of the type",
        prepare: firstResolve(inChildAmongModules:))
    + Benchmark.flat("child, one scope opened", in: "other scopes with an input", prepare: open(besideScopes:))
    + Benchmark.flat(
        "push of a module with a scope, child, and pop", in: "other scopes with an input",
        prepare: pushAndOpen(besideScopes:))
    + Benchmark.flat("observe and end", in: "instances", prepare: observe(beside:))
    + Benchmark.flat("request with a new qualifier", in: "earlier ones", at: [1000, 100_000], prepare: newName(after:))
    + Benchmark.flat("request with a new qualifier", in: "registrations of the type", prepare: newName(beside:))
    + Benchmark.flat("request with a new qualifier", in: "modules of the type", prepare: newName(besideModules:))
    + Benchmark.flat("create a wrapper and read it", in: "places in the source", prepare: newWrapper(atPlaces:))
    + Benchmark.flat(
        // Over so many that a finding does not list all of them.
        "validation, per missing dependency", in: "registrations of its type", over: 25,
        prepare: validation(ofMissing:))
    + Benchmark.flat("validation, per module", in: "modules of one type", over: 10, prepare: validation(ofModules:))
    + Benchmark.flat("validation, per module", in: "pushes that nothing requests", over: 10) { count in
        let context = try context(pushed: count)
        return Benchmark.Work("validation", operations: count) { blackHole(context.validate()) }
    }
    + Benchmark.flat("graph, per module", in: "modules of one key", over: 10) { count in
        let context = AppContext()
        for number in 0..<count {
            try context.load(Module("Module \(number)") { $0.register(line: UInt(number)) { Fake() } })
        }
        return Benchmark.Work("graph", operations: count) { blackHole(context.graph()) }
    }
    + Benchmark.flat(
        "first resolve, per decorator", in: "decorators", over: 10, prepare: firstResolve(throughDecorators:))
    + Benchmark.flat(
        "push and pop of one key", in: "instances that read a .where", prepare: pushAndPop(besideSelections:))
    + Benchmark.flat(
        "reset a scope and open a child", in: "modules with the scope", prepare: resetAndOpen(besideModules:))
    + Benchmark.flat(
        "unload a module with a dependent, per later load", in: "later loads", over: 10, prepare: unload(before:))
    + Benchmark.flat(
        "make a session's instance and reset the session", in: "singletons", at: [1000, 10_000], over: 10,
        prepare: reset)
    + [
        Benchmark("prototype, outside of its context", target: .atMost(1.3)) {
            let context = try AppContext().load(parts)
            return (
                Benchmark.Work("resolve", operations: 100) {
                    for _ in 0..<100 { blackHole(try! context.resolve(Product.self)) }
                },
                Benchmark.Work("resolve inside, and one withValue", operations: 100) {
                    AppContext.withContext(context) {
                        for _ in 0..<100 {
                            blackHole(try! context.resolve(Product.self))
                            Bound.$number.withValue(1) { blackHole(1) }
                        }
                    }
                }
            )
        }
    ]
