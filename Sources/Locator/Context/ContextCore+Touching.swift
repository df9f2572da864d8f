internal import LocatorProperties

/// Finding what a module touches when it comes or goes, and cutting off slots that are no longer known.
///
/// The caller holds the lock everywhere.
extension ContextCore {
    /// Adds the instances of a module that may be in force in other states than before.
    private func touchInstances(of loaded: LoadedModule, in change: inout Change) {
        for record in loaded.registrations {
            if let slot = slots[ObjectIdentifier(record)] { slot.forEachAround { change.instances += $0.instances } }
            for alias in record.aliases { touchLayers(ObjectIdentifier(alias), in: &change) }
        }
        for decorator in loaded.decorators { touchLayers(ObjectIdentifier(decorator), in: &change) }
    }

    private func touchLayers(_ layer: ObjectIdentifier, in change: inout Change) {
        for inner in (layered[layer] ?? [:]).values {
            inner.outer[layer]?.forEachAround { change.instances += $0.instances }
        }
    }

    /// Adds what a module touches when it comes or goes, or when it may be in force in other states than before.
    func touch(_ loaded: LoadedModule, withInstances: Bool, in change: inout Change) {
        if !loaded.settingPaths.isEmpty { change.paths += loaded.settingPaths }
        if withInstances { touchInstances(of: loaded, in: &change) }
        if nodes.isEmpty { return }
        // Iterates over whichever are fewer: the types of the module or the types that were ever requested.
        if nodes.count < loaded.registrations.count {
            for node in nodes.values where loaded.has(node.identity) { touch(node, loaded, in: &change) }
        } else {
            loaded.forEachType { type in
                if let node = nodes[type] { touch(node, loaded, in: &change) }
            }
        }
    }

    private func touch(_ node: TypeNode, _ loaded: LoadedModule, in change: inout Change) {
        guard let entry = loaded.entry(for: node.identity) else { return }
        change.cells += node.cells(touchedBy: entry)
        for alias in aliases(of: node) { change.cells += alias.all }
    }

    /// The types that forward to this one, through any number of aliases.
    private func aliases(of node: TypeNode) -> [TypeNode] {
        if node.aliasedBy.isEmpty { return [] }
        var found: IdentityTable<TypeNode> = [:]
        var open = [node]
        while let next = open.popLast() {
            for type in next.aliasedBy where found[type] == nil && type != node.identity {
                guard let alias = nodes[type] else { continue }
                found[type] = alias
                open.append(alias)
            }
        }
        return Array(found.values)
    }

    /// Cuts off the slots of a module that the context no longer knows.
    ///
    /// Their instances end.
    func collectSlots(of loaded: LoadedModule, into change: inout Change) {
        if slots.isEmpty && layered.isEmpty { return }
        for record in loaded.registrations {
            cut(ObjectIdentifier(record), into: &change)
            for alias in record.aliases { cutLayers(ObjectIdentifier(alias), into: &change) }
        }
        for decorator in loaded.decorators { cutLayers(ObjectIdentifier(decorator), into: &change) }
    }

    private func cutLayers(_ layer: ObjectIdentifier, into change: inout Change) {
        for inner in (layered[layer] ?? [:]).values { cut(layer, from: inner, into: &change) }
    }

    private func cut(_ registration: ObjectIdentifier, into change: inout Change) {
        guard let slot = slots.removeValue(forKey: registration) else { return }
        if sessionCount > 0 { stranded.slots[registration] = slot }
        collect(slot, into: &change)
    }

    private func cut(_ layer: ObjectIdentifier, from inner: Slot, into change: inout Change) {
        layered[layer, default: [:]][ObjectIdentifier(inner)] = nil
        if layered[layer]?.isEmpty == true { layered[layer] = nil }
        guard let slot = inner.outer.removeValue(forKey: layer) else { return }
        if sessionCount > 0 { stranded.layers[.init(inner: ObjectIdentifier(inner), layer: layer)] = slot }
        collect(slot, into: &change)
    }

    /// Cuts off a child's slots of modules that are no longer known.
    func cutUnknownSlots(into change: inout Change) {
        for (identity, slot) in slots where !isLoaded(slot.record.run) { cut(identity, into: &change) }
        for (layer, inners) in layered {
            for inner in inners.values where !isLoaded(inner.outer[layer]?.layer.run) {
                cut(layer, from: inner, into: &change)
            }
        }
    }

    /// Cuts off a slot and every slot around it, and adds their instances.
    ///
    /// Each slot references the one inside it.
    private func collect(_ slot: Slot, into change: inout Change) {
        discard(slot)
        if let scope = slot.record.lifetime.openableScope { scoped[scope]?[ObjectIdentifier(slot)] = nil }
        prepared[ObjectIdentifier(slot)] = nil
        // A request of a child may be making an instance of it.
        if slot.isLent { family.keepInLimbo(slot, from: 0) }
        change.ended += slot.instances
        for layer in slot.outer.keys { cut(layer, from: slot, into: &change) }
    }
}
