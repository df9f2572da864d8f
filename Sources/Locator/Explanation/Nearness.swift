internal import LocatorProperties

/// Hints for a key that is not registered: other qualifiers of its type, similar names, and modules that are off.
struct Nearness {
    /// A registration in a module whose condition is false.
    struct Off {
        let registered: Registered
        let module: String
        /// The module with the condition, if it is a module that includes this one.
        let includer: String?
        /// Why it is off, after "off".
        let reason: String
        let fix: String

        var line: String {
            let included = includer.map { ", included by module \"\($0)\"" } ?? ""
            return "off: \(registered) is in module \"\(module)\"\(included), which is off\(reason)"
        }

        var note: Finding.Note {
            let holder = includer.map { "module \"\($0)\", which includes it, " } ?? ""
            return .init(
                location: registered.location,
                text: "module \"\(module)\" registers \(registered.key), but \(holder)is off\(reason)")
        }
    }

    let names: RegisteredNames
    private let lineup: Lineup
    private let properties: Properties
    unowned let core: ContextCore
    private let known = Known()

    /// What was found before, for a validation.
    private final class Known {
        var off: [Key: [Off]] = [:]
    }

    init(of state: ContextState, in core: ContextCore) {
        lineup = state.lineup
        names = lineup.names
        self.core = core
        properties = state.properties
    }

    /// The registrations of a key in modules that are off: those whose condition is false, and the modules they include.
    func off(_ key: Key) -> [Off] {
        if let known = known.off[key] { return known }
        let found = (names.off[ObjectIdentifier(key.type)] ?? []).compactMap { module, outer -> Off? in
            guard let condition = outer.module.definition.condition,
                let entry = module.entry(for: ObjectIdentifier(key.type)),
                let candidate = entry.candidates(qualifier: key.qualifier).first
            else { return nil }
            let unread = UnreadSetting(of: condition, of: outer, in: properties, lineup)
            return Off(
                registered: Registered(candidate), module: module.name,
                includer: module === outer ? nil : outer.name,
                reason: unread.map { ", although \($0.contradiction)" } ?? " unless \(condition.text(in: properties))",
                fix: unread?.fix ?? "make the condition true")
        }
        known.off[key] = found
        return found
    }

    /// The key in hints, with its full name if another type of the same name is registered.
    func distinct(_ key: Key) -> Key {
        let isRegistered = !candidates(of: key.type).isEmpty
        return isRegistered || names.typeNames[typeName(key.type)].isEmpty ? key : key.writtenInFull
    }

    func candidates(of type: any Any.Type) -> [Candidate] { names.registrations(of: type)?.candidates ?? [] }

    /// The registrations of the type with other qualifiers.
    ///
    /// If there are none, those that an alias would make available, and then those of types with similar names, unless
    /// a better hint is known.
    func near(_ key: Key, unless hasBetter: Bool = false) -> Shortlist<Near> {
        let others = others(of: key)
        if others.isEmpty { return Shortlist(hasBetter ? [] : near(key)) }
        return (hasBetter ? Shortlist(others) : similarFirst(others, to: key)).map { related($0) }
    }

    /// The registrations of the type with other qualifiers.
    private func others(of key: Key) -> [Candidate] {
        guard let registrations = names.registrations(of: key.type) else { return [] }
        let candidates = registrations.candidates
        // A missing key has no registration, so there is usually nothing to leave out.
        let hasOwn = !registrations.candidates(with: key.qualifier).isEmpty
        return hasOwn ? candidates.filter { $0.key.qualifier != key.qualifier } : candidates
    }

    /// The registrations that are similar to a key whose type has none with another qualifier.
    private func near(_ key: Key) -> [Near] {
        let elements = elements(of: key)
        if !elements.isEmpty { return elements }
        let forms = otherForms(of: key)
        if !forms.isEmpty { return forms.map { related($0, .isOtherForm) } }
        let functions = functions(returning: key)
        if !functions.isEmpty { return functions.map { related($0, .isFunction) } }
        let results = results(of: key)
        if !results.isEmpty { return results.map { related($0, .isResult) } }
        let kin = kin(of: key)
        if !kin.isEmpty { return kin.map { related(.registration($0), .isOne) } }
        let name = typeName(key.type)
        let sameName = candidates(of: key.type).isEmpty ? names.typeNames[name] : []
        let similar = names.typeNames.candidates(near: name)
        let near = sameName.map { related($0, isWrittenInFull: true) } + similar.map { related($0) }
        if !near.isEmpty { return near }
        let named = namedAfter(key)
        return named.isEmpty ? registeredAs(key) : named.map { related($0, .mayBeOne) }
    }

    /// Returns a registration, and in which way it is similar to a key.
    func related(_ candidate: Candidate, _ relation: Near.Relation = .similar, isWrittenInFull: Bool = false) -> Near {
        let key = isWrittenInFull ? candidate.key.writtenInFull : candidate.key
        return Near(registered: Registered(key: key, location: candidate.location), relation: relation)
    }

