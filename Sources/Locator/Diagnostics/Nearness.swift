internal import LocatorProperties

/// What came near a request that nothing answers.
extension ContextCore {
    /// Notes about a missing key: other qualifiers of the type, modules that are off, near names.
    func nearNotes(for key: Key, qualifierPath: String?) -> [String] {
        let state = locked { self.state }
        if state.modules.isEmpty { return ["no module is loaded in this context"] }
        let near = nearNotes(for: key, in: state)
        guard let qualifierPath else { return near }
        let origin = state.properties.explain(qualifierPath).origin.map { " (\($0))" } ?? ""
        return ["qualifier: the value of property \"\(qualifierPath)\"\(origin)"] + near
    }

    private func nearNotes(for key: Key, in state: ContextState) -> [String] {
        var notes: [String] = []
        let type = ObjectIdentifier(key.type)
        let candidates = state.modules.flatMap { $0.loaded.entry(for: type)?.candidates ?? [] }
        for candidate in candidates where candidate.key.qualifier != key.qualifier {
            notes.append("near: \(Registered(candidate))")
        }
        for module in inactiveModules(in: state) {
            let found = module.entry(for: type)?.candidates(qualifier: key.qualifier).first
            guard let found, let condition = module.module.definition.condition else { continue }
            notes.append(
                "off: \(Registered(found)) is in module \"\(module.name)\", which holds only when \(condition)")
        }
        guard notes.isEmpty else { return notes }
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
