/// Registrations and decorators without effect, and registrations that cannot be checked.
extension Validator {
    mutating func checkDecorators() {
        for module in wiring.modules {
            for decorator in module.loaded.decorators {
                let key = Key(decorator.type, qualifier: decorator.qualifier)
                let behind = holders(of: key).drop { $0.module.position < module.position }
                if behind.contains(where: { target(of: key, in: $0) != nil }) { continue }
                addDecorator(decorator, of: key, in: module)
            }
        }
    }

    /// The first registration of a module that a decorator of a key would wrap.
    private func target(of key: Key, in holder: Lineup.Holder) -> Candidate? {
        let entry = holder.entry
        guard let qualifier = key.qualifier else { return entry.candidates.first ?? entry.factories.first }
        return entry.candidates(qualifier: qualifier).first ?? entry.factories(qualifier: qualifier).first
    }

    private mutating func addDecorator(_ decorator: DecoratorRecord, of key: Key, in module: Lineup.Entry) {
        let off = nearness.off(key)
        // A pushed registration may stand in for the one that a condition turns off.
        let inFront = holders(of: key, inFrontOf: module)
            .filter { off.isEmpty || !isPushed($0.module) }.compactMap { target(of: key, in: $0) }
        var finding = Finding(
            kind: .decoratorWithoutTarget, location: decorator.location,
            message: "the decorator of \(key) wraps nothing: neither module \"\(module.loaded.name)\" "
                + "nor any module after it registers \(key)",
            keys: [key],
            notes: inFront.map { .init(location: $0.location, text: "\($0.key) is registered before it") }
                + (inFront.isEmpty ? near(key, unless: !off.isEmpty).notes : []) + Shortlist(off).notes(\.note),
            suggestion: inFront.isEmpty
                ? "correct the decorated type, register it, or remove the decorator"
                : "load its module before those that register \(key), or give it a higher priority")
        // Registrations that a condition turns off may be missing on purpose, and so may their decorators.
        if inFront.isEmpty, let turnOn = off.first?.fix {
            finding.severity = .warning
            finding.suggestion = "\(turnOn), or move the decorator into the module with the condition"
        }
        add(finding)
    }

    /// The modules in front of another one that register or change the type of a key.
    private func holders(of key: Key, inFrontOf module: Lineup.Entry) -> ArraySlice<Lineup.Holder> {
        holders(of: key).prefix { $0.module.position < module.position }
    }

    /// The modules that register or change the type of a key.
    func holders(of key: Key) -> [Lineup.Holder] {
        let type = ObjectIdentifier(key.type)
        if let known = holders.byType[type] { return known }
        let found = wiring.state.lineup.holders(of: type)
        holders.byType[type] = found
        return found
    }

    /// The modules of each type that was looked up, in lookup order.
    final class Holders {
        fileprivate var byType: IdentityTable<[Lineup.Holder]> = [:]
    }

    /// Finds registrations that others hide, and modules with the same name.
    mutating func checkModules() {
        // Probably the context was validated too early, or is not the one that has the modules.
        if nearness.names.hasNoModules, hasNoSettings {
            add(
                .nothingLoaded, message: "nothing is loaded, so nothing was checked",
                suggestion: "load the modules, then validate: try context.load(…).validate()")
        }
        // A registration that a single request does not find may still be part of a collection.
        let extensionPoints = collectionsThatMayBeEmpty
        for (node, askers) in zip(wiring.nodes, askers)
        where node.isHidden && !node.slot.isDecorator && !askers.contains(where: { wiring.nodes[$0].isReachable }) {
            guard let module = node.record.run.flatMap(wiring.state.lineup.entry),
                let winner = winner(over: node.key, node.record.payload, in: module),
                // A wrapper may take the elements of an extension point as an array.
                isLeftOutOfCollections(node.slot, module) || !extensionPoints.contains(ObjectIdentifier(node.key.type)),
                // The finding about `replaceAll` says the same.
                elements(of: node.key, missedByReplacingIn: module).isEmpty,
                // An input is passed to all modules that declare it.
                !(node.record.isInput && winner.module.loaded.inputs.contains { $0.key == node.key }),
                // A fallback is hidden on purpose, and a pushed module hides others on purpose.
                module.priority >= .normal || winner.module.priority <= module.priority,
                !isPushed(winner.module)
            else { continue }
            add(shadowed(node, in: module, by: winner))
        }
        var first: [String: LoadedModule] = [:]
        for module in wiring.modules.map(\.loaded) {
            guard let other = first.updateValue(first[module.name] ?? module, forKey: module.name) else { continue }
            add(
                .sameModuleName, at: module.module.location,
                message: "two modules are named \"\(module.name)\", so errors and selections cannot tell them apart",
                notes: [.init(location: other.module.location, text: "the other module")],
                suggestion: "rename one of them, or load the same module constant")
        }
    }

