import Foundation
import Locator
import Synchronization

// Four threads per core: a read is only interrupted between its steps if threads wait for a core.
let threadCount = max(8, ProcessInfo.processInfo.activeProcessorCount * 4)
// `Readers [FACTOR [CHANGE]]`: a smaller factor for slow builds, and a single kind of change.
let arguments = CommandLine.arguments.dropFirst()
let factor = arguments.first.flatMap(Double.init) ?? 1

/// Prints a line at once, so that a crash shows how far the run came.
func report(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

/// Runs each reader on all threads while `change` runs on this one.
func run(_ change: Change) throws {
    try Change.write(0)
    let context = try AppContext().loadProperties(from: Change.folder.path, environment: [:]).load(services("Base"))
    let holder = AppContext.withContext(context) { Holder() }
    let count = max(1, Int(Double(change.count) * factor))
    for reader in Reader.all {
        let isDone = Atomic(false)
        let turns = Atomic(0)
        try withThreads(threadCount) { _ in
            while !isDone.load(ordering: .relaxed) {
                for _ in 0..<20 { try reader.read(context, holder) }
                turns.add(1, ordering: .relaxed)
            }
        } meanwhile: {
            defer { isDone.store(true, ordering: .relaxed) }
            for number in 0..<count {
                try change.make(context, number)
                // Lets readers run. Without a read in between, the change would test nothing.
                sched_yield()
            }
            while turns.load(ordering: .relaxed) < threadCount { sched_yield() }
        }
    }
    report("\(change.name): \(count) times beside each of \(Reader.all.count) readers")
}

/// Threads read from contexts that end.
///
/// A wrapper that has a value keeps it.
func runEndingContexts() throws {
    let base = try AppContext().load(services("Base"))
    let latest = Guarded<(AppContext, Holder)?>(nil)
    let isDone = Atomic(false)
    func renew() throws {
        let fork = try base.fork(pushing: services("Fork"))
        let holder = AppContext.withContext(fork) { Holder() }
        _ = (holder.leaf(), holder.service(), holder.shape(), holder.pair(), holder.leaves())
        latest.value = (fork, holder)
    }
    try renew()
    try withThreads(threadCount) { number in
        while !isDone.load(ordering: .relaxed) {
            guard let (context, holder) = latest.value else { continue }
            if number % 2 == 0 {
                try context.resolve(Leaf.self).check()
                for shape in try context.resolveAll((any Shape).self) { shape.living.check() }
            } else {
                withExtendedLifetime(holder) {}
            }
            // Nothing holds the context from here on.
            for _ in 0..<20 {
                try? holder.leaf.resolved().check()
                try? holder.shape.resolved().living.check()
                try? holder.pair.resolved().leaf.check()
                for leaf in (try? holder.leaves.resolved()) ?? [] { leaf.check() }
            }
        }
    } meanwhile: {
        defer { isDone.store(true, ordering: .relaxed) }
        for _ in 0..<max(1, Int(3_000 * factor)) { try renew() }
    }
    report("contexts that end")
}

/// Threads pause between their reads, so that changes stop looking at them, and read again while changes continue.
func runRestingThreads() throws {
    let context = try AppContext().load(services("Base"))
    let holder = AppContext.withContext(context) { Holder() }
    let isDone = Atomic(false)
    let turns = Atomic(0)
    try withThreads(threadCount) { number in
        var generator = SystemRandomNumberGenerator()
        while !isDone.load(ordering: .relaxed) {
            usleep(UInt32.random(in: 0..<400, using: &generator))
            try context.resolve(Leaf.self).check()
            holder.session().leaf.check()
            try context.resolve(Job.self).leaf.check()
            for shape in try context.resolveAll((any Shape).self) { shape.living.check() }
            turns.add(1, ordering: .relaxed)
        }
    } meanwhile: {
        defer { isDone.store(true, ordering: .relaxed) }
        for number in 0..<max(100, Int(20_000 * factor)) {
            if number % 2 == 0 {
                try context.reset()
            } else {
                try context.push(services("Fakes"))
                _ = try context.resolve(Leaf.self)
                context.pop()
            }
        }
        while turns.load(ordering: .relaxed) < threadCount { sched_yield() }
    }
    report("threads that rest")
}

/// Threads read what a child and a child of it share with a parent that changes.
func runLastingChildren() throws {
    let context = try AppContext().load(services("Base"))
    let child = try context.child(pushing: Module("Child") { $0.register(qualifier: "child") { Leaf() } })
    let contexts = [child, try child.child(opening: .visit)]
    let holders = contexts.map { context in AppContext.withContext(context) { Holder() } }
    let isDone = Atomic(false)
    let turns = Atomic(0)
    try withThreads(threadCount) { number in
        let (context, holder) = (contexts[number % 2], holders[number % 2])
        while !isDone.load(ordering: .relaxed) {
            for _ in 0..<20 {
                try context.resolve(Leaf.self).check()
                try context.resolve((any Shape).self).living.check()
                try context.resolve(Pair.self).leaf.check()
                try context.resolve(Job.self).leaf.check()
                try context.resolve(Visit.self).leaf.check()
                holder.leaf().check()
                holder.shape().living.check()
            }
            turns.add(1, ordering: .relaxed)
        }
    } meanwhile: {
        defer { isDone.store(true, ordering: .relaxed) }
        for number in 0..<max(100, Int(1_500 * factor)) {
            if number % 2 == 0 {
                try context.reset()
            } else {
                try context.push(services("Fakes"))
                _ = try context.resolve(Pair.self)
                context.pop()
            }
            sched_yield()
        }
        while turns.load(ordering: .relaxed) < threadCount { sched_yield() }
    }
    report("children that last")
}

for change in Change.all where arguments.count < 2 || arguments.last == change.name { try run(change) }
if arguments.count < 2 || arguments.last == "contexts" { try runEndingContexts() }
if arguments.count < 2 || arguments.last == "resting" { try runRestingThreads() }
if arguments.count < 2 || arguments.last == "children" { try runLastingChildren() }
try? FileManager.default.removeItem(at: Change.folder)
report("No object was given that has ended.")
