internal import LocatorProperties
internal import Synchronization

/// How one test uses contexts that are not its own, for the test trait.
///
/// If a test and its suites have the trait, they share one use.
package final class TestUse: @unchecked Sendable {
    // Sendable: `identity` and `outside` are constant. The other fields are guarded by `lock`.

    /// The use of the test that runs here; nil if the test does not have the trait.
    @TaskLocal package static var current: TestUse?

    let identity = TestIdentity()
    /// The contexts that outlive the test.
    package let outside: [AppContext]
    private let lock = Lock()
    private var traitModules: [Module] = []
    private var hasStrictTrait = false
    /// What the test has pushed, by the numbers of contexts and roots, so that it keeps no context alive.
    private var pushes: [(context: UInt, sequences: ClosedRange<UInt>)] = []
    /// The modules that the test has removed with `pop()`, by the numbers of contexts and the names of modules.
    private var pops: [(context: UInt, modules: [String])] = []
    private var found: [(location: SourcePlace, text: String)] = []
    private var seen: Set<String> = []
    private var answerWatch: AnswerWatch?
    private var ownFamily: ObjectIdentifier?

    /// - Parameter base: The context that the outermost trait forks.
    package init(base: AppContext) {
        outside = base === AppContext.shared ? [base] : [base, .shared]
    }

    /// The modules of the traits.
    package var modules: [Module] { lock.withLock { traitModules } }

    /// Whether a key that no module of the traits answers is a finding.
    package var isStrict: Bool { lock.withLock { hasStrictTrait } }

    /// The watch of the test's own context, if it is strict.
    var watch: AnswerWatch? {
        get { lock.withLock { answerWatch } }
        set { lock.withLock { answerWatch = newValue } }
    }

    /// The family of the test's own context.
    var family: ObjectIdentifier? {
        get { lock.withLock { ownFamily } }
        set { lock.withLock { ownFamily = newValue } }
    }

    /// Adds a trait, and returns whether it is the first one that is strict.
    package func addTrait(with modules: [Module], isStrict: Bool) -> Bool {
        lock.withLock {
            traitModules += modules
            let isFirst = isStrict && !hasStrictTrait
            hasStrictTrait = hasStrictTrait || isStrict
            return isFirst
        }
    }

    /// Returns the findings that no trait has reported yet, and where each occurred.
    package func takeFindings() -> [(location: SourcePlace, text: String)] {
        lock.withLock {
            defer { found = [] }
            return found
        }
    }

    func notePush(_ sequences: ClosedRange<UInt>, on core: ContextCore) {
        lock.withLock { pushes.append((core.number, sequences)) }
    }

    func notePop(of roots: [Lineup.Root], from core: ContextCore) {
        lock.withLock { pops.append((core.number, roots.map(\.loaded.name))) }
    }

    /// Whether `pop()` was called when a module was the latest push on a context.
    package func hasPopped(_ module: Module, from context: AppContext) -> Bool {
        lock.withLock { pops.contains { $0.context == context.core.number && $0.modules.contains(module.name) } }
    }

    /// Notes what a strict test gets from a context that is not its own.
    func noteForeign(_ slot: Slot, _ request: Request) {
        guard isStrict, !slot.record.isInput, let answer = slot.textInOtherContext else { return }
        note(
            request.location,
            """
            \(answer)
              fix: use AppContext.current, and create wrappers in the test; a static wrapper belongs to the context \
            that was current at its first use
            """)
    }

    package func note(_ location: SourcePlace, _ text: String) {
        lock.withLock {
            if seen.insert(text).inserted { found.append((location, text)) }
        }
    }

    /// Returns what this test has pushed on a context that outlives it, has not popped, and no trait has reported yet, the
    /// latest first.
    package func takePushesLeft(on context: AppContext) -> [(module: Module, location: SourcePlace)] {
        let own = lock.withLock {
            defer { pushes.removeAll { $0.context == context.core.number } }
            return pushes.filter { $0.context == context.core.number }.map(\.sequences)
        }
        if own.isEmpty { return [] }
        return context.core.locked {
            let lineup = context.core.state.lineup
            return lineup.roots.filter { root in lineup.isPushed(root) && own.contains { $0.contains(root.sequence) } }
                .map { ($0.loaded.module, $0.location) }
        }
    }

    /// Notes that a wrapper of an ended context was read, and that it returned its cached value.
    ///
    /// A wrapper of the test's own family is not noted, because an object may outlive a child of the test's own
    /// context.
    func noteKeptValue(of site: WrapperSite, _ core: ContextCore) {
        if ObjectIdentifier(core.family) == family { return }
        note(
            site.location,
            """
            \(site.key) was read through a wrapper whose context has ended: it is an instance of that context
              fix: create the wrapper in the test; a static wrapper belongs to the context that was current at its first use
            """)
    }
}

