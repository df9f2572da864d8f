import Locator

/// The paths that may have been meant by a path that one side of a comparison has and another lacks.
struct NearPaths {
    /// The candidates for settings, or for objects.
    private struct Candidates: Hashable {
        let having: Int
        let lacking: Int
        let isSetting: Bool
    }

    /// The objects next to each other on one side.
    private struct Sections: Hashable {
        let side: Int
        let parent: PropertyPath
    }

    private let sides: [Comparison.Side]
    private lazy var paths = sides.map(\.properties.settingPaths)
    private lazy var sets = paths.map { Set($0) }
    private var settings: [Candidates: NearNames] = [:]
    private var sections: [Sections: NearNames] = [:]

    init(_ sides: [Comparison.Side]) {
        self.sides = sides
    }

    /// Returns similar paths on the lacking side.
    ///
    /// For an object, these are the objects next to it, or else the settings that the other side does not have.
    mutating func near(_ path: String, having: Int, lacking: Int) -> [String] {
        let own = sets[having]
        let isSetting = own.contains(path)
        if sides[having].properties[path].map({ ValueKind($0) }) == .object {
            let near = nearSections(path, on: lacking)
            if !near.isEmpty { return near }
        }
        let candidates = Candidates(having: having, lacking: lacking, isSetting: isSetting)
        if settings[candidates] == nil {
            settings[candidates] = NearNames(paths[lacking].filter { isSetting || !own.contains($0) })
        }
        let near = settings[candidates]?.nearest(to: path) ?? []
        // `server.host` and `server.port` are two settings.
        guard let path = try? PropertyPath(parsing: path) else { return near }
        return near.filter { name in
            guard let other = try? PropertyPath(parsing: name) else { return true }
            return other.steps.count != path.steps.count || path.isSlip(for: other)
        }
    }

    /// Returns the objects next to a path whose keys are similar to its last key.
    ///
    /// Only the keys are compared, because `clients.eu` and `clients.us` are probably two objects.
    private mutating func nearSections(_ path: String, on side: Int) -> [String] {
        guard let path = try? PropertyPath(parsing: path), let key = path.steps.last?.key else { return [] }
        let parent = PropertyPath(path.steps.dropLast())
        let place = Sections(side: side, parent: parent)
        if sections[place] == nil {
            let properties = sides[side].properties
            let keys = properties.keys(below: parent).filter {
                properties[parent.appending(.key($0)).text].map { ValueKind($0) } == .object
            }
            sections[place] = NearNames(keys)
        }
        let near = sections[place]?.nearest(to: key) ?? []
        // `database1` and `database2` are probably two objects as well.
        return near.filter { Self.letters(of: $0) != Self.letters(of: key) }.map { parent.appending(.key($0)).text }
    }

    private static func letters(of key: String) -> String { key.filter { !$0.isNumber } }
}
