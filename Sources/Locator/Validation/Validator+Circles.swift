/// Registrations that depend on each other.
extension Validator {
    mutating func checkCircles() {
        let hard = wiring.nodes.map { $0.needs.filter(\.dependency.isNeededWhileMaking).flatMap(\.targets) }
        var known: [Set<Int>] = []
        let circles = Circles(hard)
        for members in circles.components() {
            known.append(Set(members))
            addCircle(circles.shortest(within: members), of: members, in: circles)
        }
        // Injections break a cycle, unless each of its instances is made for one dependent instance.
        let unshared = wiring.nodes.map { node in
            node.isUnshared
                ? node.needs.filter(\.dependency.isHeld).flatMap(\.targets)
                    .filter { wiring.nodes[$0].isUnshared } : []
        }
        let endless = Circles(unshared)
        for members in endless.components() where !known.contains(where: { $0.isSuperset(of: members) }) {
            addCircle(endless.shortest(within: members), of: members, in: endless, isEndless: true)
        }
    }

    private mutating func addCircle(
        _ circle: [Int], of members: [Int], in circles: Circles, isEndless: Bool = false
    ) {
        guard let first = circle.first else { return }
        let closed = circle + [first]
        let path = closed.map { wiring.nodes[$0].name }.joined(separator: " → ")
        let headline =
            isEndless
            ? "making \(wiring.nodes[first].name) never ends, because each of these is made anew"
            : "\(wiring.nodes[first].name) depends on itself"
        let message = circle.count == 1 && !isEndless ? headline : "\(headline): \(path)"
        var finding = Finding(
            kind: .circularDependency, location: wiring.nodes[first].location, message: message,
            keys: circle.map { wiring.nodes[$0].slot.key }, notes: circle.count > 1 ? notes(along: closed) : [],
            suggestion: isEndless ? Fix.sharingInCircle : Fix.closingCircle)
        let entangled = Set(members.map { ObjectIdentifier(wiring.nodes[$0].slot.record) }).count
        let inCircle = Set(circle.map { ObjectIdentifier(wiring.nodes[$0].slot.record) }).count
        if entangled > inCircle {
            finding.notes.append(
                .init(text: "\(entangled) registrations depend on each other; this is their shortest cycle"))
            finding.notes += notesOnCuts(closed, members, circles)
        }
        if !members.contains(where: { wiring.nodes[$0].isReachable }) { finding.severity = .warning }
        add(finding)
    }

    /// Notes about the steps of a cycle that are part of all cycles of its set, if the set is small enough to search.
    private func notesOnCuts(_ closed: [Int], _ members: [Int], _ circles: Circles) -> [Finding.Note] {
        guard members.count <= 1000 else { return [] }
        let cuts = zip(closed, closed.dropFirst()).filter { circles.isCut($0, $1, within: members) }
        if cuts.isEmpty { return [.init(text: "no single lazy dependency breaks all of their cycles")] }
        return cuts.map { from, to in
            Finding.Note(
                location: wiring.nodes[from].location,
                text: "all of their cycles break if \(wiring.nodes[from].name) "
                    + "resolves \(wiring.nodes[to].name) lazily")
        }
    }
}
