internal import Synchronization

/// A start or a shutdown, or a part of one, for finding tasks that wait for each other.
///
/// A start contains the steps of the instances that it makes, and each of these contains the run of its factory
/// closure. A closure may start another context, so the step of that start is inside the closure's step. A step ends
/// after everything inside it. Some steps also wait for a step elsewhere: a start waits for the earlier start of its
/// context, and an instance waits for another instance that it needs. Before a step waits, it follows these paths from
/// the other step. If they lead back, the wait would never end.
///
/// ``WaitGraph`` finds threads that wait for each other. The makings that they wait for never wait for a task.
final class AsyncStep: @unchecked Sendable {
    // Sendable: `lock` guards all `var`s, except `outer`, which is set once. Its holder accesses one field at a time,
    // so the exclusivity need not be checked.

    enum Work {
        /// A call of `start()`, or of another function that makes asynchronous instances.
        case start
        /// Making one of these instances.
        case making(Slot)
        /// One run of its factory closure, which collects what it reads.
        case closure(Recorder)
        /// A call of `shutdown()`, or the shutdown hooks of an instance that was replaced.
        case shutdown
    }

    /// The step that runs the code of this task: an asynchronous factory closure or a shutdown hook.
    @TaskLocal static var ofTask: AsyncStep?
    /// How many steps there are in the process.
    private static let count = Atomic<UInt>(0)
    /// Held for a short time only.
    ///
    /// No other lock is taken with it.
    private static let lock = Lock()

    let work: Work
    let core: ContextCore
    /// The step that contains this one, until it has ended.
    ///
    /// Weak, because a task that a closure has begun may outlast the closure, and keeps its step.
    private(set) weak var outer: AsyncStep?
    /// The steps inside this one that have not ended.
    @exclusivity(unchecked) private var inner: IdentityTable<AsyncStep> = [:]
    /// The step that this one waits for.
    @exclusivity(unchecked) private var awaited: AsyncStep?
    /// Ends the wait.
    @exclusivity(unchecked) private var continuation: CheckedContinuation<Waited, Never>?
    @exclusivity(unchecked) private var isCancelled = false
    /// The steps that wait for the end of this one.
    @exclusivity(unchecked) private var waiting: [AsyncStep] = []
    @exclusivity(unchecked) private var outcome: Result<Void, any Error>?
    /// How often a start has run the closure of a slot.
    @exclusivity(unchecked) private var runs: IdentityTable<(slot: Slot, count: Int)> = [:]

    /// Begins a step, which ends with `end(_:)`.
    init(_ work: Work, of core: ContextCore, inside outer: AsyncStep?) {
        self.work = work
        self.core = core
        self.outer = outer
        // Relaxed suffices: everything that runs in the tasks of a step is ordered after its beginning.
        Self.count.wrappingAdd(1, ordering: .relaxed)
        if let outer { Self.lock.withLock { outer.inner[ObjectIdentifier(self)] = self } }
    }

    /// Ends the step, and wakes the steps that wait for it.
    func end(_ outcome: Result<Void, any Error> = .success(())) {
        let woken = Self.lock.withLock { () -> [CheckedContinuation<Waited, Never>] in
            self.outcome = outcome
            outer?.inner[ObjectIdentifier(self)] = nil
            defer { waiting = [] }
            return waiting.compactMap { $0.stopWaiting() }
        }
        for continuation in woken { continuation.resume(returning: .over(outcome)) }
        Self.count.wrappingSubtract(1, ordering: .relaxed)
    }

    /// Counts a run of the closure of a slot in this start, and returns how many there were.
    func countRun(of slot: Slot) -> Int {
        Self.lock.withLock {
            runs[ObjectIdentifier(slot), default: (slot, 0)].count += 1
            return runs[ObjectIdentifier(slot)]?.count ?? 0
        }
    }
}

/// Waiting.
extension AsyncStep {
    private enum Waited {
        case over(Result<Void, any Error>)
        case cancelled
        case cycle([Slot])
    }

