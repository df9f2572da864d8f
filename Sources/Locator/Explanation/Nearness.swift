internal import LocatorProperties

/// Hints for a key that is not registered: other qualifiers of its type, similar names, and modules that are off.
struct Nearness {
    /// A registration in a module whose condition is false.
    struct Off {
        let registered: Registered
        let module: String
        /// The module with the condition, if it is a module that includes this one.
        let includer: String?
        /// The condition in words.
        let condition: String

        /// The line of an error.
        var line: String {
            let included = includer.map { ", included by module \"\($0)\"" } ?? ""
            return "off: \(registered) is in module \"\(module)\"\(included), which is off unless \(condition)"
        }

        /// The line below a finding.
        var note: Finding.Note {
            let holder = includer.map { "module \"\($0)\", which includes it, " } ?? ""
            return .init(
                location: registered.location,
                text: "module \"\(module)\" registers \(registered.key), but \(holder)is off unless \(condition)")
        }
    }

    let modules: [LoadedModule]
    /// Whether no module is loaded, not even one that is off.
    let hasNoModules: Bool
    private let properties: Properties
    let names: Names
    unowned let core: ContextCore

    /// Tables that are made on first use, so that many missing keys cost the same each.
    final class Names {
        /// The registrations of the types that were looked up.
        var byType: IdentityTable<[Candidate]> = [:]
        /// The first registration of each type by the type's name.
        lazy var byName: [String: [Candidate]] = list()
        lazy var sorted = byName.keys.sorted()
        /// The names, prepared for the search for similar ones.
        lazy var similar = NearNames(sorted)
        /// The modules that are off by their types, each with the module whose condition is false.
        lazy var off: IdentityTable<[(module: LoadedModule, outer: LoadedModule)]> = listOff()
        private let list: () -> [String: [Candidate]]
        /// The registrations in modules that are off of the keys that were looked up.
        var offByKey: [Key: [Off]] = [:]
        private let listOff: () -> IdentityTable<[(module: LoadedModule, outer: LoadedModule)]>

        init(
            _ list: @escaping () -> [String: [Candidate]],
            off: @escaping () -> IdentityTable<[(module: LoadedModule, outer: LoadedModule)]>
        ) {
            self.list = list
            listOff = off
        }
    }

    init(of state: ContextState, in core: ContextCore) {
        let modules = state.lineup.entries.map(\.loaded)
        self.modules = modules
        self.core = core
        properties = state.properties
        let (lineup, inactive) = (state.lineup, state.lineup.inactive)
        hasNoModules = modules.isEmpty && inactive.isEmpty
        names = Names {
            var names: [String: [Candidate]] = [:]
            var seen: IdentitySet = []
            for module in modules {
                module.forEachType { type in
                    guard let candidate = module.entry(for: type)?.candidates.first, seen.insert(type).inserted
                    else { return }
                    names[typeName(candidate.key.type), default: []].append(candidate)
                }
            }
            return names
        } off: {
            var off: IdentityTable<[(module: LoadedModule, outer: LoadedModule)]> = [:]
            var seen: IdentitySet = []
            for outer in inactive where outer.hasCondition {
                for module in lineup.reached(from: outer)
                where seen.insert(module.identity).inserted && lineup.entry(of: module) == nil {
                    module.forEachType { off[$0, default: []].append((module, outer)) }
                }
            }
            return off
        }
    }

    /// The registrations of a key in modules that are off: those whose condition is false, and the modules they include.
    func off(_ key: Key) -> [Off] {
        if let known = names.offByKey[key] { return known }
        let found = (names.off[ObjectIdentifier(key.type)] ?? []).compactMap { module, outer -> Off? in
            guard let condition = outer.module.definition.condition?.text(in: properties),
                let entry = module.entry(for: ObjectIdentifier(key.type)),
                let candidate = entry.candidates(qualifier: key.qualifier).first
            else { return nil }
            return Off(
                registered: Registered(candidate), module: module.name,
                includer: module === outer ? nil : outer.name, condition: condition)
        }
        names.offByKey[key] = found
        return found
    }

    /// The key in hints, with its full name if another type of the same name is registered.
    func distinct(_ key: Key) -> Key {
        let isRegistered = !candidates(of: key.type).isEmpty
        return isRegistered || names.byName[typeName(key.type)] == nil ? key : key.writtenInFull
    }

