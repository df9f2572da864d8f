/// What the test trait sees of a context.
extension AppContext {
    /// The pushed modules in the order of the pushes, the place where each was pushed, and the number of the push.
    package var pushes: [(module: Module, location: SourcePlace, number: UInt)] {
        core.locked {
            let lineup = core.state.lineup
            return lineup.roots.reversed().filter { lineup.isPushed($0) && $0.level == core.level }
                .map { ($0.loaded.module, $0.location, $0.sequence) }
        }
    }

    /// Pushes the modules of a test, and makes their `.always` instances.
    ///
    /// If the test is strict, each key is noted from now on if it is answered by a module that is neither one of the
    /// test's modules nor included by one. Children and forks that are created from now on are watched too, and so are
    /// other contexts that the test forks.
    package func push(_ modules: [Module], of use: TestUse) async throws(LocatorError) {
        use.family = ObjectIdentifier(core.family)
        var prepared: IdentityTable<LoadedModule> = [:]
        try core.prepare(modules, &prepared)
        if use.isStrict {
            use.watch = core.locked {
                let watch = AnswerWatch(allowed: reached(by: use.modules, prepared), of: use.identity)
                core.watch = watch
                core.forgetWarmAnswers()
                // The slow path reports a test that reads a wrapper of another test's context.
                core.stamp.beginRecording()
                return watch
            }
        }
        try await core.pushForTest(modules, prepared)
    }

    /// Disposes of all instances at the end of a test, and waits for the hooks that need the main actor.
    package func endTest(fileID: StaticString = #fileID, line: UInt = #line) async throws(LocatorError) {
        let failures = core.reset()
        try (failures + (await core.finishMainActorHooks())).check(at: SourcePlace(fileID: fileID, line: line))
    }

    /// The modules, and all modules that they include.
    private func reached(by modules: [Module], _ prepared: IdentityTable<LoadedModule>) -> IdentitySet {
        var reached: IdentitySet = []
        var open = modules.map(\.identity)
        while let identity = open.popLast() {
            guard reached.insert(identity).inserted else { continue }
            let loaded = prepared[identity] ?? core.state.lineup.known(identity)
            open += loaded?.included.map(\.identity) ?? []
        }
        return reached
    }

    /// The keys that other modules have answered since the watch began, and where each was first requested.
    package var answersFromOutside: [(location: SourcePlace, text: String)] {
        core.locked { core.watch }?.found ?? []
    }
}

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
