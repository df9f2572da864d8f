internal import LocatorProperties

/// The modules, instances, and settings of a context as text.
struct ContextDump {
    private let state: ContextState
    private let instances: [Instance]

    init(of core: ContextCore) {
        (state, instances) = core.locked { (core.state, Self.liveInstances(of: core)) }
    }

    var text: String {
        var lines = ["modules, in lookup order"]
        for module in state.lineup.entries { lines += self.lines(of: module) }
        for module in state.lineup.inactive.map(\.module) {
            let condition =
                module.definition.condition?.text(in: state.properties) ?? "the module that includes it is on"
            lines.append("  \(module.description) (\(module.location)), off unless \(condition)")
        }
        lines.append("instances, in the order they were made")
        lines += instances.map { instance in
            let slot = instance.slot
            return slot.isDecoded ? "  \(slot.key), decoded" : "  \(slot.step) \(slot.record.lifetime)"
        }
        let profiles = state.properties.profiles
        lines.append("properties" + (profiles.isEmpty ? "" : ", profiles \(profiles.joined(separator: ", "))"))
        for path in state.properties.paths {
            lines += state.properties.explain(path).description.split(separator: "\n").map { "  \($0)" }
        }
        return lines.map { $0.escapingHidden() }.joined(separator: "\n")
    }

    private func lines(of module: Lineup.Entry) -> [String] {
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

    /// The live instances of a context, in the order in which they were made.
    ///
    /// The caller holds the lock.
    private static func liveInstances(of core: ContextCore) -> [Instance] {
        var found: [Instance] = []
        var open = Array(core.tables.slots.values)
        while let slot = open.popLast() {
            if let live = slot.live, live.box != nil { found.append(live) }
            open += slot.outer.values
        }
        return found.inOrder
    }
}
