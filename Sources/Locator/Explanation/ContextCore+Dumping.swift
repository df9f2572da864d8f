internal import LocatorProperties

extension ContextCore {
    /// Returns the modules, instances, and settings of the context as text.
    func dump() -> String {
        let (state, instances) = locked { (self.state, liveInstances) }
        var lines = ["modules, in lookup order"]
        for module in state.lineup.entries { lines += Self.lines(of: module, in: state) }
        for module in state.lineup.inactive.map(\.module) {
            let condition =
                module.definition.condition?.text(in: state.properties) ?? "the module that includes it is on"
            lines.append("  \(module.description) (\(module.location)), off unless \(condition)")
        }
        lines.append("instances, in the order they were made")
        lines += instances.map { instance in
            let isDecoded = instance.slot.record.run == nil
            return isDecoded
                ? "  \(instance.slot.key), decoded" : "  \(instance.slot.step) \(instance.slot.record.lifetime)"
        }
        lines.append("properties" + Self.profiles(of: state))
        for path in state.properties.paths {
            lines += state.properties.explain(path).description.split(separator: "\n").map { "  \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    private static func lines(of module: Lineup.Entry, in state: ContextState) -> [String] {
        var head = "  \(module.loaded.module) (\(module.loaded.module.location)), priority \(module.priority)"
        for root in state.lineup.roots(naming: module.loaded.identity) {
            head += ", \(state.lineup.isPushed(root) ? "pushed" : "loaded") at \(root.location)"
        }
        return [head]
            + module.loaded.registrations.map { record in
                let payload = record.payload.map { " from \(typeName($0))" } ?? " \(record.lifetime)"
                let input = record.isInput ? ", input" : ""
                return "    \(Registered(key: record.key, location: record.location))\(payload)\(input)"
                    + record.aliases.map { ", alias \($0.key)" }.joined()
            }
            + module.loaded.decorators.map {
                "    decorator of \(Key($0.type, qualifier: $0.qualifier)) (\($0.location))"
            }
    }

    private static func profiles(of state: ContextState) -> String {
        let profiles = state.properties.profiles
        return profiles.isEmpty ? "" : ", profiles \(profiles.joined(separator: ", "))"
    }

    /// The live instances of the context, in the order in which they were made.
    ///
    /// The caller holds the lock.
    private var liveInstances: [Instance] {
        var found: [Instance] = []
        var open = Array(slots.values)
        while let slot = open.popLast() {
            if let live = slot.live, live.box != nil { found.append(live) }
            open += slot.outer.values
        }
        return found.inOrder
    }
}
