internal import LocatorProperties

/// Finds what is wrong with a wiring.
///
/// Each check adds its findings.
///
/// No factory closure runs. Decoders of ``LocatorProperties/ConfigProperty`` types and of required settings do, without
/// a lock.
struct Validator {
    /// What the checked fork does not know of the context it stands for.
    struct Subject {
        /// For each scope that a child has opened, the depth of that child in the chain of contexts.
        let depths: [Scope: Int]
        /// Whether the context shares instances with the one it was forked from.
        let isFork: Bool
        /// The modules that are pushed.
        let pushed: IdentitySet
        /// The pushed modules, and those that they include.
        let pushedWithIncluded: IdentitySet
    }

    let wiring: Wiring
    let nearness: Nearness
    let subject: Subject
    /// The scopes that must be opened, and that neither the context nor one above it has opened.
    let unopened: Set<Scope>
    /// For each node, the nodes that need it.
    let askers: [[Int]]
    private(set) var findings: [Finding] = []
    /// The similar keys that were found before.
    private var nearKeys: [Key: NearKey] = [:]

    /// Similar keys, one line each, the fix if an alias is missing, and whether only a name suggests them.
    typealias NearKey = (notes: [Finding.Note], fix: String?, isGuess: Bool)
    /// For findings that several registrations have in common, the position and the registrations.
    private var positions: [Cause: (finding: Int, nodes: Set<Int>)] = [:]

    /// What several registrations have in common.
    private struct Cause: Hashable {
        let kind: Finding.Kind
        let severity: Finding.Severity
        let text: String
    }

    /// Finds what is wrong with the wiring of a private fork.
    static func findings(in fork: AppContext, of subject: Subject) -> (Wiring, [Finding]) {
        // The fork must live until here, because its core ends with it.
        defer { withExtendedLifetime(fork) {} }
        let core = fork.core
        let wiring = WiringBuilder.wiring(of: core)
        var validator = Validator(wiring, Nearness(of: wiring.state, in: core), subject)
        validator.checkNeeds()
        validator.checkCircles()
        validator.checkHolding()
        validator.checkOpening()
        validator.checkScopes()
        validator.checkScopeNames()
        validator.checkStarting()
        validator.checkMainActor()
        validator.checkEmptyCollections()
        validator.checkDecorators()
        validator.checkProperties()
        validator.checkModules()
        validator.checkPushed()
        validator.checkConditions(sources: core.locked { core.sources })
        validator.listUnchecked()
        if subject.isFork { validator.listShared() }
        return (wiring, validator.findings.unique())
    }

    private init(_ wiring: Wiring, _ nearness: Nearness, _ subject: Subject) {
        self.wiring = wiring
        self.nearness = nearness
        self.subject = subject
        unopened = Self.scopesToOpen(in: wiring).subtracting(subject.depths.keys)
        var askers = [[Int]](repeating: [], count: wiring.nodes.count)
        for (number, node) in wiring.nodes.enumerated() {
            for need in node.needs {
                for target in need.targets { askers[target].append(number) }
            }
        }
        self.askers = askers
    }

    /// The keys that are similar to a key, one line each.
    ///
    /// Similar names are searched only for some keys. If many keys are missing, a module is not loaded or is off, and
    /// nothing is misspelled.
    mutating func notesNear(_ key: Key, unless hasBetter: Bool = false) -> [Finding.Note] {
        near(key, unless: hasBetter).notes
    }

    /// The keys that are similar to a key, and the fix.
    mutating func near(_ key: Key, unless hasBetter: Bool = false) -> NearKey {
        if let known = nearKeys[key] { return known }
        let isTooMuch = nearKeys.count >= Self.keysWithNearNames
        let near = nearness.near(key, unless: hasBetter || isTooMuch)
        let found = (
            notes: near.map { $0.note(for: key) }, fix: near.fix(for: key),
            isGuess: near.allSatisfy { $0.relation == .mayBeOne || $0.relation == .mayBeRegisteredAs }
        )
        nearKeys[key] = found
        return found
    }

