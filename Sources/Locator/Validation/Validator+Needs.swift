internal import LocatorProperties

/// Dependencies that cannot be resolved.
extension Validator {
    mutating func checkNeeds() {
        for (number, node) in wiring.nodes.enumerated() {
            for need in node.needs {
                guard var finding = finding(on: need, of: node) else { continue }
                finding.notes += notesOnAskers(of: number)
                // A registration that no known request leads to fails only if its collection is resolved at run time.
                if !node.isReachable, finding.severity == .error { finding.severity = .warning }
                if case .missing = need.outcome, finding.kind == .missing {
                    let correction =
                        searchesNames ? nearness.correction(of: need.key, given: need.dependency.qualifier?.path) : nil
                    finding.suggestion = correction ?? finding.suggestion
                    add(finding, about: "\(need.key)", inNodeAt: number) { "\($0) needs it, too" }
                } else if node.slot.isDecorator {
                    // The mistake is one, even if the decorator wraps several registrations.
                    let mistake = "\(node.location) \(finding.message.dropFirst(node.name.count))"
                    add(finding, about: mistake, inNodeAt: number) { "\($0) is affected, too" }
                } else {
                    add(finding)
                }
            }
        }
        for unclear in wiring.unclearAliases {
            add(
                ambiguous(
                    unclear.alias.registration.key, unclear.candidates, askedBy: "the alias \(unclear.alias.key)",
                    verb: "forwards to", at: unclear.alias.location, keys: [unclear.alias.key], for: .alias))
        }
    }

    private mutating func finding(on need: Wiring.Need, of node: Wiring.Node) -> Finding? {
        switch need.outcome {
        case .found(let targets) where need.dependency.kind != .site:
            return notAwaited(need, targets, of: node)
        case .unknown, .found:
            guard need.dependency.qualifier != nil else { return nil }
            return Finding(
                kind: .parameterQualifiers, location: node.location,
                message:
                    "\(node.name) gives a qualifier for its \(typeName(need.dependency.type)), which cannot have one",
                keys: [node.key], suggestion: "pass nil at its position in `parameterQualifiers:`")
        case .missing:
            if !need.dependency.isOptional { return missing(need, of: node) }
            return mismatchOfOptional(need, of: node) ?? near(need, of: node)
        case .onlyInChild(let target):
            return Finding(
                kind: .missing, location: node.location,
                message: "\(node.name) (\(node.record.lifetime)) needs \(need.key), which only a child registers",
                keys: [need.key, node.key],
                notes: [.init(location: wiring.nodes[target].location, text: "\(need.key) is registered here")],
                suggestion: "register it in the context of \(node.record.key), or take \(need.key) as a parameter, "
                    + "so that the child makes its own \(node.record.key)")
        case .payloadNeeded(let factories):
            return Finding(
                kind: .payload, location: node.location,
                message: "\(node.name) needs \(need.key), which is made by a factory from a payload of type "
                    + factories.payloads.joined(separator: " or "),
                keys: [need.key, node.key],
                suggestion: Fix.takingFactory(
                    of: need.dependency.type, from: factories.payloads,
                    isAwaited: factories.allSatisfy(\.record.isAsynchronous)))
        case .ambiguous(let candidates):
            return ambiguous(
                need.key, candidates, askedBy: node.name, at: node.location, keys: [node.key],
                for: need.dependency.phase == .injection ? .injection : .parameter(of: node.slot))
        case .unclearAlias(let key, let candidates):
            return ambiguous(
                key, candidates, askedBy: node.name, through: need.key, at: node.location, keys: [node.key],
                for: .alias)
        case .noQualifier(let path, let error):
            let reason = error.problems.map(\.description).joined(separator: "; ")
            let qualifiers = nearness.qualifiers(of: need.dependency.type)
            let known = qualifiers.isEmpty ? "" : ": \(Shortlist(qualifiers).quoted(by: " or "))"
            let meant = Fix.misspelling(error.problems, readAs: String.self, at: path, in: wiring.properties)
            return Finding(
                kind: .property, location: node.location,
                message: "\(node.name) needs \(need.key), whose qualifier comes from a setting: \(reason)",
                keys: [node.key, need.key],
                suggestion: error.problems.contains(where: \.kind.isPath)
                    ? "correct the path"
                    : qualifiers.contains(path)
                        ? Fix.namingTheQualifier(path)
                        : meant ?? "set \"\(path)\" to the name of a qualifier in each profile\(known)"
            )
        }
    }

