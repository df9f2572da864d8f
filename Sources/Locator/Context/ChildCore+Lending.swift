internal import Synchronization

/// What a lean child is given by its parent.
extension ChildCore {
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
        if ready.isScoped || thread.lean.session != nil || !isUnaffected(cell) || isObserved { return nil }
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