    func candidates(of type: any Any.Type) -> [Candidate] {
        if let known = names.byType[ObjectIdentifier(type)] { return known }
        let candidates = entries(of: type).flatMap(\.candidates)
        names.byType[ObjectIdentifier(type)] = candidates
        return candidates
    }

    private func entries(of type: any Any.Type) -> [TypeEntry] {
        modules.compactMap { $0.entry(for: ObjectIdentifier(type)) }
    }

    /// The registrations of the type with other qualifiers.
    ///
    /// If there are none, those that an alias would make available, and then those of types with similar names, unless
    /// a better hint is known.
    func near(_ key: Key, unless hasBetter: Bool = false) -> Shortlist<Near> {
        let others = others(of: key)
        if others.isEmpty { return Shortlist(hasBetter ? [] : near(key)) }
        return Shortlist(hasBetter ? others : similarFirst(others, to: key.qualifier)).map { related($0) }
    }

    /// The registrations of the type with other qualifiers.
    private func others(of key: Key) -> [Candidate] {
        let candidates = candidates(of: key.type)
        // A missing key has no registration, so there is usually nothing to leave out.
        let hasOwn = entries(of: key.type).contains { !$0.candidates(qualifier: key.qualifier).isEmpty }
        return hasOwn ? candidates.filter { $0.key.qualifier != key.qualifier } : candidates
    }

    /// The registrations that are similar to a key whose type has none with another qualifier.
    private func near(_ key: Key) -> [Near] {
        let elements = elements(of: key)
        if !elements.isEmpty { return elements }
        let kin = kin(of: key)
        if !kin.isEmpty { return kin.map { related(.registration($0), .isOne) } }
        let name = typeName(key.type)
        let sameName = candidates(of: key.type).isEmpty ? names.byName[name] ?? [] : []
        let similar = names.similar.nearest(to: name).flatMap { names.byName[$0] ?? [] }
        let near = sameName.map { related($0, isWrittenInFull: true) } + similar.map { related($0) }
        if !near.isEmpty { return near }
        let named = namedAfter(key)
        return named.isEmpty ? registeredAs(key) : named.map { related($0, .mayBeOne) }
    }

    /// Returns a registration, and in which way it is similar to a key.
    func related(
        _ candidate: Candidate, _ relation: Near.Relation = .similar, isWrittenInFull: Bool = false
    ) -> Near {
        let key = isWrittenInFull ? candidate.key.writtenInFull : candidate.key
        return Near(registered: Registered(key: key, location: candidate.location), relation: relation)
    }

    /// Registrations, those with similar qualifiers first if there are too many to list all.
    private func similarFirst(_ candidates: [Candidate], to qualifier: String?) -> [Candidate] {
        guard let qualifier, candidates.count > Shortlist<Near>.limit else { return candidates }
        let similar = NearNames.nearest(to: qualifier, among: candidates.lazy.compactMap(\.key.qualifier))
        return similar.flatMap { name in candidates.filter { $0.key.qualifier == name } }
            + candidates.filter { $0.key.qualifier.map(similar.contains) != true }
    }

    /// The qualifiers of a type's registrations, in quotes, in lookup order.
    func qualifiers(of type: any Any.Type) -> [String] {
        var seen: Set<String> = []
        return candidates(of: type).compactMap(\.key.qualifier).filter { seen.insert($0).inserted }.map { "\"\($0)\"" }
    }

    /// The names of a payload type that no factory of a key takes, and of those that they take.
    func payloads(of key: Key, insteadOf given: any Any.Type) -> (given: String, payloads: [String]) {
        let factories = entries(of: key.type).flatMap { $0.factories(qualifier: key.qualifier) }
        let names = distinctNames(of: [given] + factories.payloadTypes)
        return (names[0], Array(names.dropFirst()))
    }

    /// The registrations of a key without any payload, and the factories with other qualifiers that take this payload.
    func near(factoryOf key: Key, from payload: any Any.Type) -> Shortlist<Near> {
        let entries = entries(of: key.type)
        let plain = entries.flatMap { $0.candidates(qualifier: key.qualifier) }
        let others = entries.flatMap { $0.factories(of: ObjectIdentifier(payload)) }
        return Shortlist(plain.map { related($0, .takesNoPayload) } + others.map { related($0) })
    }
}

