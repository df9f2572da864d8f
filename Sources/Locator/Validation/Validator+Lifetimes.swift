/// Instances that hold or need others with a different lifetime.
extension Validator {
    /// Finds shared instances that hold shorter-lived ones, directly or through instances that only they hold.
    mutating func checkHolding() {
        // Holders with equally long lifetimes in the same context share one search.
        var waysByLifetime: [[Int]: Ways] = [:]
        for (number, node) in wiring.nodes.enumerated() where node.isReachable && isHolder(node) {
            guard let brevity = brevity(of: node) else { continue }
            let home = homes[number]
            let known = waysByLifetime[[brevity, home]] ?? waysToInstances(shorterThan: brevity, at: home)
            waysByLifetime[[brevity, home]] = known
            let ways = known[number]
            for (position, way) in ways.prefix(Self.captivesToldOfOneHolder).enumerated() {
                guard let held = way.last else { continue }
                let isLastOfMore = position + 1 == Self.captivesToldOfOneHolder && ways.count > position + 1
                addCaptive(way, holder: number, held: wiring.nodes[held], isLastOfMore: isLastOfMore)
            }
        }
    }

    /// The maximum number of findings per holder: if it holds more, its author has to look at all of them anyway.
    private static let captivesToldOfOneHolder = 10

    /// Returns whether an instance of the node has its own lifetime, during which it holds others.
    func isHolder(_ node: Wiring.Node) -> Bool {
        node.record.lifetime.isShared && !node.isConfiguration && !node.slot.isAlias
    }

    /// Returns whether the node itself counts as the holder of its dependencies, because it has its own lifetime.
    func isHeldBySelf(_ number: Int) -> Bool {
        let node = wiring.nodes[number]
        return isHolder(node) || node.record.lifetime == .graph && !node.slot.isAlias
    }

    /// Returns how short the lifetime of a node's instances is, or nil if they live as long as what holds them.
    ///
    /// A higher number is a shorter lifetime. A custom scope is shorter than another one if an inner context has opened
    /// it, or has yet to open it.
    private func brevity(of node: Wiring.Node) -> Int? {
        switch node.record.lifetime {
        case .held(let scope) where scope.isLasting: -1
        case .held(let scope): subject.depths[scope] ?? (node.isIn(unopened) ? .max - 2 : 0)
        case .weak: .max - 1
        case .graph: .max
        case .prototype: nil
        }
    }

    /// Finds the ways to the instances with shorter lifetimes than that of their holders, which live at this depth.
    private func waysToInstances(shorterThan brevity: Int, at depth: Int) -> Ways {
        let toldElsewhere = brevity < 0 ? scopesClosed(at: depth) : unopened
        return Ways(
            in: wiring, along: \.dependency.isHeld, into: { !isHeldBySelf($0) },
            to: { number in
                let held = wiring.nodes[number]
                // An alias forwards to the node that is checked next. A missing instance is the greater problem, and is
                // reported separately.
                if held.slot.isAlias || held.isIn(toldElsewhere) { return false }
                return self.brevity(of: held).map { $0 > brevity } ?? false
            }, atMost: Self.captivesToldOfOneHolder + 1)
    }

    private mutating func addCaptive(_ way: [Int], holder number: Int, held: Wiring.Node, isLastOfMore: Bool) {
        let holder = wiring.nodes[number]
        let lifetime = held.record.lifetime
        let fix =
            switch lifetime {
            case .graph: "take a Provider, or register it as .prototype if each holder may have its own"
            case .weak: "take a Provider, or register it as .singleton if it may outlive its holders"
            case .held(let scope) where !holder.record.lifetime.isLasting && scopesToOpen.contains(scope):
                Fix.openingWithHolder(holder.record.key, "\(lifetime)")
            case .held, .prototype:
                "take a Provider or a Lazy, or give \(holder.record.key) the scope \(lifetime) as well"
            }
        let finding = Finding(
            kind: .captiveDependency, location: holder.location,
            message: "\(holder.name) (\(holder.record.lifetime)) holds \(held.name) (\(lifetime)), "
                + "which has a shorter lifetime",
            keys: [holder.key, held.key],
            notes: notes(leadingTo: held, by: way)
                + (isLastOfMore ? [.init(text: "\(holder.name) holds more instances with shorter lifetimes")] : []),
            suggestion: fix)
        switch lifetime {
        case .graph, .weak:
            // One fix at the registration of the held instance applies to all holders.
            add(finding, about: "\(held.name) \(held.location)", inNodeAt: number) { name in
                "\(name) (\(holder.record.lifetime)) holds it, too"
            }
        case .held, .prototype:
            add(finding)
        }
    }

    /// Returns notes about the steps to a node.
    ///
    /// If the node is needed directly, which the finding itself says, the only note is about the node. Of a long way,
    /// only the first and the last steps are listed.
    func notes(leadingTo node: Wiring.Node, by way: [Int]) -> [Finding.Note] {
        if way.count <= 2 { return [.init(location: node.location, text: "\(node.name) is registered here")] }
        let more = way.count - 1 - 2 * Self.stepsToldOfOneEnd
        if more <= 0 { return notes(along: way) }
        return notes(along: Array(way.prefix(Self.stepsToldOfOneEnd + 1)))
            + [.init(text: "… and \(count(more, "more step"))")]
            + notes(along: Array(way.suffix(Self.stepsToldOfOneEnd + 1)))
    }

    /// The maximum number of steps that are listed at each end of a way.
    private static let stepsToldOfOneEnd = 10

    /// Finds instances that will be made when their module is loaded, but need instances that only `start()` makes.
    ///
    /// Loading has succeeded in the current state, so this is a question only in a profile. A module is pushed later: what it
    /// affects is made on demand, and it may be pushed after `start()`.
    mutating func checkStarting() {
        if !subject.isLoadedAnew { return }
        func isLoaded(_ number: Int) -> Bool {
            wiring.nodes[number].slot.run.map { !subject.pushedWithIncluded.contains($0.module.identity) } ?? true
        }
        let ways = Ways(
            in: wiring, along: \.dependency.isHeld, into: isLoaded,
            to: { wiring.nodes[$0].record.isAsynchronous && isLoaded($0) }, atMost: 1)
        for (number, node) in wiring.nodes.enumerated() where isLoaded(number) {
            guard node.slot.isMadeAtLoad, let way = ways[number].first, let asynchronous = way.last else { continue }
            // If a decorator needs it only through the instance that it wraps, the finding is about that instance.
            if case .decorator = node.slot.layer, node.needs.first?.targets == [way[1]] { continue }
            let needed = wiring.nodes[asynchronous]
            add(
                .alwaysNeedsStart, at: node.location,
                message:
                    "\(node.name) is made when its module is loaded, but needs \(needed.name), which only start() makes",
                keys: [node.key, needed.key], notes: notes(leadingTo: needed, by: way),
                suggestion: Fix.makingAtLoad)
        }
    }
}
