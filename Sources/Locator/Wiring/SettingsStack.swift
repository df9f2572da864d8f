internal import LocatorProperties

/// The settings of the profile files, with those of modules over and under them.
///
/// A change of modules shares the lists with the stack before it. The settings are stacked when they are first read.
final class SettingsStack: Sendable {
    private let base: Properties
    /// The modules over the profile files, the first in lookup order as the latest element.
    private let above: Element?
    /// The modules under the profile files, the last in lookup order as the latest element.
    private let below: Element?
    private let stacked = LazyConstant<Properties>()

    convenience init(_ base: Properties = .init()) { self.init(base, above: nil, below: nil) }

    private init(_ base: Properties, above: Element?, below: Element?) {
        self.base = base
        self.above = above
        self.below = below
    }

    var properties: Properties {
        if above == nil, below == nil { return base }
        return stacked.value {
            .stacked(above: above?.layers ?? LayerList(), base: base, below: below?.layers ?? LayerList())
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
        var above = above
        var below = below
        var seen: IdentitySet = []
        let moved = changed.filter { seen.insert($0.identity).inserted && old($0) != new($0) }
        for loaded in moved {
            guard let position = old(loaded) else { continue }
            if position.isOverFiles {
                Element.remove(loaded, from: &above)
            } else {
                Element.remove(loaded, from: &below)
            }
        }
        for loaded in moved {
            guard let position = new(loaded) else { continue }
            if position.isOverFiles {
                Element.insert(loaded, in: &above) { new($0).map { $0 < position } ?? false }
            } else {
                Element.insert(loaded, in: &below) { new($0).map { $0 > position } ?? false }
            }
        }
        return SettingsStack(base, above: above, below: below)
    }

    private final class Element: Chained, @unchecked Sendable {
        // Sendable: constant until `deinit`, when nothing else references the object. For the same reason, the
        // exclusivity need not be checked.

        @exclusivity(unchecked) var earlier: Element?
        let loaded: LoadedModule
        /// The settings up to this element.
        let layers: LayerList

        init(_ loaded: LoadedModule, after earlier: Element?) {
            var layers = earlier?.layers ?? LayerList()
            if let properties = loaded.properties { layers.append(properties) }
            self.loaded = loaded
            self.layers = layers
            self.earlier = earlier
        }

        deinit { letGoOfEarlier() }

        /// Inserts a module before the latest elements that satisfy `isAfter`.
        static func insert(_ loaded: LoadedModule, in latest: inout Element?, before isAfter: (LoadedModule) -> Bool) {
            var later: [LoadedModule] = []
            var rest = latest
            while let element = rest, isAfter(element.loaded) {
                later.append(element.loaded)
                rest = element.earlier
            }
            latest = later.reversed().reduce(Element(loaded, after: rest)) { Element($1, after: $0) }
        }

        static func remove(_ loaded: LoadedModule, from latest: inout Element?) {
            let (rest, kept) = removing(1, from: latest) { $0.loaded.identity == loaded.identity }
            latest = kept.reduce(rest) { Element($1.loaded, after: $0) }
        }
    }
}

extension Lineup.Position {
    /// Whether settings of a module at this position override those of the profile files.
    fileprivate var isOverFiles: Bool { priority > .profile }
}
