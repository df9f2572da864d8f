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