    /// Finds keys with several registrations in the module that decides about them, unless exactly one of them is
    /// primary.
    ///
    /// Arrays get all of them, so this is a warning. A request for a single one is an error by itself.
    mutating func checkChoices() {
        let modules = wiring.modules.filter(\.loaded.hasSeveralOfOneType)
        let elements = modules.isEmpty ? [] : elementTypes
        for module in modules {
            for candidates in module.loaded.candidatesOfOneKey where candidates.count > 1 {
                let (first, primaries) = (candidates[0], candidates.filter(\.record.isPrimary))
                let key = first.key
                if winner(over: key, first.record.payload, in: module) != nil
                    || findings.contains(where: { $0.kind == .ambiguous && $0.keys.first == key })
                {
                    continue
                }
                for primary in primaries.dropFirst() {
                    add(
                        .ambiguous, .warning, at: primary.location,
                        message: "\(key) has a second primary registration in module \"\(module.loaded.name)\"",
                        keys: [key],
                        notes: [.init(location: primaries[0].location, text: "the first primary registration")],
                        suggestion: "mark only one of them .primary()")
                }
                // Several registrations of a protocol in one module are usually meant for an array.
                let isElement = typeName(key.type).hasPrefix("any ") || elements.contains(ObjectIdentifier(key.type))
                if !primaries.isEmpty || first.record.payload == nil && isElement { continue }
                add(
                    .ambiguous, .warning, at: candidates[1].location,
                    message: "\(key) is registered \(candidates.count) times in module \"\(module.loaded.name)\", "
                        + "and none of them is primary",
                    keys: [key], notes: [.init(location: first.location, text: "the first registration")],
                    suggestion: "remove one of them, give them qualifiers, or mark one of them .primary()"
                        + (first.record.payload == nil
                            ? "; if only arrays take them, declare registry.mayBeEmpty(\(key.metatype))" : "")
                )
            }
        }
    }

    /// The types that arrays take, or may take in a wrapper.
    private var elementTypes: Set<ObjectIdentifier> {
        let dependencies = wiring.nodes.lazy.flatMap(\.needs).map(\.dependency).filter(\.isCollection)
        return collectionsThatMayBeEmpty.union(dependencies.map { ObjectIdentifier($0.type) })
    }

    /// Finds fakes that replace nothing, because they are registered as a class while the program requests a protocol, or
    /// with a misspelled qualifier.
    mutating func checkPushed() {
        if subject.pushedWithIncluded.isEmpty { return }
        for (node, askers) in zip(wiring.nodes, askers) where askers.isEmpty && !node.isHidden {
            let record = node.record
            guard !node.slot.isLayer, !record.isInput, record.aliases.isEmpty,
                let module = record.run.flatMap(wiring.state.lineup.entry), isPushed(module)
            else { continue }
            if let other = meantWithOtherPayload(by: record) {
                add(
                    .similarName, at: node.location,
                    message: "\(record.key) in module \"\(module.loaded.name)\" is pushed but replaces nothing, "
                        + "because it is \(record.madeFrom), and the other one is \(other.record.madeFrom)",
                    keys: [record.key],
                    notes: [.init(location: other.location, text: "the registration that it does not replace")],
                    suggestion: other.record.payload.map {
                        "register a factory with this payload: "
                            + "registry.factory(\(record.key.metatype)) { (payload: \(typeName($0))) in … }"
                    } ?? "register it without a payload: registry.register(\(record.key.metatype)) { … }")
                continue
            }
            if record.payload != nil { continue }
            let meant = meant(by: record.key)
            guard let first = meant.first?.registered.key else { continue }
            add(
                .similarName, at: node.location,
                message: "\(record.key) in module \"\(module.loaded.name)\" is pushed but replaces nothing, "
                    + "although \(first) is registered",
                keys: [record.key, first], notes: meant.map { $0.note(for: record.key) },
                suggestion: "register it with the key it replaces: "
                    + "registry.register(\(first.metatype)\(first.qualifierArgument)) { … }")
        }
    }

