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
    ///
    /// The error has no place, because the trait shows it at its own.
    package func endTest() async throws(LocatorError) {
        let failures = core.reset()
        if let error = (failures + (await core.finishMainActorHooks())).error() { throw error }
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
