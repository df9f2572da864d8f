/// The objects that a change has removed while lean requests may still be using them.
///
/// A lean request does not retain its state, the slots of its instances, or the boxes of its arguments. It marks its
/// thread with its revision, and only uses objects that were published while the context was at that revision. A change
/// withdraws the published objects, waits for the readers, and then looks at the marks. If a marked request may be
/// using an object, the object stays here until that request ends. The change notes on the thread that something waits.
/// Other requests do not look here when they end.
///
/// All contexts of a family number their states together, so it does not matter which context the request belongs to. A
/// request of a child may use an object that the parent has removed, as a part of an instance of the child. Such a part
/// is kept from the revision at which the child had the instance. The request sees that revision or a later one.
///
/// So a long request keeps the objects that existed when it began. It does not keep objects that came and went since
/// then.
struct Limbo {
    /// A lean request that was running when something was removed.
    struct Pin {
        let thread: ThreadRecord
        let mark: UInt
        let revision: UInt
        let branch: UInt

        /// Whether the request may use instances of a context.
        func mayUse(instancesOf core: ContextCore) -> Bool { !core.isChild || branch == 0 || branch == core.branch }

        fileprivate var isOver: Bool { thread.leanMark != mark }
    }

    fileprivate enum Content {
        /// A state that the request may need.
        case state(ContextState, contextNumber: UInt)
        /// An object that was published to readers without a lock.
        case object(AnyObject)
        /// Instances that have left their context, to be disposed of.
        case instances([Instance], ContextCore)
    }

    struct Entry {
        fileprivate let number: UInt
        fileprivate let content: Content
        /// The revisions of the requests that may be using it.
        fileprivate let revisions: ClosedRange<UInt>
        /// The requests that may be using it; nil until the marks have been looked at.
        fileprivate var pins: [Pin]?

        /// Whether no request can be using it any longer.
        fileprivate var isOver: Bool {
            pins?.allSatisfy(\.isOver) ?? false
        }
    }

    /// Instances that have left their context and are to be disposed of.
    struct Departed {
        let core: ContextCore
        let instances: [Instance]
        /// Whether lean requests have released them.
        ///
        /// Otherwise, they have just been removed.
        let areReleased: Bool

        /// Disposes of the instances, unless other requests use them.
        ///
        /// No lock is held.
        func dispose() { core.dispose(of: instances, areReleased: areReleased) }
    }

    fileprivate var entries: [Entry] = []
    fileprivate var count: UInt = 0
    /// Entries that no request uses any longer, to be released after the lock has been released.
    var unused: [Entry] = []

    /// The number of the last entry whose users are unknown; nil if all are known.
    ///
    /// Such entries come last.
    var undecided: UInt? {
        guard let last = entries.indices.last, entries[last].pins == nil else { return nil }
        return entries[last].number
    }

    /// Whether no request uses anything that a change has removed.
    var isEmpty: Bool { entries.isEmpty }

    /// The instances of a context, for a slot of it or of its child, that lean requests may be using although they have
    /// left the context, and that had not left it in a state.
    ///
    /// The slot may be another one for the same registration, if its module was unloaded in the meantime.
    func instances(like slot: Slot, of owner: ObjectIdentifier, in state: ContextState) -> [Instance] {
        entries.flatMap { entry -> [Instance] in
            // The change that has removed them made the last of these revisions.
            guard case .instances(let instances, _) = entry.content, state.revision < entry.revisions.upperBound else {
                return []
            }
            return instances.filter { $0.slot.owner == owner && $0.slot.isSame(as: slot) }
        }
    }
}

/// The caller holds the lock everywhere.
extension ContextFamily {
    /// Keeps a state that lean requests may see.
    func keepInLimbo(_ state: consuming ContextState, of core: ContextCore) {
        let revision = state.revision
        add(.state(consume state, contextNumber: core.number), revision...revision)
    }

    /// Keeps an object that was published at a revision and has been withdrawn.
    func keepInLimbo(_ object: AnyObject, from first: UInt) {
        add(.object(object), first...revision)
    }

    /// Keeps instances that have left a context if lean requests may have been given them, or may still request them
    /// and could not make them.
    ///
    /// The caller has invalidated every ready answer that contains one of them.
    func keepInLimbo(_ instances: [Instance], of core: ContextCore) {
        let needed = instances.filter { $0.readySince != nil || $0.slot.record.isAsynchronous }
        guard let first = needed.lazy.map({ $0.slot.record.isAsynchronous ? 0 : $0.readySince ?? 0 }).min() else {
            return
        }
        // A request that was given one of them has also been given its parts. Instances of contexts above have left
        // earlier, and have been kept.
        var kept = IdentityTable<Instance>()
        let leaving = IdentitySet(instances.map(\.identity))
        var open = needed
        while let next = open.popLast() {
            guard leaving.contains(next.identity) else { continue }
            if kept.updateValue(next, forKey: next.identity) == nil { open += next.reads.instances }
        }
        for instance in kept.values { instance.hold() }
        add(.instances(Array(kept.values), core), first...revision)
    }

    private func add(_ content: consuming Limbo.Content, _ revisions: ClosedRange<UInt>) {
        limbo.count += 1
        limbo.entries.append(.init(number: limbo.count, content: consume content, revisions: revisions))
    }

    /// The state of a revision that was overtaken while a lean request saw it.
    func overtaken(_ core: ContextCore, _ revision: UInt) -> ContextState? {
        for entry in limbo.entries {
            if case .state(let state, core.number) = entry.content, state.revision == revision { return state }
        }
        return nil
    }

    /// Decides which entries wait for which of the lean requests that were running after the entries were removed.
    func decideLimbo(upTo number: UInt, _ requests: [Limbo.Pin]) {
        for index in limbo.entries.indices where limbo.entries[index].pins == nil {
            if limbo.entries[index].number > number { break }
            let revisions = limbo.entries[index].revisions
            var pins = requests.filter { revisions.contains($0.revision) }
            if case .instances(_, let core) = limbo.entries[index].content {
                pins.removeAll { !$0.mayUse(instancesOf: core) }
            }
            for pin in pins { pin.thread.noteWaiting(forEndOf: pin.mark) }
            limbo.entries[index].pins = pins
        }
        // A request may have ended before it could see that something waits for it.
        tidyLimbo()
    }

    /// Releases the objects that no lean request can be using any longer.
    func tidyLimbo() {
        // Undecided entries come last.
        guard !limbo.entries.isEmpty, limbo.entries[0].pins != nil else { return }
        var keptCount = 0
        for index in limbo.entries.indices where !limbo.entries[index].isOver {
            if index != keptCount { limbo.entries.swapAt(index, keptCount) }
            keptCount += 1
        }
        for index in keptCount..<limbo.entries.count {
            guard case .instances(let instances, let core) = limbo.entries[index].content else { continue }
            for instance in instances { instance.letGo() }
            // The change that removed the instances disposes of them, unless a request uses them.
            if limbo.entries[index].pins?.isEmpty == false {
                ended.append(.init(core: core, instances: instances, areReleased: true))
            }
        }
        limbo.unused += limbo.entries[keptCount...]
        limbo.entries.removeSubrange(keptCount...)
    }
}
