internal import LocatorProperties

/// The request of a wrapper, and its place in the source.
///
/// All wrappers that one place creates for one context share it. Exceptions are the wrappers of a child, which exists
/// only for a short time, wrappers that need more than a type and a qualifier, and wrappers of a place with many
/// qualifiers, which may come from outside of the program.
class WrapperSite: @unchecked Sendable {
    // Sendable: all fields are constant. `cell` gets its object once.

    /// The context.
    ///
    /// Each wrapper retains it, and so does a site that belongs to a single wrapper.
    final let core: Unmanaged<ContextCore>
    /// Whether the core retains the site for all wrappers of the place.
    final let isInterned: Bool
    final let type: any Any.Type
    final let qualifier: Qualifier?
    /// Whether it is a request for a single instance by type and qualifier.
    private final let isSingle: Bool
    final let isQualified: Bool
    final let location: SourcePlace
    private final let cell = LazyReference<Cell>()

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

    /// Whether it is a single request by type and name, for which the context may have a ready answer.
    final var isPlain: Bool { isSingle && qualifier?.path == nil }

    /// The kind of answers that it requests; nil if only its own function knows.
    var query: Cell.Query.Kind? { isSingle ? .single : nil }

    final var key: Key { Key(type, qualifier: qualifier?.name) }

    /// The box of the answer that a lean child gives.
    func leanBox(_ core: ChildCore, on thread: ThreadRecord) throws(LocatorError) -> AnyBox? {
        guard isSingle, case .box(let box) = try core.readLean(type, qualifier, location) else {
            return nil
        }
        return box
    }

    /// The cell of a plain request, after its first use.
    final var knownCell: Unmanaged<Cell>? { cell.unmanaged }

    /// Remembers the cell.
    final func remember(_ found: Cell) {
        if cell.unmanaged == nil { _ = cell.storeIfNil(found) }
    }
}

extension Unmanaged<ContextCore> {
    /// The site of a place, created if necessary. One that is not interned is passed on retained.
    // This compares in steps that read one number each, so that nothing is retained.
    @inline(__always)
    func site(
        _ type: any Any.Type, _ qualifier: Qualifier?, _ location: SourcePlace
    ) -> Unmanaged<WrapperSite> {
        if _withUnsafeGuaranteedRef({ $0.isChild }) {
            return WrapperSite.own(takeUnretainedValue(), type, qualifier, location)
        }
        let thread = ThreadRecord.Unretained.current(_withUnsafeGuaranteedRef { $0.threadKey })
        let sites = thread._withUnsafeGuaranteedRef { $0.sites }
        let number = _withUnsafeGuaranteedRef { $0.number }
        if let site = sites.find(type, qualifier, location, contextNumber: number) { return site }
        return WrapperSite.find(takeUnretainedValue(), type, qualifier, location)
    }
}

extension WrapperSite {
    /// The place and the type of sites, which differ in their qualifiers.
    struct PlaceKey: Hashable {
        let type: ObjectIdentifier
        let location: SourcePlace
    }

    /// The greatest number of qualifiers of a place whose sites are kept.
    private static let mostSites = 16

    /// A retained site for one wrapper.
    // This uses neither a lock nor a table, because a child creates few wrappers at one place.
    @inline(never)
    fileprivate static func own(
        _ core: ContextCore, _ type: any Any.Type, _ qualifier: Qualifier?, _ location: SourcePlace
    ) -> Unmanaged<WrapperSite> {
        .passRetained(
            WrapperSite(
                core: core, isInterned: false, isSingle: true, type: type, qualifier: qualifier, location: location))
    }

    /// The site of a place that this thread has not used last.
    @inline(never)
    fileprivate static func find(
        _ core: ContextCore, _ type: any Any.Type, _ qualifier: Qualifier?, _ location: SourcePlace
    ) -> Unmanaged<WrapperSite> {
        let key = PlaceKey(type: ObjectIdentifier(type), location: location)
        let known = core.locked { () -> WrapperSite? in
            let known = core.tables.sites[key] ?? []
            if let site = known.first(where: { $0.qualifier == qualifier }) { return site }
            if known.count == mostSites { return nil }
            let site = WrapperSite(
                core: core, isInterned: true, isSingle: true, type: type, qualifier: qualifier, location: location)
            core.tables.sites[key, default: []].append(site)
            return site
        }
        guard let site = known else { return own(core, type, qualifier, location) }
        ThreadRecord.current.sites.remember(site, core: core)
        return .passUnretained(site)
    }
}

/// The sites that a thread used last, found by their place without a lock.
///
/// It retains no sites: a context in use retains its sites, and two contexts never have the same number.
struct SiteCache {
    private struct Entry {
        var contextNumber: UInt = 0
        var site: Unmanaged<WrapperSite>?
    }

    /// Powers of two.
    private static let (firstSize, lastSize) = (64, 4096)
    /// The number of consecutive entries that a site may be in.
    private static let reach = 4

    private var size = firstSize
    private var entries: UnsafeMutablePointer<Entry>?

    /// Frees the memory.
    func deallocate() { entries?.deallocate() }

    /// The first entry that the site may be in.
    private func position(_ type: any Any.Type, _ location: SourcePlace) -> Int {
        // The factor is odd, because the wrappers of one owner are on nearby lines. In a generic owner, one line has
        // several types.
        var bits = UInt(bitPattern: ObjectIdentifier(type)) >> 4 &+ UInt(bitPattern: location.line) &* 31
        if location.file.hasPointerRepresentation { bits &+= UInt(bitPattern: location.file.utf8Start) >> 4 }
        return Int(bits & UInt(size - 1))
    }

    /// The site, if the context has used it on this thread.
    ///
    /// The context is alive, and therefore its sites, too.
    @inline(__always)
    func find(
        _ type: any Any.Type, _ qualifier: Qualifier?, _ location: SourcePlace, contextNumber: UInt
    ) -> Unmanaged<WrapperSite>? {
        guard let entries else { return nil }
        let position = position(type, location)
        for step in 0..<Self.reach {
            let entry = entries[(position + step) & (size - 1)]
            guard let site = entry.site else { return nil }
            guard entry.contextNumber == contextNumber else { continue }
            let isSame = site._withUnsafeGuaranteedRef { site in
                guard site.type == type, site.location.isIdentical(to: location) else { return false }
                if qualifier == nil { return !site.isQualified }
                return site.qualifier == qualifier
            }
            if isSame { return site }
        }
        return nil
    }

    /// Remembers a site that was not found.
    ///
    /// If other sites of the context take its place, this forgets all sites, and continues with twice the size.
    mutating func remember(_ site: WrapperSite, core: ContextCore) {
        let entries = entries ?? empty()
        let position = position(site.type, site.location)
        let places = (0..<Self.reach).lazy.map { [size] in (position + $0) & (size - 1) }
        let free = places.first { entries[$0].contextNumber != core.number }
        if free == nil, size < Self.lastSize {
            deallocate()
            size *= 2
            self.entries = nil
            return remember(site, core: core)
        }
        entries[free ?? position] = Entry(contextNumber: core.number, site: .passUnretained(site))
    }

    private mutating func empty() -> UnsafeMutablePointer<Entry> {
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: size)
        entries.initialize(repeating: Entry(), count: size)
        self.entries = entries
        return entries
    }
}

extension SourcePlace {
    /// Stops the program at this place with the full error message.
    func stop(_ error: LocatorError) -> Never {
        // The text already begins with the place.
        let (text, place) = (error.description, "\(self): ")
        fatalError(text.hasPrefix(place) ? String(text.dropFirst(place.count)) : text, file: file, line: UInt(line))
    }
}