    /// Finds collections that a module replaces in vain: a pushed one, or one that was loaded too late.
    mutating func checkReplacedCollections(of module: Lineup.Entry) {
        for key in module.loaded.replacedCollections.map({ Key($0) }) {
            let missed = elements(of: key, missedByReplacingIn: module)
            if !missed.isEmpty {
                add(
                    .neverUsed, at: module.loaded.module.location,
                    message: "replaceAll(\(key.metatype)) in module \"\(module.loaded.name)\" replaces nothing: "
                        + "the modules that register \(key) come before it",
                    keys: [key],
                    notes: Shortlist(missed).notes {
                        .init(location: $0.location, text: "\($0.key) is registered before it")
                    },
                    suggestion: "push module \"\(module.loaded.name)\", or load the others with priority .low")
                continue
            }
            // Elements that a condition turns off may be missing on purpose.
            if !isPushed(module) || hasElements(of: key, behind: module)
                || nearness.names.off[ObjectIdentifier(key.type)] != nil
            {
                continue
            }
            add(
                .neverUsed, at: module.loaded.module.location,
                message: "replaceAll(\(key.metatype)) in module \"\(module.loaded.name)\" replaces nothing: "
                    + "no module after it registers \(key)",
                keys: [key], notes: near(key).notes,
                suggestion: "pass the type of the elements to replace, or remove it")
        }
    }

    /// The registrations that a module does not replace, because their modules were loaded before it.
    ///
    /// Empty if it replaces others.
    private func elements(of key: Key, missedByReplacingIn module: Lineup.Entry) -> [Candidate] {
        guard module.loaded.replacedCollections.contains(where: { $0 == key.type }),
            !hasElements(of: key, behind: module)
        else { return [] }
        let inFront = holders(of: key, inFrontOf: module)
        if inFront.contains(where: \.entry.replacesCollections) { return [] }
        return inFront.filter { $0.module.priority == module.priority && !isPushed($0.module) }
            .flatMap(\.entry.candidates)
    }

    /// Whether a module behind another one registers the type of a key.
    private func hasElements(of key: Key, behind module: Lineup.Entry) -> Bool {
        holders(of: key).contains { $0.module.position > module.position && !$0.entry.candidates.isEmpty }
    }

    /// The registrations and factories with the type and qualifier of a key.
    func registered(as key: Key, isWanted: (Lineup.Entry) -> Bool = { _ in true }) -> [Candidate] {
        holders(of: key).filter { isWanted($0.module) }.flatMap { $0.entry.candidates + $0.entry.factories }
            .filter { $0.key.qualifier == key.qualifier }
    }

    /// A registration of the same key that a pushed one does not replace, because only one of them has a payload, or
    /// both have different ones.
    private func meantWithOtherPayload(by record: RegistrationRecord) -> Candidate? {
        func payload(_ candidate: Candidate) -> ObjectIdentifier? {
            candidate.record.payload.map { ObjectIdentifier($0) }
        }
        let pushed = registered(as: record.key) { isPushed($0) }.map(payload)
        let others = registered(as: record.key) { !isPushed($0) }
        if others.contains(where: { payload($0) == record.payload.map { ObjectIdentifier($0) } }) { return nil }
        return others.first { !pushed.contains(payload($0)) }
    }

    /// The registrations that a pushed one was probably meant to replace.
    private func meant(by key: Key) -> [Nearness.Near] {
        let holders = holders(of: key)
        if holders.count == 1 {
            let meant = nearness.registeredAs(key)
            let isReplaced = meant.contains { self.holders(of: $0.registered.key).contains { isPushed($0.module) } }
            return isReplaced ? [] : meant
        }
        func isRegistered(_ key: Key, pushed: Bool) -> Bool {
            holders.contains { isPushed($0.module) == pushed && !$0.entry.candidates(qualifier: key.qualifier).isEmpty }
        }
        if isRegistered(key, pushed: false) { return [] }
        return nearness.misspelled(key).filter { !isRegistered($0.registered.key, pushed: true) }
    }

