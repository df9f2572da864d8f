extension ThreadRecord {
    /// Whether making `slot` here would never end, because it is already being made.
    ///
    /// A factory may call itself, with another payload each time.
    @inline(__always)
    func isCycle(_ slot: Unmanaged<Slot>, isFactory: Bool) -> Bool {
        if isFactory { return false }
        var end = frames.count
        while let index = frames.last(of: slot, before: end) {
            // A shared instance in between is not made again for the next injection, so this ends.
            guard frames[index].isInjection, hasShared(inside: index) else { return true }
            end = index
        }
        return false
    }

    @inline(never)
    private func hasShared(inside index: Int) -> Bool {
        frames[(index + 1)...].contains(where: \.isOfShared)
    }

    /// The error for the cycle from the making of `slot` on this thread inward to `slot` again.
    ///
    /// It has a note if a `Lazy`, a `Provider`, or a wrapper that is read too early closes the cycle.
    func cycleError(to slot: Slot, _ request: Request) -> LocatorError {
        let cycle = frames[(frames.lastIndex { $0.slot === slot } ?? frames.startIndex)...]
        let error = LocatorError(.circularDependency(cycle.compactMap(\.step) + [slot.step]), request, self)
        let askers = cycle.filter { $0.slot != nil }
        if askers.allSatisfy({ $0.slot?.record === slot.record && !$0.isInjection }), slot.takesItselfAsElement {
            return error.noting([], betterFix: Fix.takingParts(of: slot.record.key))
        }
        for (asker, asked) in zip(askers, askers.dropFirst().compactMap(\.slot) + [slot]) {
            // A registration that needs itself, as it is or by an alias, was meant to wrap another one.
            guard !asker.isInjection, let asker = asker.slot, asker.record !== asked.record,
                let way = asker.wayOfAsking(for: asked.key)
            else { continue }
            return error.noting(["\(asker.key) \(way) while it is being made"])
        }
        let arePrototypes = askers.allSatisfy { $0.slot?.record.lifetime == .prototype && !$0.isInjection }
        let areSeveral = askers.count > 1 && !askers.allSatisfy { $0.slot?.isDecorator ?? false }
        return arePrototypes && areSeveral ? error.noting([], betterFix: Fix.resolvingLazily) : error
    }

    /// Whether the code that runs here makes a part of a shared instance, counted since the running injection began.
    var isOfSharedSinceInjection: Bool {
        for frame in frames.reversed() {
            if frame.isInjection || frame.isBarrier { return false }
            if frame.isOfShared { return true }
        }
        return false
    }

    /// The steps of a series of injections, the last of which is running, then the steps inward from it, ending with
    /// the first slot again.
    func cycle(to slot: Slot, behind row: [PendingInjection]) -> [Step] {
        let start = frames.lastIndex { $0.isInjection } ?? frames.startIndex
        let before = row.dropLast().map {
            Step(key: $0.slot.key, location: $0.slot.record.location, role: .injection)
        }
        // The innermost frame is that of the slot itself.
        return before + frames[start...].compactMap(\.step)
    }

    /// The steps of this thread that are part of a cycle, the steps of other threads, and the first step again.
    func cycle(over others: [Step]) -> [Step] {
        guard let first = others.first else { return steps }
        // The steps of the other threads end with those of this thread, from the making that they wait for inward.
        return others + [first]
    }
}

extension Slot {
    /// Whether it is a registration, or an alias of one, whose factory closure takes an array that contains its own
    /// instance.
    fileprivate var takesItselfAsElement: Bool {
        if case .decorator = layer { return false }
        let own = [record.key] + record.aliases.map(\.key)
        let needed = record.dependencies.filter { need in
            need.isNeededWhileMaking && own.contains { $0.type == need.type }
        }
        return !needed.isEmpty && needed.allSatisfy(\.isCollection)
    }

    /// How its factory closure requests a key if not as a parameter, in words.
    ///
    /// That is through a `Lazy` or a `Provider`, or, without parameters, through a wrapper or a context.
    ///
    /// Nil if it takes the instance as a parameter, or if it is not known.
    fileprivate func wayOfAsking(for key: Key) -> String? {
        guard case .registration = layer else { return nil }
        let parameters = dependencies.filter { $0.phase == .making }
        if parameters.isEmpty { return "reads a wrapper of \(key), or resolves it," }
        if parameters.contains(where: { $0.parameter == key.type }) { return nil }
        let isLater = parameters.contains { $0.type == key.type && ($0.kind == .lazy || $0.kind == .provider) }
        return isLater ? "takes \(key) as a Lazy or a Provider, but reads it" : nil
    }
}
