/// What the test trait sees of a context.
extension AppContext {
    /// The modules that are pushed, in the order of the pushes, and where each was pushed.
    package var pushes: [(module: Module, location: SourcePlace)] {
        core.locked {
            let lineup = core.state.lineup
            return lineup.roots.reversed().filter { lineup.isPushed($0) && $0.level == core.level }
                .map { ($0.loaded.module, $0.location) }
        }
    }

    /// Notes from now on each key that is answered by a module outside of these and the modules that they include.
    ///
    /// Children and forks created from now on are watched too.
    ///
    /// They are noted for the test, too, if it forks a context other than its own.
    package func watchAnswers(outside modules: [Module], for use: TestUse) {
        let watch = core.locked {
            let lineup = core.state.lineup
            let known = modules.compactMap { lineup.known($0.identity) }.flatMap(lineup.reached)
            let watch = AnswerWatch(allowed: IdentitySet(modules.map(\.identity) + known.map(\.identity)))
            core.watch = watch
            core.forgetWarmAnswers()
            return watch
        }
        use.watch = watch
    }

    /// Makes the asynchronous instances of the modules that a watched context may use.
    package func startAllowed() async throws {
        let watch = core.locked { core.watch }
        try await core.start("start") { watch?.allows($0) ?? true }
    }

    /// The keys that other modules have answered since the context is watched, and where each was first requested.
    package var answersFromOutside: [(location: SourcePlace, text: String)] {
        core.locked { core.watch }?.found ?? []
    }
}

/// Notes the answers that come from modules other than the allowed ones, in a context and its children and forks.
class AnswerWatch: @unchecked Sendable {
    // Sendable: `allowed` is constant. `notes` and `seen` are guarded by `lock`, because forks have locks of their own.

    private let allowed: IdentitySet
    private let lock = Lock()
    private var notes: [(location: SourcePlace, text: String)] = []
    private var seen: Set<Key> = []

    init(allowed: IdentitySet) {
        self.allowed = allowed
    }

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
        guard let module = slot.record.run?.module, !allows(slot) else { return }
        // An input is given by the opener of the scope, not made by a module.
        if slot.record.isInput { return }
        lock.withLock {
            guard seen.insert(slot.key).inserted else { return }
            notes.append(
                (
                    request.location,
                    """
                    \(slot.key) was resolved from \(module) (\(slot.record.location)), \
                    which is not a module of the trait
                      fix: register it in a module of the trait, or remove `strict`
                    """
                ))
        }
    }
}
