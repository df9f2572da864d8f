/// Instances that hold or need others with a different lifetime.
extension Validator {
    /// Finds shared instances that hold shorter-lived ones, directly or through instances that only they hold.
    mutating func checkHolding() {
        let leading = nodesLeading { node in
            switch node.slot.record.lifetime {
            case .held(let scope): !scope.isLasting
            case .weak, .graph: true
            case .prototype: false
            }
        }
        for (number, node) in wiring.nodes.enumerated()
        where leading[number] && node.isReachable && isHolder(node) {
            let ways = ways(
                from: number, along: \.dependency.isHeld, into: { leading[$0] && !isHeldBySelf($0) },
                to: { isShorter(wiring.nodes[$0], than: node) }, atMost: Self.captivesToldOfOneHolder + 1)
            for (position, way) in ways.prefix(Self.captivesToldOfOneHolder).enumerated() {
                guard let held = way.last else { continue }
                let isLastOfMore = position + 1 == Self.captivesToldOfOneHolder && ways.count > position + 1
                addCaptive(way, holder: number, held: wiring.nodes[held], isLastOfMore: isLastOfMore)
            }
        }
    }

    /// The maximum number of findings per holder.
    ///
    /// If an instance holds more, its author has to look at all of them anyway.
    private static let captivesToldOfOneHolder = 10

    /// Returns for each node whether it needs a node for which `isEnd` is true, directly or through instances that only
    /// it holds.
    func nodesLeading(to isEnd: (Wiring.Node) -> Bool) -> [Bool] {
        var leading = [Bool](repeating: false, count: wiring.nodes.count)
        var open = wiring.nodes.indices.filter { isEnd(wiring.nodes[$0]) }
        while let number = open.popLast() {
            for asker in askers[number] where !leading[asker] {
                leading[asker] = true
                if !isHeldBySelf(asker) { open.append(asker) }
            }
        }
        return leading
    }

    /// Returns whether an instance of the node has its own lifetime, during which it holds others.
    func isHolder(_ node: Wiring.Node) -> Bool {
        guard !node.isConfiguration else { return false }
        switch (node.slot.layer, node.slot.record.lifetime) {
        case (.alias, _): return false
        case (_, .held), (_, .weak): return true
        case (_, .graph), (_, .prototype): return false
        }
    }

    /// Returns whether the node itself counts as the holder of its dependencies, because it has its own lifetime.
    func isHeldBySelf(_ number: Int) -> Bool {
        let node = wiring.nodes[number]
        if case .alias = node.slot.layer { return false }
        return isHolder(node) || node.slot.record.lifetime == .graph
    }

    private func isShorter(_ held: Wiring.Node, than holder: Wiring.Node) -> Bool {
        // An alias forwards to the node that is checked next.
        if case .alias = held.slot.layer { return false }
        switch (holder.slot.record.lifetime, held.slot.record.lifetime) {
        case (_, .prototype): return false
        case (.held, .graph), (.weak, .graph), (.held, .weak): return true
        // A missing instance is the greater problem, and is reported separately.
        case (.held(let long), .held(let short)): return !isUnopened(held, for: holder) && isShorter(short, than: long)
        case (.weak, .held), (.weak, .weak), (.graph, _), (.prototype, _): return false
        }
    }

    /// Returns whether a custom scope has a shorter lifetime than another one, because an inner context has opened it.
    private func isShorter(_ scope: Scope, than holder: Scope) -> Bool {
        if scope.isLasting || scope == holder { return false }
        if holder.isLasting { return true }
        return subject.depths[scope, default: 0] > subject.depths[holder, default: 0]
    }

    private mutating func addCaptive(
        _ way: [Int], holder number: Int, held: Wiring.Node, isLastOfMore: Bool
    ) {
        let holder = wiring.nodes[number]
        let lifetime = held.slot.record.lifetime
        let fix =
            switch lifetime {
            case .graph: "take a Provider, or register it as .prototype if each holder may have its own"
            case .weak: "take a Provider, or register it as .singleton if it may outlive its holders"
            case .held, .prototype:
                "take a Provider or a Lazy, or give \(holder.slot.record.key) the scope \(lifetime) as well"
            }
        let finding = Finding(
            kind: .captiveDependency, location: holder.location,
            message: "\(holder.name) (\(holder.slot.record.lifetime)) holds \(held.name) (\(lifetime)), "
                + "which has a shorter lifetime",
            keys: [holder.slot.key, held.slot.key],
            notes: notes(leadingTo: held, by: way)
                + (isLastOfMore ? [.init(text: "\(holder.name) holds more instances with shorter lifetimes")] : []),
            suggestion: fix)
        switch lifetime {
        case .graph, .weak:
            // One fix at the registration of the held instance applies to all holders.
            add(finding, about: "\(held.name) \(held.location)", inNodeAt: number) { name in
                "\(name) (\(holder.slot.record.lifetime)) holds it, too"
            }
        case .held, .prototype:
            add(finding)
        }
    }

    /// Returns notes about the steps to a node.
    ///
    /// If the node is needed directly, which the finding itself says, the only note is about the node.
    func notes(leadingTo node: Wiring.Node, by way: [Int]) -> [Finding.Note] {
        way.count > 2
            ? notes(along: way) : [.init(location: node.location, text: "\(node.name) is registered here")]
    }

    /// Finds instances that are made when their module is loaded, but need instances that only `start()` makes.
    mutating func checkStarting() {
        for (number, node) in wiring.nodes.enumerated() {
            guard node.slot.isMadeAtLoad,
                let way = way(
                    from: number, along: { $0.dependency.isHeld }, to: { wiring.nodes[$0].slot.record.isAsynchronous }),
                let asynchronous = way.last
            else { continue }
            // If a decorator needs it only through the instance that it wraps, the finding is about that instance.
            if case .decorator(_, let inner) = node.slot.layer,
                way.dropFirst().first == wiring.numbers[ObjectIdentifier(inner)]
            {
                continue
            }
            let needed = wiring.nodes[asynchronous]
            add(
                Finding(
                    kind: .alwaysNeedsStart, location: node.location,
                    message:
                        "\(node.name) is made when its module is loaded, but needs \(needed.name), which only start() makes",
                    keys: [node.slot.key, needed.slot.key],
                    notes: notes(leadingTo: needed, by: way),
                    suggestion: Fix.makingAtLoad))
        }
    }
}
