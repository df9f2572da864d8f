internal import LocatorProperties
public import Synchronization

/// Ready answers, which are returned without a lock.
///
/// An answer is ready while its instance exists, is shared and available to everyone, and nothing that it depends on
/// changes.
extension ContextCore {
    /// Begins a lookup of a ready answer.
    ///
    /// ``WarmRead/end()`` ends it.
    @inline(__always)
    func beginWarmRead(_ key: WarmKey) -> WarmRead? { beginLookup(key, taking: { $0.box })?.read }

    /// Begins a lookup of a ready answer or a recipe.
    ///
    /// The caller tells them apart.
    @inline(__always)
    func beginLookup(_ key: WarmKey) -> WarmLookup? { beginLookup(key, taking: { $0.found }) }

    /// Begins a lookup of a part of a ready answer.
    ///
    /// On a thread that makes something, this finds no answer: the reads of a making must be recorded, and must belong
    /// to the state of its request.
    @inline(__always)
    func beginLookup(_ key: WarmKey, taking part: (Cell.Ready) -> UnsafeRawPointer?) -> WarmLookup? {
        ThreadRecord.Unretained.current(threadKey)._withUnsafeGuaranteedRef { thread -> WarmLookup? in
            guard isUnrecorded(on: thread) else { return nil }
            let mark = followedMark
            let read = WarmRead(begunOn: thread)
            if let child = asUnmanagedChild,
                let (answer, stamp) = child._withUnsafeGuaranteedRef({ $0.lentAnswer(key) }), let found = part(answer)
            {
                return WarmLookup(read: read.found(found), stamp: stamp.raw, isLent: true)
            }
            let stamp = stamp.nowInOrder
            let answer = warmCell(key)?._withUnsafeGuaranteedRef { $0.ready }
            if let answer, let found = part(answer), mayAnswerReady(since: mark) {
                return WarmLookup(read: read.found(found), stamp: stamp.raw, isLent: false)
            }
            read.end()
            return nil
        }
    }