/// Identifies a test, even after it has ended.
final class TestIdentity: Sendable {}

extension AppContext {
    /// Watches this context while `body` runs, and reports requests of a strict test that do not go through the test's
    /// own context.
    ///
    /// A request in a detached task may belong to any of the strict tests that run, so it is a finding of each of them.
    ///
    /// - Parameter isInTest: Whether the caller runs in a test, with the trait or without.
    package func withWatch<Result>(
        for use: TestUse, isInTest: @escaping @Sendable () -> Bool,
        _ body: @Sendable () async throws -> Result
    ) async rethrows -> Result {
        core.locked {
            // A context of another test has its own watch.
            if core.watch == nil {
                core.watch = BystanderWatch(isInTest: isInTest)
                core.forgetWarmAnswers()
                // From now on settled wrappers use the slow path too.
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

/// Notes what strict tests get from a context that is not their own, while they run.
final class BystanderWatch: AnswerWatch, @unchecked Sendable {
    // Sendable: as in the superclass. `uses` is guarded by `usesLock`.

    // Relaxed suffices: it is changed before and after the test for which it counts.
    private static let useCount = Atomic<Int>(0)

    /// Whether a strict test may be running, so that wrappers must report what they return.
    static var isAnyRunning: Bool { useCount.load(ordering: .relaxed) > 0 }

    private let isInTest: @Sendable () -> Bool
    private let usesLock = Lock()
    private var uses: [TestUse] = []

    init(isInTest: @escaping @Sendable () -> Bool) {
        self.isInTest = isInTest
        super.init(allowed: [], of: TestIdentity())
    }

    /// The uses of a detached task are also reported.
    override var isForeign: Bool { true }

    /// A strict test watches its forks like its own context.
    override var ofForks: AnswerWatch? { TestUse.current?.watch }

    /// The context is not the one of a test, so `start()` makes everything.
    override func allows(_ slot: Slot) -> Bool { true }

    func add(_ use: TestUse) {
        Self.useCount.wrappingAdd(1, ordering: .relaxed)
        usesLock.withLock { uses.append(use) }
    }

    /// Returns whether no use is left.
    func remove(_ use: TestUse) -> Bool {
        Self.useCount.wrappingSubtract(1, ordering: .relaxed)
        return usesLock.withLock {
            uses.removeAll { $0 === use }
            return uses.isEmpty
        }
    }

    // `isInTest` is called with the context's lock held. It belongs to the trait, and only reads a task-local value.
    override func note(_ slot: Slot, _ request: Request) {
        if let foreignTest { return foreignTest.noteForeign(slot, request) }
        guard let answer = slot.textInOtherContext, !slot.record.isInput else { return }
        // If this context resolves something while it makes an instance for others, that was noted with their request.
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

extension Slot {
    /// The place outside of its own context where a strict test found an instance.
    fileprivate var textInOtherContext: String? {
        record.run.map {
            "\(key) was resolved from \($0.module) (\(record.location)) of a context other than the test's"
        }
    }
}

extension ContextCore {
    /// Notes the value that a wrapper of this context is about to return, for the strict tests that use the context but
    /// do not own it.
    ///
    /// The wrapper may have cached its value before the test.
    func noteRead(of site: WrapperSite) {
        // A dependency that is resolved later is noted then.
        let dependency = DeclaredDependency(site.type)
        guard let query = site.query, dependency.isHeld,
            let properties = locked({ watch?.isForeign ?? false ? state.properties : nil })
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
