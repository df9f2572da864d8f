internal import Synchronization

/// Finds the cell of a request without a lock.
///
/// Cells are added and never removed. If the table is full, another one replaces it, which has only the cells that are
/// worth finding. It is changed with the lock of the context held, and read by marked ``Readers``.
final class WarmTable: @unchecked Sendable {
    // Sendable: `entries` is constant, and what it points to is atomic. `count` and `cells` are guarded by the lock of
    // the context.

    /// A cell and its hash.
    struct Entry: ~Copyable {
        let hash = Atomic<UInt>(0)
        let cell = Atomic<UnsafeRawPointer?>(nil)
    }

    private let entries: UnsafeMutablePointer<Entry>
    private let mask: UInt
    private var count: UInt = 0
    /// The cells, because the entries do not retain them.
    private var cells: [Cell] = []

    init(capacity: UInt) {
        mask = capacity - 1
        entries = .allocate(capacity: Int(capacity))
        for index in 0..<Int(capacity) { (entries + index).initialize(to: Entry()) }
    }

    deinit {
        entries.deinitialize(count: Int(mask) + 1)
        entries.deallocate()
    }

    /// Whether the next cell needs a larger table.
    var isFull: Bool { count * 2 > mask }

    /// A table with the cells that are worth finding, of which at most a quarter is taken.
    func renewed() -> WarmTable {
        for cell in cells { cell.isInWarmTable = cell.isWorthFinding }
        let found = cells.filter(\.isInWarmTable)
        let table = WarmTable(capacity: UInt(found.count) * 4 > mask ? (mask + 1) * 2 : mask + 1)
        for cell in found { table.insert(cell) }
        return table
    }

    func insert(_ cell: Cell) {
        guard let hash = cell.warmRequest?.hash else { preconditionFailure("No request looks for this cell") }
        var index = hash & mask
        // Relaxed suffices: only the holder of the lock writes.
        while entries[Int(index)].hash.load(ordering: .relaxed) != 0 { index = (index + 1) & mask }
        cells.append(cell)
        count += 1
        // The cell is stored first: a reader that sees the hash, acquiring, sees the cell.
        entries[Int(index)].cell.store(
            UnsafeRawPointer(Unmanaged.passUnretained(cell).toOpaque()), ordering: .relaxed)
        entries[Int(index)].hash.store(hash, ordering: .releasing)
    }

    /// The cell of a request; nil if it is not in the table.
    @inline(__always)
    func cell(_ hash: UInt, where matches: (Cell) -> Bool) -> Unmanaged<Cell>? {
        var index = hash & mask
        while true {
            let found = entries[Int(index)].hash.load(ordering: .acquiring)
            if found == 0 { return nil }
            // Relaxed suffices: the cell was stored before the hash that was loaded, acquiring.
            if found == hash, let pointer = entries[Int(index)].cell.load(ordering: .relaxed) {
                let cell = Unmanaged<Cell>.fromOpaque(pointer)
                if cell._withUnsafeGuaranteedRef(matches) { return cell }
            }
            index = (index + 1) & mask
        }
    }

}

/// A request that may have a ready answer.
enum WarmRequest {
    /// An instance by its type alone.
    case plain(ObjectIdentifier)
    /// An instance by its type and qualifier.
    case named(ObjectIdentifier, String)
    /// All instances of a type.
    case collection(ObjectIdentifier)
    /// The product of a factory without a qualifier.
    case product(ObjectIdentifier, payload: ObjectIdentifier)

    /// The hash, which is never zero.
    @inline(__always) var hash: UInt {
        switch self {
        case .plain(let type): Self.hash(UInt(bitPattern: type))
        case .named(let type, let name): Key.hash(type, name) | (1 << 63)
        // Types are at even addresses, so this is not the hash of another type.
        case .collection(let type): Self.hash(UInt(bitPattern: type) &+ 1)
        case .product(let type, let payload): Self.hash(UInt(bitPattern: type) &+ UInt(bitPattern: payload) &* 31)
        }
    }

    @inline(__always)
    private static func hash(_ bits: UInt) -> UInt {
        let product = bits &* 0x9E37_79B9_7F4A_7C15
        return (product ^ (product >> 32)) | (1 << 63)
    }

    /// Whether a cell that requests without a lock look for is the cell of this request.
    @inline(__always)
    func matches(_ cell: Cell) -> Bool {
        switch self {
        case .plain(let type):
            cell.identity == type && !cell.isCollection && !cell.isQualified && cell.payload == nil
        case .named(let type, let name):
            cell.identity == type && !cell.isCollection && cell.payload == nil && cell.query.qualifier == name
        case .collection(let type): cell.identity == type && cell.isCollection && !cell.isQualified
        case .product(let type, let payload): cell.identity == type && cell.payload == payload && !cell.isQualified
        }
    }
}

extension Cell {
    /// The request, if requests without a lock look for the cell; otherwise nil.
    fileprivate var warmRequest: WarmRequest? {
        switch (query.kind, query.qualifier) {
        case (.single, nil): .plain(identity)
        case (.single, let name?): .named(identity, name)
        case (.collection, nil): .collection(identity)
        case (.factory(let payload), nil): .product(identity, payload: payload)
        case (.collection, _), (.factory, _), (.firstCollection, _), (.namedCollection, _), (.offers, _), (.map, _): nil
        }
    }

    /// Whether requests without a lock look for the cell.
    var isFindable: Bool { warmRequest != nil }
}
