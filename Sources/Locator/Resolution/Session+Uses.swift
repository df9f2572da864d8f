/// The instances that a request uses, which stay the same until its end, even if a change overtakes it.
///
/// The caller holds the lock.
extension Session {
    /// The instance that the request is given for a slot, if one is valid for the request.
    func given(_ slot: Slot) -> Instance? {
        if let instance = wasGiven(slot) { return instance }
        guard let instance = core.valid(slot, in: state) else { return nil }
        guard core.agrees(instance, with: self) else { return nil }
        use(instance, of: slot)
        return instance
    }

    /// The instance that the request was given earlier for a slot, if a change has overtaken the request since then.
    func wasGiven(_ slot: Slot) -> Instance? {
        guard let instance = noted(slot), state !== core.state || instance.hasLeft else { return nil }
        return instance.box == nil || instance.failure != nil ? nil : instance
    }

    /// The instance that is noted for a slot.
    ///
    /// The table does not retain the slots of a child, so another slot may have got the address of one by now.
    func noted(_ slot: Slot) -> Instance? {
        used[ObjectIdentifier(slot)].flatMap { $0.slot.isSame(as: slot) ? $0 : nil }
    }

    /// Everything that the request was given.
    var uses: [Instance] { Array(used.values) + detained.values }

    /// Notes that the request is given an instance.
    func use(_ instance: Instance, of slot: Slot) {
        used[ObjectIdentifier(slot)] = instance
        if instance.hasLeft { detain(instance) }
    }

    /// Notes that the request uses instances that it was not given for a slot.
    func use(_ instances: [Instance]) {
        for instance in instances {
            used[instance.identity] = instance
            if instance.hasLeft { detain(instance) }
        }
    }

    /// Keeps an instance and its parts that are not in the context until the request ends.
    ///
    /// Other requests in the same state are given it too.
    func detain(_ instance: Instance) {
        var open = [instance]
        var seen: IdentitySet = []
        while let next = open.popLast() {
            guard next.hasLeft, !next.isDisposed, next.failure == nil, seen.insert(next.identity).inserted else {
                continue
            }
            // A part may have left after the instance that was made from it.
            open += next.reads.instances
            if detained.updateValue(next, forKey: next.identity) != nil { continue }
            next.hold()
            // An instance that was never in the context does not hold its parts yet.
            next.holdParts()
            keepInState(next)
        }
    }

    /// Gives requests in the state of this one the instances that are kept for it, now that the context has another state.
    ///
    /// A change above detains them before the context follows it.
    func keepDetainedInState() { for instance in detained.values { keepInState(instance) } }

    private func keepInState(_ instance: Instance) {
        // In the current state, the live instance is given.
        guard state !== core.state, let slot = ownSlot(for: instance) else { return }
        // It stays the one of this request, even if another request in the state replaces it there.
        if noted(slot) == nil { used[ObjectIdentifier(slot)] = instance }
        if state.stray(for: slot)?.userCount ?? 0 == 0 { state.keep(instance, for: slot, of: core) }
    }

    /// The context's slot for an instance, if the instance is its own or one that it shares.
    private func ownSlot(for instance: Instance) -> Slot? {
        if instance.slot.owner == core.identity { return instance.slot }
        guard case .registration = instance.slot.layer, core.isBelow(instance.slot.owner),
            core.shares(instance, in: state)
        else { return nil }
        return core.slot(of: instance.slot.record)
    }
}