    private func isPushed(_ module: Lineup.Entry) -> Bool {
        subject.pushedWithIncluded.contains(module.loaded.identity)
    }

    private typealias Winner = (candidate: Candidate, module: Lineup.Entry)

    /// The registration of a key in front of a module, or the factory of the key that takes a payload of this type.
    private func winner(over key: Key, _ payload: (any Any.Type)?, in module: Lineup.Entry) -> Winner? {
        for holder in holders(of: key, inFrontOf: module) {
            let candidates =
                payload.map { holder.entry.factories(of: ObjectIdentifier($0), qualifier: key.qualifier) }
                ?? holder.entry.candidates(qualifier: key.qualifier)
            if let candidate = candidates.first { return (candidate, holder.module) }
        }
        return nil
    }

    private func shadowed(_ node: Wiring.Node, in module: Lineup.Entry, by winner: Winner) -> Finding {
        let note = Finding.Note(
            location: winner.candidate.location,
            text: "module \"\(winner.module.loaded.name)\" (priority \(winner.module.priority)) comes first")
        if isLeftOutOfCollections(node.slot, module) {
            return Finding(
                kind: .neverUsed, location: node.location,
                message: "\(node.name) in module \"\(module.loaded.name)\" is never used: another module comes first, "
                    + "and replaces its collections",
                keys: [node.key], notes: [note],
                suggestion: "remove it, or move its module forward in the lookup order")
        }
        // A warning about a fallback ends with its priority; see `checkModules`.
        let fallback =
            module.priority >= .normal
            ? "load the fallback with priority .low" : "load the intended one with a higher priority"
        return Finding(
            kind: .shadowed, location: node.location,
            message: "\(node.name) in module \"\(module.loaded.name)\" is hidden: another module comes first",
            keys: [node.key], notes: [note],
            suggestion: (module.priority == winner.module.priority
                ? "among modules of equal priority, the first one loaded wins: push the intended one, "
                    + "\(fallback), remove one of them, or give them qualifiers"
                : "remove one of them, give them qualifiers, or \(fallback)")
                + declaringExtensionPoint(node.slot))
    }

    /// The end of the fix for a protocol, whose registrations may be elements of an array that only wrappers take.
    private func declaringExtensionPoint(_ slot: Slot) -> String {
        guard slot.record.payload == nil, typeName(slot.key.type).hasPrefix("any ") else { return "" }
        return "; if only arrays take them, declare registry.mayBeEmpty(\(slot.key.metatype))"
    }

    private func isLeftOutOfCollections(_ slot: Slot, _ module: Lineup.Entry) -> Bool {
        holders(of: slot.key, inFrontOf: module).contains(where: \.entry.replacesCollections)
    }

    /// Lists the registrations whose dependencies are not all known.
    mutating func listUnchecked() {
        for node in wiring.nodes where node.takesResolver {
            add(
                .notChecked, at: node.location,
                message: "\(node.name) takes a Resolver: what it resolves is not checked", keys: [node.key])
        }
    }

    /// Lists the instances that a fork shares with the context that it was forked from.
    mutating func listShared() {
        for node in wiring.nodes {
            guard !node.slot.isLayer, case .instance = node.record.production else { continue }
            add(
                .shared, at: node.location,
                message: "\(node.name) is registered as an instance, "
                    + "which this fork shares with the context it was forked from",
                keys: [node.key],
                suggestion: "register a factory closure, so that each fork makes its own; "
                    + "whatever a module's closure captures is shared, too")
        }
    }
}

extension Wiring.Node {
    /// Whether some of its dependencies are unknown.
    var takesResolver: Bool {
        needs.contains { need in
            if case .unknown = need.outcome { true } else { false }
        }
    }
}

extension RegistrationRecord {
    /// How instances are made, in words.
    fileprivate var madeFrom: String { payload.map { "made from \(typeName($0))" } ?? "made without a payload" }
}
