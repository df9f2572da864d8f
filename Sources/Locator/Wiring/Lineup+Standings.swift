internal import LocatorProperties

extension Lineup {
    /// The standing of each module that a root names or includes, and which modules may have something for a type.
    ///
    /// The standings are in a persistent list. So the cost of a push does not depend on the number of modules, and a
    /// pop only returns to the list from before the push.
    ///
    /// A removal makes all later elements of the list again, so nothing retains the removed elements.
    struct Standings: Sendable {
        private typealias Element = HashedList.Element

        /// The standings, by module, and the modules, by the other kinds of `Key`.
        private var list = HashedList()
        /// How many elements replace the standing of a module.
        private var replacingCount = 0
        /// Whether one of the modules has a condition.
        private(set) var hasConditions = false

        init() {}

        private init(upTo latest: Element?) {
            list = HashedList(upTo: latest)
            hasConditions = find(.condition) != nil
        }

        /// The standing of a module; nil if no root names or includes it.
        subscript(identity: ObjectIdentifier) -> Standing? { find(Key(identity))?.standing }

        /// The standings of all modules, in no particular order.
        var values: [Standing] {
            var values: [Standing] = []
            forEachStanding(after: nil) { values.append($1) }
            return values
        }

        /// Runs `body` for each module with a key, whether or not it is in force.
        func forEachModule(with key: Key, _ body: (LoadedModule) -> Void) {
            for element in elements(with: key) { body(element.loaded) }
        }

        /// Whether more than a few modules have a key.
        func hasMany(with key: Key) -> Bool { elements(with: key).dropFirst(16).contains { _ in true } }

        /// The latest module with a key for which `isWanted` is true, whether or not it is in force.
        func latestModule(with key: Key, where isWanted: (LoadedModule) -> Bool) -> LoadedModule? {
            elements(with: key).first { isWanted($0.loaded) }?.loaded
        }

        /// The modules with a key, whether or not they are in force.
        func modules(with key: Key) -> [LoadedModule] { elements(with: key).map(\.loaded) }

        /// Sets the standing of a module, which replaces an earlier one or is new.
        mutating func set(_ standing: Standing, isNew: Bool) {
            let loaded = standing.loaded
            add(standing, Key(loaded.identity).hash, mark: Element.standingMark)
            if !isNew { return }
            for group in loaded.typeGroups { add(loaded, Key(group: group)) }
            if loaded.hasCondition { add(loaded, .condition) }
            if let path = loaded.conditionPath { noteCondition(of: loaded, on: path) }
            if !loaded.asynchronous.isEmpty { add(loaded, .asynchronous) }
            for scope in loaded.scopes { add(loaded, Key(naming: scope)) }
            for scope in loaded.scopesWithInputs { add(loaded, Key(inputsOf: scope)) }
        }

        /// Notes the settings on which the condition of a module depends because of placeholders.
        ///
        /// A placeholder can lead elsewhere only after one of them has changed. Then the condition is evaluated again.
        mutating func notePlaceholders(ofConditionOf loaded: LoadedModule, in properties: Properties) {
            for path in loaded.pathsConsultedByCondition(in: properties) {
                let key = Key(conditionOf: loaded.identity, consulting: path)
                if find(key) != nil { continue }
                add(loaded, key)
                noteCondition(of: loaded, on: path)
            }
        }

        private mutating func noteCondition(of loaded: LoadedModule, on path: String) {
            let prefixes = PropertyPath.prefixes(of: path)
            add(loaded, Key(conditionOn: prefixes.last ?? path))
            for prefix in prefixes { add(loaded, Key(conditionOnOrBelow: prefix)) }
        }

        /// Runs `body` for each module whose condition may be affected after the settings at these paths have changed.
        func forEachCondition(touchedBy paths: [String], _ body: (LoadedModule) -> Void) {
            var keys: Set<Key> = []
            for path in paths {
                let prefixes = PropertyPath.prefixes(of: path)
                keys.insert(Key(conditionOnOrBelow: prefixes.last ?? path))
                keys.formUnion(prefixes.lazy.map(Key.init(conditionOn:)))
            }
            for key in keys { forEachModule(with: key, body) }
        }

        private mutating func add(_ module: LoadedModule, _ key: Key) { add(module, key.hash, mark: 0) }

        private mutating func add(_ object: any AnyObject & Sendable, _ hash: UInt64, mark: UInt32) {
            list.append(object, hash: hash, mark: mark)
            if list.latest?.isReplacing ?? false { replacingCount += 1 }
            if hash == Key.condition.hash { hasConditions = true }
        }

        /// Replaces the standings of modules by ones without some roots; nil if these were all.
        ///
        /// Nothing keeps the earlier standings or the roots, so that a module ends when it is unloaded.
        mutating func replace(_ replaced: IdentityTable<Standing?>, without roots: [Root]) {
            // The first element that may have one of the roots.
            let earliest = roots.lazy.map(\.sequence).min() ?? 0
            var first: Element?
            for identity in replaced.keys {
                for element in elements(with: Key(identity)) {
                    let isAffected = element.standing.map { $0.latestRoot >= earliest } ?? false
                    if isAffected, element.count < first?.count ?? .max { first = element }
                }
            }
            if let first { self = renewed(after: first.earlier, replaced) }
        }

        /// Drops the replaced standings if most elements are replaced standings.
        mutating func dropReplaced() {
            if replacingCount > (list.latest?.count ?? 0) / 2 { self = renewed(after: nil, [:]) }
        }

