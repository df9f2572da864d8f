/// What a maker is run with: whom it asks for its arguments, and where its result goes.
struct MakerCall: @unchecked Sendable {
    // Sendable: never leaves its thread; said so that the compiler does not take what is asked for through it as part
    // of it.

    // Unmanaged: a call ends before the functions that make it, and retains nothing.
    let unmanagedCore: Unmanaged<ContextCore>
    /// The record of the thread that runs the maker.
    let thread: ThreadRecord.Unretained
    /// A factory's payload.
    let payload: UnsafeRawPointer?
    /// For a lean making, the cell of each parameter, or nil where it has to be asked for.
    let plan: UnsafeMutablePointer<Unmanaged<Cell>?>?
    /// Where a lean making puts its result.
    let result: UnsafeMutableRawPointer?

    @inline(__always)
    init(
        _ core: ContextCore, _ thread: ThreadRecord, payload: UnsafeRawPointer? = nil,
        plan: UnsafeMutablePointer<Unmanaged<Cell>?>? = nil, result: UnsafeMutableRawPointer? = nil
    ) {
        unmanagedCore = .passUnretained(core)
        self.thread = .passUnretained(thread)
        self.payload = payload
        self.plan = plan
        self.result = result
    }

    var resolver: Resolver { Resolver(core: unmanagedCore.takeUnretainedValue()) }
}

extension ContextCore {
    /// Makes ready what answers a cell in the current state, if it can be given without a lock.
    ///
    /// The caller holds the lock.
    func makeAnswerReady(_ answer: Answer, of cell: Cell) {
        guard cell.isFindable, cell.isUnanswered, !isClosed, watch == nil, !isObserved,
            case .slot(let slot) = answer
        else { return }
        if slot.isShared {
            if let box = slot.live?.box { makeReady(cell, box, from: [slot]) }
        } else if slot.isRecipe {
            if slot.plan == nil { slot.planParameters(cells: parameterCells(of: slot)) }
            if !cell.isInWarmTable { insert(cell) }
            cell.publish(recipe: slot)
        }
    }

    func parameterCells(of slot: Slot) -> [Cell?] {
        slot.record.parameters().enumerated().map { position, parameter in
            if wayToAsk(parameter) != nil { return nil }
            var name: String?
            if !slot.record.taking.isEmpty {
                switch slot.record.taking[position]?.content {
                case nil: break
                case .name(let text): name = text
                case .property: return nil
                }
            }
            return node(of: parameter).cell(Cell.Query(kind: .single, qualifier: name))
        }
    }
}

extension Slot {
    /// Whether an instance can be made from the registration alone, anywhere, with nothing to be done afterwards.
    fileprivate var isRecipe: Bool {
        guard case .registration = layer, case .synchronous = record.maker else { return false }
        guard record.lifetime == .prototype, record.isolation == .none, record.injections.isEmpty else { return false }
        // What opens a session is not worth beginning without one.
        return record.parameters().allSatisfy { parameter in
            guard let way = wayToAsk(parameter) else { return true }
            switch way.dependency.kind {
            case .lazy, .provider, .factory, .resolver: return true
            case .direct, .optional, .collection: return false
            }
        }
    }
}
