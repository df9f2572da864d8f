internal import LocatorProperties

/// Finds the problems of a wiring.
///
/// No factory closure runs. The decoders of ``LocatorProperties/ConfigProperty`` types and required settings run
/// without a lock.
struct Validator {
    /// The facts that the validated fork does not know about the original context.
    struct Subject {
        /// The depth, in the chain of contexts, of the instances of each scope that a child has opened.
        let depths: [Scope: Int]
        /// The depth of the outermost context that has opened each of these scopes.
        let firstDepths: [Scope: Int]
        /// The inputs that were passed when each of these scopes was opened.
        let inputs: [Scope: [Input]]
        /// The depth of the innermost context that has loaded or pushed each module, if that is a child.
        let moduleDepths: IdentityTable<Int>
        /// The depth of the context itself in the chain of contexts.
        let depth: Int
        /// Whether the wiring is that of a profile in which the modules have yet to be loaded.
        let isLoadedAnew: Bool
        /// Whether the context shares instances with one that it was forked from.
        let isFork: Bool
        let pushed: IdentitySet
        /// The pushed modules, and those that they include.
        ///
        /// In a fork, also those that its origin had pushed.
        let pushedWithIncluded: IdentitySet
    }

    let wiring: Wiring
    let nearness: Nearness
    let holders = Holders()
    let subject: Subject
    /// The scopes whose instances exist only where they are open: those with `requiresOpening`, and those with inputs.
    let scopesToOpen: Set<Scope>
    /// Those of them that are open neither in the context nor in its parents.
    let unopened: Set<Scope>
    /// For each node, the depth of the context in which its instances live.
    let homes: [Int]
    /// For each node, the nodes that need it, without duplicates.
    let askers: [[Int]]
    private(set) var findings: [Finding] = []
    private(set) var hasNoSettings = false
    /// The problems of settings that were reported with what needs them.
    var toldProblems: Set<PropertiesProblem> = []
    /// The similar keys that were found before.
    private var nearKeys: [Key: NearKey] = [:]

    /// Notes about similar keys, the fix if an alias is missing, and whether they may be there for another purpose.
    typealias NearKey = (notes: [Finding.Note], fix: String?, isGuess: Bool)
    /// The positions of findings that several registrations share, and the nodes and keys of those registrations.
    private var positions: [Cause: (finding: Int, nodes: Set<Int>, keys: Set<Key>)] = [:]

    /// The shared cause of findings about several registrations.
    private struct Cause: Hashable {
        let kind: Finding.Kind
        let severity: Finding.Severity
        let text: String
    }

    /// Finds the problems of the wiring of a private fork.
    static func findings(in fork: AppContext, of subject: Subject) -> (Wiring, [Finding]) {
        // The fork must live until here, because it owns what the wiring refers to.
        defer { withExtendedLifetime(fork) {} }
        let core = fork.core
        let wiring = WiringBuilder.wiring(of: core, subject)
        var validator = Validator(wiring, Nearness(of: wiring.state, in: core), subject)
        let sources = wiring.state.lineup.loadedSettings.sources
        validator.hasNoSettings = sources.isEmpty && wiring.properties.isEmpty
        validator.checkNeeds()
        validator.checkCycles()
        validator.checkOwnInstances()
        validator.checkHolding()
        validator.checkOpening()
        validator.checkInputs()
        validator.checkScopes()
        validator.checkScopeNames()
        validator.checkStarting()
        validator.checkMainActor()
        validator.checkEmptyCollections()
        validator.checkDecorators()
        validator.checkProperties()
        validator.checkModules()
        validator.checkChoices()
        validator.checkPushed()
        for module in wiring.modules { validator.checkReplacedCollections(of: module) }
        validator.checkConditions(sources: sources)
        validator.listUnchecked()
        if subject.isFork { validator.listShared() }
        return (wiring, validator.findings.unique())
    }