        /// Makes the elements after a given one again.
        ///
        /// `replaced` has the changed standings of modules. Nil means that the module is gone. The current standing of a
        /// module takes the place of its first one. So all other elements of the module come after its standing, and a
        /// removal finds them.
        private func renewed(after end: Element?, _ replaced: IdentityTable<Standing?>) -> Self {
            var elements: [Element] = []
            forEachElement(after: end) { elements.append($0) }
            var new = Self(upTo: end)
            new.replacingCount = replacingCount - elements.count(where: \.isReplacing)
            for element in elements.reversed() {
                let identity = element.loaded.identity
                if !element.isStanding {
                    if replaced[identity] ?? self[identity] != nil { new.add(element.object, element.hash, mark: 0) }
                } else if element.previous?.count ?? 0 <= end?.count ?? 0,
                    let standing = replaced[identity] ?? self[identity]
                {
                    new.add(standing, element.hash, mark: Element.standingMark)
                }
            }
            return new
        }

        /// Runs `body` for each module whose standing differs in two lineups.
        ///
        /// The cost is proportional to what was added and removed between the two.
        static func forEachDifference(_ old: Self, _ new: Self, _ body: (_ old: Standing?, _ new: Standing?) -> Void) {
            let shared = Element.latestShared(old.list.latest, new.list.latest)
            new.forEachStanding(after: shared) { element, standing in
                let earlier = old.element(like: element, sharing: shared)?.standing
                if earlier !== standing { body(earlier, standing) }
            }
            old.forEachStanding(after: shared) { element, standing in
                let found = new.element(like: element, sharing: shared)
                // An element that only the new lineup has was compared above.
                if found?.count ?? 0 <= shared?.count ?? 0 { body(standing, found?.standing) }
            }
        }

        private func forEachStanding(after end: Element?, _ body: (Element, Standing) -> Void) {
            forEachElement(after: end) { element in
                if let standing = element.standing, isCurrent(element) { body(element, standing) }
            }
        }

        /// The latest element with the key of an element that comes after those that both lists share.
        private func element(like element: Element, sharing shared: Element?) -> Element? {
            if list.latest != shared { return list.find(element.hash) }
            // After a push or before a pop, this list has only shared elements, so no search is needed.
            var next = element.previous
            while let earlier = next, earlier.count > shared?.count ?? 0 { next = earlier.previous }
            return next
        }

        /// Runs `body` for each element after one, the latest first.
        private func forEachElement(after end: Element?, _ body: (Element) -> Void) {
            var next = list.latest
            while let element = next, element != end {
                body(element)
                next = element.earlier
            }
        }

        /// Whether no later element has the key of this one.
        private func isCurrent(_ element: Element) -> Bool { list.find(element.hash) == element }

        private func find(_ key: Key) -> Element? { list.find(key.hash) }

        /// The elements with a key, latest first.
        private func elements(with key: Key) -> some Sequence<Element> {
            sequence(state: find(key)) { next in
                defer { next = next?.previous }
                return next
            }
        }
    }
}

extension Lineup.Standings {
    /// The key by which elements are found: a module, or something that modules have.
    struct Key: Hashable {
        private let number: UInt

        /// A module.
        init(_ identity: ObjectIdentifier) { number = UInt(bitPattern: identity) }

        /// A group of types; see ``TypeGroups``.
        init(group: UInt) { number = group }

        /// A condition on the setting at this path.
        init(conditionOn path: String) { self.init(path.hashValue, tag: 1) }

        /// A condition on the setting at this path or on one below it.
        init(conditionOnOrBelow path: String) { self.init(path.hashValue, tag: 2) }

        /// A custom scope that registrations name.
        init(naming scope: Scope) { self.init(scope.name.hashValue, tag: 0) }

        /// A scope for which inputs are declared.
        init(inputsOf scope: Scope) { self.init(~scope.name.hashValue, tag: 0) }

        // Two paths may have the same key. Then a condition is evaluated more often than necessary. Two scopes may, too.
        private init(_ hashValue: Int, tag: UInt) {
            number = 1 << 63 | UInt(bitPattern: hashValue) << 2 | tag
        }

        /// The condition of this module, if placeholders in the setting that it reads lead to the setting at this path.
        ///
        /// No two of these are the same: 61 random bits distinguish them.
        init(conditionOf identity: ObjectIdentifier, consulting path: String) {
            var hasher = Hasher()
            hasher.combine(identity)
            hasher.combine(path)
            self.init(hasher.finalize(), tag: 3)
        }

        // There are 256 groups of types. No object has an address as low as these numbers, or with the bits that the
        // other keys have.

        /// A condition.
        static let condition = Key(group: 256)
        /// Asynchronous factory closures.
        static let asynchronous = Key(group: 257)

        /// Different keys have different hashes, because both steps are reversible.
        fileprivate var hash: UInt64 {
            let product = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
            return product ^ (product >> 32)
        }
    }
}

extension HashedList.Element {
    /// The mark of elements with standings; all others have modules.
    fileprivate static let standingMark: UInt32 = 1

    fileprivate var isStanding: Bool { mark == Self.standingMark }
    /// Whether it replaces the standing of a module.
    fileprivate var isReplacing: Bool { isStanding && previous != nil }

    /// The standing, if the key is a module.
    fileprivate var standing: Lineup.Standing? {
        // Unsafe: the mark says what the object is.
        isStanding ? unsafeDowncast(object, to: Lineup.Standing.self) : nil
    }

    fileprivate var loaded: LoadedModule {
        // Unsafe: see `standing`.
        standing?.loaded ?? unsafeDowncast(object, to: LoadedModule.self)
    }
}