    /// The cell of a request without a lock, for a marked reader.
    @inline(__always)
    func warmCell(_ key: WarmKey) -> Unmanaged<Cell>? {
        // Sequentially consistent: see `ThreadRecord.beginReading`.
        guard let pointer = warmTable.load(ordering: .sequentiallyConsistent) else { return nil }
        return Unmanaged<WarmTable>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.cell(key) }
    }

    /// Publishes the answer of a cell in the current state, if it can be given without a lock.
    ///
    /// The caller holds the lock.
    func makeAnswerReady(_ answer: Answer, of cell: Cell) {
        guard cell.isFindable, cell.isUnanswered, !isClosed, watch == nil, !isObserved,
            case .slot(let slot) = answer
        else { return }
        if slot.isShared {
            if let instance = slot.live { makeReady(cell, instance, for: slot) }
        } else if slot.isRecipe {
            addRecipe(to: slot)
            insert(cell)
            cell.publish(recipe: slot)
        }
    }

    /// Lets children find the slot that answers a request without a lock, if they can make instances of it from ready
    /// answers.
    ///
    /// Otherwise, returns the existing instance that they get. Other answers are made ready for the next child. The caller
    /// holds the lock.
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
        // After a change, the parent can still tell which instance was ready; see `LentReads`.
        guard case .slot(let slot) = answer, cell.ready.box != nil, let instance = slot.live, !instance.isScoped,
            isUnaffected(instance)
        else { return nil }
        return instance.box
    }

    /// Adds the recipe of a slot that has no injections, unless it has one.
    func addRecipe(to slot: Slot) {
        if slot.recipe == nil { slot.addRecipe(cells: slot.record.dependencies.map(cell)) }
    }

    /// The cell of a dependency on one instance, unless a setting names its qualifier.
    func cell(of dependency: DeclaredDependency) -> Cell? {
        guard dependency.kind == .direct, dependency.qualifier?.path == nil else { return nil }
        return node(of: dependency.type).cell(Cell.Query(kind: .single, qualifier: dependency.qualifier?.name))
    }

    /// Makes the instance that is given for a slot ready.
    ///
    /// An instance of a context above is ready until this context or one above it changes.
    ///
    /// The caller holds the lock.
    func makeReady(_ cell: Cell, _ instance: Instance, for slot: Slot) {
        guard mayBeReady(cell, from: [slot]), let box = instance.box else { return }
        if instance === slot.live { return makeReady(cell, box, from: [slot]) }
        // If this context keeps its settings, the instance may have left its own context.
        guard instance.status == .live, keptLoadHere == nil else { return }
        insert(cell)
        cell.publish(box, of: instance, for: slot)
        tables.sharedCells.append(cell)
    }

    /// Makes a collection ready until one of the slots of its elements changes or the cell is touched.
    ///
    /// Only this context itself can hold the elements, because a change of a slot invalidates the answer. The caller
    /// holds the lock.
    private func makeReady(_ cell: Cell, collection box: AnyBox, from slots: [Slot]) {
        if mayBeReady(cell, from: slots), slots.allSatisfy({ $0.live != nil }) { makeReady(cell, box, from: slots) }
    }

    private func mayBeReady(_ cell: Cell, from slots: [Slot]) -> Bool {
        guard !isClosed, watch == nil, !isObserved, cell.isUnanswered, cell.isFindable else { return false }
        return slots.allSatisfy { slot in
            guard case .held = slot.record.lifetime else { return false }
            return slot.record.isolation != .makingAndAsking
        }
    }

    private func makeReady(_ cell: Cell, _ box: AnyBox, from slots: [Slot]) {
        insert(cell)
        let canLast = slots.allSatisfy { $0.record.lifetime.isLasting }
        cell.publish(box, from: slots, isLasting: canLast && state.lineup.isUnpushed)
        if canLast, !state.lineup.isUnpushed, !cell.isReadyWhilePushed { noteReadyWhilePushed(cell) }
    }

    /// Remembers a cell whose answer can be kept once nothing is pushed any longer.
    private func noteReadyWhilePushed(_ cell: Cell) {
        if tables.readyWhilePushed.count >= tables.readyLimit {
            // A push may last as long as the program, while the modules of the cells come and go.
            for cell in tables.readyWhilePushed { cell.isReadyWhilePushed = !cell.isUnanswered }
            let dropped = tables.readyWhilePushed.filter(\.isUnanswered)
            tables.readyWhilePushed.removeAll(where: \.isUnanswered)
            tables.readyLimit = max(64, tables.readyWhilePushed.count * 2)
            discard(dropped)
        }
        cell.isReadyWhilePushed = true
        tables.readyWhilePushed.append(cell)
    }

    /// Makes the answer ready that nothing is registered, until the cell is touched.
    ///
    /// The caller holds the lock.
    func makeMissingReady(_ cell: Cell) {
        guard !isClosed, watch == nil, !isObserved, cell.isFindable else { return }
        guard case .missing? = cell.answer else { return }
        // Injectable and decoded types are not answered by a registration alone.
        if injectable(cell.type) != nil || cell.type is any ConfigProperty.Type { return }
        insert(cell)
        if cell.isUnanswered { cell.publish(nil, from: [], isLasting: false) }
    }

    /// Makes a whole collection ready if all its elements exist and the context holds them.
    func makeCollectionReady<Element>(_ type: Element.Type) {
        // An array that never has elements is an error each time.
        if injectable(type) != nil { return }
        locked {
            let cell = node(of: type).cell(Cell.Query(kind: .collection))
            guard cell.isUnanswered, case .elements(let answer) = answer(of: cell, in: state) else { return }
            var elements: [Element] = []
            for slot in answer.lazy.map(\.slot) {
                // An instance that is held weakly could end here, with the lock held.
                guard case .held = slot.record.lifetime, let box = slot.live?.box else { return }
                elements.append(box.value(as: type))
            }
            makeReady(cell, collection: Box(elements), from: answer.map(\.slot))
        }
    }

    /// Lets requests without a lock find a cell.
    func insert(_ cell: Cell) {
        if cell.isInWarmTable { return }
        cell.isInWarmTable = true
        let table = warm ?? WarmTable(capacity: 16)
        let roomy = table.isFull ? table.renewed() : table
        roomy.insert(cell)
        replaceWarmTable(by: roomy)
    }

    /// Marks the answers that became ready under a push and have outlived it.
    ///
    /// Wrappers can keep them now.
    ///
    /// The caller holds the lock.
    func noteUnpushed() {
        if tables.readyWhilePushed.isEmpty || !state.lineup.isUnpushed { return }
        for cell in tables.readyWhilePushed { cell.noteLasting() }
        tables.readyWhilePushed = []
    }

    /// Invalidates all answers permanently.
    func forgetWarmAnswers() {
        var answers: [Answer] = []
        for node in tables.nodes.values {
            node.forEachCell { cell in
                cell.unpublish()
                // A wrapper may keep the cell longer than the context.
                if let answer = cell.answer { answers.append(answer) }
                cell.forgetAnswer()
            }
        }
        discard(answers)
        replaceWarmTable(by: nil)
    }

    private func replaceWarmTable(by table: WarmTable?) {
        if let warm {
            if warm === table { return }
            // The context waits for readers, and lean requests do not use it.
            family.retire(warm)
        }
        warm = table
        let pointer = table.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
        // Sequentially consistent: see `ThreadRecord.beginReading`.
        warmTable.store(pointer, ordering: .sequentiallyConsistent)
    }
}

