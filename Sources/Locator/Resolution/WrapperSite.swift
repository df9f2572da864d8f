internal import Synchronization

/// What a wrapper asks for, and where it was written.
///
/// All wrappers that one place makes for one context share it, but for those of a child, which lives for a short time, and
/// those that need more than a type and a qualifier.
class WrapperSite: @unchecked Sendable {
    // Sendable: all fields are constant but `cell`, which is atomic, is stored once, and retains the cell until the end.

    /// The context; retained by each wrapper, and by the site where it is one wrapper's alone.
    final let core: Unmanaged<ContextCore>
    /// Whether the core keeps the site, for all wrappers of the place.
    final let isInterned: Bool
    final let type: any Any.Type
    final let qualifier: Qualifier?
    /// Whether it asks for what its type and qualifier name, and nothing else.
    private final let isSingle: Bool
    final let isQualified: Bool
    final let location: SourcePlace
    private final let cell = Atomic<UnsafeRawPointer?>(nil)

    init(
        core: ContextCore, isInterned: Bool, isSingle: Bool = false, type: any Any.Type, qualifier: Qualifier?,
        location: SourcePlace
    ) {
        self.isSingle = isSingle
        self.core = .passUnretained(core)
        self.isInterned = isInterned
        self.type = type
        self.qualifier = qualifier
        isQualified = qualifier != nil
        self.location = location
    }

    deinit {
        // Relaxed suffices: nobody else has the object any more.
        if let pointer = cell.load(ordering: .relaxed) { Unmanaged<Cell>.fromOpaque(pointer).release() }
    }

    /// Whether a single request by type and name answers it, which the context may have ready.
    final var isPlain: Bool { isSingle && qualifier?.path == nil }

    /// Which of the type's answers it asks for; nil where only its own function knows.
    var query: Cell.Query.Kind? { isSingle ? .single : nil }

    final var key: Key { Key(type, qualifier: qualifier?.name) }

    /// The cell of a plain request, once it was asked for.
    final var knownCell: Unmanaged<Cell>? {
        // Acquiring: the cell is written before it is stored.
        cell.load(ordering: .acquiring).map(Unmanaged<Cell>.fromOpaque)
    }

    /// Remembers the cell; the lock of the context is held.
    final func remember(_ found: Cell) {
        // Relaxed suffices for the check: only the holder of the lock stores. Releasing: who finds it finds the cell.
        if cell.load(ordering: .relaxed) != nil { return }
        cell.store(UnsafeRawPointer(Unmanaged.passRetained(found).toOpaque()), ordering: .releasing)
    }
}

extension Unmanaged<ContextCore> {
    /// The site of a place, made where there was none; in a child one of its own, which is handed over retained.
    // In steps that take one number each, so that nothing is retained on the way.
    @inline(__always)
    func site(
        _ type: any Any.Type, _ qualifier: Qualifier?, _ location: SourcePlace
    ) -> Unmanaged<WrapperSite> {
        if _withUnsafeGuaranteedRef({ $0.isChild }) {
            return takeUnretainedValue().ownSite(type, qualifier, location)
        }
        let position = SiteCache.position(of: location)
        let thread = ThreadRecord.Unretained.current(_withUnsafeGuaranteedRef { $0.threadKey })
        let sites = thread._withUnsafeGuaranteedRef { $0.sites }
        let number = _withUnsafeGuaranteedRef { $0.number }
        if let site = sites.find(at: position, type, qualifier, location, contextNumber: number) { return site }
        return takeUnretainedValue().newSite(type, qualifier, location, position)
    }
}

extension ContextCore {
    /// What tells sites apart.
    struct SiteKey: Hashable {
        let type: ObjectIdentifier
        let qualifier: Qualifier?
        let location: SourcePlace
    }

    /// The site of a place, made where there was none, to be handed over to one wrapper.
    func site(_ type: any Any.Type, _ qualifier: Qualifier?, _ location: SourcePlace) -> Unmanaged<WrapperSite> {
        Unmanaged.passUnretained(self).site(type, qualifier, location)
    }

