internal import LocatorProperties
internal import Synchronization

/// How one test uses contexts that are not its own; for the test trait.
package final class TestUse: @unchecked Sendable {
    // Sendable: the other fields are constant; `pushes` and `found` are guarded by `lock`.

    /// The use of the test that runs here, where it has the trait.
    @TaskLocal package static var current: TestUse?

    /// Whether a key that no module of the test answers is a finding.
    fileprivate let isStrict: Bool
    private let lock = Lock()
    /// What the test has pushed, by the numbers of the contexts and of the roots: this keeps no context.
    private var pushes: [(context: UInt, sequences: ClosedRange<UInt>)] = []
    private var found: [(location: SourcePlace, text: String)] = []
    private var seen: Set<String> = []

    package init(isStrict: Bool) {
        self.isStrict = isStrict
    }

    /// What was wrong, and where.
    package var findings: [(location: SourcePlace, text: String)] { lock.withLock { found } }

    func notePush(_ sequences: ClosedRange<UInt>, on core: ContextCore) {
        lock.withLock { pushes.append((core.number, sequences)) }
    }

    fileprivate func note(_ location: SourcePlace, _ text: String) {
        lock.withLock {
            if seen.insert(text).inserted { found.append((location, text)) }
        }
    }

    /// What this test has pushed on a context that goes on after it, and has not popped, the latest first.
    package func pushesLeft(on context: AppContext) -> [(module: Module, location: SourcePlace)] {
        let own = lock.withLock { pushes.filter { $0.context == context.core.number }.map(\.sequences) }
        if own.isEmpty { return [] }
        return context.core.locked {
            let lineup = context.core.state.lineup
            return lineup.roots.filter { root in lineup.isPushed(root) && own.contains { $0.contains(root.sequence) } }
                .map { ($0.loaded.module, $0.location) }
        }
    }

    /// Notes that a wrapper was read which belongs to a context that has ended, and gave what it had.
    func noteKeptValue(of site: WrapperSite) {
        note(
            site.location,
            """
            \(site.key) was read through a wrapper whose context has ended: it is an instance of that context
              fix: create the wrapper in the test; a static wrapper belongs to the context that was current at its first use
            """)
    }
}

extension AppContext {
    /// While `body` runs, what is asked of this context for a strict test, but not through the test's own context, is a
    /// finding of the test.
    ///
    /// What is asked where no test is known, in a detached task, may be for any of the strict tests that run; it is a
    /// finding of each.
    ///
    /// - Parameter isInTest: Whether some test, with the trait or without, is known where it is called.
    package func withWatch<Result>(
        for use: TestUse, isInTest: @escaping @Sendable () -> Bool,
        _ body: @Sendable () async throws -> Result
    ) async rethrows -> Result {
        core.locked {
            // A context of another test watches for itself.
            if core.watch == nil {
                core.watch = BystanderWatch(isInTest: isInTest)
                core.forgetWarmAnswers()
                // From now on settled wrappers ask, too.
                core.stamp.beginRecording()
            }
            (core.watch as? BystanderWatch)?.add(use)
        }
        defer {
            core.locked {
                guard let watch = core.watch as? BystanderWatch, watch.remove(use) else { return }
                core.watch = nil
                core.stamp.endRecording()
            }
        }
        return try await body()
    }
}

/// Notes what strict tests get from a context that is not theirs, while they run.
final class BystanderWatch: AnswerWatch, @unchecked Sendable {
    // Sendable: as in the superclass; `uses` is guarded by `usesLock`.

    // Relaxed suffices for it: it is changed before and after the test, on whose behalf it counts.
    private static let useCount = Atomic<Int>(0)

    /// Whether a strict test may be running, so that wrappers have to tell what they give.
    static var isAnyRunning: Bool { useCount.load(ordering: .relaxed) > 0 }

    private let isInTest: @Sendable () -> Bool
    private let usesLock = Lock()
    private var uses: [TestUse] = []

    init(isInTest: @escaping @Sendable () -> Bool) {
        self.isInTest = isInTest
        super.init(allowed: [])
    }

    /// Forks are made by tests, which watch them where they want to.
    override var ofForks: AnswerWatch? { nil }

    func add(_ use: TestUse) {
        Self.useCount.wrappingAdd(1, ordering: .relaxed)
        usesLock.withLock { uses.append(use) }
    }

    /// Gives whether no use is left.
    func remove(_ use: TestUse) -> Bool {
        Self.useCount.wrappingSubtract(1, ordering: .relaxed)
        return usesLock.withLock {
            uses.removeAll { $0 === use }
            return uses.isEmpty
        }
    }

    // `isInTest` is called with the context's lock held. It is the trait's, and only reads a task-local value.
    override func note(_ slot: Slot, _ request: Request) {
        guard let module = slot.record.run?.module, !slot.record.isInput else { return }
        let answer =
            "\(slot.key) was resolved from \(module) (\(slot.record.location)) of a context other than the test's"
        if let use = TestUse.current {
            guard use.isStrict else { return }
            use.note(
                request.location,
                """
                \(answer)
                  fix: use AppContext.current, and create wrappers in the test; a static wrapper belongs to the context \
                that was current at its first use
                """)
            return
        }
        // What this context makes for others asks on its behalf; they were noted.
        if AppContext.isEntered || isInTest() { return }
        for use in usesLock.withLock({ uses }) {
            use.note(
                request.location,
                """
                \(answer), and was requested outside of any test
                  fix: enter the test's context in a detached task or a dispatch block: AppContext.withContext(context) \
                { … }
                """)
        }
    }
}

extension ContextCore {
    /// Tells the strict tests that use the context, which is not theirs, what a wrapper of it is about to give: it may have
    /// settled before the test.
    func noteRead(of site: WrapperSite) {
        // What is asked for later notes that itself.
        let dependency = DeclaredDependency(site.type)
        guard let query = site.query, dependency.isHeld,
            let properties = locked({ watch is BystanderWatch ? state.properties : nil })
        else { return }
        let name = site.qualifier?.name ?? site.qualifier?.path.flatMap { try? properties.value($0, as: String.self) }
        if name == nil, site.isQualified { return }
        let request = Request(key: Key(dependency.type, qualifier: name), location: site.location)
        locked {
            let query =
                query == .single
                ? Cell.Query(dependency.shape, qualifier: name) : Cell.Query(kind: query, qualifier: name)
            let cell = node(of: dependency.type).cell(query)
            watch?.note(answer(of: cell, in: state), to: request)
        }
    }
}
