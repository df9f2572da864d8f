internal import LocatorProperties

/// The settings of the profile files, with those of modules over and under them.
///
/// A change of modules shares the lists with the stack before it. The settings are stacked when they are first read.
final class SettingsStack: Sendable {
    private let base: Properties
    /// The modules, in groups in lookup order.
    private let groups: [Group]
    private let stacked = LazyConstant<Properties>()

    convenience init(_ base: Properties = .init()) { self.init(base, []) }

    private init(_ base: Properties, _ groups: [Group]) {
        self.base = base
        self.groups = groups
    }

    var properties: Properties {
        if groups.isEmpty { return base }
        return stacked.value {
            let above = groups.prefix { $0.position.isOverFiles }
            let below = groups[above.endIndex...]
            return .stacked(above: above.map(\.layers), base: base, below: below.map(\.layers))
        }
    }

    /// The stack around these profile files, after modules were added, removed, or moved.
    ///
    /// - Parameters:
    ///   - changed: All modules that may have another position than before.
    ///   - old: The position of a module before the change, nil if it was not in the stack.
    ///   - new: The position after the change, nil if it is not in the stack any longer.
    func placing(
        _ changed: [LoadedModule], around base: Properties, from old: (LoadedModule) -> Lineup.Position?,
        to new: (LoadedModule) -> Lineup.Position?
    ) -> SettingsStack {
        var groups = groups
        var seen: IdentitySet = []
        let moved = changed.filter { seen.insert($0.identity).inserted && old($0) != new($0) }
        for loaded in moved {
            guard let position = old(loaded), let index = groups.firstIndex(where: { $0.position == position.group })
            else { continue }
            groups[index].remove(loaded)
            if groups[index].isEmpty { groups.remove(at: index) }
        }
        for loaded in moved {
            guard let position = new(loaded) else { continue }
            let index = groups.firstIndex { $0.position >= position.group } ?? groups.endIndex
            if index == groups.endIndex || groups[index].position != position.group {
                groups.insert(Group(position: position.group), at: index)
            }
            groups[index].insert(loaded) { new($0).map { position.isEarlier(than: $0) } ?? false }
        }
        return SettingsStack(base, groups)
    }

    /// The modules of a group of positions, the latest loaded or pushed as the latest element.
    private struct Group {
        let position: Lineup.Position.Group
        private var latest: Element?

        init(position: Lineup.Position.Group) { self.position = position }

        var isEmpty: Bool { latest == nil }

        /// The settings of the modules.
        var layers: LayerList { latest?.layers ?? LayerList(isLatestFirst: position.isOfPushes) }

        private mutating func append(_ loaded: LoadedModule) {
            var layers = layers
            if let properties = loaded.properties { layers.append(properties) }
            latest = Element(loaded, layers, after: latest)
        }

        /// Inserts a module before the latest ones that satisfy `isLater`.
        mutating func insert(_ loaded: LoadedModule, before isLater: (LoadedModule) -> Bool) {
            var later: [LoadedModule] = []
            while let element = latest, isLater(element.loaded) {
                later.append(element.loaded)
                latest = element.earlier
            }
            append(loaded)
            for loaded in later.reversed() { append(loaded) }
        }

        mutating func remove(_ loaded: LoadedModule) {
            let (rest, later) = Element.removing(1, from: latest) { $0.loaded.identity == loaded.identity }
            latest = rest
            for element in later { append(element.loaded) }
        }
    }

    private final class Element: Chained, @unchecked Sendable {
        // Sendable: constant until `deinit`, when nothing else references the object. For the same reason, the
        // exclusivity need not be checked.

        @exclusivity(unchecked) var earlier: Element?
        let loaded: LoadedModule
        /// The settings up to this element.
        let layers: LayerList

        init(_ loaded: LoadedModule, _ layers: LayerList, after earlier: Element?) {
            self.loaded = loaded
            self.layers = layers
            self.earlier = earlier
        }

        deinit { letGoOfEarlier() }
    }
}

extension Lineup.Position.Group {
    /// Whether settings of a module at these positions override those of the profile files.
    fileprivate var isOverFiles: Bool { priority > .profile }
}

extension Lineup.Position {
    /// Whether the module at this position was loaded or pushed before another one of the same group.
    fileprivate func isEarlier(than other: Self) -> Bool { group.isOfPushes ? other < self : self < other }
}
