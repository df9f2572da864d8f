internal import Synchronization

/// What a parent gives to its lean children.
extension ContextCore {
    /// The stamp of the parent, whose answers a lean child returns.
    var lentStamp: ContextStamp? {
        // Sequentially consistent: the child becomes full before it changes; see `Limbo`.
        isLean.load(ordering: .sequentiallyConsistent) ? parentCore?.stamp : nil
    }

    /// The ready answer of a lean child's parent, for a marked reader, and the stamp that was read before the answer.
    // Inlined, because the compiler knows the parts of the key where a lookup begins.
    @inline(__always)
    func lentAnswer(_ key: WarmKey) -> (Cell.Ready, ContextStamp.Value)? {
        unmanagedParentCore?._withUnsafeGuaranteedRef { parent in
            let stamp = parent.stamp.nowInOrder
            guard followed.load(ordering: .sequentiallyConsistent) == stamp.revision, !isObserved,
                let cell = parent.warmCell(key)
            else { return nil }
            let answer = cell._withUnsafeGuaranteedRef { $0.ready }
            // The stamp is read again after the types that the answer was made from: see `Cell.typeGroups`.
            guard !answer.isScoped, isUnaffected(cell),
                !isLayered || parent.stamp.nowInOrder.revision == stamp.revision
            else { return nil }
            // The answer is read first: the child becomes full before anything changes in it.
            return isLean.load(ordering: .sequentiallyConsistent) ? (answer, stamp) : nil
        }
    }

    /// The ready value for a parameter in a lean request that uses the parent's answers.
    func lentArgument(
        _ cell: Unmanaged<Cell>, _ ready: Cell.Ready, on thread: ThreadRecord
    ) -> UnsafeRawPointer? {
        if ready.isScoped || thread.lean.session != nil || !isUnaffected(cell) { return nil }
        let stamp = unmanagedParentCore?._withUnsafeGuaranteedRef { $0.stamp.nowInOrder }
        return stamp?.revision == thread.lean.revision ? ready.found : nil
    }

    /// Whether a lean child has pushed a registration of a type.
    // It is not inlined because most children push nothing.
    @inline(never)
    func hasPushed(_ type: ObjectIdentifier) -> Bool {
        if pushedTypes.isDisjoint(with: TypeGroups(type)) { return false }
        return leanLock.withLock { layer?.has(type) ?? false }
    }

    /// Whether the ready answer of a parent's cell was made without any type that the child pushes.
    @inline(__always)
    func isUnaffected(_ cell: Unmanaged<Cell>) -> Bool {
        !isLayered || cell._withUnsafeGuaranteedRef { pushedTypes.isDisjoint(with: $0.typeGroups.current) }
    }

    /// Whether an instance of the parent was made without any type that the child pushes.
    ///
    /// Groups of types can be equal by chance, so equal groups are checked type by type. The caller holds the lock of
    /// the family.
    func isUnaffected(_ instance: Instance) -> Bool {
        // Relaxed suffices: if the child has become full or has ended in the meantime, there is nothing to compare
        // with.
        !isLayered || instance.wasMade(without: pushedTypes, hasPushed) && isLean.load(ordering: .relaxed)
    }
}

/// What a context prepares for its lean children. The caller holds the lock everywhere.
extension ContextCore {
    /// Lets children find the slot that answers a request without a lock, if they can make instances of it from ready
    /// answers.
    ///
    /// Otherwise, returns the existing instance that they get. Other answers are made ready for the next child.
    @inline(never)
    func lend(_ type: any Any.Type, _ name: String?, _ isUnaffected: (Instance) -> Bool) -> AnyBox? {
        let cell = node(of: type).cell(Cell.Query(kind: .single, qualifier: name))
        let answer = answer(of: cell, in: state)
        if case .slot(let slot) = answer, slot.canBeLean {
            addRecipe(to: slot.base)
            insert(cell)
            cell.lend(slot)
            return nil
        }
        makeAnswerReady(answer, of: cell)
        makeMissingReady(cell)
        // After a change, the parent can still tell which instance was ready; see `given(likeSlot:in:orOneOf:)`.
        guard case .slot(let slot) = answer, cell.ready.box != nil, let instance = slot.live, !instance.isScoped,
            isUnaffected(instance)
        else { return nil }
        return instance.box
    }
}

extension Slot {
    /// Whether the slot has a scope that a child may open, and an instance can be made from ready answers alone,
    /// without further steps afterward.
    fileprivate var canBeLean: Bool {
        guard record.lifetime.openableScope != nil else { return false }
        switch record.production {
        case .synchronous: return record.isolation == .none && record.injections.isEmpty
        case .input: return true
        case .asynchronous, .instance: return false
        }
    }
}
