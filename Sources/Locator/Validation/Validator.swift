internal import LocatorProperties

/// Finds what is wrong with a wiring; each part of the work adds its findings.
///
/// No maker runs. Decoders of ``LocatorProperties/ConfigProperty`` types and of required properties do, without a lock.
struct Validator {
    /// What the fork that is looked at does not know of the context it stands for.
    struct Subject {
        /// How deep in the chain of contexts the instances of each scope live that a child has opened.
        let depths: [Scope: Int]
        /// Whether the context shares instances with the one it was forked from.
        let isFork: Bool
        /// The modules that are pushed.
        let pushed: IdentitySet
        /// The modules that are pushed, and those that they include.
        let pushedWithIncluded: IdentitySet
    }

    let wiring: Wiring
    let nearness: Nearness
    let subject: Subject
    /// The scopes that have to be opened, and are not opened in the context or above it.
    let unopened: Set<Scope>
    /// For each node the nodes that need it.
    let askers: [[Int]]
    private(set) var findings: [Finding] = []
    /// Whether no settings are loaded at all, because a program has forgotten it.
    private(set) var hasNoSettings = false
    /// What comes near keys that were looked for before.
    private var nearKeys: [Key: NearKey] = [:]

    /// What comes near a key, one line each, what to do where an alias is missing, and whether only a name suggests it.
    typealias NearKey = (notes: [Finding.Note], fix: String?, isGuess: Bool)
    /// Where the findings are that several registrations have in common, and which registrations these are.
    private var positions: [Cause: (finding: Int, nodes: Set<Int>)] = [:]

    /// What several registrations have in common.
    private struct Cause: Hashable {
        let kind: Finding.Kind
        let severity: Finding.Severity
        let text: String
    }

    /// What is wrong with the wiring of a private fork.
    ///
    static func findings(in fork: AppContext, of subject: Subject) -> (Wiring, [Finding]) {
        // The fork lives until here: it would take its inside with it.
        defer { withExtendedLifetime(fork) {} }
        let core = fork.core
        let wiring = WiringBuilder.wiring(of: core)
        var validator = Validator(wiring, Nearness(of: wiring.state, in: core), subject)
        validator.hasNoSettings = core.locked { core.sources }.isEmpty && wiring.state.properties.paths.isEmpty
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

    /// What comes near a key, one line each.
    ///
    /// Near names are looked for only for some keys: where many are missing, something is not loaded or is off, and
    /// nothing is misspelled.
    mutating func notesNear(_ key: Key, unless hasBetter: Bool = false) -> [Finding.Note] {
        near(key, unless: hasBetter).notes
    }

    /// What comes near a key.
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

    /// Adds a finding about something that several registrations need; the first of them has it.
    ///
    /// Each of the others is a note, so that one mistake is one finding.
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

    /// Who asks for a node, one line each, at most three.
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

    /// The shortest way along needs from a node to one for which `isEnd` holds, both included.
    func way(
        from start: Int, along isFollowed: (Wiring.Need) -> Bool, to isEnd: (Int) -> Bool
    ) -> [Int]? {
        ways(from: start, along: isFollowed, into: { _ in true }, to: isEnd, atMost: 1).first
    }

    /// The shortest ways along needs from a node to those for which `isEnd` holds, the nearest first.
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

    /// What each step of a way needs, one line each.
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
    /// The findings without those that say the same of the same place.
    fileprivate func unique() -> [Finding] {
        var seen: Set<Finding.Statement> = []
        return filter { seen.insert($0.statement).inserted }
    }
}

extension Finding {
    /// What makes two findings one: place and message, whatever their notes.
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
