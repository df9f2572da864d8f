internal import LocatorProperties
internal import Synchronization

/// Notes the answers that come from modules other than the allowed ones, in a context and its children and forks.
class AnswerWatch: @unchecked Sendable {
    // Sendable: `allowed` is constant. `notes` and `seen` are guarded by `lock`, because forks have locks of their own.

    private let allowed: IdentitySet
    private let test: TestIdentity
    private let lock = Lock()
    private var notes: [(location: SourcePlace, text: String)] = []
    private var seen: Set<Key> = []

    init(allowed: IdentitySet, of test: TestIdentity) {
        self.allowed = allowed
        self.test = test
    }

    /// Whether the code that runs here may not use the context.
    var isForeign: Bool { foreignTest != nil }

    /// The test that runs here, if it is not the one whose context is watched.
    var foreignTest: TestUse? { TestUse.current.flatMap { $0.identity === test ? nil : $0 } }

    /// The watch for forks of the context.
    var ofForks: AnswerWatch? { self }

    final var found: [(location: SourcePlace, text: String)] { lock.withLock { notes } }

    final func note(_ answer: Answer, to request: Request) {
        switch answer {
        case .missing, .undecided: break
        case .slot(let slot): note(slot, request)
        case .elements(let elements): for element in elements { note(element.slot, request) }
        case .offers(let offers): for offer in offers { note(offer.answer, to: request) }
        }
    }

    func allows(_ slot: Slot) -> Bool { slot.record.run.map { allowed.contains($0.module.identity) } ?? true }

    func note(_ slot: Slot, _ request: Request) {
        if let foreignTest { return foreignTest.noteForeign(slot, request) }
        guard let module = slot.record.run?.module, !allows(slot) else { return }
        // The code that opens the scope passes an input. No module makes it.
        if slot.record.isInput { return }
        lock.withLock {
            guard seen.insert(slot.key).inserted else { return }
            notes.append(
                (
                    request.location,
                    """
                    \(slot.key) was resolved from \(module) (\(slot.record.location)), \
                    which is not a module of the trait
                      fix: \(Fix.registeringInTrait)
                    """
                ))
        }
    }
}

/// Notes what running strict tests get from a context that is not their own.
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
        // If this context makes an instance for another context, the request of the other context was noted.
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
    var textInOtherContext: String? {
        record.run.map {
            "\(key) was resolved from \($0.module) (\(record.location)) of a context other than the test's"
        }
    }
}

extension WrapperSite {
    /// Notes the value that a wrapper of this place is about to return, for the strict tests that use the context but do
    /// not own it.
    ///
    /// The wrapper may have cached its value before the test.
    final func noteRead(in core: ContextCore) {
        // A dependency that is resolved later is noted then.
        let dependency = DeclaredDependency(type)
        guard let query, dependency.isHeld,
            let properties = core.locked({ core.watch?.isForeign ?? false ? core.state.properties : nil })
        else { return }
        let name = qualifier?.name ?? qualifier?.path.flatMap { try? properties.value($0, as: String.self) }
        if name == nil, isQualified { return }
        let request = Request(key: Key(dependency.type, qualifier: name), location: location)
        core.locked {
            let query =
                query == .single
                ? Cell.Query(dependency.shape, qualifier: name) : Cell.Query(kind: query, qualifier: name)
            let cell = core.node(of: dependency.type).cell(query)
            core.watch?.note(core.answer(of: cell, in: core.state), to: request)
        }
    }
}