    /// Registrations of a key's type, those with similar qualifiers first if there are too many to list all.
    private func similarFirst(_ candidates: [Candidate], to key: Key) -> Shortlist<Candidate> {
        let limit = Shortlist<Candidate>.limit
        guard let qualifier = key.qualifier, candidates.count > limit,
            let registrations = names.registrations(of: key.type)
        else { return Shortlist(candidates) }
        let similar = registrations.qualifiers(near: qualifier)
        let others = candidates.lazy.filter { $0.key.qualifier.map(similar.contains) != true }
        return Shortlist(
            similar.flatMap { registrations.candidates(with: $0) } + others.prefix(limit), of: candidates.count)
    }

    func isRegistered(_ type: any Any.Type, _ qualifier: String) -> Bool {
        names.registrations(of: type)?.candidates(with: qualifier).isEmpty == false
    }

    /// The fix for a qualifier that is similar to others of the type.
    ///
    /// - Parameter path: The path of the setting that contains the qualifier, if there is one.
    func correction(of key: Key, given path: String?) -> String? {
        guard let qualifier = key.shownQualifier, let registrations = names.registrations(of: key.type) else {
            return nil
        }
        return Fix.correcting(to: registrations.qualifiers(near: qualifier), given: path)
    }

    /// The fix for a qualifier that comes from a setting and is similar to none: the qualifiers to choose from.
    ///
    /// Nil if the qualifier does not come from a setting, or if there are none.
    func choice(for key: Key, given path: String?) -> String? {
        let qualifiers = qualifiers(of: key.type)
        guard let path, !qualifiers.isEmpty else { return nil }
        return "set \(path.debugDescription) to \(Shortlist(qualifiers).quoted(by: " or "))"
    }

    /// The registrations whose qualifier a registered key was probably meant to have.
    ///
    /// Names that differ in a number, such as "shard1" and "shard2", are both meant.
    func misspelled(_ key: Key) -> [Near] {
        guard let qualifier = key.qualifier, let registrations = names.registrations(of: key.type) else { return [] }
        func letters(_ name: String) -> String { name.filter { !$0.isNumber } }
        return registrations.qualifiers(near: qualifier).filter { letters($0) != letters(qualifier) }
            .flatMap { registrations.candidates(with: $0) }.map { related($0) }
    }

    /// The fix for a qualifier that is the path of a setting; nil for any other.
    func fixOfSetting(_ name: String, for key: Key) -> String? {
        let setting = properties.lookup(name)
        if key.type is any Decodable.Type, isPlainValue(key.type), candidates(of: key.type).isEmpty, setting.isFound {
            return Fix.readingTheSetting(name, as: key)
        }
        return setting.text == nil ? nil : Fix.namingTheSetting(name)
    }

    /// The fix for a qualifier of a type that is decoded from settings: for a parameter, a position of
    /// `parameterQualifiers:` is probably wrong.
    ///
    /// Nil for any other type.
    func fixOfUnneededQualifier(of type: any Any.Type, isParameter: Bool = true) -> String? {
        guard type is any ConfigProperty.Type, candidates(of: type).isEmpty else { return nil }
        let reason = "because \(typeName(type)) is decoded from settings"
        return isParameter
            ? "pass nil at its position in `parameterQualifiers:`, \(reason); "
                + "the qualifiers have the order of the parameters"
            : "request it without a qualifier, \(reason)"
    }

    /// The fix for a component that no module lists; nil for any other key.
    func listing(_ key: Key) -> String? {
        guard key.qualifier == nil, let component = key.type as? any Component.Type,
            !names.modules.contains(where: { $0.module.definition.components.contains { $0 == component } })
        else { return nil }
        return "list it in a module: components: [\(key.metatype)]"
    }

    /// The qualifiers of a type's registrations, in lookup order.
    func qualifiers(of type: any Any.Type) -> [String] { names.registrations(of: type)?.qualifiers ?? [] }

    /// The error for a payload that no factory of a key takes, and its fix.
    ///
    /// `near` lists the registrations of the key without any payload, and the factories with other qualifiers that take
    /// this payload. `leavingOut` says how to request what takes no payload.
    func mismatch(
        of key: Key, from payload: any Any.Type, leavingOut: String
    ) -> (kind: LocatorError.Kind, given: String, near: Shortlist<Near>, fix: String) {
        let entries = names.entries(of: key.type)
        let factories = entries.flatMap { $0.factories(qualifier: key.qualifier) }
        let plain = entries.flatMap { $0.candidates(qualifier: key.qualifier) }
        let others = entries.flatMap { $0.factories(of: ObjectIdentifier(payload)) }
        let near = Shortlist(plain.map { ($0, Near.Relation.takesNoPayload) } + others.map { ($0, .similar) })
        let names = distinctNames(of: [payload] + factories.payloadTypes)
        let (given, payloads) = (names[0], Array(names.dropFirst()))
        let registering = Fix.registeringFactory(key, payload: given)
        let reordering = factories.first { $0.record.parameters.contains { $0 == payload } }.map {
            "make \(typeName(payload)) the first parameter of the factory (\($0.location)): "
                + "the parameters after the payload are dependencies"
        }
        let passing =
            payloads.isEmpty && !plain.isEmpty
            ? "\(leavingOut), or \(registering)" : Fix.passing(payloads, or: registering)
        return (
            .payloadMismatch(key, given: given, payloads: payloads), given, near.map { related($0, $1) },
            Fix.namingProduct(insteadOf: key.type) ?? reordering ?? passing
        )
    }
}