/// Whether a type is a value type of the standard library or of Foundation, or a function.
///
/// Parameters of such a type often have a default value, and the type is rarely registered.
func isPlainValue(_ type: any Any.Type) -> Bool {
    if type is AnyClass || typeName(type).hasPrefix("any ") { return false }
    if typeName(type).contains("->") { return true }
    let module = String(reflecting: type).prefix { $0 != "." }
    return ["Swift", "Foundation", "FoundationEssentials"].contains(module)
}

extension ContextCore {
    /// The error with hints about its key: other qualifiers of the type, modules that are off, and similar names.
    func noting(_ error: LocatorError, near request: Request) -> LocatorError {
        let state = locked { self.state }
        let nearness = Nearness(of: state, in: self)
        // The request of a parameter has the place of its registration.
        let asking = ThreadRecord.current.steps.last
        let isParameter = asking?.role == .registration && asking?.location == request.location
        let elsewhere = noteOnOtherContext()
        if nearness.hasNoModules {
            let isShared = self === AppContext.shared.core && elsewhere.isEmpty
            return error.noting(
                ["no module is loaded in \(nameInNotes)"] + elsewhere, betterFix: isShared ? Fix.enteringAContext : nil)
        }
        let key = nearness.distinct(request.key)
        let off = nearness.off(key)
        let near = nearness.near(key, unless: !off.isEmpty)
        let isForkOfNone = isFork && state.lineup.roots.allSatisfy(state.lineup.isPushed)
        var notes = near.lines { $0.line(for: key) } + Shortlist(off).lines(\.line) + elsewhere
        if isForkOfNone { notes.append("this context is a fork of one without modules, so it only has pushed modules") }
        if let path = request.qualifierPath {
            notes.insert("qualifier: the value of setting \"\(path)\"\(state.properties.origin(of: path))", at: 0)
        }
        let correction = key.shownQualifier.flatMap {
            Fix.correcting($0, given: request.qualifierPath, among: nearness.qualifiers(of: key.type))
        }
        var fix = off.isEmpty ? correction ?? near.fix(for: key) : Fix.registering(key, modulesAreOff: true)
        if isForkOfNone { fix = fix ?? Fix.loadingIntoTheBase(key) }
        if let path = request.key.qualifier, request.qualifierPath == nil, state.properties.lookup(path).text != nil {
            fix = Fix.namingTheSetting(path)
        }
        if isParameter, off.isEmpty, isPlainValue(request.key.type) { notes.append("default: \(Fix.defaultArgument)") }
        if case .missing = error.kind { return error.noting(notes, betterFix: fix, kind: .missing(key)) }
        return error.noting(notes, betterFix: fix)
    }

    /// The name of the context in notes.
    var nameInNotes: String {
        // A request that reaches the shared context by mistake was usually made outside of `withContext`.
        self === AppContext.shared.core
            ? "AppContext.shared, which is current unless another context is entered" : "this context"
    }

    /// A note if a factory closure of another context makes a request to this one.
    private func noteOnOtherContext() -> [String] {
        let making = ThreadRecord.current.reachable.first { $0.slot != nil }
        guard let making, let slot = making.slot, let core = making.core, core.family !== family else { return [] }
        return [
            "requested from a context other than the one that makes \(slot.key): take it as a parameter, or "
                + "use AppContext.current"
        ]
    }

    /// The qualifiers under which a type is registered, in quotes, in lookup order.
    func qualifiers(of type: any Any.Type) -> [String] {
        Nearness(of: locked { state }, in: self).qualifiers(of: type)
    }

    /// The error for a payload that no factory of the requested key takes.
    func payloadMismatch(_ request: Request, _ payload: any Any.Type, _ thread: ThreadRecord) -> LocatorError {
        let nearness = Nearness(of: locked { state }, in: self)
        let key = request.key
        let (given, payloads) = nearness.payloads(of: key, insteadOf: payload)
        let near = nearness.near(factoryOf: key, from: payload)
        let error = LocatorError(.payloadMismatch(key, given: given, payloads: payloads), request, thread)
        return error.noting(
            near.lines { $0.line(for: key) },
            betterFix: payloads.isEmpty && near.shown.contains { $0.relation == .takesNoPayload }
                ? "leave out the payload, or \(Fix.registeringFactory(key, payload: given))" : nil)
    }
}

extension Properties {
    /// Returns the origin of the value at a path, in parentheses after a space; an empty string if the setting is
    /// missing.
    func origin(of path: String) -> String { explain(path, searchesNear: false).origin.map { " (\($0))" } ?? "" }
}