    private mutating func missing(_ need: Wiring.Need, of node: Wiring.Node) -> Finding {
        if case .factory(let payload) = need.dependency.shape { return payloadMismatch(need, payload, of: node) }
        let key = nearness.distinct(need.key)
        let off = nearness.off(key)
        let (notes, nearFix, _) = near(key, unless: !off.isEmpty)
        let isParameter = off.isEmpty && need.dependency.phase == .making
        let unneeded =
            need.dependency.qualifier == nil ? nil : nearness.fixOfUnneededQualifier(of: need.dependency.type)
        let reordering = isParameter ? node.slot.reordering(for: key, nearness.isRegistered) : nil
        let setting = need.dependency.qualifier?.name.flatMap { nearness.fixOfSetting($0, for: key) }
        var fix = setting ?? unneeded ?? reordering ?? nearFix ?? nearness.listing(key)
        var defaults: [Finding.Note] = []
        if isParameter, !node.slot.isLayer, isPlainValue(need.dependency.type) {
            let passing = Fix.passingPlainValue(key, payload: node.record.payload)
            if let passing, fix == nil, notes.isEmpty {
                fix = passing
            } else {
                defaults = [.init(text: Fix.plainValue(need.dependency.type, payload: node.record.payload))]
            }
        }
        return Finding(
            kind: .missing, location: node.location,
            message: "\(node.name) needs \(key), which is not registered",
            keys: [need.key, node.key],
            notes: qualifierNotes(need) + notes + Shortlist(off).notes(\.note) + defaults,
            suggestion: fix
                ?? Fix.registering(
                    key, or: off.first?.fix ?? nearness.choice(for: key, given: need.dependency.qualifier?.path)))
    }

    private func notAwaited(_ need: Wiring.Need, _ targets: [Int], of node: Wiring.Node) -> Finding? {
        guard case .factory(let payload) = need.dependency.shape, !need.dependency.isAwaited,
            let target = targets.first(where: { wiring.nodes[$0].record.isAsynchronous })
        else { return nil }
        let types = "<\(typeName(payload)), \(typeName(need.dependency.type))>"
        return Finding(
            kind: .payload, location: node.location,
            message: "\(node.name) needs a Factory\(types), but the factory of \(need.key) is asynchronous",
            keys: [need.key, node.key],
            notes: [.init(location: wiring.nodes[target].record.location, text: "the factory of \(need.key)")],
            suggestion: "take an AsyncFactory\(types), and call it with try await")
    }

    private func payloadMismatch(_ need: Wiring.Need, _ payload: any Any.Type, of node: Wiring.Node) -> Finding {
        let mismatch = nearness.mismatch(of: need.key, from: payload, leavingOut: "take \(need.key) itself")
        return Finding(
            kind: .payload, location: node.location,
            message: "\(node.name) needs \(need.dependency.isAwaited ? "an Async" : "a ")Factory<\(mismatch.given), "
                + "\(typeName(need.dependency.type))>, but \(LocatorError(mismatch.kind).headline)",
            keys: [need.key, node.key], notes: mismatch.near.notes { $0.note(for: need.key) },
            suggestion: mismatch.fix)
    }

    /// Reports an optional factory if only factories with other payloads, or registrations without one, exist.
    private mutating func mismatchOfOptional(_ need: Wiring.Need, of node: Wiring.Node) -> Finding? {
        guard case .factory(let payload) = need.dependency.shape, !registered(as: need.key).isEmpty else { return nil }
        var finding = payloadMismatch(need, payload, of: node)
        finding.severity = .warning
        return finding
    }

    /// Reports an optional without a registration if something similar is registered; otherwise, nil is correct.
    private mutating func near(_ need: Wiring.Need, of node: Wiring.Node) -> Finding? {
        let near = near(need.key)
        if near.isGuess { return nil }
        // Of other qualifiers, only a similar one may be meant, unless a setting names the qualifier.
        let others = nearness.candidates(of: need.key.type)
        if need.key.qualifier != nil, need.dependency.qualifier?.path == nil, !others.isEmpty,
            others.allSatisfy({ $0.key.qualifier != nil }), nearness.misspelled(need.key).isEmpty
        {
            return nil
        }
        return Finding(
            kind: .similarName, location: node.location,
            message:
                "\(node.name) gets nil for \(nearness.distinct(need.key)), although something similar is registered",
            keys: [need.key, node.key], notes: qualifierNotes(need) + near.notes,
            suggestion: "use what is registered, or register what is missing")
    }

    @inline(never)
    private func ambiguous(
        _ key: Key, _ candidates: [Candidate], askedBy name: String, verb: String = "needs",
        through alias: Key? = nil, at location: SourcePlace, keys: [Key], for chooser: Fix.Chooser
    ) -> Finding {
        let registered = candidates.map(Registered.init)
        return Finding(
            kind: .ambiguous, location: location,
            message: "\(name) \(verb) \(alias.map { "\($0), which forwards to " } ?? "")\(key), "
                + "but \(candidates.count) registrations match it, and \(Fix.primaries(registered))",
            keys: [key] + keys,
            notes: Shortlist(registered).notes {
                .init(
                    location: $0.location,
                    text: "candidate: \($0.key.hidingQualifier(of: key))\($0.isPrimary ? ", primary" : "")")
            },
            suggestion: Fix.choosing(key, among: registered, areTogether: candidates.areTogether, for: chooser))
    }

    func qualifierNotes(_ need: Wiring.Need) -> [Finding.Note] {
        guard let path = need.dependency.qualifier?.path else { return [] }
        let origin = wiring.properties.origin(of: path)
        return [.init(text: "the qualifier is the value of setting \"\(path)\"\(origin)")]
    }
}