    private static let keysWithNearNames = 20

    mutating func add(_ finding: Finding) {
        findings.append(finding)
    }

    /// Adds a finding that several registrations may have in common.
    ///
    /// The first of them gets the finding.
    ///
    /// The others are added as notes, so that one mistake is one finding.
    mutating func add(_ finding: Finding, about cause: String, inNodeAt number: Int, saying text: (String) -> String) {
        let node = wiring.nodes[number]
        let cause = Cause(kind: finding.kind, severity: finding.severity, text: cause)
        guard let position = positions[cause]?.finding else {
            positions[cause] = (findings.count, [number])
            return findings.append(finding)
        }
        guard positions[cause]?.nodes.insert(number).inserted == true else { return }
        findings[position].keys += finding.keys.filter { !findings[position].keys.contains($0) }
        findings[position].notes.append(.init(location: node.location, text: text(node.name)))
    }

    /// Describes which nodes need a node, one line each, at most three.
    func notesOnAskers(of number: Int) -> [Finding.Note] {
        var seen: Set<Int> = []
        let asking = askers[number].filter { seen.insert($0).inserted }
        var notes = asking.prefix(3).map { asker in
            note(on: asker, needing: number)
        }
        if asking.count > 3 {
            let more = asking.count - 3
            notes.append(.init(text: "and \(more) more \(more == 1 ? "needs" : "need") it"))
        }
        return notes
    }

    /// The shortest path along needs from a node to one for which `isEnd` is true, both included.
    func way(
        from start: Int, along isFollowed: (Wiring.Need) -> Bool, to isEnd: (Int) -> Bool
    ) -> [Int]? {
        ways(from: start, along: isFollowed, into: { _ in true }, to: isEnd, atMost: 1).first
    }

    /// The shortest paths along needs from a node to those for which `isEnd` is true, the nearest first.
    func ways(
        from start: Int, along isFollowed: (Wiring.Need) -> Bool, into isEntered: (Int) -> Bool,
        to isEnd: (Int) -> Bool, atMost limit: Int
    ) -> [[Int]] {
        var ways: [[Int]] = []
        var previous: [Int: Int] = [start: start]
        var level = [start]
        while !level.isEmpty {
            var next: [Int] = []
            for number in level {
                for need in wiring.nodes[number].needs where isFollowed(need) {
                    for target in need.targets where previous[target] == nil {
                        previous[target] = number
                        if isEnd(target) {
                            ways.append(Circles.path(to: target, from: start, previous))
                            if ways.count == limit { return ways }
                        }
                        if isEntered(target) { next.append(target) }
                    }
                }
            }
            level = next
        }
        return ways
    }

    /// Describes what each step of a path needs, one line each.
    func notes(along way: [Int]) -> [Finding.Note] {
        zip(way, way.dropFirst()).map { note(on: $0, needing: $1) }
    }

    private func note(on number: Int, needing target: Int) -> Finding.Note {
        let node = wiring.nodes[number]
        let verb =
            switch node.slot.layer {
            case .alias: "forwards to"
            case .decorator where node.needs.first?.targets == [target]: "wraps"
            case .decorator, .registration: "needs"
            }
        return .init(location: node.location, text: "\(node.name) \(verb) \(wiring.nodes[target].name)")
    }
}

extension [Finding] {
    /// The findings without those that say the same about the same place.
    fileprivate func unique() -> [Finding] {
        var seen: Set<Finding.Statement> = []
        return filter { seen.insert($0.statement).inserted }
    }
}

extension Finding {
    /// What makes two findings equal: the place and the message, but not the notes.
    struct Statement: Hashable {
        let kind: Kind
        let severity: Severity
        let location: SourcePlace?
        let file: String?
        let message: String
    }

    var statement: Statement {
        Statement(kind: kind, severity: severity, location: location, file: file, message: message)
    }
}
