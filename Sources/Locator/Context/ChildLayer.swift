internal import Synchronization

/// The modules that a lean child was opened with.
///
/// They come before all modules of its parent in lookup order. Their registrations are looked up here. Everything else
/// comes from the parent, unless it was made from a type that these modules register. ``TypeGroups`` detects that. A
/// full child has these modules in its lineup, like any other push.
final class ChildLayer {
    // Unchecked exclusivity: the holder of the child's own lock accesses one field at a time.

    /// The pushes.
    ///
    /// The latest comes last.
    @exclusivity(unchecked) private var roots: [Lineup.Root] = []
    /// The slots that were requested, at most one for each type.
    ///
    /// They become slots of the full child.
    @exclusivity(unchecked) private(set) var slots: [Slot] = []

    func add(_ root: Lineup.Root) { roots.append(root) }

    /// The slot for the registration of a type, from which the child makes its instance; nil if the type is not
    /// registered.
    func slot(of type: ObjectIdentifier, in child: ContextCore) -> Slot? {
        for slot in slots where ObjectIdentifier(slot.record.key.type) == type { return slot }
        for root in roots.reversed() {
            guard let record = root.loaded.firstRegistration(of: type) else { continue }
            let slot = Slot(record, owner: child)
            // A change of the full child keeps the slot for the requests that are using it.
            slot.isLent = true
            slots.append(slot)
            return slot
        }
        return nil
    }

    /// Whether the module was pushed.
    func knows(_ module: Module) -> Bool { roots.contains { $0.loaded.identity == module.identity } }

    /// Whether one of the modules registers the type.
    func has(_ type: ObjectIdentifier) -> Bool { roots.contains { $0.loaded.has(type) } }

    /// The lineup of the child.
    func lineup(inFrontOf lineup: Lineup) -> Lineup { lineup.adding(roots, with: roots.map(\.loaded)) }
}

extension ChildCore {
    /// Pushes a module on a new child that stays lean.
    ///
    /// This function checks all conditions for that. Returns false if the child must push the module as a full child does.
    /// If the module's closure has run by then, what it registered is added to `prepared`.
    func pushLean(
        _ module: Module, at location: SourcePlace, _ prepared: inout IdentityTable<LoadedModule>
    ) throws(LocatorError) -> Bool {
        // Relaxed suffices: nobody else has the child. A push is reported to observers and tests.
        guard isLean.load(ordering: .relaxed), keptLoad == nil, !isObserved, TestUse.current == nil else {
            return false
        }
        // A module that is loaded already is not loaded again.
        if state.lineup.known(module.identity) != nil || layer?.knows(module) == true { return false }
        let loaded = try Self.load(module)
        let number = family.lock.withLock { () -> UInt? in
            guard loaded.isPlain(whereOpened: opened), isInFront(loaded) else { return nil }
            family.rootCount += 1
            return family.rootCount
        }
        guard let number else {
            prepared[loaded.identity] = loaded
            return false
        }
        let layer = layer ?? ChildLayer()
        layer.add(
            Lineup.Root(
                loaded: loaded, priority: .high, isPushed: true, level: level, sequence: number, first: number,
                location: location))
        self.layer = layer
        pushedTypes.formUnion(loaded.typeGroups)
        isLayered = true
        return true
    }

    /// Whether no module of the parent comes before a module that is pushed here.
    ///
    /// The caller holds the lock of the family.
    private func isInFront(_ loaded: LoadedModule) -> Bool {
        loaded.registrations.allSatisfy { record in
            state.holders(of: ObjectIdentifier(record.key.type)).first.map { $0.module.priority <= .high } ?? true
        }
    }
}

extension LoadedModule {
    /// Whether it only registers instances that a child with these scopes makes itself, one for each type, and nothing
    /// has to be done before or after that.
    fileprivate func isPlain(whereOpened opened: [Scope]) -> Bool {
        included.isEmpty && !hasCondition && properties == nil && isNothingButRegistrations
            && registrations.allSatisfy { record in
                guard record.isPlain, case .held(let scope) = record.lifetime else { return false }
                return scope == .singleton || opened.contains(scope)
            }
    }
}

extension RegistrationRecord {
    fileprivate var isPlain: Bool {
        guard key.qualifier == nil, isolation == .none, payload == nil, injections.isEmpty, aliases.isEmpty else {
            return false
        }
        switch production {
        case .synchronous, .instance: return true
        case .asynchronous, .input: return false
        }
    }
}
