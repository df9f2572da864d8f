internal import LocatorProperties

/// What comes near a key that nothing answers: other qualifiers of its type, near names, modules that are off.
struct Nearness {
    /// A registration in a module whose condition does not hold.
    struct Off {
        let registered: Registered
        let module: String
        /// The condition in words.
        let condition: String

        /// The line of an error.
        var line: String { "off: \(registered) is in module \"\(module)\", which holds only when \(condition)" }

        /// The line below a finding.
        var note: Finding.Note {
            .init(
                location: registered.location,
                text: "module \"\(module)\" registers \(registered.key), but holds only when \(condition)")
        }
    }

    private let modules: [LoadedModule]
    private let inactive: [LoadedModule]
    private let properties: Properties
    private let names: Names

    /// The first key of each type by the type's name, listed when it is first needed.
    private final class Names {
        lazy var byName: [String: Candidate] = list()
        lazy var sorted = byName.keys.sorted()
        private let list: () -> [String: Candidate]

        init(_ list: @escaping () -> [String: Candidate]) {
            self.list = list
        }
    }

    init(of state: ContextState, in core: ContextCore) {
        let modules = state.lineup.entries.map(\.loaded)
        self.modules = modules
        properties = state.properties
        inactive = state.lineup.inactive
        names = Names {
            var names: [String: Candidate] = [:]
            for module in modules {
                for type in module.types {
                    guard let candidate = module.entry(for: type)?.candidates.first else { continue }
                    names[typeName(candidate.key.type)] = candidate
                }
            }
            return names
        }
    }

    var hasNoModules: Bool { modules.isEmpty && inactive.isEmpty }

    /// What modules that are off have for a key.
    func off(_ key: Key) -> [Off] {
        inactive.compactMap { module in
            let entry = module.entry(for: ObjectIdentifier(key.type))
            guard let found = entry?.candidates(qualifier: key.qualifier).first,
                let condition = module.module.definition.condition
            else { return nil }
            return Off(registered: Registered(found), module: module.name, condition: condition.text(in: properties))
        }
    }

    /// The registrations of the type with other qualifiers; where there are none, those of types with near names,
    /// unless something better is known.
    func near(_ key: Key, unless hasBetter: Bool = false) -> [Registered] {
        let type = ObjectIdentifier(key.type)
        let candidates = modules.flatMap { $0.entry(for: type)?.candidates ?? [] }
        let others = candidates.filter { $0.key.qualifier != key.qualifier }
        guard others.isEmpty, !hasBetter else { return others.map(Registered.init) }
        let name = typeName(key.type)
        let sameName = candidates.isEmpty ? names.byName[name].map { [$0] } ?? [] : []
        let near = NearNames.nearest(to: name, among: names.sorted.lazy.filter { $0 != name }).compactMap {
            names.byName[$0]
        }
        return (sameName + near).map(Registered.init)
    }

    /// The qualifiers under which a type is registered, in quotes, in lookup order.
    func qualifiers(of type: any Any.Type) -> [String] {
        var names: [String] = []
        for candidate in modules.flatMap({ $0.entry(for: ObjectIdentifier(type))?.candidates ?? [] }) {
            guard let name = candidate.key.qualifier.map({ "\"\($0)\"" }), !names.contains(name) else { continue }
            names.append(name)
        }
        return names
    }

    /// The payload types of the factories of a type.
    func payloads(of type: any Any.Type) -> [String] {
        modules.flatMap { $0.entry(for: ObjectIdentifier(type))?.factories ?? [] }.payloads
    }
}

/// Whether a type is a value of the standard library or of Foundation, or a function: what a parameter is likely to have a
/// default for, and is seldom registered.
func isPlainValue(_ type: any Any.Type) -> Bool {
    if type is AnyClass || typeName(type).hasPrefix("any ") { return false }
    if typeName(type).contains("->") { return true }
    let module = String(reflecting: type).prefix { $0 != "." }
    return ["Swift", "Foundation", "FoundationEssentials"].contains(module)
}

extension Registered {
    /// The line below a finding.
    var nearNote: Finding.Note { .init(location: location, text: "near: \(key)") }
}

extension ContextCore {
    /// The error with notes about its key: other qualifiers of the type, modules that are off, near names.
    func noting(_ error: LocatorError, near request: Request) -> LocatorError {
        let state = locked { self.state }
        let nearness = Nearness(of: state, in: self)
        // A parameter's request is made at the place of its registration.
        let asking = ThreadRecord.current.steps.last
        let isParameter = asking?.role == .registration && asking?.location == request.location
        if nearness.hasNoModules { return error.noting(["no module is loaded in this context"]) }
        let off = nearness.off(request.key)
        var notes = nearness.near(request.key, unless: !off.isEmpty).map { "near: \($0)" } + off.map(\.line)
        if let path = request.qualifierPath {
            let origin = state.properties.explain(path).origin.map { " (\($0))" } ?? ""
            notes.insert("qualifier: the value of property \"\(path)\"\(origin)", at: 0)
        }
        if isParameter, isPlainValue(request.key.type) { notes.append("default: \(Mend.defaultArgument)") }
        return error.noting(notes, modulesAreOff: !off.isEmpty)
    }

    /// The payload types of the factories of a type.
    func payloads(of type: any Any.Type) -> [String] {
        Nearness(of: locked { state }, in: self).payloads(of: type)
    }
}