    private init(_ wiring: Wiring, _ nearness: Nearness, _ subject: Subject) {
        self.wiring = wiring
        self.nearness = nearness
        self.subject = subject
        scopesToOpen = wiring.scopesToOpen
        unopened = scopesToOpen.subtracting(subject.depths.keys)
        homes = subject.homes(in: wiring, scopesToOpen)
        var askers = [[Int]](repeating: [], count: wiring.nodes.count)
        for (number, node) in wiring.nodes.enumerated() {
            for need in node.needs {
                for target in need.targets where askers[target].last != number { askers[target].append(number) }
            }
        }
        self.askers = askers
    }

    /// Finds the keys that are similar to a key.
    ///
    /// Similar names are searched only for the first keys: if many are missing, a module is probably not loaded or is
    /// off, and no name is misspelled.
    mutating func near(_ key: Key, unless hasBetter: Bool = false) -> NearKey {
        if let known = nearKeys[key] { return known }
        let near = nearness.near(key, unless: hasBetter || !searchesNames)
        let found = (
            notes: near.notes { $0.note(for: key) }, fix: near.fix(for: key),
            isGuess: near.shown.allSatisfy { [.mayBeOne, .mayBeRegisteredAs, .isResult].contains($0.relation) }
        )
        nearKeys[key] = found
        return found
    }

    /// Whether similar names are still searched.
    var searchesNames: Bool { nearKeys.count < 20 }

    @inline(never)
    mutating func add(_ finding: Finding) { findings.append(finding) }

    /// Adds a finding, with the severity of its kind unless another one is given.
    @inline(never)
    mutating func add(
        _ kind: Finding.Kind, _ severity: Finding.Severity? = nil, at location: SourcePlace? = nil, message: String,
        keys: [Key] = [], notes: [Finding.Note] = [], suggestion: String? = nil
    ) {
        var finding = Finding(
            kind: kind, location: location, message: message, keys: keys, notes: notes, suggestion: suggestion)
        if let severity { finding.severity = severity }
        add(finding)
    }

    /// Adds a finding about something that several registrations need.
    ///
    /// The finding is at the first of them. The others become notes, so that each mistake is reported once.
    mutating func add(_ finding: Finding, about cause: String, inNodeAt number: Int, saying text: (String) -> String) {
        let node = wiring.nodes[number]
        let cause = Cause(kind: finding.kind, severity: finding.severity, text: cause)
        guard let position = positions[cause]?.finding else {
            positions[cause] = (findings.count, [number], Set(finding.keys))
            return findings.append(finding)
        }
        guard positions[cause]?.nodes.insert(number).inserted == true else { return }
        for key in finding.keys where positions[cause]?.keys.insert(key).inserted == true {
            findings[position].keys.append(key)
        }
        findings[position].notes.append(.init(location: node.location, text: text(node.name)))
    }

    /// Returns notes about at most three nodes that need a node.
    func notesOnAskers(of number: Int) -> [Finding.Note] {
        let asking = askers[number]
        var notes = asking.prefix(3).map { note(on: $0, needing: number) }
        if asking.count > 3 {
            let more = asking.count - 3
            notes.append(.init(text: "and \(more) more \(more == 1 ? "needs" : "need") it"))
        }
        return notes
    }

    /// Returns a note about each step of a path.
    @inline(never)
    func notes(along way: [Int]) -> [Finding.Note] {
        zip(way, way.dropFirst()).map { note(on: $0, needing: $1) }
    }

    @inline(never)
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
    /// The findings with different places or messages, errors first.
    fileprivate func unique() -> [Finding] {
        var seen: Set<Finding> = []
        let findings = Finding.Severity.allCases.flatMap { severity in filter { $0.severity == severity } }
        return findings.filter { finding in
            // Of the same statement as an error and as a warning, only the error counts.
            let statement = Finding(
                kind: finding.kind, location: finding.location, file: finding.file, message: finding.message)
            return seen.insert(statement).inserted
        }
    }
}