    /// A site for one wrapper, retained.
    // Neither a lock nor a table: a child makes few wrappers of one place.
    @inline(never)
    fileprivate func ownSite(
        _ type: any Any.Type, _ qualifier: Qualifier?, _ location: SourcePlace
    ) -> Unmanaged<WrapperSite> {
        .passRetained(
            WrapperSite(
                core: self, isInterned: false, isSingle: true, type: type, qualifier: qualifier, location: location))
    }

    @inline(never)
    fileprivate func newSite(
        _ type: any Any.Type, _ qualifier: Qualifier?, _ location: SourcePlace, _ position: Int
    ) -> Unmanaged<WrapperSite> {
        let key = SiteKey(type: ObjectIdentifier(type), qualifier: qualifier, location: location)
        let site = locked {
            if let site = sites[key] { return site }
            let site = WrapperSite(
                core: self, isInterned: true, isSingle: true, type: type, qualifier: qualifier, location: location)
            sites[key] = site
            return site
        }
        ThreadRecord.current.sites.remember(site, at: position, core: self)
        return .passUnretained(site)
    }
}

/// The sites a thread has used last, found by their place without a lock.
///
/// It retains none: a context that is being asked keeps its sites, and no two contexts ever have the same number.
struct SiteCache {
    private struct Entry {
        var contextNumber: UInt = 0
        var site: Unmanaged<WrapperSite>?
    }

    private static let size = 64
    private var entries: UnsafeMutablePointer<Entry>?

    /// Ends the memory.
    func deallocate() { entries?.deallocate() }

    static func position(of location: SourcePlace) -> Int {
        guard location.file.hasPointerRepresentation else { return location.line & (size - 1) }
        // An odd factor, and nothing else of the line: the wrappers of one type, which stand on lines near each other, never
        // share a position.
        let bits = UInt(bitPattern: location.file.utf8Start) >> 4 &+ UInt(bitPattern: location.line) &* 31
        return Int(bits & UInt(size - 1))
    }

    /// The site, where it was used here by a context that is alive, and so are its sites.
    @inline(__always)
    func find(
        at position: Int, _ type: any Any.Type, _ qualifier: Qualifier?, _ location: SourcePlace,
        contextNumber: UInt
    ) -> Unmanaged<WrapperSite>? {
        guard let entry = entries?[position], entry.contextNumber == contextNumber, let site = entry.site else {
            return nil
        }
        let isSame = site._withUnsafeGuaranteedRef { site in
            guard site.type == type, site.location.isIdentical(to: location) else { return false }
            if qualifier == nil { return !site.isQualified }
            return site.qualifier == qualifier
        }
        return isSame ? site : nil
    }

    mutating func remember(_ site: WrapperSite, at position: Int, core: ContextCore) {
        let entries: UnsafeMutablePointer<Entry>
        if let known = self.entries {
            entries = known
        } else {
            entries = .allocate(capacity: Self.size)
            entries.initialize(repeating: Entry(), count: Self.size)
            self.entries = entries
        }
        entries[position] = Entry(contextNumber: core.number, site: .passUnretained(site))
    }
}

extension SourcePlace {
    /// Whether both were written by one literal; two literals of the same text may count as two places.
    fileprivate func isIdentical(to other: SourcePlace) -> Bool {
        guard line == other.line, file.hasPointerRepresentation, other.file.hasPointerRepresentation else {
            return false
        }
        return file.utf8Start == other.file.utf8Start
    }

    /// Stops the program with the full text of an error, at this place.
    func stop(_ error: LocatorError) -> Never {
        // The place stands in front of the text already.
        let (text, place) = (error.description, "\(self): ")
        fatalError(text.hasPrefix(place) ? String(text.dropFirst(place.count)) : text, file: file, line: UInt(line))
    }
}
