import Locator

/// The paths that profiles and files have, to find a name that none of them has.
struct KnownPaths {
    private let sides: [Comparison.Side]
    private let trees: [JSONObject]
    private lazy var settings = Set(sides.flatMap(\.properties.settingPaths)).sorted()
    private lazy var names = NearNames(settings)

    init(of sides: [Comparison.Side], _ trees: [JSONObject]) {
        self.sides = sides
        self.trees = trees
    }

    /// Whether a profile or a file has a path.
    ///
    /// A path with `null` in a file counts as well, because a variable may replace the `null`.
    func contains(_ path: PropertyPath) -> Bool {
        sides.contains { $0.properties[path.text] != nil } || trees.contains { $0.part(at: path) != nil }
    }

    mutating func near(_ path: PropertyPath, where isMeant: (String) -> Bool = { _ in true }) -> [String] {
        let settings = settings
        return names.nearest(to: path.text) { isMeant(settings[$0]) }
    }
}