/// A ready answer or a recipe, and the stamp from before it was found.
@usableFromInline
struct WarmLookup {
    @usableFromInline let read: WarmRead
    let stamp: UInt
    /// Whether it was found in the parent; see ``LeanChild``.
    let isLent: Bool

    /// Whether an instance has to be made.
    ///
    /// It is the mark of a slot, as in ``Cell/Ready``. The number is a constant, because this is inlined into programs.
    @inlinable @inline(__always) var isRecipe: Bool { UInt(bitPattern: read.pointer) & 2 != 0 }

    var recipe: Unmanaged<Slot> { Cell.Ready.recipe(read.pointer) }
}

/// A ready answer that is being read.
///
/// The box is alive until the end of the read.
///
/// The value is copied out of it as ``Readers`` describes.
@usableFromInline
struct WarmRead {
    @usableFromInline let pointer: UnsafeRawPointer
    /// The mark of the current thread, whose record lives as long as the thread.
    @usableFromInline let mark: UnsafePointer<Atomic<UInt>>

    /// Marks the thread as a reader.
    @inline(__always)
    init(begunOn thread: ThreadRecord) {
        thread.beginReading()
        pointer = Cell.missing
        mark = thread.reading
    }

    private init(_ pointer: UnsafeRawPointer, _ mark: UnsafePointer<Atomic<UInt>>) {
        self.pointer = pointer
        self.mark = mark
    }

    @inline(__always)
    func found(_ box: UnsafeRawPointer) -> WarmRead { WarmRead(box, mark) }

    @inlinable
    @inline(__always)
    func end() {
        // Relaxed suffices for the load: only this thread writes the mark. Releasing: every read happens before it.
        mark.pointee.store(mark.pointee.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    }

    /// Copies the value and ends the read.
    @inlinable
    @inline(__always)
    func take<Value>(as type: Value.Type) -> Value {
        withUnsafeTemporaryAllocation(of: type, capacity: 1) { memory in
            let place = memory.baseAddress.unsafelyUnwrapped
            copyValue(inBox: pointer, to: place)
            end()
            return place.move()
        }
    }

    /// Retains the box and ends the read.
    ///
    /// Returns nil if the answer is that nothing is registered.
    func takeBox() -> AnyBox? {
        let isRegistered = pointer != Cell.missing
        if isRegistered { retainLent(pointer) }
        end()
        return isRegistered ? Unmanaged<AnyBox>.fromOpaque(pointer).takeRetainedValue() : nil
    }

    /// Copies the value and ends the read.
    ///
    /// Returns nil if the answer is that nothing is registered.
    func takeIfRegistered<Value>(as type: Value.Type) -> Value? {
        if pointer != Cell.missing { return take(as: type) }
        end()
        return nil
    }
}
