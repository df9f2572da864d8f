/// Finds what a module touches when it comes or goes, and cuts off slots that are no longer known.
///
/// The caller holds the lock everywhere.
extension Change {
    /// Adds the instances of a module that may be in force in other states than before.
    private mutating func touchInstances(of loaded: LoadedModule) {
        for record in loaded.registrations {
            core.tables.slots[ObjectIdentifier(record)]?.forEachAround { instances += $0.instances }
        }
        for layer in loaded.layers {
            for inner in (core.tables.layered[layer] ?? [:]).values {
                inner.outer[layer]?.forEachAround { instances += $0.instances }
            }
        }
    }

    /// Adds everything that a module touches when it comes or goes, or when it may be in force in other states than
    /// before.
    mutating func touch(_ loaded: LoadedModule, withInstances: Bool) {
        if !loaded.settingPaths.isEmpty {
            paths += loaded.settingPaths
            if loaded.properties?.listsSecrets ?? false { listsSecrets = true }
        }
        if withInstances { touchInstances(of: loaded) }
        if core.tables.nodes.isEmpty { return }
        // Iterates over the types of the module or over the types that were ever requested, whichever are fewer.
        if core.tables.nodes.count < loaded.registrations.count {
            for node in core.tables.nodes.values where loaded.has(node.identity) { touch(node, loaded) }
        } else {
            loaded.forEachType { type in
                if let node = core.tables.nodes[type] { touch(node, loaded) }
            }
        }
    }

    private mutating func touch(_ node: TypeNode, _ loaded: LoadedModule) {
        guard let entry = loaded.entry(for: node.identity) else { return }
        cells += node.cells(touchedBy: entry)
        for alias in aliases(of: node) { cells += alias.all }
    }

    /// The types that forward to this one, through any number of aliases.
    ///
    /// A type can forward to itself, from one qualifier to another.
    private func aliases(of node: TypeNode) -> [TypeNode] {
        if node.aliasedBy.isEmpty { return [] }
        var found: IdentityTable<TypeNode> = [:]
        var open = [node]
        while let next = open.popLast() {
            for type in next.aliasedBy where found[type] == nil {
                guard let alias = core.tables.nodes[type] else { continue }
                found[type] = alias
                open.append(alias)
            }
        }
        return Array(found.values)
    }

    /// Cuts off the slots of a module that the context no longer knows.
    ///
    /// Their instances end.
    mutating func collectSlots(of loaded: LoadedModule) {
        if core.tables.slots.isEmpty && core.tables.layered.isEmpty { return }
        for record in loaded.registrations { cut(ObjectIdentifier(record)) }
        for layer in loaded.layers {
            for inner in (core.tables.layered[layer] ?? [:]).values { cut(layer, from: inner) }
        }
    }

    private mutating func cut(_ registration: ObjectIdentifier) {
        guard let slot = core.tables.slots.removeValue(forKey: registration) else { return }
        if core.sessionCount > 0 { core.tables.stranded.slots[registration] = slot }
        collect(slot)
    }

    private mutating func cut(_ layer: ObjectIdentifier, from inner: Slot) {
        core.tables.layered[layer, default: [:]][ObjectIdentifier(inner)] = nil
        if core.tables.layered[layer]?.isEmpty == true { core.tables.layered[layer] = nil }
        guard let slot = inner.outer.removeValue(forKey: layer) else { return }
        if core.sessionCount > 0 {
            core.tables.stranded.layers[.init(inner: ObjectIdentifier(inner), layer: layer)] = slot
        }
        collect(slot)
    }

    /// Cuts off a child's slots of modules that are no longer known.
    mutating func cutUnknownSlots() {
        for (identity, slot) in core.tables.slots where !core.isLoaded(slot.record.run) { cut(identity) }
        for (layer, inners) in core.tables.layered {
            for inner in inners.values where !core.isLoaded(inner.outer[layer]?.layer.run) {
                cut(layer, from: inner)
            }
        }
    }

    /// Cuts off a slot and every slot around it, and adds their instances.
    ///
    /// Each slot references the one inside it.
    private mutating func collect(_ slot: Slot) {
        core.discard(slot)
        if let scope = slot.record.lifetime.listedScope {
            core.tables.scoped[scope]?[ObjectIdentifier(slot)] = nil
            if core.tables.scoped[scope]?.isEmpty == true { core.tables.scoped[scope] = nil }
        }
        slot.hadInstance = false
        // A request of a child may be making an instance of it.
        if slot.isLent { core.family.keepInLimbo(slot, from: 0) }
        ended += slot.instances
        for layer in slot.outer.keys { cut(layer, from: slot) }
    }
}