/// Whether a type is a value type of the standard library or of Foundation, or a function.
///
/// Parameters of such a type often have a default value, and the type is rarely registered.
func isPlainValue(_ type: any Any.Type) -> Bool {
    if type is AnyClass || typeName(type).hasPrefix("any ") { return false }
    if isFunction(type) { return true }
    let module = TypeName.qualified(type).prefix { $0 != "." }
    return ["Swift", "Foundation", "FoundationEssentials"].contains(module)
}

func isFunction(_ type: any Any.Type) -> Bool {
    let name = typeName(type)
    return name.contains("->") && !name.hasPrefix("any ") && PayloadText.parts(of: name).count == 1
}

extension LocatorError {
    /// This error about a missing key, with hints: other qualifiers of the type, modules that are off, and similar names.
    func noting(near request: Request, in core: ContextCore) -> LocatorError {
        let state = core.locked { core.state }
        let nearness = Nearness(of: state, in: core)
        // The request of a parameter has the place of its registration.
        let asking = ThreadRecord.current.steps.last
        let isParameter = asking?.role == .registration && asking?.location == request.location
        let elsewhere = Self.noteOnOtherContext(than: core)
        if nearness.names.hasNoModules {
            let isShared = core === AppContext.shared.core && elsewhere.isEmpty
            let isWrapper = ThreadRecord.current.requester?.isWrapper ?? false
            return noting(
                ["no module is loaded in \(core.nameInNotes)"] + elsewhere,
                betterFix: isShared ? Fix.enteringAContext(isWrapper: isWrapper) : nil)
        }
        let key = nearness.distinct(request.key)
        let off = nearness.off(key)
        let near = nearness.near(key, unless: !off.isEmpty)
        let isForkOfNone = core.isFork && state.lineup.roots.allSatisfy(state.lineup.isPushed)
        var notes = near.lines { $0.line(for: key) } + Shortlist(off).lines(\.line) + elsewhere
        if isForkOfNone { notes.append("this context is a fork of one without modules, so it only has pushed modules") }
        if let path = request.qualifierPath {
            notes.insert("qualifier: the value of setting \"\(path)\"\(state.properties.origin(of: path))", at: 0)
        }
        let taker = ThreadRecord.current.slotWithParameter(of: request, in: state.lineup)
        let correction =
            nearness.correction(of: key, given: request.qualifierPath)
            ?? taker?.reordering(for: key, nearness.isRegistered) ?? near.fix(for: key) ?? nearness.listing(key)
        let choice = nearness.choice(for: key, given: request.qualifierPath)
        var fix =
            off.isEmpty
            ? correction ?? choice.map { Fix.registering(key, or: $0) } : Fix.registering(key, or: off[0].fix)
        if isForkOfNone { fix = fix ?? Fix.loadingIntoTheBase(key) }
        if let name = request.key.qualifier, request.qualifierPath == nil {
            fix = nearness.fixOfSetting(name, for: key) ?? fix
        }
        if request.key.qualifier != nil,
            let unneeded = nearness.fixOfUnneededQualifier(of: key.type, isParameter: isParameter)
        {
            fix = unneeded
        }
        if isParameter, off.isEmpty, isPlainValue(request.key.type) {
            let payload = taker?.record.payload
            if fix == nil, near.shown.isEmpty, let passing = Fix.passingPlainValue(key, payload: payload) {
                fix = passing
            } else {
                let hint = Fix.plainValue(request.key.type, payload: payload)
                notes.append("\(payload == nil ? "default" : "payload"): \(hint)")
            }
        }
        return noting(notes, betterFix: fix, kind: .missing(key))
    }

    /// A note if a factory closure of another context makes a request to this one.
    private static func noteOnOtherContext(than asked: ContextCore) -> [String] {
        let making = ThreadRecord.current.reachable.first { $0.slot != nil }
        guard let making, let slot = making.slot, let core = making.core, core.family !== asked.family else {
            return []
        }
        return [
            "requested from a context other than the one that makes \(slot.key): take it as a parameter, or "
                + "use AppContext.current"
        ]
    }

    /// The error for a payload that no factory of the requested key takes.
    static func payloadMismatch(
        _ request: Request, _ payload: any Any.Type, _ thread: ThreadRecord, in core: ContextCore
    ) -> LocatorError {
        let key = request.key
        let mismatch = Nearness(of: core.locked { core.state }, in: core)
            .mismatch(of: key, from: payload, leavingOut: "leave out the payload")
        return LocatorError(mismatch.kind, request, thread)
            .noting(mismatch.near.lines { $0.line(for: key) }, betterFix: mismatch.fix)
    }
}

extension Properties {
    /// Returns the origin of the value at a path, in parentheses after a space; an empty string if the setting is
    /// missing.
    func origin(of path: String) -> String { explain(path, searchesNear: false).origin.map { " (\($0))" } ?? "" }
}
