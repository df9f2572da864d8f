/// Asynchronous factory closures, which run off the main actor.
extension Validator {
    /// Finds asynchronous factory closures that take an instance of the main actor.
    ///
    /// `start()`, or the call of a factory, fails for each of them. The search for `start()` does not enter shared instances,
    /// which it makes on the main actor.
    mutating func checkMainActor() {
        if wiring.nodes.allSatisfy({ $0.record.isolation == .none }) { return }
        let ways = Ways(
            in: wiring, along: \.dependency.isHeld, into: { !isHolder(wiring.nodes[$0]) },
            to: { number in
                let node = wiring.nodes[number]
                if node.slot.isAlias { return false }
                return switch node.record.isolation {
                case .none: false
                case .making: !isHolder(node)
                case .makingAndAsking: true
                }
            }, atMost: 10)
        for (number, node) in wiring.nodes.enumerated() where isMadeByStart(node) && node.isReachable {
            // Its injections run on the main actor if one of them needs it.
            let needs = node.needs.filter { need in
                need.dependency.isNeededWhileMaking || node.record.isolation == .none
            }
            for way in ways[number] where needs.contains(where: { $0.targets.contains(way[1]) }) {
                guard let last = way.last else { continue }
                let needed = wiring.nodes[last]
                let isMadeThere = needed.record.isolation == .making
                add(
                    .wrongActor, at: node.location,
                    message: "\(node.name) has an asynchronous factory closure and needs \(needed.name), "
                        + "which \(isMadeThere ? "is made on" : "belongs to") the main actor: start() will fail",
                    keys: [node.key, needed.key], notes: notes(leadingTo: needed, by: way),
                    suggestion: "pass \(needed.record.key) to its methods on the main actor"
                        + (isHolder(needed) ? ", or make the type Sendable" : ""))
            }
        }
        // Decorators run afterward, where the factory was called.
        for node in wiring.nodes
        where node.isFactory && node.record.isAsynchronous && !node.slot.isLayer && node.isReachable {
            let targets = node.needs.filter(\.dependency.isNeededWhileMaking).flatMap(\.targets)
            for needed in targets.map({ wiring.nodes[$0] })
            where needed.record.isolation == .makingAndAsking && needed.record.lifetime != .prototype {
                add(
                    .wrongActor, at: node.location,
                    message: "\(node.name) has an asynchronous factory closure and needs \(needed.name), "
                        + "which belongs to the main actor: each call will fail",
                    keys: [node.key, needed.key],
                    notes: [.init(location: needed.location, text: "\(needed.name) is registered here")],
                    suggestion: "pass \(needed.record.key) to its methods on the main actor")
            }
        }
    }
}
