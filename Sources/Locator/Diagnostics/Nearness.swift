internal import LocatorProperties

/// What came near a request that nothing answers.
extension ContextCore {
    /// The error with notes about its key: other qualifiers of the type, modules that are off, near names.
    func noting(_ error: LocatorError, near request: Request) -> LocatorError {
        let key = request.key
        let state = locked { self.state }
        if state.modules.isEmpty, state.inactive.isEmpty {
            return error.noting(["no module is loaded in this context"])
        }
        let off = notesOnInactiveModules(with: key, in: state)
        var notes = nearNotes(for: key, in: state, or: off) + off
        if let path = request.qualifierPath {
            let origin = state.properties.explain(path).origin.map { " (\($0))" } ?? ""
            notes.insert("qualifier: the value of property \"\(path)\"\(origin)", at: 0)
        }
        return error.noting(notes, modulesAreOff: !off.isEmpty)
    }

    private func notesOnInactiveModules(with key: Key, in state: ContextState) -> [String] {
        inactiveModules(in: state).compactMap { module in
            let entry = module.entry(for: ObjectIdentifier(key.type))
            guard let found = entry?.candidates(qualifier: key.qualifier).first,
                let condition = module.module.definition.condition
            else { return nil }
            return "off: \(Registered(found)) is in module \"\(module.name)\", which holds only when \(condition)"
        }
    }

    private func nearNotes(for key: Key, in state: ContextState, or off: [String]) -> [String] {
        var notes: [String] = []
        let type = ObjectIdentifier(key.type)
        let candidates = state.modules.flatMap { $0.loaded.entry(for: type)?.candidates ?? [] }
        for candidate in candidates where candidate.key.qualifier != key.qualifier {
            notes.append("near: \(Registered(candidate))")
        }
        guard notes.isEmpty, off.isEmpty else { return notes }
        var names: [String: Candidate] = [:]
        for module in state.modules {
            for entry in module.loaded.entries.values {
                guard let candidate = entry.candidates.first else { continue }
                names[typeName(candidate.key.type)] = candidate
            }
        }
        let name = typeName(key.type)
        let sameName = candidates.isEmpty ? names[name].map { [$0] } ?? [] : []
        let near = NearNames.nearest(to: name, among: names.keys.filter { $0 != name }.sorted()).compactMap {
            names[$0]
        }
        return (sameName + near).map { "near: \(Registered($0))" }
    }

    private func inactiveModules(in state: ContextState) -> [LoadedModule] {
        locked { state.inactive.compactMap { known[$0.identity]?.loaded } }
    }

    /// The payload types of the factories of a type.
    func payloads(of type: any Any.Type) -> [String] {
        let state = locked { self.state }
        var names: [String] = []
        for module in state.modules {
            for factory in module.loaded.entry(for: ObjectIdentifier(type))?.factories ?? [] {
                guard let payload = factory.payload.map(typeName), !names.contains(payload) else { continue }
                names.append(payload)
            }
        }
        return names
    }
}
