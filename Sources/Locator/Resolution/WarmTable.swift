internal import Synchronization

/// Finds the cell of a request without a lock.
///
/// Cells are added and never removed. If the table is full, another one replaces it, with only the cells that are worth
/// finding. It is changed with the lock of the context held, and read by marked ``Readers``.
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

    /// A table with the cells that are worth finding, which fill at most a quarter of it.
    func renewed() -> WarmTable {
        for cell in cells { cell.isInWarmTable = cell.isWorthFinding }
        let found = cells.filter(\.isInWarmTable)
        let table = WarmTable(capacity: UInt(found.count) * 4 > mask ? (mask + 1) * 2 : mask + 1)
        for cell in found { table.insert(cell) }
        return table
    }

    func insert(_ cell: Cell) {
        let hash = WarmKey(of: cell).hash
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
    func cell(_ key: WarmKey) -> Unmanaged<Cell>? {
        let hash = key.hash
        var index = hash & mask
        while true {
            let found = entries[Int(index)].hash.load(ordering: .acquiring)
            if found == 0 { return nil }
            // Relaxed suffices: the cell was stored before the hash that was loaded, acquiring.
            if found == hash, let pointer = entries[Int(index)].cell.load(ordering: .relaxed) {
                let cell = Unmanaged<Cell>.fromOpaque(pointer)
                if cell._withUnsafeGuaranteedRef(key.isKey) { return cell }
            }
            index = (index + 1) & mask
        }
    }
}

/// A request whose cell can be found without a lock.
struct WarmKey {
    let type: ObjectIdentifier
    /// The name of the qualifier.
    let name: String?
    private let isCollection: Bool
    /// The payload of a factory's product.
    private let payload: ObjectIdentifier?

    // Inlined, because the compiler usually knows the parts of the request.
    @inline(__always)
    init(_ type: any Any.Type, named name: String? = nil, isCollection: Bool = false, payload: ObjectIdentifier? = nil)
    {
        self.type = ObjectIdentifier(type)
        self.name = name
        self.isCollection = isCollection
        self.payload = payload
    }

    fileprivate init(of cell: Cell) {
        self.init(cell.type, named: cell.query.qualifier, isCollection: cell.isCollection, payload: cell.payload)
    }

    /// The hash, which is never zero.
    @inline(__always) fileprivate var hash: UInt {
        if let name { return Key.hash(type, name) | (1 << 63) }
        var bits = UInt(bitPattern: type) &+ (isCollection ? 1 : 0)
        if let payload { bits &+= UInt(bitPattern: payload) &* 31 }
        let product = bits &* 0x9E37_79B9_7F4A_7C15
        return (product ^ (product >> 32)) | (1 << 63)
    }

    /// Whether a cell is the one of the request.
    @inline(__always)
    fileprivate func isKey(of cell: Cell) -> Bool {
        guard cell.identity == type, cell.isCollection == isCollection, cell.payload == payload else { return false }
        return name == nil ? !cell.isQualified : cell.query.qualifier == name
    }
}
