/// Asynchronous factory closures, which `start()` calls off the main actor.
extension Validator {
    /// Finds asynchronous factory closures that take an instance of the main actor.
    ///
    /// `start()` fails for each of them. Shared instances in between are not searched, because they may have been made
    /// on the main actor before.
    mutating func checkMainActor() {
        let belongsToMainActor = wiring.nodes.map { $0.record.isolation == .makingAndAsking && !$0.slot.isAlias }
        if !belongsToMainActor.contains(true) { return }
        let ways = Ways(
            in: wiring, along: \.dependency.isHeld, into: { !isHolder(wiring.nodes[$0]) },
            to: { belongsToMainActor[$0] }, atMost: 10)
        for (number, node) in wiring.nodes.enumerated() where isMadeByStart(node) && node.isReachable {
            // Its injections run on the main actor if one of them needs it.
            let needs = node.needs.filter { need in
                need.dependency.isNeededWhileMaking || node.record.isolation == .none
            }
            for way in ways[number] where needs.contains(where: { $0.targets.contains(way[1]) }) {
                guard let needed = way.last.map({ wiring.nodes[$0] }) else { continue }
                add(
                    .wrongActor, at: node.location,
                    message: "\(node.name) has an asynchronous factory closure and needs \(needed.name), "
                        + "which belongs to the main actor: start() will fail",
                    keys: [node.key, needed.key], notes: notes(leadingTo: needed, by: way),
                    suggestion: "pass \(needed.record.key) to its methods on the main actor, "
                        + "or make the type Sendable and resolve it on the main actor before start()")
            }
        }
    }
}
