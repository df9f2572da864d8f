/// What a request uses stays the same until its end, even if a change overtakes it.
///
/// The caller holds the lock.
extension ContextCore {
    /// The instance that a request is given for a slot, if one is valid for the request.
    func given(_ slot: Slot, to session: Session) -> Instance? {
        if let instance = wasGiven(slot, to: session) { return instance }
        guard let instance = valid(slot, in: session.state) else { return nil }
        use(instance, of: slot, in: session)
        return instance
    }

    /// The instance that a request was given for a slot earlier, if a change has overtaken the request since.
    func wasGiven(_ slot: Slot, to session: Session) -> Instance? {
        guard let instance = session.used[slot], session.state !== state || instance.hasLeft else {
            return nil
        }
        return instance.box == nil || instance.failure != nil ? nil : instance
    }

    /// Notes that a request is given an instance.
    func use(_ instance: Instance, of slot: Slot, in session: Session) {
        session.used.set(instance, for: slot)
        if instance.hasLeft { detain(instance, in: session) }
    }

    /// Notes that a request uses instances that it was not given for a slot.
    func use(_ instances: [Instance], in session: Session) {
        for instance in instances {
            session.used.add(instance)
            if instance.hasLeft { detain(instance, in: session) }
        }
    }

    /// Keeps instances that have left the context and that running requests use, until these requests end.
    func detainUsed(_ gone: [Instance]) {
        if gone.isEmpty { return }
        var byOwner: IdentityTable<[Instance]> = [:]
        for instance in gone {
            byOwner[instance.slot.owner, default: []].append(instance)
            instance.holdParts()
        }
        for (owner, instances) in byOwner { family.keepInLimbo(instances, of: family.core(owner) ?? self) }
        let root = ObjectIdentifier(outermost)
        for session in family.sessions {
            session._withUnsafeGuaranteedRef { session in
                var open = session.used.instances + session.detained.values
                var seen: IdentitySet = []
                while let next = open.popLast() {
                    if next.hasLeft {
                        session.core.detain(next, in: session)
                    } else if next.slot.owner != root, seen.insert(next.identity).inserted {
                        // A child that has not followed yet has instances that were made from what has left.
                        open += next.reads.instances
                    }
                }
            }
        }
    }

    /// Keeps an instance and its parts that are not in the context until a request ends.
    ///
    /// Other requests in the same state are given it too.
    func detain(_ instance: Instance, in session: Session) {
        var open = [instance]
        var seen: IdentitySet = []
        while let next = open.popLast() {
            guard next.hasLeft, !next.isDisposed, next.failure == nil, seen.insert(next.identity).inserted else {
                continue
            }
            // A part may have left after what was made from it.
            open += next.reads.instances
            if session.detained.updateValue(next, forKey: next.identity) != nil { continue }
            next.hold()
            // Nothing has done so yet for what was never in the context.
            next.holdParts()
            // In the current state, the live instance is given.
            if session.state !== state, let slot = ownSlot(for: next, in: session.state) {
                let known = session.state.strays[ObjectIdentifier(slot)]
                if known == nil || known?.userCount == 0 { session.state.strays[ObjectIdentifier(slot)] = next }
            }
        }
    }

    /// This context's slot for an instance, if the instance is its own or one that it shares.
    private func ownSlot(for instance: Instance, in state: ContextState) -> Slot? {
        if instance.slot.owner == ObjectIdentifier(self) { return instance.slot }
        guard case .registration = instance.slot.layer, isAbove(instance.slot.owner),
            sharedReads(of: instance, in: state) != nil
        else { return nil }
        return slot(of: instance.slot.record)
    }
}