    /// Waits until another step has ended, and returns its outcome.
    ///
    /// Throws if the other step waits for this one. Unless the step is a shutdown, it also throws if the task is canceled.
    func wait(for other: AsyncStep) async throws -> Result<Void, any Error> {
        // One of them may end in the meantime. It is not released while the lock is held.
        let enclosing = Array(enclosing)
        defer { withExtendedLifetime(enclosing) {} }
        let waited = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waited = Self.lock.withLock { begin(waitingFor: other, continuation) }
                if let waited { continuation.resume(returning: waited) }
            }
        } onCancel: {
            if case .shutdown = work { return }
            let continuation = Self.lock.withLock { () -> CheckedContinuation<Waited, Never>? in
                isCancelled = true
                other.waiting.removeAll { $0 === self }
                return stopWaiting()
            }
            continuation?.resume(returning: .cancelled)
        }
        switch waited {
        case .over(let outcome): return outcome
        case .cancelled: throw CancellationError()
        case .cycle(let slots): throw LocatorError(cycle: slots, of: work)
        }
    }

    /// Begins to wait, or says why there is nothing to wait for.
    ///
    /// The caller holds the lock.
    private func begin(waitingFor other: AsyncStep, _ continuation: CheckedContinuation<Waited, Never>) -> Waited? {
        if let outcome = other.outcome { return .over(outcome) }
        if isCancelled { return .cancelled }
        if let cycle = cycle(over: other) { return .cycle(cycle) }
        awaited = other
        other.waiting.append(self)
        self.continuation = continuation
        return nil
    }

    /// The caller holds the lock.
    private func stopWaiting() -> CheckedContinuation<Waited, Never>? {
        defer {
            awaited = nil
            continuation = nil
        }
        return continuation
    }

    /// The slots whose instances are being made on the path from another step to this one, this one last; nil if the
    /// other step does not wait for this one.
    ///
    /// The caller holds the lock.
    private func cycle(over other: AsyncStep) -> [Slot]? {
        // A task that a closure has begun may outlast it. Then nothing waits for that task.
        let enclosing = IdentitySet(self.enclosing.prefix { $0.outcome == nil }.map { ObjectIdentifier($0) })
        var origins: IdentityTable<AsyncStep> = [:]
        var seen: IdentitySet = [ObjectIdentifier(other)]
        var open = [other]
        while let next = open.popLast() {
            if enclosing.contains(ObjectIdentifier(next)) {
                let path =
                    self.enclosing.prefix { $0 !== next } + sequence(first: next) { origins[ObjectIdentifier($0)] }
                return path.reversed().compactMap(\.slot)
            }
            for step in next.awaited.map({ [$0] }) ?? Array(next.inner.values)
            where seen.insert(ObjectIdentifier(step)).inserted {
                origins[ObjectIdentifier(step)] = next
                open.append(step)
            }
        }
        return nil
    }

    /// This step and those that contain it, innermost first.
    private var enclosing: some Sequence<AsyncStep> { sequence(first: self, next: \.outer) }

    /// Whether another step contains this one and waits for it.
    func isInside(_ other: AsyncStep) -> Bool { isInside { $0 === other } }

    /// Whether `isMeant` is true for this step, or for one that contains it and waits for it.
    ///
    /// A task that a closure or a hook has begun may outlast it. Then nothing waits for that task.
    private func isInside(where isMeant: (AsyncStep) -> Bool) -> Bool {
        // One of them may end in the meantime. It is not released while the lock is held.
        let enclosing = Array(enclosing)
        return Self.lock.withLock { enclosing.prefix { $0.outcome == nil }.contains(where: isMeant) }
    }

    /// Whether the step makes the instance of a slot.
    func makes(_ other: ObjectIdentifier?) -> Bool { slot.map { ObjectIdentifier($0) == other } ?? false }

    /// The slot whose instance the step makes.
    fileprivate var slot: Slot? {
        if case .making(let slot) = work { slot } else { nil }
    }
}

/// The steps that run in this task.
extension AsyncStep {
    /// The step of this task and those that contain it, up to the innermost shutdown hook, which may change its context.
    private static var runningInTask: [AsyncStep] {
        guard let step = ofTask else { return [] }
        return step.enclosing.prefix { if case .shutdown = $0.work { false } else { true } }
    }

    /// Collects the reads of the innermost asynchronous factory closure of a family that runs in this task.
    ///
    /// The closure may have started a context of another family, whose closures are further in.
    static func recorder(in family: ContextFamily) -> Recorder? {
        for step in runningInTask {
            if case .closure(let recorder) = step.work, recorder.core.family === family { return recorder }
        }
        return nil
    }

    /// Throws inside an asynchronous factory closure of a context that has not returned.
    static func checkIsOutsideClosures(of core: ContextCore, _ operation: String) throws(LocatorError) {
        let steps = runningInTask
        let isInside = steps.contains { step in
            guard case .closure(let recorder) = step.work, recorder.core === core else { return false }
            return core.locked { !recorder.isClosed }
        }
        if !isInside { return }
        throw LocatorError(.changeDuringInitialization(operation), chain: steps.reversed().compactMap { $0.slot?.step })
    }

    /// Whether this task runs an asynchronous factory closure of a context that has not returned.
    static func isInClosure(of core: ContextCore) -> Bool {
        guard let step = ofTask, step.core === core, case .closure = step.work else { return false }
        return step.isInside(step)
    }

    /// Whether a shutdown hook of a context runs in this task.
    static func isInShutdown(of core: ContextCore) -> Bool {
        ofTask?.isInside { if case .shutdown = $0.work { $0.core === core } else { false } } ?? false
    }

    /// Runs a hook, an observer, or a deinitializer.
    ///
    /// It does not belong to the closure whose task runs it.
    static func outsideOfTask<Result>(_ body: () throws -> Result) rethrows -> Result {
        if count.load(ordering: .relaxed) == 0 || ofTask == nil { return try body() }
        return try $ofTask.withValue(nil, operation: body)
    }
}

extension LocatorError {
    /// The error for a step that makes an instance, if code that runs for the step has requested this instance.
    func closingCycle(of step: AsyncStep) -> LocatorError {
        guard let own = step.slot?.step else { return self }
        let inner =
            chain.first.map { $0.key == own.key && $0.location == own.location } ?? false
            ? chain.dropFirst() : chain[...]
        return LocatorError(.circularDependency([own] + inner + [own]), request: step.slot?.request)
            .noting([], betterFix: Fix.closingCycleOfStart)
    }

    /// Creates the error for a step that would wait for itself.
    fileprivate init(cycle slots: [Slot], of work: AsyncStep.Work) {
        // Shutdown hooks alone can form a cycle, in which nothing is made.
        let path = slots.suffix(1) + slots
        let error = LocatorError(.circularDependency(path.map(\.step)), request: path.first?.request)
        let fix = if case .making = work { Fix.closingCycleOfStart } else { Fix.startingFromOutside }
        self = error.noting([], betterFix: fix)
    }
}
